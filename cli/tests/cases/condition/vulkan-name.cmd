; Names of Vulkan's features are not aspects.
; RUN: condition 'fp64 && shaderFloat16'
; EXIT: 2
