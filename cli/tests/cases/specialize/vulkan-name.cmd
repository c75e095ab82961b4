; The name of a feature of Vulkan leads to the capability.
; RUN: specialize %fixtures/glsl/shade.spv --capabilities Shader,shaderFloat64 -o %t.spv
; EXIT: 2
