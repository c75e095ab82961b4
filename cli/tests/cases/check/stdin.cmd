; STDIN: %fixtures/check/double.spv
; RUN: check - --fixed-targets intel_gpu_dg1
