; Required devices and fixed targets get the constants that the bundle fixes: half precision where the packed module alone would do without.
; FILE: %t.yaml
;   shaders:
;     reduce: [%t.spv]
;   constants:
;     reduce: {0: true}
; RUN: pack %fixtures/glsl/reduce.spv -o %t.spv -q
; RUN: inspect %t.spv -q --require-devices nvidia_gpu_sm_50
; RUN: bundle --manifest %t.yaml -o %t.spvb
; RUN: check %t.spvb --fixed-targets nvidia_gpu_sm_50
; RUN: inspect %t.spvb -q --require-devices nvidia_gpu_sm_50
; EXIT: 3
; DIS: none
