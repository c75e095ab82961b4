; RUN: devices intel_gpu_pcv
; EXIT: 2
