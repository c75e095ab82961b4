; RUN: condition fp16 --device intel_gpu_pcv
; MESSAGES: facts
; EXIT: 2
