; No variant is for the device, which is not one that lacks something of a module.
; EXIT: 3
; FILE: %t.yaml
;   shaders:
;     scale: {%fixtures/merge/scale-fp16.spv: fp64}
; RUN: bundle --manifest %t.yaml -o %t.spvb
; RUN: specialize %t.spvb --device intel_gpu_acm_g10 -o %t/
; MESSAGES: facts
