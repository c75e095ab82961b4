/*
 * Answers the questions of bundles about an OpenCL device, from clGetDeviceInfo. Include it in one file, after cl.h.
 *
 *     spvb_opencl_answer_all(bundle, device, answers);
 *
 * Decisions of the host and values of constants are left unknown: answer them afterwards.
 */
#ifndef SPVB_OPENCL_H
#define SPVB_OPENCL_H

#include "spvb.h"

#include <CL/cl.h>
#include <stdlib.h>
#include <string.h>

/* How an answer of clGetDeviceInfo is compared. */
enum { SPVB_OPENCL_ANY, SPVB_OPENCL_NOT_0, SPVB_OPENCL_HAS_BIT, SPVB_OPENCL_FULL_PROFILE };

/* What lets a device answer yes: a range of versions and extensions, joined by a plus, if there are some, and a query. */
typedef struct spvb_opencl_way {
    uint16_t first_version, last_version;
    const char *extension;
    uint32_t query;
    uint8_t test;
    uint32_t value;
} spvb_opencl_way;

/* scripts/bundle-headers.py writes this. */
static const spvb_opencl_way spvb_opencl_ways[] = {
    {0x0, 0x0, 0, 0x1000, SPVB_OPENCL_HAS_BIT, 0x8},
    {0x0, 0x0, "cl_khr_int64_base_atomics+cl_khr_int64_extended_atomics", 0, SPVB_OPENCL_ANY, 0},
    {0x0, 0x0, 0, 0x1000, SPVB_OPENCL_HAS_BIT, 0x2},
    {0x0, 0x0, 0, 0x1000, SPVB_OPENCL_HAS_BIT, 0x10},
    {0x0, 0x0, "cl_intel_device_attribute_query", 0, SPVB_OPENCL_ANY, 0},
    {0x0, 0x0, "cl_khr_device_uuid", 0, SPVB_OPENCL_ANY, 0},
    {0x0, 0x0, "cl_khr_pci_bus_info", 0, SPVB_OPENCL_ANY, 0},
    {0x0, 0x0, "cl_khr_fp16", 0, SPVB_OPENCL_ANY, 0},
    {0x0, 0x0, "cl_khr_fp64", 0, SPVB_OPENCL_ANY, 0},
    {0x0, 0x0, 0, 0x1032, SPVB_OPENCL_NOT_0, 0},
    {0x0, 0x0, 0, 0x1000, SPVB_OPENCL_HAS_BIT, 0x4},
    {0x0, 0x0, 0, 0x1016, SPVB_OPENCL_NOT_0, 0},
    {0x0, 0x0, 0, 0x1028, SPVB_OPENCL_NOT_0, 0},
    {0x0, 0x0, 0, 0x103e, SPVB_OPENCL_NOT_0, 0},
    {0x0, 0x0, 0, 0x102a, SPVB_OPENCL_HAS_BIT, 0x2},
    {0x0, 0x0, "cl_intel_unified_shared_memory", 0x4190, SPVB_OPENCL_HAS_BIT, 0x8},
    {0x0, 0x0, "cl_intel_unified_shared_memory", 0x4192, SPVB_OPENCL_HAS_BIT, 0x8},
    {0x0, 0x0, "cl_intel_unified_shared_memory", 0x4191, SPVB_OPENCL_HAS_BIT, 0x1},
    {0x0, 0x0, "cl_intel_unified_shared_memory", 0x4190, SPVB_OPENCL_HAS_BIT, 0x1},
    {0x0, 0x0, "cl_intel_unified_shared_memory", 0x4192, SPVB_OPENCL_HAS_BIT, 0x1},
    {0x0, 0x0, "cl_intel_unified_shared_memory", 0x4194, SPVB_OPENCL_HAS_BIT, 0x1},
    {0x0, 0x0, 0, 0, SPVB_OPENCL_ANY, 0},
    {0x0, 0x0, "cl_ext_float_atomics", 0x4233, SPVB_OPENCL_HAS_BIT, 0x2},
    {0x0, 0x0, "cl_ext_float_atomics", 0x4233, SPVB_OPENCL_HAS_BIT, 0x20000},
    {0x0, 0x0, "cl_ext_float_atomics", 0x4233, SPVB_OPENCL_HAS_BIT, 0x4},
    {0x0, 0x0, "cl_ext_float_atomics", 0x4233, SPVB_OPENCL_HAS_BIT, 0x40000},
    {0x0, 0x0, "cl_ext_float_atomics", 0x4231, SPVB_OPENCL_HAS_BIT, 0x2},
    {0x0, 0x0, "cl_ext_float_atomics", 0x4231, SPVB_OPENCL_HAS_BIT, 0x20000},
    {0x0, 0x0, "cl_ext_float_atomics", 0x4231, SPVB_OPENCL_HAS_BIT, 0x4},
    {0x0, 0x0, "cl_ext_float_atomics", 0x4231, SPVB_OPENCL_HAS_BIT, 0x40000},
    {0x0, 0x0, "cl_ext_float_atomics", 0x4232, SPVB_OPENCL_HAS_BIT, 0x2},
    {0x0, 0x0, "cl_ext_float_atomics", 0x4232, SPVB_OPENCL_HAS_BIT, 0x20000},
    {0x0, 0x0, "cl_ext_float_atomics", 0x4232, SPVB_OPENCL_HAS_BIT, 0x4},
    {0x0, 0x0, "cl_ext_float_atomics", 0x4232, SPVB_OPENCL_HAS_BIT, 0x40000},
    {0x0, 0x0, "cl_intel_bfloat16_conversions", 0, SPVB_OPENCL_ANY, 0},
    {0x0, 0x0, "cl_khr_extended_bit_ops", 0, SPVB_OPENCL_ANY, 0},
    {0x200, 0x202, 0, 0, SPVB_OPENCL_ANY, 0},
    {0x0, 0x0, 0, 0x1070, SPVB_OPENCL_NOT_0, 0},
    {0x0, 0x0, "cl_khr_integer_dot_product", 0, SPVB_OPENCL_ANY, 0},
    {0x0, 0x0, "cl_khr_integer_dot_product", 0x1073, SPVB_OPENCL_HAS_BIT, 0x2},
    {0x0, 0x0, "cl_khr_integer_dot_product", 0, SPVB_OPENCL_ANY, 0},
    {0x0, 0x0, "cl_khr_expect_assume", 0, SPVB_OPENCL_ANY, 0},
    {0x0, 0x0, "cl_khr_fp16", 0, SPVB_OPENCL_ANY, 0},
    {0x0, 0x0, 0, 0, SPVB_OPENCL_ANY, 0},
    {0x0, 0x0, 0, 0x1032, SPVB_OPENCL_NOT_0, 0},
    {0x0, 0x0, "cl_khr_fp64", 0, SPVB_OPENCL_ANY, 0},
    {0x200, 0x202, 0, 0, SPVB_OPENCL_ANY, 0},
    {0x0, 0x0, 0, 0x1069, SPVB_OPENCL_NOT_0, 0},
    {0x0, 0x0, "cl_khr_subgroup_non_uniform_vote", 0, SPVB_OPENCL_ANY, 0},
    {0x0, 0x0, "cl_khr_subgroup_ballot", 0, SPVB_OPENCL_ANY, 0},
    {0x0, 0x0, "cl_khr_subgroup_non_uniform_arithmetic", 0, SPVB_OPENCL_ANY, 0},
    {0x0, 0x0, "cl_khr_subgroup_shuffle", 0, SPVB_OPENCL_ANY, 0},
    {0x0, 0x0, "cl_khr_subgroup_shuffle_relative", 0, SPVB_OPENCL_ANY, 0},
    {0x0, 0x0, "cl_khr_subgroup_clustered_reduce", 0, SPVB_OPENCL_ANY, 0},
    {0x0, 0x0, "cl_khr_subgroup_rotate", 0, SPVB_OPENCL_ANY, 0},
    {0x0, 0x0, "cl_khr_subgroup_non_uniform_arithmetic", 0, SPVB_OPENCL_ANY, 0},
    {0x0, 0x0, "cl_khr_subgroup_ballot", 0, SPVB_OPENCL_ANY, 0},
    {0x0, 0x0, "cl_khr_subgroup_clustered_reduce", 0, SPVB_OPENCL_ANY, 0},
    {0x0, 0x0, "cl_khr_subgroup_rotate", 0, SPVB_OPENCL_ANY, 0},
    {0x0, 0x0, "cl_khr_subgroup_shuffle", 0, SPVB_OPENCL_ANY, 0},
    {0x0, 0x0, "cl_khr_subgroup_shuffle_relative", 0, SPVB_OPENCL_ANY, 0},
    {0x0, 0x0, "cl_khr_subgroup_non_uniform_vote", 0, SPVB_OPENCL_ANY, 0},
    {0x0, 0x0, "cl_khr_work_group_uniform_arithmetic", 0, SPVB_OPENCL_ANY, 0},
    {0x200, 0x202, 0, 0, SPVB_OPENCL_ANY, 0},
    {0x0, 0x0, 0, 0x105c, SPVB_OPENCL_NOT_0, 0},
    {0x0, 0x0, 0, 0x1068, SPVB_OPENCL_NOT_0, 0},
    {0x0, 0x0, 0, 0x1016, SPVB_OPENCL_NOT_0, 0},
    {0x0, 0x0, 0, 0x1016, SPVB_OPENCL_NOT_0, 0},
    {0x0, 0x0, 0, 0x1016, SPVB_OPENCL_NOT_0, 0},
    {0x0, 0x0, "cl_khr_mipmap_image_writes", 0, SPVB_OPENCL_ANY, 0},
    {0x200, 0x202, 0, 0x1016, SPVB_OPENCL_NOT_0, 0},
    {0x0, 0x0, 0, 0x104c, SPVB_OPENCL_NOT_0, 0},
    {0x0, 0x0, 0, 0, SPVB_OPENCL_ANY, 0},
    {0x0, 0x0, 0, 0x102e, SPVB_OPENCL_FULL_PROFILE, 0},
    {0x0, 0x0, "cles_khr_int64", 0, SPVB_OPENCL_ANY, 0},
    {0x0, 0x0, "cl_khr_int64_base_atomics", 0, SPVB_OPENCL_ANY, 0},
    {0x0, 0x0, "cl_khr_int64_extended_atomics", 0, SPVB_OPENCL_ANY, 0},
    {0x0, 0x0, 0, 0, SPVB_OPENCL_ANY, 0},
    {0x0, 0x0, 0, 0, SPVB_OPENCL_ANY, 0},
    {0x0, 0x0, 0, 0, SPVB_OPENCL_ANY, 0},
    {0x0, 0x0, 0, 0x1016, SPVB_OPENCL_NOT_0, 0},
    {0x0, 0x0, "cl_khr_subgroup_named_barrier", 0, SPVB_OPENCL_ANY, 0},
    {0x202, 0x202, 0, 0, SPVB_OPENCL_ANY, 0},
    {0x200, 0x202, 0, 0, SPVB_OPENCL_ANY, 0},
    {0x0, 0x0, 0, 0x1071, SPVB_OPENCL_NOT_0, 0},
    {0x0, 0x0, 0, 0x1016, SPVB_OPENCL_NOT_0, 0},
    {0x0, 0x0, 0, 0x1016, SPVB_OPENCL_NOT_0, 0},
    {0x0, 0x0, "cl_khr_kernel_clock", 0, SPVB_OPENCL_ANY, 0},
    {0x0, 0x0, "cl_intel_split_work_group_barrier", 0, SPVB_OPENCL_ANY, 0},
    {0x0, 0x0, "cl_intel_spirv_device_side_avc_motion_estimation", 0, SPVB_OPENCL_ANY, 0},
    {0x0, 0x0, "cl_intel_spirv_device_side_avc_motion_estimation", 0, SPVB_OPENCL_ANY, 0},
    {0x0, 0x0, "cl_intel_spirv_device_side_avc_motion_estimation", 0, SPVB_OPENCL_ANY, 0},
    {0x0, 0x0, "cl_intel_spirv_subgroups", 0, SPVB_OPENCL_ANY, 0},
    {0x0, 0x0, "cl_intel_subgroup_buffer_prefetch", 0, SPVB_OPENCL_ANY, 0},
    {0x202, 0x202, 0, 0, SPVB_OPENCL_ANY, 0},
    {0x0, 0x0, 0, 0x105c, SPVB_OPENCL_NOT_0, 0},
    {0x0, 0x0, "cl_intel_spirv_subgroups", 0, SPVB_OPENCL_ANY, 0},
    {0x0, 0x0, "cl_intel_spirv_media_block_io", 0, SPVB_OPENCL_ANY, 0},
    {0x0, 0x0, "cl_intel_spirv_subgroups", 0, SPVB_OPENCL_ANY, 0},
    {0x0, 0x0, 0, 0, SPVB_OPENCL_ANY, 0},
    {0x0, 0x0, "cl_ext_float_atomics", 0, SPVB_OPENCL_ANY, 0},
    {0x0, 0x0, "cl_ext_float_atomics", 0, SPVB_OPENCL_ANY, 0},
    {0x0, 0x0, "cl_ext_float_atomics", 0, SPVB_OPENCL_ANY, 0},
    {0x0, 0x0, "cl_intel_bfloat16_conversions", 0, SPVB_OPENCL_ANY, 0},
    {0x0, 0x0, "cl_intel_spirv_device_side_avc_motion_estimation", 0, SPVB_OPENCL_ANY, 0},
    {0x0, 0x0, "cl_intel_spirv_media_block_io", 0, SPVB_OPENCL_ANY, 0},
    {0x0, 0x0, "cl_intel_split_work_group_barrier", 0, SPVB_OPENCL_ANY, 0},
    {0x0, 0x0, "cl_intel_subgroup_buffer_prefetch", 0, SPVB_OPENCL_ANY, 0},
    {0x0, 0x0, "cl_intel_spirv_subgroups", 0, SPVB_OPENCL_ANY, 0},
    {0x0, 0x0, "cl_khr_extended_bit_ops", 0, SPVB_OPENCL_ANY, 0},
    {0x0, 0x0, "cl_khr_expect_assume", 0, SPVB_OPENCL_ANY, 0},
    {0x0, 0x0, "cl_khr_integer_dot_product", 0, SPVB_OPENCL_ANY, 0},
    {0x0, 0x0, "cl_khr_spirv_linkonce_odr", 0, SPVB_OPENCL_ANY, 0},
    {0x0, 0x0, "cl_khr_spirv_no_integer_wrap_decoration", 0, SPVB_OPENCL_ANY, 0},
    {0x0, 0x0, "cl_khr_kernel_clock", 0, SPVB_OPENCL_ANY, 0},
    {0x0, 0x0, "cl_khr_subgroup_rotate", 0, SPVB_OPENCL_ANY, 0},
    {0x0, 0x0, "cl_khr_work_group_uniform_arithmetic", 0, SPVB_OPENCL_ANY, 0},
};
static const spvb_row spvb_opencl_questions[] = {
    {"a accelerator", 0, 1},
    {"a atomic64", 1, 1},
    {"a cpu", 2, 1},
    {"a custom", 3, 1},
    {"a ext_intel_device_id", 4, 1},
    {"a ext_intel_device_info_uuid", 5, 1},
    {"a ext_intel_pci_address", 6, 1},
    {"a fp16", 7, 1},
    {"a fp64", 8, 2},
    {"a gpu", 10, 1},
    {"a image", 11, 1},
    {"a online_compiler", 12, 1},
    {"a online_linker", 13, 1},
    {"a queue_profiling", 14, 1},
    {"a usm_atomic_host_allocations", 15, 1},
    {"a usm_atomic_shared_allocations", 16, 1},
    {"a usm_device_allocations", 17, 1},
    {"a usm_host_allocations", 18, 1},
    {"a usm_shared_allocations", 19, 1},
    {"a usm_system_allocations", 20, 1},
    {"c Addresses", 21, 1},
    {"c AtomicFloat16AddEXT", 22, 2},
    {"c AtomicFloat16MinMaxEXT", 24, 2},
    {"c AtomicFloat32AddEXT", 26, 2},
    {"c AtomicFloat32MinMaxEXT", 28, 2},
    {"c AtomicFloat64AddEXT", 30, 2},
    {"c AtomicFloat64MinMaxEXT", 32, 2},
    {"c BFloat16ConversionINTEL", 34, 1},
    {"c BitInstructions", 35, 1},
    {"c DeviceEnqueue", 36, 2},
    {"c DotProduct", 38, 1},
    {"c DotProductInput4x8Bit", 39, 1},
    {"c DotProductInput4x8BitPacked", 40, 1},
    {"c ExpectAssumeKHR", 41, 1},
    {"c Float16", 42, 1},
    {"c Float16Buffer", 43, 1},
    {"c Float64", 44, 2},
    {"c GenericPointer", 46, 2},
    {"c GroupNonUniform", 48, 7},
    {"c GroupNonUniformArithmetic", 55, 1},
    {"c GroupNonUniformBallot", 56, 1},
    {"c GroupNonUniformClustered", 57, 1},
    {"c GroupNonUniformRotateKHR", 58, 1},
    {"c GroupNonUniformShuffle", 59, 1},
    {"c GroupNonUniformShuffleRelative", 60, 1},
    {"c GroupNonUniformVote", 61, 1},
    {"c GroupUniformArithmeticKHR", 62, 1},
    {"c Groups", 63, 3},
    {"c Image1D", 66, 1},
    {"c ImageBasic", 67, 1},
    {"c ImageBuffer", 68, 1},
    {"c ImageMipmap", 69, 1},
    {"c ImageReadWrite", 70, 2},
    {"c Int16", 72, 1},
    {"c Int64", 73, 2},
    {"c Int64Atomics", 75, 2},
    {"c Int8", 77, 1},
    {"c Kernel", 78, 1},
    {"c Linkage", 79, 1},
    {"c LiteralSampler", 80, 1},
    {"c NamedBarrier", 81, 1},
    {"c PipeStorage", 82, 1},
    {"c Pipes", 83, 2},
    {"c Sampled1D", 85, 1},
    {"c SampledBuffer", 86, 1},
    {"c ShaderClockKHR", 87, 1},
    {"c SplitBarrierINTEL", 88, 1},
    {"c SubgroupAvcMotionEstimationChromaINTEL", 89, 1},
    {"c SubgroupAvcMotionEstimationINTEL", 90, 1},
    {"c SubgroupAvcMotionEstimationIntraINTEL", 91, 1},
    {"c SubgroupBufferBlockIOINTEL", 92, 1},
    {"c SubgroupBufferPrefetchINTEL", 93, 1},
    {"c SubgroupDispatch", 94, 2},
    {"c SubgroupImageBlockIOINTEL", 96, 1},
    {"c SubgroupImageMediaBlockIOINTEL", 97, 1},
    {"c SubgroupShuffleINTEL", 98, 1},
    {"c Vector16", 99, 1},
    {"e SPV_EXT_shader_atomic_float16_add", 100, 1},
    {"e SPV_EXT_shader_atomic_float_add", 101, 1},
    {"e SPV_EXT_shader_atomic_float_min_max", 102, 1},
    {"e SPV_INTEL_bfloat16_conversion", 103, 1},
    {"e SPV_INTEL_device_side_avc_motion_estimation", 104, 1},
    {"e SPV_INTEL_media_block_io", 105, 1},
    {"e SPV_INTEL_split_barrier", 106, 1},
    {"e SPV_INTEL_subgroup_buffer_prefetch", 107, 1},
    {"e SPV_INTEL_subgroups", 108, 1},
    {"e SPV_KHR_bit_instructions", 109, 1},
    {"e SPV_KHR_expect_assume", 110, 1},
    {"e SPV_KHR_integer_dot_product", 111, 1},
    {"e SPV_KHR_linkonce_odr", 112, 1},
    {"e SPV_KHR_no_integer_wrap_decoration", 113, 1},
    {"e SPV_KHR_shader_clock", 114, 1},
    {"e SPV_KHR_subgroup_rotate", 115, 1},
    {"e SPV_KHR_uniform_group_instructions", 116, 1},
};
/* until here */

