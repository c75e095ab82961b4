; A condition that no entry point may require: the call path to what requires it. A requirement under the condition itself is none, and
; neither is one of some devices only.
; RUN: inspect %fixtures/glsl/reduce.spv --deny fp16 --deny 'cap(Kernel)' --why SPV_KHR_ray_query
; RUN: inspect %fixtures/opencl/plain.spv --deny 'fp64 && gpu' --deny 'fp64 || gpu' --why SPV_KHR_ray_query
; EXIT: 1
