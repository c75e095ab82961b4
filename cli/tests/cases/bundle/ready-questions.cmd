; The numbers of questions are a header for C.
; DIS: none
; RUN: pack -q %fixtures/glsl/reduce.spv -o %t.packed.spv
; FILE: %t.yaml
;   shaders:
;     scale: {%fixtures/merge/scale-fp16.spv: 'fp16 && subgroup_size == 32', %fixtures/merge/scale.spv: 'host(fast)'}
;     reduce: [%t.packed.spv]
;     precision: [%fixtures/spec/precision.spv]
;   constants:
;     precision: {use_half: [true, false]}
; RUN: bundle -q --manifest %t.yaml -o %t.spvb --ready --validate --questions %t.h
; MESSAGES: facts
