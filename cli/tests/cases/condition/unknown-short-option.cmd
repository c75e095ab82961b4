; RUN: condition -x --device intel_gpu_pvc
; EXIT: 2
