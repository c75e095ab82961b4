; RUN: inspect %fixtures/glsl/reduce.spv --require-devices 'x86_64,nvidia_gpu_sm8*'
; MESSAGES: facts
; EXIT: 2
