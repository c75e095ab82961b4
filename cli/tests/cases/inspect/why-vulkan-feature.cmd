; A feature of Vulkan that no capability names has causes, too.
; RUN: inspect %fixtures/glsl/histogram.spv --why shaderBufferInt64Atomics
