; A decision of the host has no device constant: it is a constant with a SpecId in either dialect. An extension cannot be expressed.
; RUN: merge --dialect function-variants %fixtures/merge/scale-fp16.spv=host(half)&&fp16 %fixtures/merge/scale.spv=else -o %t.packed.spv
; RUN: specialize -q %t.packed.spv --device intel_gpu_bmg_g21 --set half:true -o %t.half.spv
; RUN: specialize -q %t.packed.spv --device intel_gpu_bmg_g21 --set half:false -o %t.plain.spv
; RUN: merge --dialect function-variants %fixtures/merge/scale-fp16.spv=ext(SPV_KHR_ray_query) %fixtures/merge/scale.spv=else -o %t.spv
; RESULT-ENV: spv1.6
; DIS: none
; EXIT: 1
