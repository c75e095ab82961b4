// Code for some devices only, in GLSL: `#include "spirv_if/device_if.glsl"` after `#extension GL_GOOGLE_include_directive : require`,
// with the folder named by glslang's -I.
//
//   void IF_DEVICE_HAS(fp16, sum)(uint first, inout float result) { ... }
//   void UNLESS_DEVICE_HAS(fp16, sum)(uint first, inout float result) { ... }
//   ...
//   IF_DEVICE_HAS(fp16, sum)(first, result);
//   UNLESS_DEVICE_HAS(fp16, sum)(first, result);
//
// The function and its calls are named alike; each call happens only where the condition holds, and the function is not part of the
// module elsewhere: `spirv-if pack` makes one module for all devices, `spirv-if specialize` one for a device. Such functions
// return nothing. Results come back through `inout` parameters, never `out`: what an `out` parameter copies back was
// never written where the call does not happen.
//
// Do not optimize the module before `pack` (glslang's -Os, glslc's -O): that inlines the functions, and what they do is
// unconditional then.
#ifndef SPIRV_IF_DEVICE_IF_GLSL
#define SPIRV_IF_DEVICE_IF_GLSL

#include "conditions.h"

#endif
