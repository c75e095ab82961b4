; RUN: condition "fp16 && arch(intel_gpu_pcv)"
; EXIT: 2
