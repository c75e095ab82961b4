; Warnings of a baseline are accepted.
; RUN: check %fixtures/check/hw-g.spv --write-baseline %t.json --deny-warnings
; RUN: check %fixtures/check/hw-g.spv --baseline %t.json --deny-warnings
; RUN: check %fixtures/check/hw-g.spv --baseline %t.json --deny-warnings --fixed-targets intel_gpu_acm_g10
; MESSAGES: facts
; EXIT: 1