/* A device, with the texts that it answers. */
typedef struct spvb_opencl {
    cl_device_id device;
    /* The answers to CL_DEVICE_EXTENSIONS and CL_DEVICE_IL_VERSION, or empty. */
    char *extensions, *il_version;
    /* CL_DEVICE_VERSION: 0x300 for 3.0. */
    uint32_t version;
} spvb_opencl;

/* The text that a device answers, which is freed; NULL for none. */
static char *spvb_opencl_text(cl_device_id device, cl_device_info query)
{
    size_t size = 0;
    if (clGetDeviceInfo(device, query, 0, NULL, &size) != CL_SUCCESS) size = 0;
    char *text = (char *)calloc(size + 1, 1);
    if (text && size && clGetDeviceInfo(device, query, size, text, NULL) != CL_SUCCESS) text[0] = 0;
    return text;
}

/* The number that a device answers. Returns 0 if it answers none. */
static int spvb_opencl_number(cl_device_id device, cl_device_info query, uint64_t *number)
{
    size_t size = 0;
    uint32_t half = 0;
    *number = 0;
    if (clGetDeviceInfo(device, query, 0, NULL, &size) != CL_SUCCESS) return 0;
    if (size == 8) return clGetDeviceInfo(device, query, 8, number, NULL) == CL_SUCCESS;
    if (size != 4 || clGetDeviceInfo(device, query, 4, &half, NULL) != CL_SUCCESS) return 0;
    *number = half;
    return 1;
}

