; What APIs must enable.
; RUN: inspect %fixtures/glsl/shade.spv --api vulkan
; RUN: inspect %fixtures/opencl/plain.spv --api opencl
