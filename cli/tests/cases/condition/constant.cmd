; What always or never holds has no series.
; RUN: condition 'fp16 || !fp16'
; RUN: condition 'arch(intel_gpu_pvc) && arch(x86_64)'