/* True if a list of words, with spaces between them, has one. */
static int spvb_opencl_lists(const char *words, const char *word, size_t size)
{
    for (const char *at = words; at && *at;) {
        size_t length = strcspn(at, " ");
        if (length == size && memcmp(at, word, size) == 0) return 1;
        at += length + strspn(at + length, " ");
    }
    return 0;
}

static uint8_t spvb_opencl_way_is(const spvb_opencl *device, const spvb_opencl_way *way)
{
    if (way->first_version && (device->version < way->first_version || device->version > way->last_version)) {
        if (!way->extension) return SPVB_NO;
    } else if (way->first_version && !way->query) {
        return SPVB_YES;
    }
    for (const char *at = way->extension; at && *at;) {
        size_t length = strcspn(at, "+");
        if (!spvb_opencl_lists(device->extensions, at, length)) return SPVB_NO;
        at += length + (at[length] == '+');
    }
    if (!way->query) return SPVB_YES;
    if (way->test == SPVB_OPENCL_FULL_PROFILE) {
        char *profile = spvb_opencl_text(device->device, way->query);
        int is_full = profile && strcmp(profile, "FULL_PROFILE") == 0;
        free(profile);
        return is_full ? SPVB_YES : SPVB_NO;
    }
    uint64_t number;
    if (!spvb_opencl_number(device->device, way->query, &number)) return SPVB_NO;
    return way->test == SPVB_OPENCL_HAS_BIT ? (number & way->value) != 0 : number != 0;
}

