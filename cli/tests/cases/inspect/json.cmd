; For programs.
; RUN: inspect %fixtures/glsl/reduce.spv --format json --why fp16 --devices intel_gpu_dg1 --api vulkan
