; A device gets the variant whose condition holds, with the constants that the bundle fixes.
; RESULT-ENV: spv1.6
; SHOW: OpCapability
; FILE: %t.yaml
;   shaders:
;     scale: {%fixtures/merge/scale-fp16.spv: fp64, %fixtures/merge/scale.spv: else}
;     precision: [%fixtures/spec/precision.spv]
;   constants:
;     precision: {use_half: true}
; RUN: bundle --manifest %t.yaml -o %t.spvb
; RUN: unbundle %t.spvb -o %t.double/ --device intel_gpu_bmg_g21
; RUN: unbundle %t.spvb scale -o %t.single/ --device intel_gpu_acm_g10
