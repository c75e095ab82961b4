; Every module for devices is made with the bundle, and equals what specialize makes.
; RESULT-ENV: spv1.6
; SHOW: OpCapability
; RUN: pack -q %fixtures/glsl/reduce.spv -o %t.packed.spv
; RUN: bundle %t.packed.spv %fixtures/merge/scale.spv -o %t.spvb --ready
; RUN: unbundle %t.spvb
; RUN: unbundle -q %t.spvb -o %t.half/ --device intel_gpu_bmg_g21
; RUN: specialize -q %t.packed.spv -o %t.half.spv --device intel_gpu_bmg_g21
; RUN: unbundle -q %t.spvb -o %t.plain/ --device nvidia_gpu_sm_50
; MESSAGES: facts
