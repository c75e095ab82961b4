; Without `else`, other devices are refused, by the properties beside the module or by those inside.
; EXIT: 3
; RESULT-ENV: spv1.6
; DIS: none
; RUN: merge %fixtures/merge/scale-fp16.spv=fp16 %fixtures/merge/scale.spv=arch(x86_64) -o %t.spv
; RUN: specialize -q %t.spv -o %t.half.spv --device intel_gpu_acm_g10
; RUN: specialize -q %t.spv -o %t.none.spv --device nvidia_gpu_sm_50
; MESSAGES: facts
