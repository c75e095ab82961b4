; The host's answers: values of constants, and decisions.
; SHOW: OpCapability OpTypeFloat
; FILE: %t.yaml
;   shaders:
;     scale: {%fixtures/merge/scale-fp16.spv: 'fp16 && host(fast)', %fixtures/merge/scale.spv: else}
;     precision: [%fixtures/spec/precision.spv]
;   constants:
;     precision: {use_half: [true, false]}
; RUN: bundle -q --manifest %t.yaml -o %t.spvb --ready
; RUN: unbundle %t.spvb -o %t/ --device intel_gpu_bmg_g21 --set fast:true --set use_half:false
; RUN: specialize %fixtures/spec/precision.spv -o %t/same.spv --device intel_gpu_bmg_g21 --set use_half:false
; MESSAGES: facts
