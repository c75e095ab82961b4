; Names of Vulkan's features are no aspects.
; RUN: condition 'fp64 && shaderFloat16'
; EXIT: 2
