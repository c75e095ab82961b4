; The variant requires what the device does not have.
; EXIT: 3
; RUN: bundle %fixtures/opencl/plain.spv -o %t.spvb
; RUN: unbundle %t.spvb -o %t.out/ --device intel_gpu_acm_g10
