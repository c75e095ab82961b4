; By name and by another name.
; RUN: devices x86_64 intel_gpu_12_60_7
