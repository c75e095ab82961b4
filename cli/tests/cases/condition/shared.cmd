; Equal parts are one constant: `fp16 || fp64` is written once.
; RUN: condition 'arch(intel_gpu_pvc) && (fp16 || fp64) || arch(x86_64) && cap(Int8) && (fp16 || fp64)'
