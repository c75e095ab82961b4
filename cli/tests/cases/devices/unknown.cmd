; RUN: devices intel_gpu_pcv
; MESSAGES: facts
; EXIT: 2
