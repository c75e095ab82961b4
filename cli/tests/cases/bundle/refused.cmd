; No variant is for the device.
; EXIT: 3
; FILE: %t.yaml
;   shaders:
;     scale: {%fixtures/merge/scale.spv: fp64}
; RUN: bundle --manifest %t.yaml -o %t.spvb
; RUN: unbundle %t.spvb -o %t.out/ --device intel_gpu_acm_g10