/* Answers by the table, where a question without a row is no. */
static uint8_t spvb_opencl_by_table(const spvb_opencl *device, char kind, spvb_text name)
{
    const spvb_row *row = spvb_find_row(spvb_opencl_questions, sizeof spvb_opencl_questions / sizeof spvb_opencl_questions[0], kind, name);
    for (uint32_t way = 0; row && way < row->count; way++)
        if (spvb_opencl_way_is(device, &spvb_opencl_ways[row->first + way]) == SPVB_YES) return SPVB_YES;
    return SPVB_NO;
}

/* Compares the sizes of sub-groups (CL_DEVICE_SUB_GROUP_SIZES_INTEL). */
static uint8_t spvb_opencl_sub_groups(const spvb_opencl *device, const spvb_leaf *leaf)
{
    size_t sizes[16], size = 0, count = 0;
    if (clGetDeviceInfo(device->device, 0x4108, sizeof sizes, sizes, &size) != CL_SUCCESS || size == 0) return SPVB_UNKNOWN;
    for (size_t index = 0; index < size / sizeof sizes[0]; index++) count += spvb_compare(sizes[index], leaf) == SPVB_YES;
    if (leaf->sign == SPVB_EQUAL) return count > 0;
    if (count == 0) return SPVB_NO;
    return count == size / sizeof sizes[0] ? SPVB_YES : SPVB_UNKNOWN;
}

