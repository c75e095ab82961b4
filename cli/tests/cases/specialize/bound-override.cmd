; Constants of a packed module that are computed from conditions, a Boolean and an integer, are set by their names, against what the device has: it has
; half precision and operations of sub-groups, and is a GPU. No device gives both the value that `both` has.
; RUN: pack -q %fixtures/annotations/guarded.spv --annotations %t.yaml -o %t.packed.spv
; RUN: specialize -q %t.packed.spv --device intel_gpu_bmg_g21 -o %t.as-is.spv
; RUN: specialize -q %t.packed.spv --device intel_gpu_bmg_g21 --set USE_HALF:false -o %t.float.spv
; RUN: specialize -q %t.packed.spv --device intel_gpu_bmg_g21 --set USE_HALF:false --set SUBGROUPS:1 -o %t.subgroups.spv
; RUN: specialize -q %t.packed.spv --device intel_gpu_bmg_g21 --set USE_HALF:true --set SUBGROUPS:1 -o %t.both.spv
; RUN: specialize -q %t.packed.spv --device nvidia_gpu_sm_50 --set USE_HALF:true -o %t.refused.spv
; MESSAGES: facts
; EXIT: 3
; SHOW: OpCapability OpSpecConstant OpConditional
; FILE: %t.yaml
;   spec-constants:
;     1: fp16 && gpu
;     2: cap(GroupNonUniformArithmetic) && !gpu
