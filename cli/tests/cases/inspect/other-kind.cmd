; Devices that take no shaders are one error of the module, in the words of the report.
; RUN: inspect %fixtures/glsl/shade.spv --devices intel_gpu_pvc*
; RUN: inspect %fixtures/glsl/shade.spv --require-devices intel_gpu_pvc*,x86_64 -q
; EXIT: 3
