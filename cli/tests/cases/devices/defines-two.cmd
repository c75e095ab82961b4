; EXIT: 2
; RUN: devices x86_64 intel_gpu_pvc --defines
; MESSAGES: facts
