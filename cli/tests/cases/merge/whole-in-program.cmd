; The condition of a whole module holds for the images that are made of it, and for add-on images: devices that no variant is for are refused before code is read.
; RUN: merge -q %fixtures/merge/scale-fp16.spv=fp16 %fixtures/merge/scale.spv=arch(x86_64) -o %t.spv
; RUN: sycl post-link -q %t.spv -o %t.image.table
; RUN: sycl add-on -q %t.spv -o %t.add-on.table
; RUN: sycl select -q %t.image.table --kernel main --device intel_gpu_bmg_g21 -o %t.image.pvc.spv
; RUN: sycl select -q %t.add-on.table --kernel main --device intel_gpu_bmg_g21 -o %t.add-on.pvc.spv
; RUN: sycl select -q %t.add-on.table --kernel main --device intel_gpu_acm_g10 -o %t.add-on.x86_64.spv
; RUN: sycl select -q %t.add-on.table --kernel main --device nvidia_gpu_sm_50 -o %t.refused.spv
; RESULT-ENV: spv1.6
; DIS: %t.add-on.pvc.spv
; EXIT: 3
; SHOW: OpCapability OpEntryPoint OpFunction Linkage
