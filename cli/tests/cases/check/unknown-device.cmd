; RUN: check %fixtures/check/double.spv --fixed-targets intel_gpu_dg1,intel_gpu_dg3
; MESSAGES: facts
; EXIT: 2
