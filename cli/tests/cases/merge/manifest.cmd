; Many shaders, relative to the manifest. A list has no conditions: they follow from what the modules require.
; RESULT-ENV: spv1.6
; DIS: none
; FILE: %t.yaml
;   shaders:
;     scale.spv:
;       %fixtures/merge/scale-fp16.spv: fp16
;       %fixtures/merge/scale.spv: else
;     more/inferred.spv: [%fixtures/merge/scale.spv, %fixtures/merge/scale-fp16.spv]
; RUN: merge -v --manifest %t.yaml -o %t.out/
; MESSAGES: facts
