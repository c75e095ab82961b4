// Conditions in the names of functions, for preprocessors that paste tokens (C's, glslang's, Slang's). Included by device_if.*.
//
// `name` is any identifier: one function may have the same name under several conditions. What spirv-if reads is the name that
// comes out: call_if_on_device_conditionally_n1_5_sum, where -1, 5 is a Condition Expression, "has aspect 5", and n is the minus.
#ifndef SPIRV_IF_CONDITIONS
#define SPIRV_IF_CONDITIONS

#include "names.h"

#define SPIRV_IF_PASTE_2_(a, b) a##b
#define SPIRV_IF_PASTE_2(a, b) SPIRV_IF_PASTE_2_(a, b)
#define SPIRV_IF_PASTE_3_(a, b, c) a##b##_##c
#define SPIRV_IF_PASTE_3(a, b, c) SPIRV_IF_PASTE_3_(a, b, c)

// The function that is called where the device has an aspect, is of an architecture, or supports a SPIR-V capability.
#define IF_DEVICE_HAS(aspect, name) \
    SPIRV_IF_PASTE_3(call_if_on_device_conditionally_n1_, SPIRV_IF_KNOWN(SPIRV_IF_ASPECT_##aspect), name)
#define IF_DEVICE_IS(architecture, name) \
    SPIRV_IF_PASTE_3(call_if_on_device_conditionally_n2_, SPIRV_IF_KNOWN(SPIRV_IF_ARCHITECTURE_##architecture), name)
#define IF_DEVICE_SUPPORTS(capability, name) \
    SPIRV_IF_PASTE_3(call_if_on_device_conditionally_n6_, SPIRV_IF_KNOWN(SPIRV_IF_CAPABILITY_##capability), name)

// The function that is called where the device accepts a SPIR-V extension, or where the host decides for it by this name. These names
// stand in the function's name as they are, between two marks.
#define IF_DEVICE_ACCEPTS(extension, name) \
    SPIRV_IF_PASTE_2(call_if_on_device_conditionally_n7_##extension##_n7_, name)
#define IF_HOST_DECIDES(decision, name) \
    SPIRV_IF_PASTE_2(call_if_on_device_conditionally_n8_##decision##_n8_, name)

// The function that is called where the device has the feature of a provider. In the name of a feature, X2D stands for a hyphen, and X2E for a
// period: gfx12X2Dinsts.
#define IF_DEVICE_HAS_FEATURE(provider, feature, name) \
    SPIRV_IF_PASTE_2(call_if_on_device_conditionally_n11_##provider##_n11_##feature##_n11_, name)

// The function that is called where a number of the device reaches a bound: IF_DEVICE_REACHES(device, subgroup_size, 32, name). The provider `device`
// has the numbers that text names without a provider; those of Vulkan are IF_DEVICE_REACHES(vulkan, maxComputeWorkGroupInvocations, 512, name).
// Versions are 0x10000 times the major and 0x100 times the minor number: 66560 is 1.4. Of the provider `driver`, the numbers are versions of drivers for
// Vulkan, with X2E for each period: IF_DEVICE_REACHES(driver, qualcomm, 512X2E744, name); IF_DEVICE_HAS_FEATURE(driver, qualcomm, name) for any version.
#define IF_DEVICE_REACHES(provider, number, bound, name) \
    SPIRV_IF_PASTE_2(call_if_on_device_conditionally_n11_##provider##_n11_##number##X3EX3D##bound##_n11_, name)

// The function that is called where it does not.
#define UNLESS_DEVICE_HAS(aspect, name) \
    SPIRV_IF_PASTE_3(call_if_on_device_conditionally_n3_n1_, SPIRV_IF_KNOWN(SPIRV_IF_ASPECT_##aspect), name)
#define UNLESS_DEVICE_IS(architecture, name) \
    SPIRV_IF_PASTE_3(call_if_on_device_conditionally_n3_n2_, SPIRV_IF_KNOWN(SPIRV_IF_ARCHITECTURE_##architecture), name)
#define UNLESS_DEVICE_SUPPORTS(capability, name) \
    SPIRV_IF_PASTE_3(call_if_on_device_conditionally_n3_n6_, SPIRV_IF_KNOWN(SPIRV_IF_CAPABILITY_##capability), name)

#define UNLESS_DEVICE_ACCEPTS(extension, name) \
    SPIRV_IF_PASTE_2(call_if_on_device_conditionally_n3_n7_##extension##_n7_, name)
#define UNLESS_HOST_DECIDES(decision, name) \
    SPIRV_IF_PASTE_2(call_if_on_device_conditionally_n3_n8_##decision##_n8_, name)
#define UNLESS_DEVICE_HAS_FEATURE(provider, feature, name) \
    SPIRV_IF_PASTE_2(call_if_on_device_conditionally_n3_n11_##provider##_n11_##feature##_n11_, name)

#define UNLESS_DEVICE_REACHES(provider, number, bound, name) \
    SPIRV_IF_PASTE_2(call_if_on_device_conditionally_n3_n11_##provider##_n11_##number##X3EX3D##bound##_n11_, name)

// The function that is called where any condition holds, made of those below.
#define IF_DEVICE(condition, name) SPIRV_IF_PASTE_3(call_if_on_device_conditionally_, condition, name)

#define DEVICE_HAS(aspect) SPIRV_IF_PASTE_2(n1_, SPIRV_IF_KNOWN(SPIRV_IF_ASPECT_##aspect))
#define DEVICE_IS(architecture) SPIRV_IF_PASTE_2(n2_, SPIRV_IF_KNOWN(SPIRV_IF_ARCHITECTURE_##architecture))
#define DEVICE_SUPPORTS(capability) SPIRV_IF_PASTE_2(n6_, SPIRV_IF_KNOWN(SPIRV_IF_CAPABILITY_##capability))
#define DEVICE_ACCEPTS(extension) n7_##extension##_n7
#define HOST_DECIDES(decision) n8_##decision##_n8
#define DEVICE_HAS_FEATURE(provider, feature) n11_##provider##_n11_##feature##_n11
#define DEVICE_REACHES(provider, number, bound) n11_##provider##_n11_##number##X3EX3D##bound##_n11
#define DEVICE_NOT(condition) SPIRV_IF_PASTE_2(n3_, condition)
#define DEVICE_AND(first, second) SPIRV_IF_PASTE_3(n4_, first, second)
#define DEVICE_OR(first, second) SPIRV_IF_PASTE_3(n5_, first, second)

#endif
