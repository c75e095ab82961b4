; A module that is packed again, in place: what its constants stand for is not lost, and new ones are added.
; DIS: none
; RUN: pack %fixtures/glsl/shade.spv -o %t.spv -q
; RUN: pack %t.spv -o %t.spv -q
; RUN: specialize %t.spv -o %t.pvc.spv --device intel_gpu_bmg_g21
; RUN: specialize %t.spv -o %t.sm_50.spv --device nvidia_gpu_sm_50
