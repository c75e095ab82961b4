; RUN: specialize %fixtures/traps/cast-O0.spv --device intel_gpu_acm_g10 -o %t.spv
; EXIT: 3
