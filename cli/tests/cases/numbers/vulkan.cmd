; The conditions in names of functions, in a shader: packed, for devices that know the numbers, and for one of which the host chooses the size of sub-groups.
; RUN: pack %fixtures/decisions/glslnumbers.spv -o %t.spv
; RUN: specialize -v %t.spv --device nvidia_gpu_sm_90 -o %t.sm_90.spv
; RUN: specialize -v %t.spv --device gfx1100 --limits subgroup_size=64 -o %t.gfx1100.spv
; RUN: specialize %t.spv --device gfx1100 -o %t.open.spv
; MESSAGES: facts
; EXIT: 1
; ENV: vulkan1.1
; SHOW: OpTypeArray SpecId OpCapability OpExtension
