; RUN: condition fp16 --device intel_gpu_pcv
; EXIT: 2
