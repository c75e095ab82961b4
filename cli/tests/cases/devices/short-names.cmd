; Short names, and those of products, wherever a device is named.
; RUN: condition fp64 --device pvc
; RUN: condition fp64 --device 'Arc A770'
; RUN: inspect %fixtures/ubershaders/post.spv --require-devices 'a100,gfx1100,sm_7*' --why SPV_KHR_ray_query
; RUN: condition fp64 --device gfx1109
; MESSAGES: facts
; EXIT: 2
