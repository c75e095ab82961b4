; Fixed targets by globs; each device counts once.
; RUN: check %fixtures/check/double.spv --fixed-targets intel_gpu_*1*,intel_gpu_dg1
; RUN: check %fixtures/check/double.spv --fixed-targets intel_gpu_dg3*
; EXIT: 2