/* Answers a leaf of a condition or a requirement. */
static uint8_t spvb_opencl_answer_leaf(void *context, const spvb_leaf *leaf)
{
    const spvb_opencl *device = (const spvb_opencl *)context;
    uint64_t number;
    if (spvb_is(leaf->name, "cap")) return spvb_opencl_by_table(device, 'c', leaf->argument);
    if (spvb_is(leaf->name, "ext")) return spvb_opencl_by_table(device, 'e', leaf->argument);
    if (spvb_is(leaf->name, "host") || spvb_is(leaf->name, "arch") || spvb_is(leaf->name, "target")) return SPVB_UNKNOWN;
    /* The name of a platform does not tell a driver for certain. */
    if (spvb_is(leaf->name, "driver")) return SPVB_UNKNOWN;
    if (spvb_is(leaf->name, "feature") || spvb_is(leaf->name, "limit")) return SPVB_NO;
    if (spvb_is(leaf->name, "subgroup_size")) return spvb_opencl_sub_groups(device, leaf);
    if (spvb_is(leaf->name, "max_work_group_size"))
        return spvb_opencl_number(device->device, CL_DEVICE_MAX_WORK_GROUP_SIZE, &number) ? spvb_compare(number, leaf) : SPVB_UNKNOWN;
    if (spvb_is(leaf->name, "max_shared_memory"))
        return spvb_opencl_number(device->device, CL_DEVICE_LOCAL_MEM_SIZE, &number) ? spvb_compare(number, leaf) : SPVB_UNKNOWN;
    spvb_leaf versions = *leaf;
    versions.bound[0] = leaf->bound[0] << 8 | (leaf->bound[1] & 0xff);
    if (spvb_is(leaf->name, "opencl_version")) return spvb_compare(device->version, &versions);
    if (spvb_is(leaf->name, "vulkan_version")) return SPVB_NO;
    if (spvb_is(leaf->name, "spirv_version")) {
        uint32_t newest = 0;
        for (const char *at = device->il_version; at && (at = strstr(at, "SPIR-V_")) != NULL; at += 7) {
            char *end;
            uint32_t major = (uint32_t)strtoul(at + 7, &end, 10), minor = *end == '.' ? (uint32_t)strtoul(end + 1, NULL, 10) : 0;
            if ((major << 8 | minor) > newest) newest = major << 8 | minor;
        }
        return newest ? spvb_compare(newest, &versions) : SPVB_UNKNOWN;
    }
    return spvb_opencl_by_table(device, 'a', spvb_is(leaf->name, "aspect") ? leaf->argument : leaf->name);
}

