; A compiler's property set says what the whole image requires. Constants that remove the double precision leave an image that runs without it;
; others do not.
; RUN: sycl post-link %fixtures/spec/precision.spv -o %t.table
; RUN: sycl select %t.table --kernel main --device intel_gpu_dg1 --set use_double:false --set factor:1 -o %t.single.spv
; RUN: sycl select %t.table --kernel main --device intel_gpu_dg1 --set use_double:true --set factor:1 -o %t.double.spv
; EXIT: 3
; RESULT-ENV: vulkan1.2
; SHOW: OpCapability
