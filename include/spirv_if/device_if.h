// Code for some devices only, in OpenCL C. The same macros are in device_if.glsl, and for HLSL and Slang in device_if.hlsl and
// device_if.slang.
//
//   CONDITIONAL void IF_DEVICE_HAS(fp16, sum)(__global const half *values, uint count, __global float *result) { ... }
//   CONDITIONAL void UNLESS_DEVICE_HAS(fp16, sum)(__global const half *values, uint count, __global float *result) { ... }
//   ...
//   IF_DEVICE_HAS(fp16, sum)(values, count, &result);
//   UNLESS_DEVICE_HAS(fp16, sum)(values, count, &result);
//
// The function and its calls are named alike; each call happens only where the condition holds, and the function is not part of the
// module elsewhere: `spirv-if pack` makes one module for all devices, `spirv-if specialize` one for a device. Such functions
// return nothing: results come back through pointers. Any level of optimization will do.
#ifndef SPIRV_IF_DEVICE_IF_H
#define SPIRV_IF_DEVICE_IF_H

#include "conditions.h"

// A weak function may be replaced by another, so that no optimizer draws conclusions from what it does: a call that always writes
// a variable would make what was written before dead, but this one may not happen. For the same reason it cannot be static.
#define CONDITIONAL __attribute__((noinline, weak))

#endif
