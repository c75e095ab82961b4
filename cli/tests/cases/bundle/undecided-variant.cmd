; Decisions of the host choose variants, too.
; EXIT: 1
; DIS: none
; FILE: %t.yaml
;   shaders:
;     scale: {%fixtures/merge/scale-fp16.spv: host(fast), %fixtures/merge/scale.spv: else}
; RUN: bundle --manifest %t.yaml -o %t.spvb
; RUN: specialize %t.spvb#scale --device intel_gpu_acm_g10 --set fast:true --ignore-unknown -o %t.fast.spv
; RUN: specialize %t.spvb#scale --device intel_gpu_acm_g10 -o %t.spv
