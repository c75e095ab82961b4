; A variant with conditional calls is packed, and its conditions are combined with that of the variant.
; RUN: merge %fixtures/glsl/reduce.spv=fp64 %fixtures/glsl/reduce.spv=host(fast) -o %t.spv
; RUN: pack -q %fixtures/glsl/reduce.spv -o %t.packed.spv
; RUN: merge -q %t.packed.spv=fp64 %t.packed.spv=host(fast) -o %t.of-packed.spv
; RUN: specialize -q %t.spv --device intel_gpu_bmg_g21 --set fast:false -o %t.pvc.spv
; RUN: specialize -q %t.spv --device intel_gpu_acm_g10 --set fast:true -o %t.g10.spv
; MESSAGES: facts
; RESULT-ENV: spv1.6
; DIS: none
