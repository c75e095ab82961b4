; Modules of a kind that an API does not take.
; RUN: inspect %fixtures/opencl/many.spv --api vulkan
; RUN: inspect %fixtures/glsl/wave.spv --api opencl
