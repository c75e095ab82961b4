; What is not known of the device remains of the condition.
; RUN: condition "fp64 || cap(Int8) && arch(intel_gpu_pvc)" --aspects gpu,fp16
; RUN: condition "fp64 || cap(Int8)" --capabilities Shader,Int8
