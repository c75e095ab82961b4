; The calls that lead to what is needed, with places where the compiler was asked for them. Kernels and the bodies that clang makes
; of them are one, but for -v.
; RUN: inspect %fixtures/glsl/reduce.spv --why fp16
; RUN: inspect %fixtures/opencl/device_if.spv --why Float64
; RUN: inspect %fixtures/opencl/many.spv --why Float16
; RUN: inspect -v %fixtures/opencl/many.spv --why Float16
; RUN: inspect %fixtures/check/hw-g.spv --why Float64
; RUN: inspect %fixtures/debug/llvm-spirv-opencl.spv %fixtures/debug/glslang-gVS.spv --why int64
; RUN: inspect %fixtures/glsl/reduce.spv --why SPV_KHR_ray_query
