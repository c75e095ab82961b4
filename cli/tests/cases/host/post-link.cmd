; Images of which the host decides a part: the property sets have its constants by name.
; RUN: merge %fixtures/merge/scale-fp16.spv=host(half) %fixtures/merge/scale.spv=else -o %t.packed.spv
; RUN: sycl post-link %t.packed.spv -o %t.table
; RUN: sycl select %t.table --kernel main --device intel_gpu_bmg_g21 --set half:true -o %t.half.spv
; RUN: sycl select %t.table --kernel main --device intel_gpu_bmg_g21 -o %t.undecided.spv
; RESULT-ENV: spv1.6
; DIS: none
; EXIT: 1
