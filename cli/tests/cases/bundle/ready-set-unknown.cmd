; EXIT: 2
; DIS: none
; FILE: %t.yaml
;   shaders:
;     scale: {%fixtures/merge/scale-fp16.spv: 'fp16 && host(fast)', %fixtures/merge/scale.spv: else}
; RUN: bundle -q --manifest %t.yaml -o %t.spvb --ready
; RUN: unbundle %t.spvb -o %t/ --device intel_gpu_bmg_g21 --set slow:true
