; The name of a feature of Vulkan leads to the capability, as for --capabilities.
; RUN: inspect %fixtures/glsl/shade.spv --why shaderFloat64
; EXIT: 2
