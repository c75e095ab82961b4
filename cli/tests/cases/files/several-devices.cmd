; RUN: specialize %fixtures/opencl/device_if.spv --device intel_gpu_pvc --device x86_64 -o %t.spv
; MESSAGES: facts
; EXIT: 2
