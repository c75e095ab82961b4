; Fewer fixed targets have no new warnings, and one more has.
; RUN: check %fixtures/check/hw-g.spv --fixed-targets intel_gpu_dg1,intel_gpu_tgllp --write-baseline %t.json
; RUN: check %fixtures/check/hw-g.spv --fixed-targets intel_gpu_dg1 --baseline %t.json --deny-warnings
; RUN: check %fixtures/check/hw-g.spv --fixed-targets intel_gpu_dg1,intel_gpu_acm_g10 --baseline %t.json --deny-warnings
; EXIT: 1
; DIS: none
