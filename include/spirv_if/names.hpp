// Written by `cargo run -p generate` from the tables in spec-extensions/. Do not edit.
#pragma once

namespace spirv_if {

#ifdef SPIRV_IF_SYCL
using sycl::aspect;
#else
enum class aspect {
    host = 0,
    cpu = 1,
    gpu = 2,
    accelerator = 3,
    custom = 4,
    fp16 = 5,
    fp64 = 6,
    image = 9,
    online_compiler = 10,
    online_linker = 11,
    queue_profiling = 12,
    usm_device_allocations = 13,
    usm_host_allocations = 14,
    usm_shared_allocations = 15,
    usm_system_allocations = 17,
    ext_intel_pci_address = 18,
    ext_intel_gpu_eu_count = 19,
    ext_intel_gpu_eu_simd_width = 20,
    ext_intel_gpu_slices = 21,
    ext_intel_gpu_subslices_per_slice = 22,
    ext_intel_gpu_eu_count_per_subslice = 23,
    ext_intel_max_mem_bandwidth = 24,
    ext_intel_mem_channel = 25,
    usm_atomic_host_allocations = 26,
    usm_atomic_shared_allocations = 27,
    atomic64 = 28,
    ext_intel_device_info_uuid = 29,
    ext_oneapi_srgb = 30,
    ext_oneapi_native_assert = 31,
    host_debuggable = 32,
    ext_intel_gpu_hw_threads_per_eu = 33,
    ext_oneapi_cuda_async_barrier = 34,
    ext_oneapi_bfloat16_math_functions = 35,
    ext_intel_free_memory = 36,
    ext_intel_device_id = 37,
    ext_intel_memory_clock_rate = 38,
    ext_intel_memory_bus_width = 39,
    emulated = 40,
    ext_intel_legacy_image = 41,
    ext_oneapi_bindless_images = 42,
    ext_oneapi_bindless_images_shared_usm = 43,
    ext_oneapi_bindless_images_1d_usm = 44,
    ext_oneapi_bindless_images_2d_usm = 45,
    ext_oneapi_external_memory_import = 46,
    ext_oneapi_external_semaphore_import = 48,
    ext_oneapi_mipmap = 50,
    ext_oneapi_mipmap_anisotropy = 51,
    ext_oneapi_mipmap_level_reference = 52,
    ext_intel_esimd = 53,
    ext_oneapi_ballot_group = 54,
    ext_oneapi_fixed_size_group = 55,
    ext_oneapi_opportunistic_group = 56,
    ext_oneapi_tangle_group = 57,
    ext_intel_matrix = 58,
    ext_oneapi_is_composite = 59,
    ext_oneapi_is_component = 60,
    ext_oneapi_graph = 61,
    ext_intel_fpga_task_sequence = 62,
    ext_oneapi_limited_graph = 63,
    ext_oneapi_private_alloca = 64,
    ext_oneapi_cubemap = 65,
    ext_oneapi_cubemap_seamless_filtering = 66,
    ext_oneapi_bindless_sampled_image_fetch_1d_usm = 67,
    ext_oneapi_bindless_sampled_image_fetch_1d = 68,
    ext_oneapi_bindless_sampled_image_fetch_2d_usm = 69,
    ext_oneapi_bindless_sampled_image_fetch_2d = 70,
    ext_oneapi_bindless_sampled_image_fetch_3d = 72,
    ext_oneapi_queue_profiling_tag = 73,
    ext_oneapi_virtual_mem = 74,
    ext_oneapi_cuda_cluster_group = 75,
    ext_oneapi_image_array = 76,
    ext_oneapi_unique_addressing_per_dim = 77,
    ext_oneapi_bindless_images_sample_1d_usm = 78,
    ext_oneapi_bindless_images_sample_2d_usm = 79,
    ext_oneapi_atomic16 = 80,
    ext_oneapi_virtual_functions = 81,
    ext_intel_spill_memory_size = 82,
    ext_oneapi_bindless_images_gather = 83,
    ext_intel_current_clock_throttle_reasons = 84,
    ext_intel_fan_speed = 85,
    ext_intel_power_limits = 86,
    ext_oneapi_async_memory_alloc = 87,
    ext_oneapi_int4 = 88,
    int64_base_atomics = 7,
    int64_extended_atomics = 8,
    usm_restricted_shared_allocations = 16,
    usm_system_allocator = 17,
};
#endif

#ifdef SYCL_EXT_ONEAPI_DEVICE_ARCHITECTURE
using sycl::ext::oneapi::experimental::architecture;
#else
enum class architecture {
    x86_64 = 0,
    intel_gpu_bdw = 1,
    intel_gpu_skl = 2,
    intel_gpu_kbl = 3,
    intel_gpu_cfl = 4,
    intel_gpu_apl = 5,
    intel_gpu_glk = 6,
    intel_gpu_whl = 7,
    intel_gpu_aml = 8,
    intel_gpu_cml = 9,
    intel_gpu_icllp = 10,
    intel_gpu_tgllp = 11,
    intel_gpu_rkl = 12,
    intel_gpu_adl_s = 13,
    intel_gpu_adl_p = 14,
    intel_gpu_adl_n = 15,
    intel_gpu_dg1 = 16,
    intel_gpu_acm_g10 = 17,
    intel_gpu_acm_g11 = 18,
    intel_gpu_acm_g12 = 19,
    intel_gpu_pvc = 20,
    nvidia_gpu_sm_50 = 21,
    nvidia_gpu_sm_52 = 22,
    nvidia_gpu_sm_53 = 23,
    nvidia_gpu_sm_60 = 24,
    nvidia_gpu_sm_61 = 25,
    nvidia_gpu_sm_62 = 26,
    nvidia_gpu_sm_70 = 27,
    nvidia_gpu_sm_72 = 28,
    nvidia_gpu_sm_75 = 29,
    nvidia_gpu_sm_80 = 30,
    nvidia_gpu_sm_86 = 31,
    nvidia_gpu_sm_87 = 32,
    nvidia_gpu_sm_89 = 33,
    nvidia_gpu_sm_90 = 34,
    amd_gpu_gfx700 = 35,
    amd_gpu_gfx701 = 36,
    amd_gpu_gfx702 = 37,
    amd_gpu_gfx801 = 38,
    amd_gpu_gfx802 = 39,
    amd_gpu_gfx803 = 40,
    amd_gpu_gfx805 = 41,
    amd_gpu_gfx810 = 42,
    amd_gpu_gfx900 = 43,
    amd_gpu_gfx902 = 44,
    amd_gpu_gfx904 = 45,
    amd_gpu_gfx906 = 46,
    amd_gpu_gfx908 = 47,
    amd_gpu_gfx90a = 48,
    amd_gpu_gfx1010 = 49,
    amd_gpu_gfx1011 = 50,
    amd_gpu_gfx1012 = 51,
    amd_gpu_gfx1013 = 52,
    amd_gpu_gfx1030 = 53,
    amd_gpu_gfx1031 = 54,
    amd_gpu_gfx1032 = 55,
    amd_gpu_gfx1034 = 56,
    intel_cpu_spr = 57,
    intel_cpu_gnr = 58,
    intel_cpu_dmr = 59,
    intel_gpu_ehl = 60,
    intel_gpu_pvc_vg = 61,
    intel_gpu_mtl_u = 62,
    intel_gpu_mtl_h = 63,
    intel_gpu_arl_h = 64,
    intel_gpu_bmg_g21 = 65,
    intel_gpu_bmg_g31 = 66,
    intel_gpu_lnl_m = 67,
    intel_gpu_ptl_h = 68,
    intel_gpu_ptl_u = 69,
    intel_gpu_wcl = 70,
    intel_gpu_nvl_s = 71,
    intel_gpu_nvl_u = 72,
    intel_gpu_nvl_p = 73,
    nvidia_gpu_sm_90a = 74,
    amd_gpu_gfx703 = 75,
    amd_gpu_gfx704 = 76,
    amd_gpu_gfx705 = 77,
    amd_gpu_gfx909 = 78,
    amd_gpu_gfx90c = 79,
    amd_gpu_gfx940 = 80,
    amd_gpu_gfx941 = 81,
    amd_gpu_gfx942 = 82,
    amd_gpu_gfx1033 = 83,
    amd_gpu_gfx1035 = 84,
    amd_gpu_gfx1036 = 85,
    amd_gpu_gfx1100 = 86,
    amd_gpu_gfx1101 = 87,
    amd_gpu_gfx1102 = 88,
    amd_gpu_gfx1103 = 89,
    amd_gpu_gfx1150 = 90,
    amd_gpu_gfx1151 = 91,
    amd_gpu_gfx1200 = 92,
    amd_gpu_gfx1201 = 93,
    amd_gpu_gfx600 = 94,
    amd_gpu_gfx601 = 95,
    amd_gpu_gfx602 = 96,
    amd_gpu_gfx950 = 97,
    amd_gpu_gfx1152 = 98,
    amd_gpu_gfx1153 = 99,
    amd_gpu_gfx1154 = 100,
    amd_gpu_gfx1170 = 101,
    amd_gpu_gfx1171 = 102,
    amd_gpu_gfx1172 = 103,
    amd_gpu_gfx1250 = 104,
    amd_gpu_gfx1251 = 105,
    amd_gpu_gfx1310 = 106,
    amd_gpu_gfx9_generic = 107,
    amd_gpu_gfx9_4_generic = 108,
    amd_gpu_gfx10_1_generic = 109,
    amd_gpu_gfx10_3_generic = 110,
    amd_gpu_gfx11_generic = 111,
    amd_gpu_gfx11_7_generic = 112,
    amd_gpu_gfx12_generic = 113,
    amd_gpu_gfx12_5_generic = 114,
    amd_gpu_gfx13_generic = 115,
    intel_gpu_cri = 116,
    intel_gpu_bxt = 5,
    intel_gpu_rpl_s = 13,
    intel_gpu_icl = 10,
    intel_gpu_jsl = 60,
    intel_gpu_tgl = 11,
    intel_gpu_dg2_g10 = 17,
    intel_gpu_dg2_g11 = 18,
    intel_gpu_dg2_g12 = 19,
    intel_gpu_mtl_s = 62,
    intel_gpu_arl_u = 62,
    intel_gpu_arl_s = 62,
    intel_gpu_nvl_hx = 71,
    intel_gpu_nvl_ul = 71,
    intel_gpu_nvl_h = 72,
    intel_gpu_8_0_0 = 1,
    intel_gpu_9_0_9 = 2,
    intel_gpu_9_1_9 = 3,
    intel_gpu_9_2_9 = 4,
    intel_gpu_9_3_0 = 5,
    intel_gpu_9_4_0 = 6,
    intel_gpu_9_5_0 = 7,
    intel_gpu_9_6_0 = 8,
    intel_gpu_9_7_0 = 9,
    intel_gpu_11_0_0 = 10,
    intel_gpu_11_2_0 = 60,
    intel_gpu_12_0_0 = 11,
    intel_gpu_12_1_0 = 12,
    intel_gpu_12_2_0 = 13,
    intel_gpu_12_3_0 = 14,
    intel_gpu_12_4_0 = 15,
    intel_gpu_12_10_0 = 16,
    intel_gpu_12_55_8 = 17,
    intel_gpu_12_56_5 = 18,
    intel_gpu_12_57_0 = 19,
    intel_gpu_12_60_7 = 20,
    intel_gpu_12_61_7 = 61,
    intel_gpu_12_70_4 = 62,
    intel_gpu_12_71_4 = 63,
    intel_gpu_12_74_4 = 64,
    intel_gpu_20_1_4 = 65,
    intel_gpu_20_2_0 = 66,
    intel_gpu_20_4_4 = 67,
    intel_gpu_30_0_4 = 68,
    intel_gpu_30_1_1 = 69,
    intel_gpu_30_3_0 = 70,
    intel_gpu_30_4_0 = 71,
    intel_gpu_30_5_0 = 72,
    intel_gpu_35_10_0 = 73,
    intel_gpu_35_11_0 = 116,
};
#endif

namespace detail {

// The number of an aspect in conditions. DPC++ 2026 (libsycl 9) gave new numbers to those from 25 on.
#if defined(SPIRV_IF_SYCL) && defined(__LIBSYCL_MAJOR_VERSION) && __LIBSYCL_MAJOR_VERSION >= 9
constexpr int number_of(aspect aspect) {
    switch (static_cast<int>(aspect)) {
    case 25: return 26;
    case 26: return 27;
    case 27: return 28;
    case 28: return 29;
    case 29: return 30;
    case 30: return 31;
    case 31: return 32;
    case 32: return 33;
    case 33: return 34;
    case 34: return 36;
    case 35: return 37;
    case 36: return 38;
    case 37: return 39;
    case 38: return 40;
    case 39: return 41;
    case 40: return 42;
    case 41: return 43;
    case 42: return 44;
    case 43: return 45;
    case 44: return 46;
    case 45: return 48;
    case 46: return 50;
    case 47: return 51;
    case 48: return 52;
    case 49: return 53;
    case 53: return 58;
    case 54: return 59;
    case 55: return 60;
    case 56: return 61;
    case 57: return 63;
    case 58: return 64;
    case 59: return 65;
    case 60: return 66;
    case 61: return 67;
    case 62: return 68;
    case 63: return 69;
    case 64: return 70;
    case 65: return 72;
    case 66: return 73;
    case 67: return 74;
    case 68: return 75;
    case 69: return 76;
    case 70: return 77;
    case 71: return 78;
    case 72: return 79;
    case 73: return 80;
    case 74: return 81;
    case 75: return 82;
    case 76: return 83;
    case 77: return 84;
    case 78: return 85;
    case 79: return 86;
    case 80: return 87;
    }
    return static_cast<int>(aspect) < 25 ? static_cast<int>(aspect) : -1; // the series would be none
}
#else
constexpr int number_of(aspect aspect) { return static_cast<int>(aspect); }
#endif

// The number of an architecture in conditions.
#ifdef SYCL_EXT_ONEAPI_DEVICE_ARCHITECTURE
constexpr int number_of(architecture architecture) {
    switch (static_cast<unsigned long long>(architecture)) {
    case 0x0300000000000000: return 0;
    case 0x0000000200000000: return 1;
    case 0x0000000240000900: return 2;
    case 0x0000000240400900: return 3;
    case 0x0000000240800900: return 4;
    case 0x0000000240c00000: return 5;
    case 0x0000000241000000: return 6;
    case 0x0000000241400000: return 7;
    case 0x0000000241800000: return 8;
    case 0x0000000241c00000: return 9;
    case 0x00000002c0000000: return 10;
    case 0x0000000300000000: return 11;
    case 0x0000000300400000: return 12;
    case 0x0000000300800000: return 13;
    case 0x0000000300c00000: return 14;
    case 0x0000000301000000: return 15;
    case 0x0000000302800000: return 16;
    case 0x000000030dc00800: return 17;
    case 0x000000030e000500: return 18;
    case 0x000000030e400000: return 19;
    case 0x000000030f000700: return 20;
    case 0x0100000000005000: return 21;
    case 0x0100000000005200: return 22;
    case 0x0100000000005300: return 23;
    case 0x0100000000006000: return 24;
    case 0x0100000000006100: return 25;
    case 0x0100000000006200: return 26;
    case 0x0100000000007000: return 27;
    case 0x0100000000007200: return 28;
    case 0x0100000000007500: return 29;
    case 0x0100000000008000: return 30;
    case 0x0100000000008600: return 31;
    case 0x0100000000008700: return 32;
    case 0x0100000000008900: return 33;
    case 0x0100000000009000: return 34;
    case 0x0200000000070000: return 35;
    case 0x0200000000070100: return 36;
    case 0x0200000000070200: return 37;
    case 0x0200000000080100: return 38;
    case 0x0200000000080200: return 39;
    case 0x0200000000080300: return 40;
    case 0x0200000000080500: return 41;
    case 0x0200000000081000: return 42;
    case 0x0200000000090000: return 43;
    case 0x0200000000090200: return 44;
    case 0x0200000000090400: return 45;
    case 0x0200000000090600: return 46;
    case 0x0200000000090800: return 47;
    case 0x0200000000090a00: return 48;
    case 0x0200000000101000: return 49;
    case 0x0200000000101100: return 50;
    case 0x0200000000101200: return 51;
    case 0x0200000000101300: return 52;
    case 0x0200000000103000: return 53;
    case 0x0200000000103100: return 54;
    case 0x0200000000103200: return 55;
    case 0x0200000000103400: return 56;
    case 0x0300000000000800: return 57;
    case 0x0300000000000900: return 58;
    case 0x0300000000001000: return 59;
    case 0x00000002c0800000: return 60;
    case 0x000000030f400700: return 61;
    case 0x0000000311800400: return 62;
    case 0x0000000311c00400: return 63;
    case 0x0000000312800400: return 64;
    case 0x0000000500400400: return 65;
    case 0x0000000500800000: return 66;
    case 0x0000000501000400: return 67;
    case 0x0000000780000400: return 68;
    case 0x0000000780400100: return 69;
    case 0x0000000780c00000: return 70;
    case 0x0000000781000400: return 71;
    case 0x0000000781400400: return 72;
    case 0x00000008c2800000: return 73;
    case 0x01000000000090a0: return 74;
    case 0x0200000000070300: return 75;
    case 0x0200000000070400: return 76;
    case 0x0200000000070500: return 77;
    case 0x0200000000090900: return 78;
    case 0x0200000000090c00: return 79;
    case 0x0200000000094000: return 80;
    case 0x0200000000094100: return 81;
    case 0x0200000000094200: return 82;
    case 0x0200000000103300: return 83;
    case 0x0200000000103500: return 84;
    case 0x0200000000103600: return 85;
    case 0x0200000000110000: return 86;
    case 0x0200000000110100: return 87;
    case 0x0200000000110200: return 88;
    case 0x0200000000110300: return 89;
    case 0x0200000000115000: return 90;
    case 0x0200000000115100: return 91;
    case 0x0200000000120000: return 92;
    case 0x0200000000120100: return 93;
    case 0x00000008c2c00000: return 116;
    }
    return -1; // the series would be none
}
#else
constexpr int number_of(architecture architecture) { return static_cast<int>(architecture); }
#endif

// What a compiler knows of its target. Where nothing can be decided later, what is not known counts as lacking.
enum class truth { no, yes, unknown };
#ifdef SPIRV_IF_TO_SPIRV
constexpr truth not_known = truth::unknown;
#else
constexpr truth not_known = truth::no;
#endif

// Whether a macro is 1. One that is not defined stays as it is.
#define SPIRV_IF_EXPANDED(text) #text
#define SPIRV_IF_IS_1(macro) (sizeof(SPIRV_IF_EXPANDED(macro)) == 2 && SPIRV_IF_EXPANDED(macro)[0] == '1')

constexpr bool is_target(int architecture) {
    switch (architecture) {
    case 0: return SPIRV_IF_IS_1(__SYCL_TARGET_INTEL_X86_64__);
    case 1: return SPIRV_IF_IS_1(__SYCL_TARGET_INTEL_GPU_BDW__) || SPIRV_IF_IS_1(__SYCL_TARGET_INTEL_GPU_8_0_0__);
    case 2: return SPIRV_IF_IS_1(__SYCL_TARGET_INTEL_GPU_SKL__) || SPIRV_IF_IS_1(__SYCL_TARGET_INTEL_GPU_9_0_9__);
    case 3: return SPIRV_IF_IS_1(__SYCL_TARGET_INTEL_GPU_KBL__) || SPIRV_IF_IS_1(__SYCL_TARGET_INTEL_GPU_9_1_9__);
    case 4: return SPIRV_IF_IS_1(__SYCL_TARGET_INTEL_GPU_CFL__) || SPIRV_IF_IS_1(__SYCL_TARGET_INTEL_GPU_9_2_9__);
    case 5: return SPIRV_IF_IS_1(__SYCL_TARGET_INTEL_GPU_APL__) || SPIRV_IF_IS_1(__SYCL_TARGET_INTEL_GPU_BXT__) || SPIRV_IF_IS_1(__SYCL_TARGET_INTEL_GPU_9_3_0__);
    case 6: return SPIRV_IF_IS_1(__SYCL_TARGET_INTEL_GPU_GLK__) || SPIRV_IF_IS_1(__SYCL_TARGET_INTEL_GPU_9_4_0__);
    case 7: return SPIRV_IF_IS_1(__SYCL_TARGET_INTEL_GPU_WHL__) || SPIRV_IF_IS_1(__SYCL_TARGET_INTEL_GPU_9_5_0__);
    case 8: return SPIRV_IF_IS_1(__SYCL_TARGET_INTEL_GPU_AML__) || SPIRV_IF_IS_1(__SYCL_TARGET_INTEL_GPU_9_6_0__);
    case 9: return SPIRV_IF_IS_1(__SYCL_TARGET_INTEL_GPU_CML__) || SPIRV_IF_IS_1(__SYCL_TARGET_INTEL_GPU_9_7_0__);
    case 10: return SPIRV_IF_IS_1(__SYCL_TARGET_INTEL_GPU_ICLLP__) || SPIRV_IF_IS_1(__SYCL_TARGET_INTEL_GPU_ICL__) || SPIRV_IF_IS_1(__SYCL_TARGET_INTEL_GPU_11_0_0__);
    case 11: return SPIRV_IF_IS_1(__SYCL_TARGET_INTEL_GPU_TGLLP__) || SPIRV_IF_IS_1(__SYCL_TARGET_INTEL_GPU_TGL__) || SPIRV_IF_IS_1(__SYCL_TARGET_INTEL_GPU_12_0_0__);
    case 12: return SPIRV_IF_IS_1(__SYCL_TARGET_INTEL_GPU_RKL__) || SPIRV_IF_IS_1(__SYCL_TARGET_INTEL_GPU_12_1_0__);
    case 13: return SPIRV_IF_IS_1(__SYCL_TARGET_INTEL_GPU_ADL_S__) || SPIRV_IF_IS_1(__SYCL_TARGET_INTEL_GPU_RPL_S__) || SPIRV_IF_IS_1(__SYCL_TARGET_INTEL_GPU_12_2_0__);
    case 14: return SPIRV_IF_IS_1(__SYCL_TARGET_INTEL_GPU_ADL_P__) || SPIRV_IF_IS_1(__SYCL_TARGET_INTEL_GPU_12_3_0__);
    case 15: return SPIRV_IF_IS_1(__SYCL_TARGET_INTEL_GPU_ADL_N__) || SPIRV_IF_IS_1(__SYCL_TARGET_INTEL_GPU_12_4_0__);
    case 16: return SPIRV_IF_IS_1(__SYCL_TARGET_INTEL_GPU_DG1__) || SPIRV_IF_IS_1(__SYCL_TARGET_INTEL_GPU_12_10_0__);
    case 17: return SPIRV_IF_IS_1(__SYCL_TARGET_INTEL_GPU_ACM_G10__) || SPIRV_IF_IS_1(__SYCL_TARGET_INTEL_GPU_DG2_G10__) || SPIRV_IF_IS_1(__SYCL_TARGET_INTEL_GPU_12_55_8__);
    case 18: return SPIRV_IF_IS_1(__SYCL_TARGET_INTEL_GPU_ACM_G11__) || SPIRV_IF_IS_1(__SYCL_TARGET_INTEL_GPU_DG2_G11__) || SPIRV_IF_IS_1(__SYCL_TARGET_INTEL_GPU_12_56_5__);
    case 19: return SPIRV_IF_IS_1(__SYCL_TARGET_INTEL_GPU_ACM_G12__) || SPIRV_IF_IS_1(__SYCL_TARGET_INTEL_GPU_DG2_G12__) || SPIRV_IF_IS_1(__SYCL_TARGET_INTEL_GPU_12_57_0__);
    case 20: return SPIRV_IF_IS_1(__SYCL_TARGET_INTEL_GPU_PVC__) || SPIRV_IF_IS_1(__SYCL_TARGET_INTEL_GPU_12_60_7__);
    case 21: return SPIRV_IF_IS_1(__SYCL_TARGET_NVIDIA_GPU_SM_50__) || SPIRV_IF_IS_1(__SYCL_TARGET_NVIDIA_GPU_SM50__);
    case 22: return SPIRV_IF_IS_1(__SYCL_TARGET_NVIDIA_GPU_SM_52__) || SPIRV_IF_IS_1(__SYCL_TARGET_NVIDIA_GPU_SM52__);
    case 23: return SPIRV_IF_IS_1(__SYCL_TARGET_NVIDIA_GPU_SM_53__) || SPIRV_IF_IS_1(__SYCL_TARGET_NVIDIA_GPU_SM53__);
    case 24: return SPIRV_IF_IS_1(__SYCL_TARGET_NVIDIA_GPU_SM_60__) || SPIRV_IF_IS_1(__SYCL_TARGET_NVIDIA_GPU_SM60__);
    case 25: return SPIRV_IF_IS_1(__SYCL_TARGET_NVIDIA_GPU_SM_61__) || SPIRV_IF_IS_1(__SYCL_TARGET_NVIDIA_GPU_SM61__);
    case 26: return SPIRV_IF_IS_1(__SYCL_TARGET_NVIDIA_GPU_SM_62__) || SPIRV_IF_IS_1(__SYCL_TARGET_NVIDIA_GPU_SM62__);
    case 27: return SPIRV_IF_IS_1(__SYCL_TARGET_NVIDIA_GPU_SM_70__) || SPIRV_IF_IS_1(__SYCL_TARGET_NVIDIA_GPU_SM70__);
    case 28: return SPIRV_IF_IS_1(__SYCL_TARGET_NVIDIA_GPU_SM_72__) || SPIRV_IF_IS_1(__SYCL_TARGET_NVIDIA_GPU_SM72__);
    case 29: return SPIRV_IF_IS_1(__SYCL_TARGET_NVIDIA_GPU_SM_75__) || SPIRV_IF_IS_1(__SYCL_TARGET_NVIDIA_GPU_SM75__);
    case 30: return SPIRV_IF_IS_1(__SYCL_TARGET_NVIDIA_GPU_SM_80__) || SPIRV_IF_IS_1(__SYCL_TARGET_NVIDIA_GPU_SM80__);
    case 31: return SPIRV_IF_IS_1(__SYCL_TARGET_NVIDIA_GPU_SM_86__) || SPIRV_IF_IS_1(__SYCL_TARGET_NVIDIA_GPU_SM86__);
    case 32: return SPIRV_IF_IS_1(__SYCL_TARGET_NVIDIA_GPU_SM_87__) || SPIRV_IF_IS_1(__SYCL_TARGET_NVIDIA_GPU_SM87__);
    case 33: return SPIRV_IF_IS_1(__SYCL_TARGET_NVIDIA_GPU_SM_89__) || SPIRV_IF_IS_1(__SYCL_TARGET_NVIDIA_GPU_SM89__);
    case 34: return SPIRV_IF_IS_1(__SYCL_TARGET_NVIDIA_GPU_SM_90__) || SPIRV_IF_IS_1(__SYCL_TARGET_NVIDIA_GPU_SM90__);
    case 35: return SPIRV_IF_IS_1(__SYCL_TARGET_AMD_GPU_GFX700__);
    case 36: return SPIRV_IF_IS_1(__SYCL_TARGET_AMD_GPU_GFX701__);
    case 37: return SPIRV_IF_IS_1(__SYCL_TARGET_AMD_GPU_GFX702__);
    case 38: return SPIRV_IF_IS_1(__SYCL_TARGET_AMD_GPU_GFX801__);
    case 39: return SPIRV_IF_IS_1(__SYCL_TARGET_AMD_GPU_GFX802__);
    case 40: return SPIRV_IF_IS_1(__SYCL_TARGET_AMD_GPU_GFX803__);
    case 41: return SPIRV_IF_IS_1(__SYCL_TARGET_AMD_GPU_GFX805__);
    case 42: return SPIRV_IF_IS_1(__SYCL_TARGET_AMD_GPU_GFX810__);
    case 43: return SPIRV_IF_IS_1(__SYCL_TARGET_AMD_GPU_GFX900__);
    case 44: return SPIRV_IF_IS_1(__SYCL_TARGET_AMD_GPU_GFX902__);
    case 45: return SPIRV_IF_IS_1(__SYCL_TARGET_AMD_GPU_GFX904__);
    case 46: return SPIRV_IF_IS_1(__SYCL_TARGET_AMD_GPU_GFX906__);
    case 47: return SPIRV_IF_IS_1(__SYCL_TARGET_AMD_GPU_GFX908__);
    case 48: return SPIRV_IF_IS_1(__SYCL_TARGET_AMD_GPU_GFX90A__);
    case 49: return SPIRV_IF_IS_1(__SYCL_TARGET_AMD_GPU_GFX1010__);
    case 50: return SPIRV_IF_IS_1(__SYCL_TARGET_AMD_GPU_GFX1011__);
    case 51: return SPIRV_IF_IS_1(__SYCL_TARGET_AMD_GPU_GFX1012__);
    case 52: return SPIRV_IF_IS_1(__SYCL_TARGET_AMD_GPU_GFX1013__);
    case 53: return SPIRV_IF_IS_1(__SYCL_TARGET_AMD_GPU_GFX1030__);
    case 54: return SPIRV_IF_IS_1(__SYCL_TARGET_AMD_GPU_GFX1031__);
    case 55: return SPIRV_IF_IS_1(__SYCL_TARGET_AMD_GPU_GFX1032__);
    case 56: return SPIRV_IF_IS_1(__SYCL_TARGET_AMD_GPU_GFX1034__);
    case 57: return SPIRV_IF_IS_1(__SYCL_TARGET_INTEL_CPU_SPR__);
    case 58: return SPIRV_IF_IS_1(__SYCL_TARGET_INTEL_CPU_GNR__);
    case 59: return SPIRV_IF_IS_1(__SYCL_TARGET_INTEL_CPU_DMR__);
    case 60: return SPIRV_IF_IS_1(__SYCL_TARGET_INTEL_GPU_EHL__) || SPIRV_IF_IS_1(__SYCL_TARGET_INTEL_GPU_JSL__) || SPIRV_IF_IS_1(__SYCL_TARGET_INTEL_GPU_11_2_0__);
    case 61: return SPIRV_IF_IS_1(__SYCL_TARGET_INTEL_GPU_PVC_VG__) || SPIRV_IF_IS_1(__SYCL_TARGET_INTEL_GPU_12_61_7__);
    case 62: return SPIRV_IF_IS_1(__SYCL_TARGET_INTEL_GPU_MTL_U__) || SPIRV_IF_IS_1(__SYCL_TARGET_INTEL_GPU_MTL_S__) || SPIRV_IF_IS_1(__SYCL_TARGET_INTEL_GPU_ARL_U__) || SPIRV_IF_IS_1(__SYCL_TARGET_INTEL_GPU_ARL_S__) || SPIRV_IF_IS_1(__SYCL_TARGET_INTEL_GPU_12_70_4__);
    case 63: return SPIRV_IF_IS_1(__SYCL_TARGET_INTEL_GPU_MTL_H__) || SPIRV_IF_IS_1(__SYCL_TARGET_INTEL_GPU_12_71_4__);
    case 64: return SPIRV_IF_IS_1(__SYCL_TARGET_INTEL_GPU_ARL_H__) || SPIRV_IF_IS_1(__SYCL_TARGET_INTEL_GPU_12_74_4__);
    case 65: return SPIRV_IF_IS_1(__SYCL_TARGET_INTEL_GPU_BMG_G21__) || SPIRV_IF_IS_1(__SYCL_TARGET_INTEL_GPU_20_1_4__);
    case 66: return SPIRV_IF_IS_1(__SYCL_TARGET_INTEL_GPU_BMG_G31__) || SPIRV_IF_IS_1(__SYCL_TARGET_INTEL_GPU_20_2_0__);
    case 67: return SPIRV_IF_IS_1(__SYCL_TARGET_INTEL_GPU_LNL_M__) || SPIRV_IF_IS_1(__SYCL_TARGET_INTEL_GPU_20_4_4__);
    case 68: return SPIRV_IF_IS_1(__SYCL_TARGET_INTEL_GPU_PTL_H__) || SPIRV_IF_IS_1(__SYCL_TARGET_INTEL_GPU_30_0_4__);
    case 69: return SPIRV_IF_IS_1(__SYCL_TARGET_INTEL_GPU_PTL_U__) || SPIRV_IF_IS_1(__SYCL_TARGET_INTEL_GPU_30_1_1__);
    case 70: return SPIRV_IF_IS_1(__SYCL_TARGET_INTEL_GPU_WCL__) || SPIRV_IF_IS_1(__SYCL_TARGET_INTEL_GPU_30_3_0__);
    case 71: return SPIRV_IF_IS_1(__SYCL_TARGET_INTEL_GPU_NVL_S__) || SPIRV_IF_IS_1(__SYCL_TARGET_INTEL_GPU_NVL_HX__) || SPIRV_IF_IS_1(__SYCL_TARGET_INTEL_GPU_NVL_UL__) || SPIRV_IF_IS_1(__SYCL_TARGET_INTEL_GPU_30_4_0__);
    case 72: return SPIRV_IF_IS_1(__SYCL_TARGET_INTEL_GPU_NVL_U__) || SPIRV_IF_IS_1(__SYCL_TARGET_INTEL_GPU_NVL_H__) || SPIRV_IF_IS_1(__SYCL_TARGET_INTEL_GPU_30_5_0__);
    case 73: return SPIRV_IF_IS_1(__SYCL_TARGET_INTEL_GPU_NVL_P__) || SPIRV_IF_IS_1(__SYCL_TARGET_INTEL_GPU_35_10_0__);
    case 74: return SPIRV_IF_IS_1(__SYCL_TARGET_NVIDIA_GPU_SM_90A__) || SPIRV_IF_IS_1(__SYCL_TARGET_NVIDIA_GPU_SM90A__);
    case 75: return SPIRV_IF_IS_1(__SYCL_TARGET_AMD_GPU_GFX703__);
    case 76: return SPIRV_IF_IS_1(__SYCL_TARGET_AMD_GPU_GFX704__);
    case 77: return SPIRV_IF_IS_1(__SYCL_TARGET_AMD_GPU_GFX705__);
    case 78: return SPIRV_IF_IS_1(__SYCL_TARGET_AMD_GPU_GFX909__);
    case 79: return SPIRV_IF_IS_1(__SYCL_TARGET_AMD_GPU_GFX90C__);
    case 80: return SPIRV_IF_IS_1(__SYCL_TARGET_AMD_GPU_GFX940__);
    case 81: return SPIRV_IF_IS_1(__SYCL_TARGET_AMD_GPU_GFX941__);
    case 82: return SPIRV_IF_IS_1(__SYCL_TARGET_AMD_GPU_GFX942__);
    case 83: return SPIRV_IF_IS_1(__SYCL_TARGET_AMD_GPU_GFX1033__);
    case 84: return SPIRV_IF_IS_1(__SYCL_TARGET_AMD_GPU_GFX1035__);
    case 85: return SPIRV_IF_IS_1(__SYCL_TARGET_AMD_GPU_GFX1036__);
    case 86: return SPIRV_IF_IS_1(__SYCL_TARGET_AMD_GPU_GFX1100__);
    case 87: return SPIRV_IF_IS_1(__SYCL_TARGET_AMD_GPU_GFX1101__);
    case 88: return SPIRV_IF_IS_1(__SYCL_TARGET_AMD_GPU_GFX1102__);
    case 89: return SPIRV_IF_IS_1(__SYCL_TARGET_AMD_GPU_GFX1103__);
    case 90: return SPIRV_IF_IS_1(__SYCL_TARGET_AMD_GPU_GFX1150__);
    case 91: return SPIRV_IF_IS_1(__SYCL_TARGET_AMD_GPU_GFX1151__);
    case 92: return SPIRV_IF_IS_1(__SYCL_TARGET_AMD_GPU_GFX1200__);
    case 93: return SPIRV_IF_IS_1(__SYCL_TARGET_AMD_GPU_GFX1201__);
    case 94: return SPIRV_IF_IS_1(__SYCL_TARGET_AMD_GPU_GFX600__);
    case 95: return SPIRV_IF_IS_1(__SYCL_TARGET_AMD_GPU_GFX601__);
    case 96: return SPIRV_IF_IS_1(__SYCL_TARGET_AMD_GPU_GFX602__);
    case 97: return SPIRV_IF_IS_1(__SYCL_TARGET_AMD_GPU_GFX950__);
    case 98: return SPIRV_IF_IS_1(__SYCL_TARGET_AMD_GPU_GFX1152__);
    case 99: return SPIRV_IF_IS_1(__SYCL_TARGET_AMD_GPU_GFX1153__);
    case 100: return SPIRV_IF_IS_1(__SYCL_TARGET_AMD_GPU_GFX1154__);
    case 101: return SPIRV_IF_IS_1(__SYCL_TARGET_AMD_GPU_GFX1170__);
    case 102: return SPIRV_IF_IS_1(__SYCL_TARGET_AMD_GPU_GFX1171__);
    case 103: return SPIRV_IF_IS_1(__SYCL_TARGET_AMD_GPU_GFX1172__);
    case 104: return SPIRV_IF_IS_1(__SYCL_TARGET_AMD_GPU_GFX1250__);
    case 105: return SPIRV_IF_IS_1(__SYCL_TARGET_AMD_GPU_GFX1251__);
    case 106: return SPIRV_IF_IS_1(__SYCL_TARGET_AMD_GPU_GFX1310__);
    case 107: return SPIRV_IF_IS_1(__SYCL_TARGET_AMD_GPU_GFX9_GENERIC__);
    case 108: return SPIRV_IF_IS_1(__SYCL_TARGET_AMD_GPU_GFX9_4_GENERIC__);
    case 109: return SPIRV_IF_IS_1(__SYCL_TARGET_AMD_GPU_GFX10_1_GENERIC__);
    case 110: return SPIRV_IF_IS_1(__SYCL_TARGET_AMD_GPU_GFX10_3_GENERIC__);
    case 111: return SPIRV_IF_IS_1(__SYCL_TARGET_AMD_GPU_GFX11_GENERIC__);
    case 112: return SPIRV_IF_IS_1(__SYCL_TARGET_AMD_GPU_GFX11_7_GENERIC__);
    case 113: return SPIRV_IF_IS_1(__SYCL_TARGET_AMD_GPU_GFX12_GENERIC__);
    case 114: return SPIRV_IF_IS_1(__SYCL_TARGET_AMD_GPU_GFX12_5_GENERIC__);
    case 115: return SPIRV_IF_IS_1(__SYCL_TARGET_AMD_GPU_GFX13_GENERIC__);
    case 116: return SPIRV_IF_IS_1(__SYCL_TARGET_INTEL_GPU_CRI__) || SPIRV_IF_IS_1(__SYCL_TARGET_INTEL_GPU_35_11_0__);
    }
    return false;
}

constexpr bool is_target_known() {
    for (int architecture = 0; architecture < 117; ++architecture) {
        if (is_target(architecture)) {
            return true;
        }
    }
    return SPIRV_IF_IS_1(SPIRV_IF_TARGET);
}

constexpr truth architecture_truth(int architecture) {
    return !is_target_known() ? not_known : is_target(architecture) ? truth::yes : truth::no;
}

// DPC++ says of each aspect whether all of the targets have it, and whether any has, unless any may have any.
constexpr truth of_macros(bool all, bool any) {
    if (!is_target_known()) {
        return not_known;
    }
    return all ? truth::yes : any || SPIRV_IF_IS_1(__SYCL_ANY_DEVICE_HAS_ANY_ASPECT__) ? not_known : truth::no;
}

constexpr truth aspect_truth(int aspect) {
    switch (aspect) {
    case 0: return of_macros(SPIRV_IF_IS_1(__SYCL_ALL_DEVICES_HAVE_host__), SPIRV_IF_IS_1(__SYCL_ANY_DEVICE_HAS_host__));
    case 1: return of_macros(SPIRV_IF_IS_1(__SYCL_ALL_DEVICES_HAVE_cpu__), SPIRV_IF_IS_1(__SYCL_ANY_DEVICE_HAS_cpu__));
    case 2: return of_macros(SPIRV_IF_IS_1(__SYCL_ALL_DEVICES_HAVE_gpu__), SPIRV_IF_IS_1(__SYCL_ANY_DEVICE_HAS_gpu__));
    case 3: return of_macros(SPIRV_IF_IS_1(__SYCL_ALL_DEVICES_HAVE_accelerator__), SPIRV_IF_IS_1(__SYCL_ANY_DEVICE_HAS_accelerator__));
    case 4: return of_macros(SPIRV_IF_IS_1(__SYCL_ALL_DEVICES_HAVE_custom__), SPIRV_IF_IS_1(__SYCL_ANY_DEVICE_HAS_custom__));
    case 5: return of_macros(SPIRV_IF_IS_1(__SYCL_ALL_DEVICES_HAVE_fp16__), SPIRV_IF_IS_1(__SYCL_ANY_DEVICE_HAS_fp16__));
    case 6: return of_macros(SPIRV_IF_IS_1(__SYCL_ALL_DEVICES_HAVE_fp64__), SPIRV_IF_IS_1(__SYCL_ANY_DEVICE_HAS_fp64__));
    case 9: return of_macros(SPIRV_IF_IS_1(__SYCL_ALL_DEVICES_HAVE_image__), SPIRV_IF_IS_1(__SYCL_ANY_DEVICE_HAS_image__));
    case 10: return of_macros(SPIRV_IF_IS_1(__SYCL_ALL_DEVICES_HAVE_online_compiler__), SPIRV_IF_IS_1(__SYCL_ANY_DEVICE_HAS_online_compiler__));
    case 11: return of_macros(SPIRV_IF_IS_1(__SYCL_ALL_DEVICES_HAVE_online_linker__), SPIRV_IF_IS_1(__SYCL_ANY_DEVICE_HAS_online_linker__));
    case 12: return of_macros(SPIRV_IF_IS_1(__SYCL_ALL_DEVICES_HAVE_queue_profiling__), SPIRV_IF_IS_1(__SYCL_ANY_DEVICE_HAS_queue_profiling__));
    case 13: return of_macros(SPIRV_IF_IS_1(__SYCL_ALL_DEVICES_HAVE_usm_device_allocations__), SPIRV_IF_IS_1(__SYCL_ANY_DEVICE_HAS_usm_device_allocations__));
    case 14: return of_macros(SPIRV_IF_IS_1(__SYCL_ALL_DEVICES_HAVE_usm_host_allocations__), SPIRV_IF_IS_1(__SYCL_ANY_DEVICE_HAS_usm_host_allocations__));
    case 15: return of_macros(SPIRV_IF_IS_1(__SYCL_ALL_DEVICES_HAVE_usm_shared_allocations__), SPIRV_IF_IS_1(__SYCL_ANY_DEVICE_HAS_usm_shared_allocations__));
    case 17: return of_macros(SPIRV_IF_IS_1(__SYCL_ALL_DEVICES_HAVE_usm_system_allocations__), SPIRV_IF_IS_1(__SYCL_ANY_DEVICE_HAS_usm_system_allocations__));
    case 18: return of_macros(SPIRV_IF_IS_1(__SYCL_ALL_DEVICES_HAVE_ext_intel_pci_address__), SPIRV_IF_IS_1(__SYCL_ANY_DEVICE_HAS_ext_intel_pci_address__));
    case 19: return of_macros(SPIRV_IF_IS_1(__SYCL_ALL_DEVICES_HAVE_ext_intel_gpu_eu_count__), SPIRV_IF_IS_1(__SYCL_ANY_DEVICE_HAS_ext_intel_gpu_eu_count__));
    case 20: return of_macros(SPIRV_IF_IS_1(__SYCL_ALL_DEVICES_HAVE_ext_intel_gpu_eu_simd_width__), SPIRV_IF_IS_1(__SYCL_ANY_DEVICE_HAS_ext_intel_gpu_eu_simd_width__));
    case 21: return of_macros(SPIRV_IF_IS_1(__SYCL_ALL_DEVICES_HAVE_ext_intel_gpu_slices__), SPIRV_IF_IS_1(__SYCL_ANY_DEVICE_HAS_ext_intel_gpu_slices__));
    case 22: return of_macros(SPIRV_IF_IS_1(__SYCL_ALL_DEVICES_HAVE_ext_intel_gpu_subslices_per_slice__), SPIRV_IF_IS_1(__SYCL_ANY_DEVICE_HAS_ext_intel_gpu_subslices_per_slice__));
    case 23: return of_macros(SPIRV_IF_IS_1(__SYCL_ALL_DEVICES_HAVE_ext_intel_gpu_eu_count_per_subslice__), SPIRV_IF_IS_1(__SYCL_ANY_DEVICE_HAS_ext_intel_gpu_eu_count_per_subslice__));
    case 24: return of_macros(SPIRV_IF_IS_1(__SYCL_ALL_DEVICES_HAVE_ext_intel_max_mem_bandwidth__), SPIRV_IF_IS_1(__SYCL_ANY_DEVICE_HAS_ext_intel_max_mem_bandwidth__));
    case 25: return of_macros(SPIRV_IF_IS_1(__SYCL_ALL_DEVICES_HAVE_ext_intel_mem_channel__), SPIRV_IF_IS_1(__SYCL_ANY_DEVICE_HAS_ext_intel_mem_channel__));
    case 26: return of_macros(SPIRV_IF_IS_1(__SYCL_ALL_DEVICES_HAVE_usm_atomic_host_allocations__), SPIRV_IF_IS_1(__SYCL_ANY_DEVICE_HAS_usm_atomic_host_allocations__));
    case 27: return of_macros(SPIRV_IF_IS_1(__SYCL_ALL_DEVICES_HAVE_usm_atomic_shared_allocations__), SPIRV_IF_IS_1(__SYCL_ANY_DEVICE_HAS_usm_atomic_shared_allocations__));
    case 28: return of_macros(SPIRV_IF_IS_1(__SYCL_ALL_DEVICES_HAVE_atomic64__), SPIRV_IF_IS_1(__SYCL_ANY_DEVICE_HAS_atomic64__));
    case 29: return of_macros(SPIRV_IF_IS_1(__SYCL_ALL_DEVICES_HAVE_ext_intel_device_info_uuid__), SPIRV_IF_IS_1(__SYCL_ANY_DEVICE_HAS_ext_intel_device_info_uuid__));
    case 30: return of_macros(SPIRV_IF_IS_1(__SYCL_ALL_DEVICES_HAVE_ext_oneapi_srgb__), SPIRV_IF_IS_1(__SYCL_ANY_DEVICE_HAS_ext_oneapi_srgb__));
    case 31: return of_macros(SPIRV_IF_IS_1(__SYCL_ALL_DEVICES_HAVE_ext_oneapi_native_assert__), SPIRV_IF_IS_1(__SYCL_ANY_DEVICE_HAS_ext_oneapi_native_assert__));
    case 32: return of_macros(SPIRV_IF_IS_1(__SYCL_ALL_DEVICES_HAVE_host_debuggable__), SPIRV_IF_IS_1(__SYCL_ANY_DEVICE_HAS_host_debuggable__));
    case 33: return of_macros(SPIRV_IF_IS_1(__SYCL_ALL_DEVICES_HAVE_ext_intel_gpu_hw_threads_per_eu__), SPIRV_IF_IS_1(__SYCL_ANY_DEVICE_HAS_ext_intel_gpu_hw_threads_per_eu__));
    case 34: return of_macros(SPIRV_IF_IS_1(__SYCL_ALL_DEVICES_HAVE_ext_oneapi_cuda_async_barrier__), SPIRV_IF_IS_1(__SYCL_ANY_DEVICE_HAS_ext_oneapi_cuda_async_barrier__));
    case 35: return of_macros(SPIRV_IF_IS_1(__SYCL_ALL_DEVICES_HAVE_ext_oneapi_bfloat16_math_functions__), SPIRV_IF_IS_1(__SYCL_ANY_DEVICE_HAS_ext_oneapi_bfloat16_math_functions__));
    case 36: return of_macros(SPIRV_IF_IS_1(__SYCL_ALL_DEVICES_HAVE_ext_intel_free_memory__), SPIRV_IF_IS_1(__SYCL_ANY_DEVICE_HAS_ext_intel_free_memory__));
    case 37: return of_macros(SPIRV_IF_IS_1(__SYCL_ALL_DEVICES_HAVE_ext_intel_device_id__), SPIRV_IF_IS_1(__SYCL_ANY_DEVICE_HAS_ext_intel_device_id__));
    case 38: return of_macros(SPIRV_IF_IS_1(__SYCL_ALL_DEVICES_HAVE_ext_intel_memory_clock_rate__), SPIRV_IF_IS_1(__SYCL_ANY_DEVICE_HAS_ext_intel_memory_clock_rate__));
    case 39: return of_macros(SPIRV_IF_IS_1(__SYCL_ALL_DEVICES_HAVE_ext_intel_memory_bus_width__), SPIRV_IF_IS_1(__SYCL_ANY_DEVICE_HAS_ext_intel_memory_bus_width__));
    case 40: return of_macros(SPIRV_IF_IS_1(__SYCL_ALL_DEVICES_HAVE_emulated__), SPIRV_IF_IS_1(__SYCL_ANY_DEVICE_HAS_emulated__));
    case 41: return of_macros(SPIRV_IF_IS_1(__SYCL_ALL_DEVICES_HAVE_ext_intel_legacy_image__), SPIRV_IF_IS_1(__SYCL_ANY_DEVICE_HAS_ext_intel_legacy_image__));
    case 42: return of_macros(SPIRV_IF_IS_1(__SYCL_ALL_DEVICES_HAVE_ext_oneapi_bindless_images__), SPIRV_IF_IS_1(__SYCL_ANY_DEVICE_HAS_ext_oneapi_bindless_images__));
    case 43: return of_macros(SPIRV_IF_IS_1(__SYCL_ALL_DEVICES_HAVE_ext_oneapi_bindless_images_shared_usm__), SPIRV_IF_IS_1(__SYCL_ANY_DEVICE_HAS_ext_oneapi_bindless_images_shared_usm__));
    case 44: return of_macros(SPIRV_IF_IS_1(__SYCL_ALL_DEVICES_HAVE_ext_oneapi_bindless_images_1d_usm__), SPIRV_IF_IS_1(__SYCL_ANY_DEVICE_HAS_ext_oneapi_bindless_images_1d_usm__));
    case 45: return of_macros(SPIRV_IF_IS_1(__SYCL_ALL_DEVICES_HAVE_ext_oneapi_bindless_images_2d_usm__), SPIRV_IF_IS_1(__SYCL_ANY_DEVICE_HAS_ext_oneapi_bindless_images_2d_usm__));
    case 46: return of_macros(SPIRV_IF_IS_1(__SYCL_ALL_DEVICES_HAVE_ext_oneapi_external_memory_import__), SPIRV_IF_IS_1(__SYCL_ANY_DEVICE_HAS_ext_oneapi_external_memory_import__));
    case 48: return of_macros(SPIRV_IF_IS_1(__SYCL_ALL_DEVICES_HAVE_ext_oneapi_external_semaphore_import__), SPIRV_IF_IS_1(__SYCL_ANY_DEVICE_HAS_ext_oneapi_external_semaphore_import__));
    case 50: return of_macros(SPIRV_IF_IS_1(__SYCL_ALL_DEVICES_HAVE_ext_oneapi_mipmap__), SPIRV_IF_IS_1(__SYCL_ANY_DEVICE_HAS_ext_oneapi_mipmap__));
    case 51: return of_macros(SPIRV_IF_IS_1(__SYCL_ALL_DEVICES_HAVE_ext_oneapi_mipmap_anisotropy__), SPIRV_IF_IS_1(__SYCL_ANY_DEVICE_HAS_ext_oneapi_mipmap_anisotropy__));
    case 52: return of_macros(SPIRV_IF_IS_1(__SYCL_ALL_DEVICES_HAVE_ext_oneapi_mipmap_level_reference__), SPIRV_IF_IS_1(__SYCL_ANY_DEVICE_HAS_ext_oneapi_mipmap_level_reference__));
    case 53: return of_macros(SPIRV_IF_IS_1(__SYCL_ALL_DEVICES_HAVE_ext_intel_esimd__), SPIRV_IF_IS_1(__SYCL_ANY_DEVICE_HAS_ext_intel_esimd__));
    case 54: return of_macros(SPIRV_IF_IS_1(__SYCL_ALL_DEVICES_HAVE_ext_oneapi_ballot_group__), SPIRV_IF_IS_1(__SYCL_ANY_DEVICE_HAS_ext_oneapi_ballot_group__));
    case 55: return of_macros(SPIRV_IF_IS_1(__SYCL_ALL_DEVICES_HAVE_ext_oneapi_fixed_size_group__), SPIRV_IF_IS_1(__SYCL_ANY_DEVICE_HAS_ext_oneapi_fixed_size_group__));
    case 56: return of_macros(SPIRV_IF_IS_1(__SYCL_ALL_DEVICES_HAVE_ext_oneapi_opportunistic_group__), SPIRV_IF_IS_1(__SYCL_ANY_DEVICE_HAS_ext_oneapi_opportunistic_group__));
    case 57: return of_macros(SPIRV_IF_IS_1(__SYCL_ALL_DEVICES_HAVE_ext_oneapi_tangle_group__), SPIRV_IF_IS_1(__SYCL_ANY_DEVICE_HAS_ext_oneapi_tangle_group__));
    case 58: return of_macros(SPIRV_IF_IS_1(__SYCL_ALL_DEVICES_HAVE_ext_intel_matrix__), SPIRV_IF_IS_1(__SYCL_ANY_DEVICE_HAS_ext_intel_matrix__));
    case 59: return of_macros(SPIRV_IF_IS_1(__SYCL_ALL_DEVICES_HAVE_ext_oneapi_is_composite__), SPIRV_IF_IS_1(__SYCL_ANY_DEVICE_HAS_ext_oneapi_is_composite__));
    case 60: return of_macros(SPIRV_IF_IS_1(__SYCL_ALL_DEVICES_HAVE_ext_oneapi_is_component__), SPIRV_IF_IS_1(__SYCL_ANY_DEVICE_HAS_ext_oneapi_is_component__));
    case 61: return of_macros(SPIRV_IF_IS_1(__SYCL_ALL_DEVICES_HAVE_ext_oneapi_graph__), SPIRV_IF_IS_1(__SYCL_ANY_DEVICE_HAS_ext_oneapi_graph__));
    case 62: return of_macros(SPIRV_IF_IS_1(__SYCL_ALL_DEVICES_HAVE_ext_intel_fpga_task_sequence__), SPIRV_IF_IS_1(__SYCL_ANY_DEVICE_HAS_ext_intel_fpga_task_sequence__));
    case 63: return of_macros(SPIRV_IF_IS_1(__SYCL_ALL_DEVICES_HAVE_ext_oneapi_limited_graph__), SPIRV_IF_IS_1(__SYCL_ANY_DEVICE_HAS_ext_oneapi_limited_graph__));
    case 64: return of_macros(SPIRV_IF_IS_1(__SYCL_ALL_DEVICES_HAVE_ext_oneapi_private_alloca__), SPIRV_IF_IS_1(__SYCL_ANY_DEVICE_HAS_ext_oneapi_private_alloca__));
    case 65: return of_macros(SPIRV_IF_IS_1(__SYCL_ALL_DEVICES_HAVE_ext_oneapi_cubemap__), SPIRV_IF_IS_1(__SYCL_ANY_DEVICE_HAS_ext_oneapi_cubemap__));
    case 66: return of_macros(SPIRV_IF_IS_1(__SYCL_ALL_DEVICES_HAVE_ext_oneapi_cubemap_seamless_filtering__), SPIRV_IF_IS_1(__SYCL_ANY_DEVICE_HAS_ext_oneapi_cubemap_seamless_filtering__));
    case 67: return of_macros(SPIRV_IF_IS_1(__SYCL_ALL_DEVICES_HAVE_ext_oneapi_bindless_sampled_image_fetch_1d_usm__), SPIRV_IF_IS_1(__SYCL_ANY_DEVICE_HAS_ext_oneapi_bindless_sampled_image_fetch_1d_usm__));
    case 68: return of_macros(SPIRV_IF_IS_1(__SYCL_ALL_DEVICES_HAVE_ext_oneapi_bindless_sampled_image_fetch_1d__), SPIRV_IF_IS_1(__SYCL_ANY_DEVICE_HAS_ext_oneapi_bindless_sampled_image_fetch_1d__));
    case 69: return of_macros(SPIRV_IF_IS_1(__SYCL_ALL_DEVICES_HAVE_ext_oneapi_bindless_sampled_image_fetch_2d_usm__), SPIRV_IF_IS_1(__SYCL_ANY_DEVICE_HAS_ext_oneapi_bindless_sampled_image_fetch_2d_usm__));
    case 70: return of_macros(SPIRV_IF_IS_1(__SYCL_ALL_DEVICES_HAVE_ext_oneapi_bindless_sampled_image_fetch_2d__), SPIRV_IF_IS_1(__SYCL_ANY_DEVICE_HAS_ext_oneapi_bindless_sampled_image_fetch_2d__));
    case 72: return of_macros(SPIRV_IF_IS_1(__SYCL_ALL_DEVICES_HAVE_ext_oneapi_bindless_sampled_image_fetch_3d__), SPIRV_IF_IS_1(__SYCL_ANY_DEVICE_HAS_ext_oneapi_bindless_sampled_image_fetch_3d__));
    case 73: return of_macros(SPIRV_IF_IS_1(__SYCL_ALL_DEVICES_HAVE_ext_oneapi_queue_profiling_tag__), SPIRV_IF_IS_1(__SYCL_ANY_DEVICE_HAS_ext_oneapi_queue_profiling_tag__));
    case 74: return of_macros(SPIRV_IF_IS_1(__SYCL_ALL_DEVICES_HAVE_ext_oneapi_virtual_mem__), SPIRV_IF_IS_1(__SYCL_ANY_DEVICE_HAS_ext_oneapi_virtual_mem__));
    case 75: return of_macros(SPIRV_IF_IS_1(__SYCL_ALL_DEVICES_HAVE_ext_oneapi_cuda_cluster_group__), SPIRV_IF_IS_1(__SYCL_ANY_DEVICE_HAS_ext_oneapi_cuda_cluster_group__));
    case 76: return of_macros(SPIRV_IF_IS_1(__SYCL_ALL_DEVICES_HAVE_ext_oneapi_image_array__), SPIRV_IF_IS_1(__SYCL_ANY_DEVICE_HAS_ext_oneapi_image_array__));
    case 77: return of_macros(SPIRV_IF_IS_1(__SYCL_ALL_DEVICES_HAVE_ext_oneapi_unique_addressing_per_dim__), SPIRV_IF_IS_1(__SYCL_ANY_DEVICE_HAS_ext_oneapi_unique_addressing_per_dim__));
    case 78: return of_macros(SPIRV_IF_IS_1(__SYCL_ALL_DEVICES_HAVE_ext_oneapi_bindless_images_sample_1d_usm__), SPIRV_IF_IS_1(__SYCL_ANY_DEVICE_HAS_ext_oneapi_bindless_images_sample_1d_usm__));
    case 79: return of_macros(SPIRV_IF_IS_1(__SYCL_ALL_DEVICES_HAVE_ext_oneapi_bindless_images_sample_2d_usm__), SPIRV_IF_IS_1(__SYCL_ANY_DEVICE_HAS_ext_oneapi_bindless_images_sample_2d_usm__));
    case 80: return of_macros(SPIRV_IF_IS_1(__SYCL_ALL_DEVICES_HAVE_ext_oneapi_atomic16__), SPIRV_IF_IS_1(__SYCL_ANY_DEVICE_HAS_ext_oneapi_atomic16__));
    case 81: return of_macros(SPIRV_IF_IS_1(__SYCL_ALL_DEVICES_HAVE_ext_oneapi_virtual_functions__), SPIRV_IF_IS_1(__SYCL_ANY_DEVICE_HAS_ext_oneapi_virtual_functions__));
    case 82: return of_macros(SPIRV_IF_IS_1(__SYCL_ALL_DEVICES_HAVE_ext_intel_spill_memory_size__), SPIRV_IF_IS_1(__SYCL_ANY_DEVICE_HAS_ext_intel_spill_memory_size__));
    case 83: return of_macros(SPIRV_IF_IS_1(__SYCL_ALL_DEVICES_HAVE_ext_oneapi_bindless_images_gather__), SPIRV_IF_IS_1(__SYCL_ANY_DEVICE_HAS_ext_oneapi_bindless_images_gather__));
    case 84: return of_macros(SPIRV_IF_IS_1(__SYCL_ALL_DEVICES_HAVE_ext_intel_current_clock_throttle_reasons__), SPIRV_IF_IS_1(__SYCL_ANY_DEVICE_HAS_ext_intel_current_clock_throttle_reasons__));
    case 85: return of_macros(SPIRV_IF_IS_1(__SYCL_ALL_DEVICES_HAVE_ext_intel_fan_speed__), SPIRV_IF_IS_1(__SYCL_ANY_DEVICE_HAS_ext_intel_fan_speed__));
    case 86: return of_macros(SPIRV_IF_IS_1(__SYCL_ALL_DEVICES_HAVE_ext_intel_power_limits__), SPIRV_IF_IS_1(__SYCL_ANY_DEVICE_HAS_ext_intel_power_limits__));
    case 87: return of_macros(SPIRV_IF_IS_1(__SYCL_ALL_DEVICES_HAVE_ext_oneapi_async_memory_alloc__), SPIRV_IF_IS_1(__SYCL_ANY_DEVICE_HAS_ext_oneapi_async_memory_alloc__));
    case 88: return of_macros(SPIRV_IF_IS_1(__SYCL_ALL_DEVICES_HAVE_ext_oneapi_int4__), SPIRV_IF_IS_1(__SYCL_ANY_DEVICE_HAS_ext_oneapi_int4__));
    case 7: return of_macros(SPIRV_IF_IS_1(__SYCL_ALL_DEVICES_HAVE_int64_base_atomics__), SPIRV_IF_IS_1(__SYCL_ANY_DEVICE_HAS_int64_base_atomics__));
    case 8: return of_macros(SPIRV_IF_IS_1(__SYCL_ALL_DEVICES_HAVE_int64_extended_atomics__), SPIRV_IF_IS_1(__SYCL_ANY_DEVICE_HAS_int64_extended_atomics__));
    case 16: return of_macros(SPIRV_IF_IS_1(__SYCL_ALL_DEVICES_HAVE_usm_restricted_shared_allocations__), SPIRV_IF_IS_1(__SYCL_ANY_DEVICE_HAS_usm_restricted_shared_allocations__));
    }
    return not_known;
}

constexpr bool is_aspect(int aspect) {
    switch (aspect) {
    case 0:
    case 1:
    case 2:
    case 3:
    case 4:
    case 5:
    case 6:
    case 9:
    case 10:
    case 11:
    case 12:
    case 13:
    case 14:
    case 15:
    case 17:
    case 18:
    case 19:
    case 20:
    case 21:
    case 22:
    case 23:
    case 24:
    case 25:
    case 26:
    case 27:
    case 28:
    case 29:
    case 30:
    case 31:
    case 32:
    case 33:
    case 34:
    case 35:
    case 36:
    case 37:
    case 38:
    case 39:
    case 40:
    case 41:
    case 42:
    case 43:
    case 44:
    case 45:
    case 46:
    case 48:
    case 50:
    case 51:
    case 52:
    case 53:
    case 54:
    case 55:
    case 56:
    case 57:
    case 58:
    case 59:
    case 60:
    case 61:
    case 62:
    case 63:
    case 64:
    case 65:
    case 66:
    case 67:
    case 68:
    case 69:
    case 70:
    case 72:
    case 73:
    case 74:
    case 75:
    case 76:
    case 77:
    case 78:
    case 79:
    case 80:
    case 81:
    case 82:
    case 83:
    case 84:
    case 85:
    case 86:
    case 87:
    case 88:
    case 7:
    case 8:
    case 16:
        return true;
    }
    return false;
}

constexpr bool is_architecture_number(int architecture) { return architecture >= 0 && architecture < 117; }

#undef SPIRV_IF_IS_1
#undef SPIRV_IF_EXPANDED

} // namespace detail
} // namespace spirv_if
