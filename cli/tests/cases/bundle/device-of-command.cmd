; A device chooses the variant of a shader, for `specialize` as for `unbundle`, with the constants that the bundle fixes.
; RESULT-ENV: spv1.6
; SHOW: OpCapability SpecId
; FILE: %t.yaml
;   shaders:
;     scale: {%fixtures/merge/scale-fp16.spv: fp64, %fixtures/merge/scale.spv: else}
;     precision: [%fixtures/spec/precision.spv]
;   constants:
;     precision: {use_half: true}
; RUN: bundle --manifest %t.yaml -o %t.spvb
; RUN: specialize %t.spvb#scale --device intel_gpu_bmg_g21 -o %t.double.spv
; RUN: specialize %t.spvb#scale:1 --device intel_gpu_bmg_g21 -o %t.single.spv
; RUN: specialize %t.spvb#scale --device intel_gpu_bmg_g21 --device intel_gpu_acm_g10 -o %t.each/
; RUN: specialize %t.spvb --device intel_gpu_bmg_g21 -o %t.all/
; RUN: unbundle %t.spvb -o %t.unbundled/ --device intel_gpu_bmg_g21
; MESSAGES: facts
