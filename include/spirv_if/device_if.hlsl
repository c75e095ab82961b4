// Code for some devices only, in HLSL, as slangc compiles it, and DXC with -fcgl (docs/dxc.md).
//
//   CONDITIONAL void IF_DEVICE_HAS(fp16, sum)(uint first, inout float result) { ... }
//   CONDITIONAL void UNLESS_DEVICE_HAS(fp16, sum)(uint first, inout float result) { ... }
//   ...
//   IF_DEVICE_HAS(fp16, sum)(first, result);
//   UNLESS_DEVICE_HAS(fp16, sum)(first, result);
//
// The function and its calls are named alike; each call happens only where the condition holds, and the function is not part of the
// module elsewhere: `spirv-if pack` makes one module for all devices, `spirv-if specialize` one for a device. Such functions
// return nothing. Results come back through `inout` parameters, never `out`: what an `out` parameter copies back was
// never written where the call does not happen.
//
// Pass variables that are declared in the calling function (or static, or groupshared) for them: slangc inlines the call, whatever
// [noinline] says, if it gets an element of a buffer or a parameter of the calling function instead, and what is inlined is
// unconditional. `spirv-if pack` lists the calls that it finds: see that none is missing.
#ifndef SPIRV_IF_DEVICE_IF_HLSL
#define SPIRV_IF_DEVICE_IF_HLSL

#include "conditions.h"

// An action that is inlined is unconditional.
#define CONDITIONAL [noinline]

#endif
