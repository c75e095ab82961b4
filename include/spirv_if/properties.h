// Compile-time properties of SYCL in OpenCL C and C++ for OpenCL, for clang: attributes from which `spirv-if` makes execution modes and
// decorations (spec-extensions/sycl-properties.md).
//
//   SYCL_WORK_GROUP_SIZE(2, 16) SYCL_SUB_GROUP_SIZE(16) SYCL_DEVICE_HAS(fp64)
//   kernel void scale(SYCL_NO_ALIAS global float *result, global const float *values) { ... }
//
// Sizes are in SYCL's order: the dimension that varies fastest is last. Clang's own SPIR-V backend takes no property of a variable outside
// of functions; it and llvm-spirv drop those of parameters unless the code is not optimized. An annotations file has them in any case.
#ifndef SPIRV_IF_PROPERTIES_H
#define SPIRV_IF_PROPERTIES_H

#include "names.h"

#define SPIRV_IF_TEXT_(...) #__VA_ARGS__
#define SPIRV_IF_TEXT(...) SPIRV_IF_TEXT_(__VA_ARGS__)

// A list of properties, each a name or `name=value`.
#define SYCL_PROPERTIES(list) __attribute__((annotate("sycl-properties:" list)))
// A property with a value: a number, `true` or `false`, text without quotes, or several of these.
#define SYCL_PROPERTY(name, ...) SYCL_PROPERTIES(name "=" SPIRV_IF_TEXT(__VA_ARGS__))

// Of kernels. A function that is not a kernel may have the last three.
#define SYCL_WORK_GROUP_SIZE(...) SYCL_PROPERTY("sycl-work-group-size", __VA_ARGS__)
#define SYCL_WORK_GROUP_SIZE_HINT(...) SYCL_PROPERTY("sycl-work-group-size-hint", __VA_ARGS__)
#define SYCL_SUB_GROUP_SIZE(size) SYCL_PROPERTY("sycl-sub-group-size", size)
// One aspect each: several attributes add up.
#define SYCL_DEVICE_HAS(aspect) SYCL_PROPERTY("sycl-device-has", SPIRV_IF_KNOWN(SPIRV_IF_ASPECT_##aspect))
#define SYCL_USES_ASPECT(aspect) SYCL_PROPERTY("sycl-used-aspects", SPIRV_IF_KNOWN(SPIRV_IF_ASPECT_##aspect))

// Of parameters.
#define SYCL_NO_ALIAS SYCL_PROPERTIES("sycl-no-alias")
// Of parameters, variables and members of structures.
#define SYCL_ALIGNMENT(bytes) SYCL_PROPERTY("sycl-alignment", bytes)
// Of variables outside of functions: read, write, read_write or none.
#define SYCL_HOST_ACCESS(access) SYCL_PROPERTY("sycl-host-access", access)

#endif