/* Answers all questions of a bundle, as many as spvb_question_count says. Returns SPVB_MEMORY without memory. */
static spvb_status spvb_opencl_answer_all(const spvb_bundle *bundle, cl_device_id id, uint8_t *answers)
{
    spvb_opencl device = {id, spvb_opencl_text(id, CL_DEVICE_EXTENSIONS), spvb_opencl_text(id, 0x105b), 0};
    char *version = spvb_opencl_text(id, CL_DEVICE_VERSION);
    spvb_status status = device.extensions && device.il_version && version ? SPVB_OK : SPVB_MEMORY;
    if (status == SPVB_OK && strncmp(version, "OpenCL ", 7) == 0) {
        char *end;
        uint32_t major = (uint32_t)strtoul(version + 7, &end, 10);
        device.version = major << 8 | (*end == '.' ? (uint32_t)strtoul(end + 1, NULL, 10) : 0);
    }
    for (uint32_t question = 0; status == SPVB_OK && question < spvb_question_count(bundle); question++) {
        spvb_kind kind;
        spvb_text text = spvb_question(bundle, question, &kind);
        answers[question] = kind == SPVB_CONSTANT ? SPVB_UNKNOWN : spvb_evaluate(text, spvb_opencl_answer_leaf, &device);
    }
    free(version);
    free(device.il_version);
    free(device.extensions);
    return status;
}

#endif
