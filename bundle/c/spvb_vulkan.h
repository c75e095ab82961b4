/*
 * Answers the questions of bundles about a Vulkan device, from the structures that an application passes to vkCreateDevice and gets from
 * vkGetPhysicalDeviceProperties2: features count if they are on, not if they exist. Include it in one file, after any version of vulkan.h.
 *
 *     spvb_vulkan device;
 *     device.created = &create_info;                  the VkDeviceCreateInfo of the device
 *     device.properties = &properties;                VkPhysicalDeviceProperties
 *     device.property_chain = properties2.pNext;      as many structures of properties as there are, such as VkPhysicalDeviceVulkan11Properties
 *     device.application_version = VK_API_VERSION_1_3;
 *     spvb_vulkan_answer_all(bundle, &device, answers);
 *
 * Decisions of the host and values of constants are left unknown: answer them afterwards. Structures are read by their numbers, so that new ones are found with old versions of vulkan.h, too.
 */
#ifndef SPVB_VULKAN_H
#define SPVB_VULKAN_H

#include "spvb.h"

#include <string.h>
#include <vulkan/vulkan.h>

/* A device, as an application made it. */
typedef struct spvb_vulkan {
    /* The structure of vkCreateDevice: features that are on, and extensions. */
    const VkDeviceCreateInfo *created;
    const VkPhysicalDeviceProperties *properties;
    /* Other structures of properties, by their pNext; NULL for none. */
    const void *property_chain;
    /* The version of Vulkan that the application asked for when it made the instance; 0 for 1.0. The smaller one of this and of the device's counts. */
    uint32_t application_version;
} spvb_vulkan;

/* How a member of a structure is compared. */
enum { SPVB_VULKAN_ON, SPVB_VULKAN_HAS_BIT, SPVB_VULKAN_IS, SPVB_VULKAN_TYPE };

/* A member in a structure: the number of the structure, and the bytes before it, after sType and pNext. */
typedef struct spvb_vulkan_place {
    uint32_t structure;
    uint16_t offset;
} spvb_vulkan_place;

/* A member of several structures. */
typedef struct spvb_vulkan_member {
    uint16_t first, count;
} spvb_vulkan_member;

/* What lets a device answer yes: a version or an extension, if there are some, and a member. An extension after `!` is one without which the member does not count. */
typedef struct spvb_vulkan_way {
    uint16_t version;
    const char *extension;
    uint16_t member;
    uint8_t test;
    uint32_t value;
} spvb_vulkan_way;

typedef struct spvb_vulkan_limit {
    const char *name;
    size_t offset;
} spvb_vulkan_limit;

/* A version of SPIR-V, with the version of Vulkan that includes it, or the extension. */
typedef struct spvb_vulkan_spirv {
    uint16_t spirv, version;
    const char *extension;
} spvb_vulkan_spirv;

/* A driver, with the bits of each part of its version. */
typedef struct spvb_vulkan_driver {
    const char *name;
    uint32_t id;
    uint8_t bits[4];
} spvb_vulkan_driver;

/* scripts/bundle-headers.py writes this. */
static const spvb_vulkan_place spvb_vulkan_places[] = {
    {1000082000, 0},
    {51, 28},
    {1000059000, 156},
    {1000180000, 0},
    {51, 20},
    {1000059000, 16},
    {1000059000, 20},
    {1000059000, 160},
    {1000180000, 4},
    {51, 24},
    {1000234000, 0},
    {1000273000, 4},
    {1000273000, 24},
    {1000260000, 4},
    {1000260000, 20},
    {1000260000, 36},
    {1000260000, 12},
    {1000260000, 28},
    {1000273000, 8},
    {1000273000, 28},
    {1000273000, 12},
    {1000273000, 32},
    {1000273000, 40},
    {1000273000, 16},
    {1000273000, 36},
    {1000563000, 0},
    {1000059000, 164},
    {1000059000, 108},
    {1000059000, 112},
    {1000059000, 120},
    {1000059000, 132},
    {1000059000, 136},
    {1000059000, 140},
    {1000059000, 144},
    {1000059000, 148},
    {1000059000, 152},
    {1000059000, 8},
    {1000059000, 24},
    {1000059000, 168},
    {1000059000, 172},
    {1000059000, 124},
    {1000059000, 128},
    {1000059000, 72},
    {1000063000, 0},
    {49, 44},
    {1000053001, 0},
    {49, 16},
    {1000120000, 0},
    {49, 28},
    {1000120000, 4},
    {49, 32},
    {51, 176},
    {51, 180},
    {1000083000, 0},
    {49, 0},
    {1000083000, 4},
    {49, 4},
    {1000083000, 8},
    {49, 8},
    {1000083000, 12},
    {49, 12},
    {1000094000, 8},
    {50, 56},
    {1000662000, 0},
    {1000161001, 76},
    {51, 116},
    {1000161001, 0},
    {51, 40},
    {1000161001, 4},
    {51, 44},
    {1000161001, 8},
    {51, 48},
    {1000161001, 12},
    {51, 52},
    {1000161001, 16},
    {51, 56},
    {1000161001, 20},
    {51, 60},
    {1000161001, 24},
    {51, 64},
    {1000161001, 28},
    {51, 68},
    {1000161001, 32},
    {51, 72},
    {1000161001, 36},
    {51, 76},
    {1000082000, 4},
    {51, 32},
    {1000177000, 0},
    {51, 8},
    {1000177000, 4},
    {51, 12},
    {1000177000, 8},
    {51, 16},
    {51, 164},
    {1000211000, 0},
    {51, 168},
    {1000211000, 4},
    {1000197000, 20},
    {52, 540},
    {1000197000, 24},
    {52, 544},
    {1000197000, 28},
    {52, 548},
    {1000197000, 32},
    {52, 552},
    {1000197000, 36},
    {52, 556},
    {1000197000, 40},
    {52, 560},
    {1000197000, 8},
    {52, 528},
    {1000197000, 12},
    {52, 532},
    {1000197000, 16},
    {52, 536},
    {1000197000, 44},
    {52, 564},
    {1000197000, 48},
    {52, 568},
    {1000197000, 52},
    {52, 572},
    {1000197000, 56},
    {52, 576},
    {1000197000, 60},
    {52, 580},
    {1000197000, 64},
    {52, 584},
    {1000201000, 0},
    {1000201000, 4},
    {1000204000, 0},
    {1000347000, 0},
    {1000348013, 0},
    {1000347000, 16},
    {1000386000, 0},
    {1000327001, 0},
    {1000028000, 0},
    {1000028000, 4},
    {1000218000, 0},
    {1000164001, 0},
    {1000257000, 0},
    {1000244000, 0},
    {51, 152},
    {1000506000, 0},
    {1000249000, 0},
    {1000209000, 0},
    {1000154000, 0},
    {1000251000, 0},
    {1000251000, 4},
    {1000251000, 8},
    {1000276000, 0},
    {53, 20},
    {1000226003, 0},
    {1000226003, 4},
    {1000226003, 8},
    {1000336000, 0},
    {1000336000, 8},
    {1000336000, 12},
    {1000280000, 0},
    {53, 52},
    {1000203000, 0},
    {1000440000, 0},
    {1000440000, 4},
    {1000440000, 8},
    {1000518000, 0},
    {1000303000, 0},
    {1000303000, 4},
    {1000623000, 0},
    {1000497000, 0},
    {1000404000, 0},
    {1000481000, 0},
    {1000395000, 0},
    {1000395000, 4},
    {1000395000, 8},
    {1000172000, 0},
    {1000134000, 0},
    {1000416000, 0},
    {55, 4},
    {1000544000, 0},
    {55, 16},
    {1000528000, 0},
    {55, 12},
    {1000235000, 0},
    {1000141000, 0},
    {1000141000, 4},
    {1000141000, 8},
    {1000555000, 0},
    {1000564000, 0},
    {1000593000, 20},
    {1000593000, 12},
    {1000659000, 8},
    {1000593000, 24},
    {1000689000, 0},
    {1000429008, 0},
    {1000429008, 4},
    {1000569000, 0},
    {1000491000, 0},
    {1000491000, 4},
    {1000580001, 0},
    {1000309000, 0},
    {1000305000, 0},
    {1000304000, 0},
    {1000460009, 4},
    {1000460009, 8},
    {1000460009, 12},
    {1000567000, 0},
    {1000567000, 4},
    {1000507006, 0},
    {1000387000, 0},
    {1000579000, 0},
    {1000579000, 4},
    {1000579000, 8},
    {1000627000, 0},
    {1000635000, 0},
    {1000135009, 0},
    {1000673000, 0},
    {1000673000, 4},
    {1000673000, 8},
    {1000673000, 12},
    {1000231000, 0},
    {1000233000, 0},
    {1000672000, 0},
    {1000672000, 4},
    {1000672000, 8},
    {1000672000, 12},
    {1000593000, 8},
    {1000659000, 4},
    {1000593000, 16},
    {1000659000, 12},
    {1000659000, 16},
    {1000273000, 0},
    {1000260000, 0},
    {1000260000, 8},
    {1000273000, 20},
    {1000260000, 16},
    {1000260000, 24},
    {1000260000, 32},
    {1000175000, 0},
    {51, 136},
    {1000094000, 4},
    {50, 52},
    {1000094000, 12},
    {50, 60},
    {51, 184},
    {1000416000, 4},
    {55, 8},
    {1000181000, 0},
    {1000181000, 4},
    {1000059000, 104},
    {1000059000, 100},
    {1000413000, 0},
    {53, 56},
    {53, 44},
    {1000325000, 0},
    {1000323000, 0},
    {1000593000, 0},
    {1000506002, 0},
    {1000491001, 0},
    {1000491001, 4},
    {1000491001, 8},
    {1000460004, 68},
    {1000511000, 0},
    {1000163000, 44},
    {1000163000, 48},
    {1000163000, 40},
    {1000309000, 4},
    {1000309000, 48},
    {1000309000, 52},
    {1000574000, 0},
    {1000584000, 0},
    {1000642000, 0},
    {1000328000, 4},
    {1000328000, 0},
    {1000197000, 0},
    {52, 520},
    {1000197000, 4},
    {52, 524},
    {1000558000, 0},
    {1000232000, 0},
    {55, 56},
    {1000321000, 0},
    {1000257000, 4},
    {1000244000, 4},
    {51, 156},
    {1000257000, 8},
    {1000244000, 8},
    {51, 160},
    {1000404000, 4},
    {1000593000, 4},
    {1000506000, 4},
    {1000249000, 4},
    {1000659000, 0},
    {1000507006, 4},
    {1000507006, 8},
    {1000507006, 12},
    {1000507006, 16},
    {1000135009, 4},
    {1000161001, 40},
    {51, 80},
    {1000161001, 44},
    {51, 84},
    {1000161001, 48},
    {51, 88},
    {1000161001, 52},
    {51, 92},
    {1000161001, 56},
    {51, 96},
    {1000161001, 60},
    {51, 100},
    {1000161001, 64},
    {51, 104},
    {1000161001, 68},
    {51, 108},
    {1000161001, 72},
    {51, 112},
    {1000059000, 0},
    {1000059000, 4},
    {1000059000, 12},
    {1000059000, 28},
    {1000059000, 32},
    {1000059000, 36},
    {1000059000, 40},
    {1000059000, 44},
    {1000059000, 48},
    {1000059000, 52},
    {1000059000, 56},
    {1000059000, 60},
    {1000059000, 64},
    {1000059000, 68},
    {1000059000, 76},
    {1000059000, 80},
    {1000059000, 84},
    {1000059000, 88},
    {1000059000, 92},
    {1000059000, 96},
    {1000059000, 116},
    {1000059000, 176},
    {1000059000, 180},
    {1000059000, 184},
    {1000059000, 188},
    {1000059000, 192},
    {1000059000, 196},
    {1000059000, 200},
    {1000059000, 204},
    {1000059000, 208},
    {1000059000, 212},
    {1000059000, 216},
    {1000218000, 4},
    {1000218000, 8},
    {1000303000, 8},
    {1000328000, 8},
    {1000328000, 12},
    {1000328000, 16},
    {1000053001, 4},
    {49, 20},
    {1000053001, 8},
    {49, 24},
    {1000163000, 0},
    {1000163000, 4},
    {1000163000, 8},
    {1000163000, 12},
    {1000163000, 16},
    {1000163000, 20},
    {1000163000, 24},
    {1000163000, 28},
    {1000163000, 32},
    {1000163000, 36},
    {1000163000, 52},
    {1000163000, 56},
    {1000386000, 4},
    {1000327001, 4},
    {1000347000, 4},
    {1000347000, 8},
    {1000347000, 12},
    {1000273000, 44},
    {1000260000, 40},
    {1000260000, 44},
    {1000134000, 4},
    {1000234000, 4},
    {1000164001, 4},
    {1000225002, 0},
    {53, 28},
    {1000225002, 4},
    {53, 32},
    {1000460009, 0},
    {1000460009, 16},
    {1000460009, 20},
    {1000309000, 8},
    {1000309000, 12},
    {1000309000, 16},
    {1000309000, 20},
    {1000309000, 24},
    {1000309000, 28},
    {1000309000, 32},
    {1000309000, 36},
    {1000309000, 40},
    {1000309000, 44},
    {49, 36},
    {49, 40},
    {51, 0},
    {51, 4},
    {51, 36},
    {51, 120},
    {51, 124},
    {51, 128},
    {51, 132},
    {51, 140},
    {51, 144},
    {51, 148},
    {51, 172},
    {1000211000, 8},
    {53, 0},
    {53, 4},
    {53, 8},
    {53, 12},
    {53, 16},
    {53, 24},
    {53, 36},
    {53, 40},
    {53, 48},
    {55, 0},
    {55, 20},
    {55, 24},
    {55, 28},
    {55, 32},
    {55, 36},
    {55, 40},
    {55, 44},
    {55, 48},
    {55, 52},
    {55, 60},
    {55, 64},
    {55, 68},
    {55, 72},
    {55, 76},
    {55, 80},
    {1000336000, 4},
};
static const spvb_vulkan_member spvb_vulkan_members[] = {
    {0, 2}, /* shaderFloat16 */
    {2, 1}, /* shaderFloat64 */
    {3, 2}, /* shaderBufferInt64Atomics */
    {5, 1}, /* geometryShader */
    {6, 1}, /* tessellationShader */
    {7, 1}, /* shaderInt64 */
    {8, 2}, /* shaderSharedInt64Atomics */
    {10, 1}, /* shaderImageInt64Atomics */
    {11, 1}, /* shaderBufferFloat16AtomicAdd */
    {12, 1}, /* shaderSharedFloat16AtomicAdd */
    {13, 1}, /* shaderBufferFloat32AtomicAdd */
    {14, 1}, /* shaderSharedFloat32AtomicAdd */
    {15, 1}, /* shaderImageFloat32AtomicAdd */
    {16, 1}, /* shaderBufferFloat64AtomicAdd */
    {17, 1}, /* shaderSharedFloat64AtomicAdd */
    {18, 1}, /* shaderBufferFloat16AtomicMinMax */
    {19, 1}, /* shaderSharedFloat16AtomicMinMax */
    {20, 1}, /* shaderBufferFloat32AtomicMinMax */
    {21, 1}, /* shaderSharedFloat32AtomicMinMax */
    {22, 1}, /* shaderImageFloat32AtomicMinMax */
    {23, 1}, /* shaderBufferFloat64AtomicMinMax */
    {24, 1}, /* shaderSharedFloat64AtomicMinMax */
    {25, 1}, /* shaderFloat16VectorAtomics */
    {26, 1}, /* shaderInt16 */
    {27, 1}, /* shaderTessellationAndGeometryPointSize */
    {28, 1}, /* shaderImageGatherExtended */
    {29, 1}, /* shaderStorageImageMultisample */
    {30, 1}, /* shaderUniformBufferArrayDynamicIndexing */
    {31, 1}, /* shaderSampledImageArrayDynamicIndexing */
    {32, 1}, /* shaderStorageBufferArrayDynamicIndexing */
    {33, 1}, /* shaderStorageImageArrayDynamicIndexing */
    {34, 1}, /* shaderClipDistance */
    {35, 1}, /* shaderCullDistance */
    {36, 1}, /* imageCubeArray */
    {37, 1}, /* sampleRateShading */
    {38, 1}, /* shaderResourceResidency */
    {39, 1}, /* shaderResourceMinLod */
    {40, 1}, /* shaderStorageImageReadWithoutFormat */
    {41, 1}, /* shaderStorageImageWriteWithoutFormat */
    {42, 1}, /* multiViewport */
    {43, 2}, /* shaderDrawParameters */
    {45, 2}, /* multiview */
    {47, 2}, /* variablePointersStorageBuffer */
    {49, 2}, /* variablePointers */
    {51, 1}, /* shaderOutputViewportIndex */
    {52, 1}, /* shaderOutputLayer */
    {53, 2}, /* storageBuffer16BitAccess */
    {55, 2}, /* uniformAndStorageBuffer16BitAccess */
    {57, 2}, /* storagePushConstant16 */
    {59, 2}, /* storageInputOutput16 */
    {61, 2}, /* subgroupSupportedOperations */
    {63, 1}, /* shaderSubgroupPartitioned */
    {64, 2}, /* runtimeDescriptorArray */
    {66, 2}, /* shaderInputAttachmentArrayDynamicIndexing */
    {68, 2}, /* shaderUniformTexelBufferArrayDynamicIndexing */
    {70, 2}, /* shaderStorageTexelBufferArrayDynamicIndexing */
    {72, 2}, /* shaderUniformBufferArrayNonUniformIndexing */
    {74, 2}, /* shaderSampledImageArrayNonUniformIndexing */
    {76, 2}, /* shaderStorageBufferArrayNonUniformIndexing */
    {78, 2}, /* shaderStorageImageArrayNonUniformIndexing */
    {80, 2}, /* shaderInputAttachmentArrayNonUniformIndexing */
    {82, 2}, /* shaderUniformTexelBufferArrayNonUniformIndexing */
    {84, 2}, /* shaderStorageTexelBufferArrayNonUniformIndexing */
    {86, 2}, /* shaderInt8 */
    {88, 2}, /* storageBuffer8BitAccess */
    {90, 2}, /* uniformAndStorageBuffer8BitAccess */
    {92, 2}, /* storagePushConstant8 */
    {94, 2}, /* vulkanMemoryModel */
    {96, 2}, /* vulkanMemoryModelDeviceScope */
    {98, 2}, /* shaderDenormPreserveFloat16 */
    {100, 2}, /* shaderDenormPreserveFloat32 */
    {102, 2}, /* shaderDenormPreserveFloat64 */
    {104, 2}, /* shaderDenormFlushToZeroFloat16 */
    {106, 2}, /* shaderDenormFlushToZeroFloat32 */
    {108, 2}, /* shaderDenormFlushToZeroFloat64 */
    {110, 2}, /* shaderSignedZeroInfNanPreserveFloat16 */
    {112, 2}, /* shaderSignedZeroInfNanPreserveFloat32 */
    {114, 2}, /* shaderSignedZeroInfNanPreserveFloat64 */
    {116, 2}, /* shaderRoundingModeRTEFloat16 */
    {118, 2}, /* shaderRoundingModeRTEFloat32 */
    {120, 2}, /* shaderRoundingModeRTEFloat64 */
    {122, 2}, /* shaderRoundingModeRTZFloat16 */
    {124, 2}, /* shaderRoundingModeRTZFloat32 */
    {126, 2}, /* shaderRoundingModeRTZFloat64 */
    {128, 1}, /* computeDerivativeGroupQuads */
    {129, 1}, /* computeDerivativeGroupLinear */
    {130, 1}, /* imageFootprint */
    {131, 1}, /* rayTracingPipeline */
    {132, 1}, /* rayQuery */
    {133, 1}, /* rayTraversalPrimitiveCulling */
    {134, 1}, /* rayTracingMaintenance1 */
    {135, 1}, /* rayTracingMotionBlur */
    {136, 1}, /* transformFeedback */
    {137, 1}, /* geometryStreams */
    {138, 1}, /* fragmentDensityMap */
    {139, 1}, /* shadingRateImage */
    {140, 3}, /* bufferDeviceAddress */
    {143, 2}, /* cooperativeMatrix */
    {145, 1}, /* shaderIntegerFunctions2 */
    {146, 1}, /* shaderSMBuiltins */
    {147, 1}, /* fragmentShaderSampleInterlock */
    {148, 1}, /* fragmentShaderPixelInterlock */
    {149, 1}, /* fragmentShaderShadingRateInterlock */
    {150, 2}, /* shaderDemoteToHelperInvocation */
    {152, 1}, /* pipelineFragmentShadingRate */
    {153, 1}, /* primitiveFragmentShadingRate */
    {154, 1}, /* attachmentFragmentShadingRate */
    {155, 1}, /* workgroupMemoryExplicitLayout */
    {156, 1}, /* workgroupMemoryExplicitLayout8BitAccess */
    {157, 1}, /* workgroupMemoryExplicitLayout16BitAccess */
    {158, 2}, /* shaderIntegerDotProduct */
    {160, 1}, /* fragmentShaderBarycentric */
    {161, 1}, /* textureSampleWeighted */
    {162, 1}, /* textureBoxFilter */
    {163, 1}, /* textureBlockMatch */
    {164, 1}, /* textureBlockMatch2 */
    {165, 1}, /* imageGatherLinear */
    {166, 1}, /* imageGatherExtendedModes */
    {167, 1}, /* micromap */
    {168, 1}, /* shaderCoreBuiltins */
    {169, 1}, /* clustercullingShader */
    {170, 1}, /* rayTracingPositionFetch */
    {171, 1}, /* shaderTileImageColorReadAccess */
    {172, 1}, /* shaderTileImageDepthReadAccess */
    {173, 1}, /* shaderTileImageStencilReadAccess */
    {174, 1}, /* cooperativeMatrixConversion */
    {175, 1}, /* shaderEnqueue */
    {176, 2}, /* shaderSubgroupRotate */
    {178, 2}, /* shaderExpectAssume */
    {180, 2}, /* shaderFloatControls2 */
    {182, 1}, /* shaderQuadControl */
    {183, 1}, /* shaderBFloat16Type */
    {184, 1}, /* shaderBFloat16DotProduct */
    {185, 1}, /* shaderBFloat16CooperativeMatrix */
    {186, 1}, /* shaderRawAccessChains */
    {187, 1}, /* shaderReplicatedComposites */
    {188, 1}, /* cooperativeMatrixTensorAddressing */
    {189, 2}, /* cooperativeMatrixConversions */
    {191, 1}, /* cooperativeMatrixBlockLoads */
    {192, 1}, /* cooperativeMatrixDecodeVector */
    {193, 1}, /* spheres */
    {194, 1}, /* linearSweptSpheres */
    {195, 1}, /* clusterAccelerationStructure */
    {196, 1}, /* cooperativeVector */
    {197, 1}, /* cooperativeVectorTraining */
    {198, 1}, /* pushConstantBank */
    {199, 1}, /* tileShading */
    {200, 1}, /* shaderSplitBarrier */
    {201, 1}, /* shaderMultipleWaitQueues */
    {202, 1}, /* shaderTensorAccess */
    {203, 1}, /* shaderStorageTensorArrayDynamicIndexing */
    {204, 1}, /* shaderStorageTensorArrayNonUniformIndexing */
    {205, 1}, /* shaderFloat8 */
    {206, 1}, /* shaderFloat8CooperativeMatrix */
    {207, 1}, /* dataGraph */
    {208, 1}, /* shaderUntypedPointers */
    {209, 1}, /* shaderFmaFloat16 */
    {210, 1}, /* shaderFmaFloat32 */
    {211, 1}, /* shaderFmaFloat64 */
    {212, 1}, /* shader64BitIndexing */
    {213, 1}, /* longVector */
    {214, 1}, /* descriptorHeap */
    {215, 1}, /* shaderMixedFloatDotProductFloat16AccFloat32 */
    {216, 1}, /* shaderMixedFloatDotProductFloat16AccFloat16 */
    {217, 1}, /* shaderMixedFloatDotProductBFloat16Acc */
    {218, 1}, /* shaderMixedFloatDotProductFloat8AccFloat32 */
    {219, 1}, /* shaderConstantData */
    {220, 1}, /* shaderAbort */
    {221, 1}, /* shaderFloat4 */
    {222, 1}, /* shaderFloat6 */
    {223, 1}, /* shaderFloat8UnsignedE8M0 */
    {224, 1}, /* shaderMXInt8 */
    {225, 2}, /* cooperativeMatrixReductions */
    {227, 2}, /* cooperativeMatrixPerElementOperations */
    {229, 1}, /* cooperativeMatrixGetCoordinate */
    {230, 1}, /* shaderBufferFloat16Atomics */
    {231, 1}, /* shaderBufferFloat32Atomics */
    {232, 1}, /* shaderBufferFloat64Atomics */
    {233, 1}, /* shaderSharedFloat16Atomics */
    {234, 1}, /* shaderSharedFloat32Atomics */
    {235, 1}, /* shaderSharedFloat64Atomics */
    {236, 1}, /* shaderImageFloat32Atomics */
    {237, 2}, /* shaderSubgroupExtendedTypes */
    {239, 2}, /* subgroupSupportedStages */
    {241, 2}, /* subgroupQuadOperationsInAllStages */
    {243, 1}, /* subgroupBroadcastDynamicId */
    {244, 2}, /* shaderSubgroupRotateClustered */
    {246, 1}, /* shaderSubgroupClock */
    {247, 1}, /* shaderDeviceClock */
    {248, 1}, /* fragmentStoresAndAtomics */
    {249, 1}, /* vertexPipelineStoresAndAtomics */
    {250, 2}, /* maintenance4 */
    {252, 2}, /* shaderZeroInitializeWorkgroupMemory */
    {254, 1}, /* shaderSubgroupUniformControlFlow */
    {255, 1}, /* cooperativeMatrixWorkgroupScope */
    {256, 1}, /* cooperativeMatrixSupportedStages */
    {257, 1}, /* cooperativeVectorSupportedStages */
    {258, 1}, /* cooperativeVectorTrainingFloat16Accumulation */
    {259, 1}, /* cooperativeVectorTrainingFloat32Accumulation */
    {260, 1}, /* shaderTensorSupportedStages */
    {261, 1}, /* meshAndTaskShaderDerivatives */
    {262, 1}, /* tessellationIsolines */
    {263, 1}, /* tessellationPointMode */
    {264, 1}, /* shaderSampleRateInterpolationFunctions */
    {265, 1}, /* tileShadingFragmentStage */
    {266, 1}, /* tileShadingAtomicOps */
    {267, 1}, /* tileShadingImageProcessing */
    {268, 1}, /* maintenance8 */
    {269, 1}, /* maintenance9 */
    {270, 1}, /* shaderUniformBufferUnsizedArray */
    {271, 1}, /* meshShader */
    {272, 1}, /* taskShader */
    {273, 2}, /* denormBehaviorIndependence */
    {275, 2}, /* roundingModeIndependence */
    {277, 1}, /* shaderRelaxedExtendedInstruction */
    {278, 2}, /* dynamicRenderingLocalRead */
    {280, 1}, /* shaderEarlyAndLateFragmentTests */
    {281, 3}, /* bufferDeviceAddressCaptureReplay */
    {284, 3}, /* bufferDeviceAddressMultiDevice */
    {287, 1}, /* multiviewClusterCullingShader */
    {288, 1}, /* cooperativeMatrixFlexibleDimensions */
    {289, 2}, /* cooperativeMatrixRobustBufferAccess */
    {291, 1}, /* cooperativeMatrixProperties2 */
    {292, 1}, /* dataGraphUpdateAfterBind */
    {293, 1}, /* dataGraphSpecializationConstants */
    {294, 1}, /* dataGraphDescriptorBuffer */
    {295, 1}, /* dataGraphShaderModule */
    {296, 1}, /* descriptorHeapCaptureReplay */
    {297, 2}, /* descriptorBindingUniformBufferUpdateAfterBind */
    {299, 2}, /* descriptorBindingSampledImageUpdateAfterBind */
    {301, 2}, /* descriptorBindingStorageImageUpdateAfterBind */
    {303, 2}, /* descriptorBindingStorageBufferUpdateAfterBind */
    {305, 2}, /* descriptorBindingUniformTexelBufferUpdateAfterBind */
    {307, 2}, /* descriptorBindingStorageTexelBufferUpdateAfterBind */
    {309, 2}, /* descriptorBindingUpdateUnusedWhilePending */
    {311, 2}, /* descriptorBindingPartiallyBound */
    {313, 2}, /* descriptorBindingVariableDescriptorCount */
    {315, 1}, /* robustBufferAccess */
    {316, 1}, /* fullDrawIndexUint32 */
    {317, 1}, /* independentBlend */
    {318, 1}, /* dualSrcBlend */
    {319, 1}, /* logicOp */
    {320, 1}, /* multiDrawIndirect */
    {321, 1}, /* drawIndirectFirstInstance */
    {322, 1}, /* depthClamp */
    {323, 1}, /* depthBiasClamp */
    {324, 1}, /* fillModeNonSolid */
    {325, 1}, /* depthBounds */
    {326, 1}, /* wideLines */
    {327, 1}, /* largePoints */
    {328, 1}, /* alphaToOne */
    {329, 1}, /* samplerAnisotropy */
    {330, 1}, /* textureCompressionETC2 */
    {331, 1}, /* textureCompressionASTC_LDR */
    {332, 1}, /* textureCompressionBC */
    {333, 1}, /* occlusionQueryPrecise */
    {334, 1}, /* pipelineStatisticsQuery */
    {335, 1}, /* shaderStorageImageExtendedFormats */
    {336, 1}, /* sparseBinding */
    {337, 1}, /* sparseResidencyBuffer */
    {338, 1}, /* sparseResidencyImage2D */
    {339, 1}, /* sparseResidencyImage3D */
    {340, 1}, /* sparseResidency2Samples */
    {341, 1}, /* sparseResidency4Samples */
    {342, 1}, /* sparseResidency8Samples */
    {343, 1}, /* sparseResidency16Samples */
    {344, 1}, /* sparseResidencyAliased */
    {345, 1}, /* variableMultisampleRate */
    {346, 1}, /* inheritedQueries */
    {347, 1}, /* fragmentDensityMapDynamic */
    {348, 1}, /* fragmentDensityMapNonSubsampledImages */
    {349, 1}, /* blockMatchExtendedClampToEdge */
    {350, 1}, /* multiviewMeshShader */
    {351, 1}, /* primitiveFragmentShadingRateMeshShader */
    {352, 1}, /* meshShaderQueries */
    {353, 2}, /* multiviewGeometryShader */
    {355, 2}, /* multiviewTessellationShader */
    {357, 1}, /* constantAlphaColorBlendFactors */
    {358, 1}, /* events */
    {359, 1}, /* imageViewFormatReinterpretation */
    {360, 1}, /* imageViewFormatSwizzle */
    {361, 1}, /* imageView2DOn3DImage */
    {362, 1}, /* multisampleArrayImage */
    {363, 1}, /* mutableComparisonSamplers */
    {364, 1}, /* pointPolygons */
    {365, 1}, /* samplerMipLodBias */
    {366, 1}, /* separateStencilMaskRef */
    {367, 1}, /* triangleFans */
    {368, 1}, /* vertexAttributeAccessBeyondStride */
    {369, 1}, /* rayTracingPipelineTraceRaysIndirect2 */
    {370, 1}, /* rayTracingMotionBlurPipelineTraceRaysIndirect */
    {371, 1}, /* rayTracingPipelineShaderGroupHandleCaptureReplay */
    {372, 1}, /* rayTracingPipelineShaderGroupHandleCaptureReplayMixed */
    {373, 1}, /* rayTracingPipelineTraceRaysIndirect */
    {374, 1}, /* sparseImageFloat32AtomicMinMax */
    {375, 1}, /* sparseImageFloat32Atomics */
    {376, 1}, /* sparseImageFloat32AtomicAdd */
    {377, 1}, /* shaderMeshEnqueue */
    {378, 1}, /* sparseImageInt64Atomics */
    {379, 1}, /* shadingRateCoarseSampleOrder */
    {380, 2}, /* subgroupSizeControl */
    {382, 2}, /* computeFullSubgroups */
    {384, 1}, /* tensorNonPacked */
    {385, 1}, /* descriptorBindingStorageTensorUpdateAfterBind */
    {386, 1}, /* tensors */
    {387, 1}, /* tileShadingColorAttachments */
    {388, 1}, /* tileShadingDepthAttachments */
    {389, 1}, /* tileShadingStencilAttachments */
    {390, 1}, /* tileShadingInputAttachments */
    {391, 1}, /* tileShadingSampledAttachments */
    {392, 1}, /* tileShadingPerTileDraw */
    {393, 1}, /* tileShadingPerTileDispatch */
    {394, 1}, /* tileShadingDispatchTile */
    {395, 1}, /* tileShadingApron */
    {396, 1}, /* tileShadingAnisotropicApron */
    {397, 1}, /* protectedMemory */
    {398, 1}, /* samplerYcbcrConversion */
    {399, 1}, /* samplerMirrorClampToEdge */
    {400, 1}, /* drawIndirectCount */
    {401, 1}, /* descriptorIndexing */
    {402, 1}, /* samplerFilterMinmax */
    {403, 1}, /* scalarBlockLayout */
    {404, 1}, /* imagelessFramebuffer */
    {405, 1}, /* uniformBufferStandardLayout */
    {406, 1}, /* separateDepthStencilLayouts */
    {407, 1}, /* hostQueryReset */
    {408, 1}, /* timelineSemaphore */
    {409, 2}, /* vulkanMemoryModelAvailabilityVisibilityChains */
    {411, 1}, /* robustImageAccess */
    {412, 1}, /* inlineUniformBlock */
    {413, 1}, /* descriptorBindingInlineUniformBlockUpdateAfterBind */
    {414, 1}, /* pipelineCreationCacheControl */
    {415, 1}, /* privateData */
    {416, 1}, /* shaderTerminateInvocation */
    {417, 1}, /* synchronization2 */
    {418, 1}, /* textureCompressionASTC_HDR */
    {419, 1}, /* dynamicRendering */
    {420, 1}, /* globalPriorityQuery */
    {421, 1}, /* rectangularLines */
    {422, 1}, /* bresenhamLines */
    {423, 1}, /* smoothLines */
    {424, 1}, /* stippledRectangularLines */
    {425, 1}, /* stippledBresenhamLines */
    {426, 1}, /* stippledSmoothLines */
    {427, 1}, /* vertexAttributeInstanceRateDivisor */
    {428, 1}, /* vertexAttributeInstanceRateZeroDivisor */
    {429, 1}, /* indexTypeUint8 */
    {430, 1}, /* maintenance5 */
    {431, 1}, /* maintenance6 */
    {432, 1}, /* pipelineProtectedAccess */
    {433, 1}, /* pipelineRobustness */
    {434, 1}, /* hostImageCopy */
    {435, 1}, /* pushDescriptor */
    {436, 1}, /* workgroupMemoryExplicitLayoutScalarBlockLayout */
};
static const spvb_vulkan_way spvb_vulkan_ways[] = {
    {0x102, "VK_KHR_shader_atomic_int64", 2, SPVB_VULKAN_ON, 0},
    {0x100, 0, 0xffff, SPVB_VULKAN_TYPE, 4},
    {0x102, "VK_KHR_shader_float16_int8", 0, SPVB_VULKAN_ON, 0},
    {0x100, 0, 1, SPVB_VULKAN_ON, 0},
    {0x100, 0, 0xffff, SPVB_VULKAN_TYPE, 1},
    {0x100, 0, 0xffff, SPVB_VULKAN_TYPE, 2},
    {0x100, 0, 0xffff, SPVB_VULKAN_TYPE, 3},
    {0x100, 0, 0xffff, SPVB_VULKAN_ON, 0},
    {0x0, "VK_KHR_shader_abort", 167, SPVB_VULKAN_ON, 0},
    {0x0, "VK_EXT_shader_atomic_float2", 8, SPVB_VULKAN_ON, 0},
    {0x0, "VK_EXT_shader_atomic_float2", 9, SPVB_VULKAN_ON, 0},
    {0x0, "VK_EXT_shader_atomic_float2", 15, SPVB_VULKAN_ON, 0},
    {0x0, "VK_EXT_shader_atomic_float2", 16, SPVB_VULKAN_ON, 0},
    {0x0, "VK_NV_shader_atomic_float16_vector", 22, SPVB_VULKAN_ON, 0},
    {0x0, "VK_EXT_shader_atomic_float", 10, SPVB_VULKAN_ON, 0},
    {0x0, "VK_EXT_shader_atomic_float", 11, SPVB_VULKAN_ON, 0},
    {0x0, "VK_EXT_shader_atomic_float", 12, SPVB_VULKAN_ON, 0},
    {0x0, "VK_EXT_shader_atomic_float2", 17, SPVB_VULKAN_ON, 0},
    {0x0, "VK_EXT_shader_atomic_float2", 18, SPVB_VULKAN_ON, 0},
    {0x0, "VK_EXT_shader_atomic_float2", 19, SPVB_VULKAN_ON, 0},
    {0x0, "VK_EXT_shader_atomic_float", 13, SPVB_VULKAN_ON, 0},
    {0x0, "VK_EXT_shader_atomic_float", 14, SPVB_VULKAN_ON, 0},
    {0x0, "VK_EXT_shader_atomic_float2", 20, SPVB_VULKAN_ON, 0},
    {0x0, "VK_EXT_shader_atomic_float2", 21, SPVB_VULKAN_ON, 0},
    {0x0, "VK_KHR_shader_bfloat16", 133, SPVB_VULKAN_ON, 0},
    {0x0, "VK_KHR_shader_bfloat16", 132, SPVB_VULKAN_ON, 0},
    {0x0, "VK_KHR_shader_bfloat16", 131, SPVB_VULKAN_ON, 0},
    {0x0, "VK_EXT_shader_ocp_microscaling_types", 168, SPVB_VULKAN_ON, 0},
    {0x0, "VK_EXT_shader_ocp_microscaling_types", 169, SPVB_VULKAN_ON, 0},
    {0x100, 0, 31, SPVB_VULKAN_ON, 0},
    {0x0, "VK_HUAWEI_cluster_culling_shader", 120, SPVB_VULKAN_ON, 0},
    {0x0, "VK_KHR_compute_shader_derivatives", 85, SPVB_VULKAN_ON, 0},
    {0x0, "VK_NV_compute_shader_derivatives", 85, SPVB_VULKAN_ON, 0},
    {0x0, "VK_KHR_compute_shader_derivatives", 84, SPVB_VULKAN_ON, 0},
    {0x0, "VK_NV_compute_shader_derivatives", 84, SPVB_VULKAN_ON, 0},
    {0x0, "VK_KHR_shader_constant_data", 166, SPVB_VULKAN_ON, 0},
    {0x0, "VK_NV_cooperative_matrix2", 138, SPVB_VULKAN_ON, 0},
    {0x0, "VK_QCOM_cooperative_matrix_conversion", 125, SPVB_VULKAN_ON, 0},
    {0x0, "VK_EXT_cooperative_matrix_maintenance1", 137, SPVB_VULKAN_ON, 0},
    {0x0, "VK_NV_cooperative_matrix2", 137, SPVB_VULKAN_ON, 0},
    {0x0, "VK_NV_cooperative_matrix_decode_vector", 139, SPVB_VULKAN_ON, 0},
    {0x0, "VK_EXT_cooperative_matrix_maintenance1", 174, SPVB_VULKAN_ON, 0},
    {0x0, "VK_KHR_cooperative_matrix", 97, SPVB_VULKAN_ON, 0},
    {0x0, "VK_NV_cooperative_matrix", 97, SPVB_VULKAN_ON, 0},
    {0x0, "VK_EXT_cooperative_matrix_maintenance1", 173, SPVB_VULKAN_ON, 0},
    {0x0, "VK_NV_cooperative_matrix2", 173, SPVB_VULKAN_ON, 0},
    {0x0, "VK_EXT_cooperative_matrix_maintenance1", 172, SPVB_VULKAN_ON, 0},
    {0x0, "VK_NV_cooperative_matrix2", 172, SPVB_VULKAN_ON, 0},
    {0x0, "VK_NV_cooperative_matrix2", 136, SPVB_VULKAN_ON, 0},
    {0x0, "VK_NV_cooperative_vector", 143, SPVB_VULKAN_ON, 0},
    {0x0, "VK_NV_cooperative_vector", 144, SPVB_VULKAN_ON, 0},
    {0x0, "VK_ARM_shader_core_builtins", 119, SPVB_VULKAN_ON, 0},
    {0x100, 0, 32, SPVB_VULKAN_ON, 0},
    {0x103, 0, 103, SPVB_VULKAN_ON, 0},
    {0x103, "VK_EXT_shader_demote_to_helper_invocation", 103, SPVB_VULKAN_ON, 0},
    {0x102, 0, 72, SPVB_VULKAN_ON, 0},
    {0x102, "VK_KHR_shader_float_controls", 72, SPVB_VULKAN_ON, 0},
    {0x102, 0, 73, SPVB_VULKAN_ON, 0},
    {0x102, "VK_KHR_shader_float_controls", 73, SPVB_VULKAN_ON, 0},
    {0x102, 0, 74, SPVB_VULKAN_ON, 0},
    {0x102, "VK_KHR_shader_float_controls", 74, SPVB_VULKAN_ON, 0},
    {0x102, 0, 69, SPVB_VULKAN_ON, 0},
    {0x102, "VK_KHR_shader_float_controls", 69, SPVB_VULKAN_ON, 0},
    {0x102, 0, 70, SPVB_VULKAN_ON, 0},
    {0x102, "VK_KHR_shader_float_controls", 70, SPVB_VULKAN_ON, 0},
    {0x102, 0, 71, SPVB_VULKAN_ON, 0},
    {0x102, "VK_KHR_shader_float_controls", 71, SPVB_VULKAN_ON, 0},
    {0x100, 0, 0xffff, SPVB_VULKAN_ON, 0},
    {0x0, "VK_EXT_descriptor_heap", 161, SPVB_VULKAN_ON, 0},
    {0x101, 0, 0xffff, SPVB_VULKAN_ON, 0},
    {0x0, "VK_KHR_device_group", 0xffff, SPVB_VULKAN_ON, 0},
    {0x103, 0, 110, SPVB_VULKAN_ON, 0},
    {0x103, "VK_KHR_shader_integer_dot_product", 110, SPVB_VULKAN_ON, 0},
    {0x0, "VK_VALVE_shader_mixed_float_dot_product", 164, SPVB_VULKAN_ON, 0},
    {0x0, "VK_VALVE_shader_mixed_float_dot_product", 163, SPVB_VULKAN_ON, 0},
    {0x0, "VK_VALVE_shader_mixed_float_dot_product", 162, SPVB_VULKAN_ON, 0},
    {0x0, "VK_VALVE_shader_mixed_float_dot_product", 165, SPVB_VULKAN_ON, 0},
    {0x103, 0, 110, SPVB_VULKAN_ON, 0},
    {0x103, "VK_KHR_shader_integer_dot_product", 110, SPVB_VULKAN_ON, 0},
    {0x103, 0, 110, SPVB_VULKAN_ON, 0},
    {0x103, "VK_KHR_shader_integer_dot_product", 110, SPVB_VULKAN_ON, 0},
    {0x103, 0, 110, SPVB_VULKAN_ON, 0},
    {0x103, "VK_KHR_shader_integer_dot_product", 110, SPVB_VULKAN_ON, 0},
    {0x102, 0, 40, SPVB_VULKAN_ON, 0},
    {0x101, 0, 40, SPVB_VULKAN_ON, 0},
    {0x0, "VK_KHR_shader_draw_parameters", 0xffff, SPVB_VULKAN_ON, 0},
    {0x104, 0, 128, SPVB_VULKAN_ON, 0},
    {0x104, "VK_KHR_shader_expect_assume", 128, SPVB_VULKAN_ON, 0},
    {0x0, "VK_KHR_shader_fma", 156, SPVB_VULKAN_ON, 0},
    {0x0, "VK_KHR_shader_fma", 157, SPVB_VULKAN_ON, 0},
    {0x0, "VK_KHR_shader_fma", 158, SPVB_VULKAN_ON, 0},
    {0x102, 0, 0, SPVB_VULKAN_ON, 0},
    {0x102, "VK_KHR_shader_float16_int8", 0, SPVB_VULKAN_ON, 0},
    {0x0, "VK_AMD_gpu_shader_half_float", 0xffff, SPVB_VULKAN_ON, 0},
    {0x0, "VK_EXT_shader_ocp_microscaling_types", 168, SPVB_VULKAN_ON, 0},
    {0x100, 0, 1, SPVB_VULKAN_ON, 0},
    {0x0, "VK_EXT_shader_ocp_microscaling_types", 169, SPVB_VULKAN_ON, 0},
    {0x0, "VK_EXT_shader_float8", 153, SPVB_VULKAN_ON, 0},
    {0x0, "VK_EXT_shader_float8", 152, SPVB_VULKAN_ON, 0},
    {0x0, "VK_EXT_shader_ocp_microscaling_types", 170, SPVB_VULKAN_ON, 0},
    {0x104, 0, 129, SPVB_VULKAN_ON, 0},
    {0x104, "VK_KHR_shader_float_controls2", 129, SPVB_VULKAN_ON, 0},
    {0x0, "VK_KHR_fragment_shader_barycentric", 111, SPVB_VULKAN_ON, 0},
    {0x0, "VK_NV_fragment_shader_barycentric", 111, SPVB_VULKAN_ON, 0},
    {0x0, "VK_EXT_fragment_density_map", 94, SPVB_VULKAN_ON, 0},
    {0x0, "VK_NV_shading_rate_image", 95, SPVB_VULKAN_ON, 0},
    {0x0, "VK_EXT_conservative_rasterization", 0xffff, SPVB_VULKAN_ON, 0},
    {0x0, "VK_AMD_shader_fragment_mask", 0xffff, SPVB_VULKAN_ON, 0},
    {0x0, "VK_EXT_fragment_shader_interlock", 101, SPVB_VULKAN_ON, 0},
    {0x0, "VK_EXT_fragment_shader_interlock", 100, SPVB_VULKAN_ON, 0},
    {0x0, "VK_EXT_fragment_shader_interlock", 102, SPVB_VULKAN_ON, 0},
    {0x0, "VK_NV_shading_rate_image", 95, SPVB_VULKAN_ON, 0},
    {0x0, "VK_KHR_fragment_shading_rate", 104, SPVB_VULKAN_ON, 0},
    {0x0, "VK_KHR_fragment_shading_rate", 105, SPVB_VULKAN_ON, 0},
    {0x0, "VK_KHR_fragment_shading_rate", 106, SPVB_VULKAN_ON, 0},
    {0x100, 0, 3, SPVB_VULKAN_ON, 0},
    {0x100, 0, 24, SPVB_VULKAN_ON, 0},
    {0x0, "VK_NV_geometry_shader_passthrough", 0xffff, SPVB_VULKAN_ON, 0},
    {0x0, "VK_EXT_transform_feedback", 93, SPVB_VULKAN_ON, 0},
    {0x0, "VK_ARM_data_graph", 154, SPVB_VULKAN_ON, 0},
    {0x101, 0, 50, SPVB_VULKAN_HAS_BIT, 1},
    {0x101, 0, 50, SPVB_VULKAN_HAS_BIT, 4},
    {0x101, 0, 50, SPVB_VULKAN_HAS_BIT, 8},
    {0x101, 0, 50, SPVB_VULKAN_HAS_BIT, 64},
    {0x0, "VK_EXT_shader_subgroup_partitioned", 51, SPVB_VULKAN_ON, 0},
    {0x102, "VK_NV_shader_subgroup_partitioned", 50, SPVB_VULKAN_HAS_BIT, 256},
    {0x101, 0, 50, SPVB_VULKAN_HAS_BIT, 128},
    {0x104, 0, 127, SPVB_VULKAN_ON, 0},
    {0x104, "VK_KHR_shader_subgroup_rotate", 127, SPVB_VULKAN_ON, 0},
    {0x101, 0, 50, SPVB_VULKAN_HAS_BIT, 16},
    {0x101, 0, 50, SPVB_VULKAN_HAS_BIT, 32},
    {0x101, 0, 50, SPVB_VULKAN_HAS_BIT, 2},
    {0x100, 0, 0xffff, SPVB_VULKAN_ON, 0},
    {0x100, 0, 0xffff, SPVB_VULKAN_ON, 0},
    {0x100, 0, 33, SPVB_VULKAN_ON, 0},
    {0x0, "VK_NV_shader_image_footprint", 86, SPVB_VULKAN_ON, 0},
    {0x0, "VK_AMD_texture_gather_bias_lod", 0xffff, SPVB_VULKAN_ON, 0},
    {0x100, 0, 25, SPVB_VULKAN_ON, 0},
    {0x0, "VK_QCOM_image_processing3", 117, SPVB_VULKAN_ON, 0},
    {0x0, "VK_QCOM_image_processing3", 116, SPVB_VULKAN_ON, 0},
    {0x100, 0, 26, SPVB_VULKAN_ON, 0},
    {0x100, 0, 0xffff, SPVB_VULKAN_ON, 0},
    {0x0, "VK_AMD_shader_image_load_store_lod", 0xffff, SPVB_VULKAN_ON, 0},
    {0x100, 0, 0xffff, SPVB_VULKAN_ON, 0},
    {0x102, 0, 53, SPVB_VULKAN_ON, 0},
    {0x102, "VK_EXT_descriptor_indexing", 53, SPVB_VULKAN_ON, 0},
    {0x102, 0, 60, SPVB_VULKAN_ON, 0},
    {0x102, "VK_EXT_descriptor_indexing", 60, SPVB_VULKAN_ON, 0},
    {0x100, 0, 23, SPVB_VULKAN_ON, 0},
    {0x100, 0, 5, SPVB_VULKAN_ON, 0},
    {0x102, 0, 2, SPVB_VULKAN_ON, 0},
    {0x102, "VK_KHR_shader_atomic_int64", 2, SPVB_VULKAN_ON, 0},
    {0x102, 0, 6, SPVB_VULKAN_ON, 0},
    {0x102, "VK_KHR_shader_atomic_int64", 6, SPVB_VULKAN_ON, 0},
    {0x0, "VK_EXT_shader_image_atomic_int64", 7, SPVB_VULKAN_ON, 0},
    {0x0, "VK_EXT_shader_image_atomic_int64", 7, SPVB_VULKAN_ON, 0},
    {0x102, 0, 63, SPVB_VULKAN_ON, 0},
    {0x102, "VK_KHR_shader_float16_int8", 63, SPVB_VULKAN_ON, 0},
    {0x0, "VK_INTEL_shader_integer_functions2", 98, SPVB_VULKAN_ON, 0},
    {0x100, 0, 34, SPVB_VULKAN_ON, 0},
    {0x0, "VK_EXT_shader_long_vector", 160, SPVB_VULKAN_ON, 0},
    {0x0, "VK_EXT_shader_ocp_microscaling_types", 171, SPVB_VULKAN_ON, 0},
    {0x100, 0, 0xffff, SPVB_VULKAN_ON, 0},
    {0x0, "VK_EXT_mesh_shader", 0xffff, SPVB_VULKAN_ON, 0},
    {0x0, "VK_NV_mesh_shader", 0xffff, SPVB_VULKAN_ON, 0},
    {0x100, 0, 36, SPVB_VULKAN_ON, 0},
    {0x102, 0, 41, SPVB_VULKAN_ON, 0},
    {0x101, "VK_KHR_multiview", 41, SPVB_VULKAN_ON, 0},
    {0x100, 0, 39, SPVB_VULKAN_ON, 0},
    {0x0, "VK_QCOM_shader_multiple_wait_queues", 148, SPVB_VULKAN_ON, 0},
    {0x0, "VK_NVX_multiview_per_view_attributes", 0xffff, SPVB_VULKAN_ON, 0},
    {0x102, 0, 96, SPVB_VULKAN_ON, 0},
    {0x102, "VK_KHR_buffer_device_address", 96, SPVB_VULKAN_ON, 0},
    {0x0, "VK_EXT_buffer_device_address", 96, SPVB_VULKAN_ON, 0},
    {0x0, "VK_NV_push_constant_bank", 145, SPVB_VULKAN_ON, 0},
    {0x0, "VK_KHR_shader_quad_control", 130, SPVB_VULKAN_ON, 0},
    {0x0, "VK_NV_raw_access_chains", 134, SPVB_VULKAN_ON, 0},
    {0x0, "VK_KHR_ray_tracing_maintenance1", 90, SPVB_VULKAN_ON, 0},
    {0x0, "VK_KHR_ray_query", 88, SPVB_VULKAN_ON, 0},
    {0x0, "VK_KHR_ray_tracing_position_fetch", 121, SPVB_VULKAN_ON, 0},
    {0x0, "VK_NV_cluster_acceleration_structure", 142, SPVB_VULKAN_ON, 0},
    {0x0, "VK_KHR_ray_tracing_pipeline", 87, SPVB_VULKAN_ON, 0},
    {0x0, "VK_NV_ray_tracing_linear_swept_spheres", 141, SPVB_VULKAN_ON, 0},
    {0x0, "VK_NV_ray_tracing_motion_blur", 91, SPVB_VULKAN_ON, 0},
    {0x0, "VK_NV_ray_tracing", 0xffff, SPVB_VULKAN_ON, 0},
    {0x0, "VK_KHR_opacity_micromap", 118, SPVB_VULKAN_ON, 0},
    {0x0, "VK_EXT_opacity_micromap", 0xffff, SPVB_VULKAN_ON, 0},
    {0x0, "VK_KHR_opacity_micromap", 118, SPVB_VULKAN_ON, 0},
    {0x0, "VK_KHR_ray_tracing_position_fetch", 121, SPVB_VULKAN_ON, 0},
    {0x0, "VK_NV_ray_tracing_linear_swept_spheres", 140, SPVB_VULKAN_ON, 0},
    {0x0, "VK_KHR_ray_tracing_pipeline", 89, SPVB_VULKAN_ON, 0},
    {0x0, "VK_KHR_ray_query", 88, SPVB_VULKAN_ON, 0},
    {0x0, "VK_EXT_shader_replicated_composites", 135, SPVB_VULKAN_ON, 0},
    {0x102, 0, 78, SPVB_VULKAN_ON, 0},
    {0x102, "VK_KHR_shader_float_controls", 78, SPVB_VULKAN_ON, 0},
    {0x102, 0, 79, SPVB_VULKAN_ON, 0},
    {0x102, "VK_KHR_shader_float_controls", 79, SPVB_VULKAN_ON, 0},
    {0x102, 0, 80, SPVB_VULKAN_ON, 0},
    {0x102, "VK_KHR_shader_float_controls", 80, SPVB_VULKAN_ON, 0},
    {0x102, 0, 81, SPVB_VULKAN_ON, 0},
    {0x102, "VK_KHR_shader_float_controls", 81, SPVB_VULKAN_ON, 0},
    {0x102, 0, 82, SPVB_VULKAN_ON, 0},
    {0x102, "VK_KHR_shader_float_controls", 82, SPVB_VULKAN_ON, 0},
    {0x102, 0, 83, SPVB_VULKAN_ON, 0},
    {0x102, "VK_KHR_shader_float_controls", 83, SPVB_VULKAN_ON, 0},
    {0x102, 0, 52, SPVB_VULKAN_ON, 0},
    {0x102, "VK_EXT_descriptor_indexing", 52, SPVB_VULKAN_ON, 0},
    {0x0, "VK_NV_sample_mask_override_coverage", 0xffff, SPVB_VULKAN_ON, 0},
    {0x0, "VK_EXT_post_depth_coverage", 0xffff, SPVB_VULKAN_ON, 0},
    {0x100, 0, 34, SPVB_VULKAN_ON, 0},
    {0x100, 0, 0xffff, SPVB_VULKAN_ON, 0},
    {0x100, 0, 0xffff, SPVB_VULKAN_ON, 0},
    {0x100, 0, 33, SPVB_VULKAN_ON, 0},
    {0x100, 0, 28, SPVB_VULKAN_ON, 0},
    {0x102, 0, 57, SPVB_VULKAN_ON, 0},
    {0x102, "VK_EXT_descriptor_indexing", 57, SPVB_VULKAN_ON, 0},
    {0x100, 0, 0xffff, SPVB_VULKAN_ON, 0},
    {0x0, "VK_EXT_shader_64bit_indexing", 159, SPVB_VULKAN_ON, 0},
    {0x0, "VK_KHR_shader_clock", 0xffff, SPVB_VULKAN_ON, 0},
    {0x0, "VK_AMDX_shader_enqueue", 126, SPVB_VULKAN_ON, 0},
    {0x0, "VK_EXT_ray_tracing_invocation_reorder", 0xffff, SPVB_VULKAN_ON, 0},
    {0x0, "VK_NV_ray_tracing_invocation_reorder", 0xffff, SPVB_VULKAN_ON, 0},
    {0x102, 0, 45, SPVB_VULKAN_ON, 0},
    {0x102, 0, 0xffff, SPVB_VULKAN_ON, 0},
    {0x0, "VK_EXT_descriptor_indexing", 0xffff, SPVB_VULKAN_ON, 0},
    {0x0, "VK_NV_shader_sm_builtins", 99, SPVB_VULKAN_ON, 0},
    {0x102, 0, 44, SPVB_VULKAN_ON, 0},
    {0x0, "VK_EXT_shader_viewport_index_layer", 0xffff, SPVB_VULKAN_ON, 0},
    {0x0, "VK_NV_viewport_array2", 0xffff, SPVB_VULKAN_ON, 0},
    {0x0, "VK_NV_viewport_array2", 0xffff, SPVB_VULKAN_ON, 0},
    {0x102, 0, 75, SPVB_VULKAN_ON, 0},
    {0x102, "VK_KHR_shader_float_controls", 75, SPVB_VULKAN_ON, 0},
    {0x102, 0, 76, SPVB_VULKAN_ON, 0},
    {0x102, "VK_KHR_shader_float_controls", 76, SPVB_VULKAN_ON, 0},
    {0x102, 0, 77, SPVB_VULKAN_ON, 0},
    {0x102, "VK_KHR_shader_float_controls", 77, SPVB_VULKAN_ON, 0},
    {0x100, 0, 35, SPVB_VULKAN_ON, 0},
    {0x0, "VK_EXT_shader_split_barrier", 147, SPVB_VULKAN_ON, 0},
    {0x0, "VK_EXT_shader_stencil_export", 0xffff, SPVB_VULKAN_ON, 0},
    {0x102, 0, 46, SPVB_VULKAN_ON, 0},
    {0x101, "VK_KHR_16bit_storage", 46, SPVB_VULKAN_ON, 0},
    {0x102, 0, 64, SPVB_VULKAN_ON, 0},
    {0x102, "VK_KHR_8bit_storage", 64, SPVB_VULKAN_ON, 0},
    {0x100, 0, 29, SPVB_VULKAN_ON, 0},
    {0x102, 0, 58, SPVB_VULKAN_ON, 0},
    {0x102, "VK_EXT_descriptor_indexing", 58, SPVB_VULKAN_ON, 0},
    {0x100, 0, 30, SPVB_VULKAN_ON, 0},
    {0x102, 0, 59, SPVB_VULKAN_ON, 0},
    {0x102, "VK_EXT_descriptor_indexing", 59, SPVB_VULKAN_ON, 0},
    {0x100, 0, 0xffff, SPVB_VULKAN_ON, 0},
    {0x100, 0, 26, SPVB_VULKAN_ON, 0},
    {0x100, 0, 37, SPVB_VULKAN_ON, 0},
    {0x103, 0, 0xffff, SPVB_VULKAN_ON, 0},
    {0x0, "VK_KHR_format_feature_flags2", 0xffff, SPVB_VULKAN_ON, 0},
    {0x100, 0, 38, SPVB_VULKAN_ON, 0},
    {0x103, 0, 0xffff, SPVB_VULKAN_ON, 0},
    {0x0, "VK_KHR_format_feature_flags2", 0xffff, SPVB_VULKAN_ON, 0},
    {0x102, 0, 49, SPVB_VULKAN_ON, 0},
    {0x101, "VK_KHR_16bit_storage", 49, SPVB_VULKAN_ON, 0},
    {0x102, 0, 48, SPVB_VULKAN_ON, 0},
    {0x101, "VK_KHR_16bit_storage", 48, SPVB_VULKAN_ON, 0},
    {0x102, 0, 66, SPVB_VULKAN_ON, 0},
    {0x102, "VK_KHR_8bit_storage", 66, SPVB_VULKAN_ON, 0},
    {0x0, "VK_ARM_tensors", 150, SPVB_VULKAN_ON, 0},
    {0x0, "VK_ARM_tensors", 151, SPVB_VULKAN_ON, 0},
    {0x102, 0, 55, SPVB_VULKAN_ON, 0},
    {0x102, "VK_EXT_descriptor_indexing", 55, SPVB_VULKAN_ON, 0},
    {0x102, 0, 62, SPVB_VULKAN_ON, 0},
    {0x102, "VK_EXT_descriptor_indexing", 62, SPVB_VULKAN_ON, 0},
    {0x0, "VK_EXT_shader_subgroup_ballot", 0xffff, SPVB_VULKAN_ON, 0},
    {0x0, "VK_EXT_shader_subgroup_vote", 0xffff, SPVB_VULKAN_ON, 0},
    {0x0, "VK_NV_cooperative_matrix2", 136, SPVB_VULKAN_ON, 0},
    {0x0, "VK_ARM_tensors", 149, SPVB_VULKAN_ON, 0},
    {0x100, 0, 4, SPVB_VULKAN_ON, 0},
    {0x100, 0, 24, SPVB_VULKAN_ON, 0},
    {0x0, "VK_QCOM_image_processing2", 115, SPVB_VULKAN_ON, 0},
    {0x0, "VK_QCOM_image_processing", 114, SPVB_VULKAN_ON, 0},
    {0x0, "VK_QCOM_image_processing", 113, SPVB_VULKAN_ON, 0},
    {0x0, "VK_QCOM_image_processing", 112, SPVB_VULKAN_ON, 0},
    {0x0, "VK_EXT_shader_tile_image", 122, SPVB_VULKAN_ON, 0},
    {0x0, "VK_EXT_shader_tile_image", 123, SPVB_VULKAN_ON, 0},
    {0x0, "VK_EXT_shader_tile_image", 124, SPVB_VULKAN_ON, 0},
    {0x0, "VK_QCOM_tile_shading", 146, SPVB_VULKAN_ON, 0},
    {0x0, "VK_EXT_transform_feedback", 92, SPVB_VULKAN_ON, 0},
    {0x102, 0, 47, SPVB_VULKAN_ON, 0},
    {0x101, "VK_KHR_16bit_storage", 47, SPVB_VULKAN_ON, 0},
    {0x102, 0, 65, SPVB_VULKAN_ON, 0},
    {0x102, "VK_KHR_8bit_storage", 65, SPVB_VULKAN_ON, 0},
    {0x100, 0, 27, SPVB_VULKAN_ON, 0},
    {0x102, 0, 56, SPVB_VULKAN_ON, 0},
    {0x102, "VK_EXT_descriptor_indexing", 56, SPVB_VULKAN_ON, 0},
    {0x102, 0, 54, SPVB_VULKAN_ON, 0},
    {0x102, "VK_EXT_descriptor_indexing", 54, SPVB_VULKAN_ON, 0},
    {0x102, 0, 61, SPVB_VULKAN_ON, 0},
    {0x102, "VK_EXT_descriptor_indexing", 61, SPVB_VULKAN_ON, 0},
    {0x0, "VK_KHR_shader_untyped_pointers", 155, SPVB_VULKAN_ON, 0},
    {0x102, 0, 43, SPVB_VULKAN_ON, 0},
    {0x101, "VK_KHR_variable_pointers", 43, SPVB_VULKAN_ON, 0},
    {0x102, 0, 42, SPVB_VULKAN_ON, 0},
    {0x101, "VK_KHR_variable_pointers", 42, SPVB_VULKAN_ON, 0},
    {0x102, 0, 67, SPVB_VULKAN_ON, 0},
    {0x102, "VK_KHR_vulkan_memory_model", 67, SPVB_VULKAN_ON, 0},
    {0x102, 0, 68, SPVB_VULKAN_ON, 0},
    {0x102, "VK_KHR_vulkan_memory_model", 68, SPVB_VULKAN_ON, 0},
    {0x0, "VK_KHR_workgroup_memory_explicit_layout", 109, SPVB_VULKAN_ON, 0},
    {0x0, "VK_KHR_workgroup_memory_explicit_layout", 108, SPVB_VULKAN_ON, 0},
    {0x0, "VK_KHR_workgroup_memory_explicit_layout", 107, SPVB_VULKAN_ON, 0},
    {0x0, "VK_AMD_gcn_shader", 0xffff, SPVB_VULKAN_ON, 0},
    {0x0, "VK_AMD_gpu_shader_half_float", 0xffff, SPVB_VULKAN_ON, 0},
    {0x0, "VK_AMD_gpu_shader_int16", 0xffff, SPVB_VULKAN_ON, 0},
    {0x0, "VK_AMD_shader_ballot", 0xffff, SPVB_VULKAN_ON, 0},
    {0x0, "VK_AMD_shader_early_and_late_fragment_tests", 0xffff, SPVB_VULKAN_ON, 0},
    {0x0, "VK_AMD_shader_explicit_vertex_parameter", 0xffff, SPVB_VULKAN_ON, 0},
    {0x0, "VK_AMD_shader_fragment_mask", 0xffff, SPVB_VULKAN_ON, 0},
    {0x0, "VK_AMD_shader_image_load_store_lod", 0xffff, SPVB_VULKAN_ON, 0},
    {0x0, "VK_AMD_shader_trinary_minmax", 0xffff, SPVB_VULKAN_ON, 0},
    {0x0, "VK_AMD_texture_gather_bias_lod", 0xffff, SPVB_VULKAN_ON, 0},
    {0x0, "VK_ARM_shader_core_builtins", 0xffff, SPVB_VULKAN_ON, 0},
    {0x0, "VK_ARM_data_graph", 0xffff, SPVB_VULKAN_ON, 0},
    {0x0, "VK_ARM_tensors", 0xffff, SPVB_VULKAN_ON, 0},
    {0x0, "VK_EXT_cooperative_matrix_maintenance1", 0xffff, SPVB_VULKAN_ON, 0},
    {0x103, "VK_EXT_shader_demote_to_helper_invocation", 0xffff, SPVB_VULKAN_ON, 0},
    {0x0, "VK_EXT_descriptor_heap", 0xffff, SPVB_VULKAN_ON, 0},
    {0x102, "VK_EXT_descriptor_indexing", 0xffff, SPVB_VULKAN_ON, 0},
    {0x0, "VK_EXT_shader_float8", 0xffff, SPVB_VULKAN_ON, 0},
    {0x0, "VK_EXT_conservative_rasterization", 0xffff, SPVB_VULKAN_ON, 0},
    {0x0, "VK_EXT_fragment_density_map", 0xffff, SPVB_VULKAN_ON, 0},
    {0x0, "VK_EXT_fragment_shader_interlock", 0xffff, SPVB_VULKAN_ON, 0},
    {0x0, "VK_EXT_shader_long_vector", 0xffff, SPVB_VULKAN_ON, 0},
    {0x0, "VK_EXT_mesh_shader", 0xffff, SPVB_VULKAN_ON, 0},
    {0x0, "VK_EXT_shader_ocp_microscaling_types", 0xffff, SPVB_VULKAN_ON, 0},
    {0x0, "VK_EXT_opacity_micromap", 0xffff, SPVB_VULKAN_ON, 0},
    {0x0, "VK_KHR_opacity_micromap", 0xffff, SPVB_VULKAN_ON, 0},
    {0x0, "VK_EXT_buffer_device_address", 0xffff, SPVB_VULKAN_ON, 0},
    {0x0, "VK_EXT_shader_replicated_composites", 0xffff, SPVB_VULKAN_ON, 0},
    {0x0, "VK_EXT_shader_64bit_indexing", 0xffff, SPVB_VULKAN_ON, 0},
    {0x0, "VK_EXT_shader_atomic_float2", 0xffff, SPVB_VULKAN_ON, 0},
    {0x0, "VK_EXT_shader_atomic_float", 0xffff, SPVB_VULKAN_ON, 0},
    {0x0, "VK_EXT_shader_atomic_float2", 0xffff, SPVB_VULKAN_ON, 0},
    {0x0, "VK_EXT_shader_image_atomic_int64", 0xffff, SPVB_VULKAN_ON, 0},
    {0x0, "VK_EXT_ray_tracing_invocation_reorder", 0xffff, SPVB_VULKAN_ON, 0},
    {0x0, "VK_EXT_shader_stencil_export", 0xffff, SPVB_VULKAN_ON, 0},
    {0x0, "VK_EXT_shader_subgroup_partitioned", 0xffff, SPVB_VULKAN_ON, 0},
    {0x0, "VK_EXT_shader_tile_image", 0xffff, SPVB_VULKAN_ON, 0},
    {0x102, "VK_EXT_shader_viewport_index_layer", 0xffff, SPVB_VULKAN_ON, 0},
    {0x0, "VK_EXT_shader_split_barrier", 0xffff, SPVB_VULKAN_ON, 0},
    {0x0, "VK_GOOGLE_decorate_string", 0xffff, SPVB_VULKAN_ON, 0},
    {0x0, "VK_GOOGLE_hlsl_functionality1", 0xffff, SPVB_VULKAN_ON, 0},
    {0x0, "VK_GOOGLE_user_type", 0xffff, SPVB_VULKAN_ON, 0},
    {0x0, "VK_HUAWEI_cluster_culling_shader", 0xffff, SPVB_VULKAN_ON, 0},
    {0x0, "VK_HUAWEI_subpass_shading", 0xffff, SPVB_VULKAN_ON, 0},
    {0x0, "VK_INTEL_shader_integer_functions2", 0xffff, SPVB_VULKAN_ON, 0},
    {0x101, "VK_KHR_16bit_storage", 0xffff, SPVB_VULKAN_ON, 0},
    {0x102, "VK_KHR_8bit_storage", 0xffff, SPVB_VULKAN_ON, 0},
    {0x0, "VK_KHR_shader_abort", 0xffff, SPVB_VULKAN_ON, 0},
    {0x0, "VK_KHR_shader_bfloat16", 0xffff, SPVB_VULKAN_ON, 0},
    {0x0, "VK_KHR_compute_shader_derivatives", 0xffff, SPVB_VULKAN_ON, 0},
    {0x0, "VK_KHR_shader_constant_data", 0xffff, SPVB_VULKAN_ON, 0},
    {0x0, "VK_KHR_cooperative_matrix", 0xffff, SPVB_VULKAN_ON, 0},
    {0x101, "VK_KHR_device_group", 0xffff, SPVB_VULKAN_ON, 0},
    {0x104, "VK_KHR_shader_expect_assume", 0xffff, SPVB_VULKAN_ON, 0},
    {0x102, "VK_KHR_shader_float_controls", 0xffff, SPVB_VULKAN_ON, 0},
    {0x104, "VK_KHR_shader_float_controls2", 0xffff, SPVB_VULKAN_ON, 0},
    {0x0, "VK_KHR_shader_fma", 0xffff, SPVB_VULKAN_ON, 0},
    {0x0, "VK_KHR_fragment_shader_barycentric", 0xffff, SPVB_VULKAN_ON, 0},
    {0x0, "VK_KHR_fragment_shading_rate", 0xffff, SPVB_VULKAN_ON, 0},
    {0x103, "VK_KHR_shader_integer_dot_product", 0xffff, SPVB_VULKAN_ON, 0},
    {0x0, "VK_KHR_shader_maximal_reconvergence", 0xffff, SPVB_VULKAN_ON, 0},
    {0x101, "VK_KHR_multiview", 0xffff, SPVB_VULKAN_ON, 0},
    {0x103, "VK_KHR_shader_non_semantic_info", 0xffff, SPVB_VULKAN_ON, 0},
    {0x0, "VK_KHR_opacity_micromap", 0xffff, SPVB_VULKAN_ON, 0},
    {0x102, "VK_KHR_buffer_device_address", 0xffff, SPVB_VULKAN_ON, 0},
    {0x0, "VK_EXT_post_depth_coverage", 0xffff, SPVB_VULKAN_ON, 0},
    {0x0, "VK_KHR_shader_quad_control", 0xffff, SPVB_VULKAN_ON, 0},
    {0x0, "VK_KHR_ray_tracing_maintenance1", 0xffff, SPVB_VULKAN_ON, 0},
    {0x0, "VK_KHR_ray_query", 0xffff, SPVB_VULKAN_ON, 0},
    {0x0, "VK_KHR_ray_tracing_pipeline", 0xffff, SPVB_VULKAN_ON, 0},
    {0x0, "VK_KHR_ray_tracing_position_fetch", 0xffff, SPVB_VULKAN_ON, 0},
    {0x0, "VK_KHR_shader_relaxed_extended_instruction", 0xffff, SPVB_VULKAN_ON, 0},
    {0x0, "VK_EXT_shader_subgroup_ballot", 0xffff, SPVB_VULKAN_ON, 0},
    {0x0, "VK_KHR_shader_clock", 0xffff, SPVB_VULKAN_ON, 0},
    {0x101, "VK_KHR_shader_draw_parameters", 0xffff, SPVB_VULKAN_ON, 0},
    {0x101, "VK_KHR_storage_buffer_storage_class", 0xffff, SPVB_VULKAN_ON, 0},
    {0x104, "VK_KHR_shader_subgroup_rotate", 0xffff, SPVB_VULKAN_ON, 0},
    {0x0, "VK_KHR_shader_subgroup_uniform_control_flow", 0xffff, SPVB_VULKAN_ON, 0},
    {0x0, "VK_EXT_shader_subgroup_vote", 0xffff, SPVB_VULKAN_ON, 0},
    {0x103, "VK_KHR_shader_terminate_invocation", 0xffff, SPVB_VULKAN_ON, 0},
    {0x0, "VK_KHR_shader_untyped_pointers", 0xffff, SPVB_VULKAN_ON, 0},
    {0x101, "VK_KHR_variable_pointers", 0xffff, SPVB_VULKAN_ON, 0},
    {0x102, "VK_KHR_vulkan_memory_model", 0xffff, SPVB_VULKAN_ON, 0},
    {0x0, "VK_KHR_workgroup_memory_explicit_layout", 0xffff, SPVB_VULKAN_ON, 0},
    {0x0, "VK_NVX_multiview_per_view_attributes", 0xffff, SPVB_VULKAN_ON, 0},
    {0x0, "VK_NV_cluster_acceleration_structure", 0xffff, SPVB_VULKAN_ON, 0},
    {0x0, "VK_NV_compute_shader_derivatives", 0xffff, SPVB_VULKAN_ON, 0},
    {0x0, "VK_NV_cooperative_matrix", 0xffff, SPVB_VULKAN_ON, 0},
    {0x0, "VK_NV_cooperative_matrix2", 0xffff, SPVB_VULKAN_ON, 0},
    {0x0, "VK_NV_cooperative_matrix_decode_vector", 0xffff, SPVB_VULKAN_ON, 0},
    {0x0, "VK_NV_cooperative_vector", 0xffff, SPVB_VULKAN_ON, 0},
    {0x0, "VK_NV_fragment_shader_barycentric", 0xffff, SPVB_VULKAN_ON, 0},
    {0x0, "VK_NV_geometry_shader_passthrough", 0xffff, SPVB_VULKAN_ON, 0},
    {0x0, "VK_NV_ray_tracing_linear_swept_spheres", 0xffff, SPVB_VULKAN_ON, 0},
    {0x0, "VK_NV_mesh_shader", 0xffff, SPVB_VULKAN_ON, 0},
    {0x0, "VK_NV_push_constant_bank", 0xffff, SPVB_VULKAN_ON, 0},
    {0x0, "VK_NV_raw_access_chains", 0xffff, SPVB_VULKAN_ON, 0},
    {0x0, "VK_NV_ray_tracing", 0xffff, SPVB_VULKAN_ON, 0},
    {0x0, "VK_NV_ray_tracing_motion_blur", 0xffff, SPVB_VULKAN_ON, 0},
    {0x0, "VK_NV_sample_mask_override_coverage", 0xffff, SPVB_VULKAN_ON, 0},
    {0x0, "VK_NV_shader_atomic_float16_vector", 0xffff, SPVB_VULKAN_ON, 0},
    {0x0, "VK_NV_shader_image_footprint", 0xffff, SPVB_VULKAN_ON, 0},
    {0x0, "VK_NV_ray_tracing_invocation_reorder", 0xffff, SPVB_VULKAN_ON, 0},
    {0x0, "VK_NV_shader_sm_builtins", 0xffff, SPVB_VULKAN_ON, 0},
    {0x0, "VK_NV_shader_subgroup_partitioned", 0xffff, SPVB_VULKAN_ON, 0},
    {0x0, "VK_EXT_shader_subgroup_partitioned", 0xffff, SPVB_VULKAN_ON, 0},
    {0x0, "VK_NV_shading_rate_image", 0xffff, SPVB_VULKAN_ON, 0},
    {0x0, "VK_NV_cooperative_matrix2", 0xffff, SPVB_VULKAN_ON, 0},
    {0x0, "VK_NV_viewport_array2", 0xffff, SPVB_VULKAN_ON, 0},
    {0x0, "VK_QCOM_cooperative_matrix_conversion", 0xffff, SPVB_VULKAN_ON, 0},
    {0x0, "VK_QCOM_image_processing", 0xffff, SPVB_VULKAN_ON, 0},
    {0x0, "VK_QCOM_image_processing2", 0xffff, SPVB_VULKAN_ON, 0},
    {0x0, "VK_QCOM_image_processing3", 0xffff, SPVB_VULKAN_ON, 0},
    {0x0, "VK_QCOM_shader_multiple_wait_queues", 0xffff, SPVB_VULKAN_ON, 0},
    {0x0, "VK_QCOM_tile_shading", 0xffff, SPVB_VULKAN_ON, 0},
    {0x0, "VK_VALVE_shader_mixed_float_dot_product", 0xffff, SPVB_VULKAN_ON, 0},
    {0x0, 0, 250, SPVB_VULKAN_ON, 0},
    {0x0, 0, 106, SPVB_VULKAN_ON, 0},
    {0x0, 0, 271, SPVB_VULKAN_ON, 0},
    {0x0, 0, 339, SPVB_VULKAN_ON, 0},
    {0x0, 0, 96, SPVB_VULKAN_ON, 0},
    {0x0, 0, 217, SPVB_VULKAN_ON, 0},
    {0x0, 0, 218, SPVB_VULKAN_ON, 0},
    {0x0, 0, 142, SPVB_VULKAN_ON, 0},
    {0x0, 0, 120, SPVB_VULKAN_ON, 0},
    {0x0, 0, 85, SPVB_VULKAN_ON, 0},
    {0x0, 0, 84, SPVB_VULKAN_ON, 0},
    {0x0, 0, 301, SPVB_VULKAN_ON, 0},
    {0x0, 0, 277, SPVB_VULKAN_ON, 0},
    {0x0, 0, 97, SPVB_VULKAN_ON, 0},
    {0x0, 0, 138, SPVB_VULKAN_ON, 0},
    {0x0, 0, 125, SPVB_VULKAN_ON, 0},
    {0x0, 0, 137, SPVB_VULKAN_ON, 0},
    {0x0, 0, 139, SPVB_VULKAN_ON, 0},
    {0x0, 0, 220, SPVB_VULKAN_ON, 0},
    {0x0, 0, 174, SPVB_VULKAN_ON, 0},
    {0x0, 0, 173, SPVB_VULKAN_ON, 0},
    {0x0, 0, 222, SPVB_VULKAN_ON, 0},
    {0x0, 0, 172, SPVB_VULKAN_ON, 0},
    {0x0, 0, 221, SPVB_VULKAN_ON, 0},
    {0x0, 0, 195, SPVB_VULKAN_HAS_BIT, 512},
    {0x0, 0, 195, SPVB_VULKAN_HAS_BIT, 8192},
    {0x0, 0, 195, SPVB_VULKAN_HAS_BIT, 1024},
    {0x0, 0, 195, SPVB_VULKAN_HAS_BIT, 16},
    {0x0, 0, 195, SPVB_VULKAN_HAS_BIT, 8},
    {0x0, 0, 195, SPVB_VULKAN_HAS_BIT, 4096},
    {0x0, 0, 195, SPVB_VULKAN_HAS_BIT, 128},
    {0x0, 0, 195, SPVB_VULKAN_HAS_BIT, 2048},
    {0x0, 0, 195, SPVB_VULKAN_HAS_BIT, 256},
    {0x0, 0, 195, SPVB_VULKAN_HAS_BIT, 64},
    {0x0, 0, 195, SPVB_VULKAN_HAS_BIT, 2},
    {0x0, 0, 195, SPVB_VULKAN_HAS_BIT, 4},
    {0x0, 0, 195, SPVB_VULKAN_HAS_BIT, 1},
    {0x0, 0, 136, SPVB_VULKAN_ON, 0},
    {0x0, 0, 194, SPVB_VULKAN_ON, 0},
    {0x0, 0, 143, SPVB_VULKAN_ON, 0},
    {0x0, 0, 196, SPVB_VULKAN_HAS_BIT, 512},
    {0x0, 0, 196, SPVB_VULKAN_HAS_BIT, 8192},
    {0x0, 0, 196, SPVB_VULKAN_HAS_BIT, 1024},
    {0x0, 0, 196, SPVB_VULKAN_HAS_BIT, 16},
    {0x0, 0, 196, SPVB_VULKAN_HAS_BIT, 8},
    {0x0, 0, 196, SPVB_VULKAN_HAS_BIT, 4096},
    {0x0, 0, 196, SPVB_VULKAN_HAS_BIT, 128},
    {0x0, 0, 196, SPVB_VULKAN_HAS_BIT, 2048},
    {0x0, 0, 196, SPVB_VULKAN_HAS_BIT, 256},
    {0x0, 0, 196, SPVB_VULKAN_HAS_BIT, 64},
    {0x0, 0, 196, SPVB_VULKAN_HAS_BIT, 2},
    {0x0, 0, 196, SPVB_VULKAN_HAS_BIT, 4},
    {0x0, 0, 196, SPVB_VULKAN_HAS_BIT, 1},
    {0x0, 0, 144, SPVB_VULKAN_ON, 0},
    {0x0, 0, 197, SPVB_VULKAN_ON, 0},
    {0x0, 0, 198, SPVB_VULKAN_ON, 0},
    {0x0, 0, 154, SPVB_VULKAN_ON, 0},
    {0x0, 0, 225, SPVB_VULKAN_ON, 0},
    {0x0, 0, 226, SPVB_VULKAN_ON, 0},
    {0x0, 0, 224, SPVB_VULKAN_ON, 0},
    {0x0, 0, 223, SPVB_VULKAN_ON, 0},
    {0x0, 0, 212, SPVB_VULKAN_IS, 0},
    {0x0, 0, 212, SPVB_VULKAN_IS, 1},
    {0x0, 0, 245, SPVB_VULKAN_ON, 0},
    {0x0, 0, 247, SPVB_VULKAN_ON, 0},
    {0x0, 0, 244, SPVB_VULKAN_ON, 0},
    {0x0, 0, 330, SPVB_VULKAN_ON, 0},
    {0x0, 0, 235, SPVB_VULKAN_ON, 0},
    {0x0, 0, 229, SPVB_VULKAN_ON, 0},
    {0x0, 0, 231, SPVB_VULKAN_ON, 0},
    {0x0, 0, 230, SPVB_VULKAN_ON, 0},
    {0x0, 0, 303, SPVB_VULKAN_ON, 0},
    {0x0, 0, 233, SPVB_VULKAN_ON, 0},
    {0x0, 0, 228, SPVB_VULKAN_ON, 0},
    {0x0, 0, 232, SPVB_VULKAN_ON, 0},
    {0x0, 0, 234, SPVB_VULKAN_ON, 0},
    {0x0, 0, 236, SPVB_VULKAN_ON, 0},
    {0x0, 0, 161, SPVB_VULKAN_ON, 0},
    {0x0, 0, 227, SPVB_VULKAN_ON, 0},
    {0x0, 0, 319, SPVB_VULKAN_ON, 0},
    {0x0, 0, 318, SPVB_VULKAN_ON, 0},
    {0x0, 0, 243, SPVB_VULKAN_ON, 0},
    {0x0, 0, 240, SPVB_VULKAN_ON, 0},
    {0x0, 0, 336, SPVB_VULKAN_ON, 0},
    {0x0, 0, 215, SPVB_VULKAN_ON, 0},
    {0x0, 0, 278, SPVB_VULKAN_ON, 0},
    {0x0, 0, 246, SPVB_VULKAN_ON, 0},
    {0x0, 0, 94, SPVB_VULKAN_ON, 0},
    {0x0, 0, 269, SPVB_VULKAN_ON, 0},
    {0x0, 0, 270, SPVB_VULKAN_ON, 0},
    {0x0, 0, 111, SPVB_VULKAN_ON, 0},
    {0x0, 0, 101, SPVB_VULKAN_ON, 0},
    {0x0, 0, 100, SPVB_VULKAN_ON, 0},
    {0x0, 0, 102, SPVB_VULKAN_ON, 0},
    {0x0, 0, 189, SPVB_VULKAN_ON, 0},
    {0x0, 0, 238, SPVB_VULKAN_ON, 0},
    {0x0, 0, 3, SPVB_VULKAN_ON, 0},
    {0x0, 0, 93, SPVB_VULKAN_ON, 0},
    {0x0, 0, 337, SPVB_VULKAN_ON, 0},
    {0x0, 0, 351, SPVB_VULKAN_ON, 0},
    {0x0, 0, 325, SPVB_VULKAN_ON, 0},
    {0x0, 0, 33, SPVB_VULKAN_ON, 0},
    {0x0, 0, 86, SPVB_VULKAN_ON, 0},
    {0x0, 0, 117, SPVB_VULKAN_ON, 0},
    {0x0, 0, 116, SPVB_VULKAN_ON, 0},
    {0x0, 0, 281, SPVB_VULKAN_ON, 0},
    {0x0, 0, 279, SPVB_VULKAN_ON, 0},
    {0x0, 0, 280, SPVB_VULKAN_ON, 0},
    {0x0, 0, 322, SPVB_VULKAN_ON, 0},
    {0x0, 0, 239, SPVB_VULKAN_ON, 0},
    {0x0, 0, 346, SPVB_VULKAN_ON, 0},
    {0x0, 0, 268, SPVB_VULKAN_ON, 0},
    {0x0, 0, 329, SPVB_VULKAN_ON, 0},
    {0x0, 0, 249, SPVB_VULKAN_ON, 0},
    {0x0, 0, 141, SPVB_VULKAN_ON, 0},
    {0x0, 0, 241, SPVB_VULKAN_ON, 0},
    {0x0, 0, 160, SPVB_VULKAN_ON, 0},
    {0x0, 0, 191, SPVB_VULKAN_ON, 0},
    {0x0, 0, 347, SPVB_VULKAN_ON, 0},
    {0x0, 0, 348, SPVB_VULKAN_ON, 0},
    {0x0, 0, 207, SPVB_VULKAN_ON, 0},
    {0x0, 0, 208, SPVB_VULKAN_ON, 0},
    {0x0, 0, 200, SPVB_VULKAN_ON, 0},
    {0x0, 0, 210, SPVB_VULKAN_ON, 0},
    {0x0, 0, 274, SPVB_VULKAN_ON, 0},
    {0x0, 0, 118, SPVB_VULKAN_ON, 0},
    {0x0, 0, 242, SPVB_VULKAN_ON, 0},
    {0x0, 0, 39, SPVB_VULKAN_ON, 0},
    {0x0, 0, 282, SPVB_VULKAN_ON, 0},
    {0x0, 0, 41, SPVB_VULKAN_ON, 0},
    {0x0, 0, 219, SPVB_VULKAN_ON, 0},
    {0x0, 0, 275, SPVB_VULKAN_ON, 0},
    {0x0, 0, 272, SPVB_VULKAN_ON, 0},
    {0x0, 0, 276, SPVB_VULKAN_ON, 0},
    {0x0, 0, 283, SPVB_VULKAN_ON, 0},
    {0x0, 0, 255, SPVB_VULKAN_ON, 0},
    {0x0, 0, 331, SPVB_VULKAN_ON, 0},
    {0x0, 0, 104, SPVB_VULKAN_ON, 0},
    {0x0, 0, 349, SPVB_VULKAN_ON, 0},
    {0x0, 0, 350, SPVB_VULKAN_ON, 0},
    {0x0, 0, 256, SPVB_VULKAN_ON, 0},
    {0x0, 0, 284, SPVB_VULKAN_ON, 0},
    {0x0, 0, 105, SPVB_VULKAN_ON, 0},
    {0x0, 0, 273, SPVB_VULKAN_ON, 0},
    {0x0, 0, 332, SPVB_VULKAN_ON, 0},
    {0x0, 0, 315, SPVB_VULKAN_ON, 0},
    {0x0, 0, 145, SPVB_VULKAN_ON, 0},
    {0x0, 0, 352, SPVB_VULKAN_ON, 0},
    {0x0, 0, 88, SPVB_VULKAN_ON, 0},
    {0x0, 0, 90, SPVB_VULKAN_ON, 0},
    {0x0, 0, 91, SPVB_VULKAN_ON, 0},
    {0x0, 0, 290, SPVB_VULKAN_ON, 0},
    {0x0, 0, 87, SPVB_VULKAN_ON, 0},
    {0x0, 0, 291, SPVB_VULKAN_ON, 0},
    {0x0, 0, 292, SPVB_VULKAN_ON, 0},
    {0x0, 0, 293, SPVB_VULKAN_ON, 0},
    {0x0, 0, 289, SPVB_VULKAN_ON, 0},
    {0x0, 0, 121, SPVB_VULKAN_ON, 0},
    {0x0, 0, 89, SPVB_VULKAN_ON, 0},
    {0x0, 0, 338, SPVB_VULKAN_ON, 0},
    {0x0, 0, 237, SPVB_VULKAN_ON, 0},
    {0x0, 0, 328, SPVB_VULKAN_ON, 0},
    {0x0, 0, 213, SPVB_VULKAN_IS, 0},
    {0x0, 0, 213, SPVB_VULKAN_IS, 1},
    {0x0, 0, 52, SPVB_VULKAN_ON, 0},
    {0x0, 0, 34, SPVB_VULKAN_ON, 0},
    {0x0, 0, 251, SPVB_VULKAN_ON, 0},
    {0x0, 0, 320, SPVB_VULKAN_ON, 0},
    {0x0, 0, 285, SPVB_VULKAN_ON, 0},
    {0x0, 0, 317, SPVB_VULKAN_ON, 0},
    {0x0, 0, 316, SPVB_VULKAN_ON, 0},
    {0x0, 0, 321, SPVB_VULKAN_ON, 0},
    {0x0, 0, 324, SPVB_VULKAN_ON, 0},
    {0x0, 0, 286, SPVB_VULKAN_ON, 0},
    {0x0, 0, 159, SPVB_VULKAN_ON, 0},
    {0x0, 0, 167, SPVB_VULKAN_ON, 0},
    {0x0, 0, 133, SPVB_VULKAN_ON, 0},
    {0x0, 0, 132, SPVB_VULKAN_ON, 0},
    {0x0, 0, 131, SPVB_VULKAN_ON, 0},
    {0x0, 0, 8, SPVB_VULKAN_ON, 0},
    {0x0, 0, 15, SPVB_VULKAN_ON, 0},
    {0x0, 0, 175, SPVB_VULKAN_ON, 0},
    {0x0, 0, 10, SPVB_VULKAN_ON, 0},
    {0x0, 0, 17, SPVB_VULKAN_ON, 0},
    {0x0, 0, 176, SPVB_VULKAN_ON, 0},
    {0x0, 0, 13, SPVB_VULKAN_ON, 0},
    {0x0, 0, 20, SPVB_VULKAN_ON, 0},
    {0x0, 0, 177, SPVB_VULKAN_ON, 0},
    {0x0, 0, 2, SPVB_VULKAN_ON, 0},
    {0x0, 0, 31, SPVB_VULKAN_ON, 0},
    {0x0, 0, 166, SPVB_VULKAN_ON, 0},
    {0x0, 0, 119, SPVB_VULKAN_ON, 0},
    {0x0, 0, 32, SPVB_VULKAN_ON, 0},
    {0x0, 0, 103, SPVB_VULKAN_ON, 0},
    {0x0, 0, 72, SPVB_VULKAN_ON, 0},
    {0x0, 0, 73, SPVB_VULKAN_ON, 0},
    {0x0, 0, 74, SPVB_VULKAN_ON, 0},
    {0x0, 0, 69, SPVB_VULKAN_ON, 0},
    {0x0, 0, 70, SPVB_VULKAN_ON, 0},
    {0x0, 0, 71, SPVB_VULKAN_ON, 0},
    {0x0, 0, 188, SPVB_VULKAN_ON, 0},
    {0x0, 0, 40, SPVB_VULKAN_ON, 0},
    {0x0, 0, 216, SPVB_VULKAN_ON, 0},
    {0x0, 0, 126, SPVB_VULKAN_ON, 0},
    {0x0, 0, 128, SPVB_VULKAN_ON, 0},
    {0x0, 0, 0, SPVB_VULKAN_ON, 0},
    {0x0, 0, 22, SPVB_VULKAN_ON, 0},
    {0x0, 0, 168, SPVB_VULKAN_ON, 0},
    {0x0, 0, 169, SPVB_VULKAN_ON, 0},
    {0x0, 0, 1, SPVB_VULKAN_ON, 0},
    {0x0, 0, 152, SPVB_VULKAN_ON, 0},
    {0x0, 0, 153, SPVB_VULKAN_ON, 0},
    {0x0, 0, 170, SPVB_VULKAN_ON, 0},
    {0x0, 0, 129, SPVB_VULKAN_ON, 0},
    {0x0, 0, 156, SPVB_VULKAN_ON, 0},
    {0x0, 0, 157, SPVB_VULKAN_ON, 0},
    {0x0, 0, 158, SPVB_VULKAN_ON, 0},
    {0x0, 0, 12, SPVB_VULKAN_ON, 0},
    {0x0, 0, 19, SPVB_VULKAN_ON, 0},
    {0x0, 0, 181, SPVB_VULKAN_ON, 0},
    {0x0, 0, 25, SPVB_VULKAN_ON, 0},
    {0x0, 0, 7, SPVB_VULKAN_ON, 0},
    {0x0, 0, 53, SPVB_VULKAN_ON, 0},
    {0x0, 0, 60, SPVB_VULKAN_ON, 0},
    {0x0, 0, 23, SPVB_VULKAN_ON, 0},
    {0x0, 0, 5, SPVB_VULKAN_ON, 0},
    {0x0, 0, 63, SPVB_VULKAN_ON, 0},
    {0x0, 0, 110, SPVB_VULKAN_ON, 0},
    {0x0, 0, 98, SPVB_VULKAN_ON, 0},
    {0x0, 0, 171, SPVB_VULKAN_ON, 0},
    {0x0, 0, 297, SPVB_VULKAN_ON, 0},
    {0x0, 0, 164, SPVB_VULKAN_ON, 0},
    {0x0, 0, 163, SPVB_VULKAN_ON, 0},
    {0x0, 0, 162, SPVB_VULKAN_ON, 0},
    {0x0, 0, 165, SPVB_VULKAN_ON, 0},
    {0x0, 0, 148, SPVB_VULKAN_ON, 0},
    {0x0, 0, 45, SPVB_VULKAN_ON, 0},
    {0x0, 0, 44, SPVB_VULKAN_ON, 0},
    {0x0, 0, 130, SPVB_VULKAN_ON, 0},
    {0x0, 0, 134, SPVB_VULKAN_ON, 0},
    {0x0, 0, 214, SPVB_VULKAN_ON, 0},
    {0x0, 0, 135, SPVB_VULKAN_ON, 0},
    {0x0, 0, 36, SPVB_VULKAN_ON, 0},
    {0x0, 0, 35, SPVB_VULKAN_ON, 0},
    {0x0, 0, 78, SPVB_VULKAN_ON, 0},
    {0x0, 0, 79, SPVB_VULKAN_ON, 0},
    {0x0, 0, 80, SPVB_VULKAN_ON, 0},
    {0x0, 0, 81, SPVB_VULKAN_ON, 0},
    {0x0, 0, 82, SPVB_VULKAN_ON, 0},
    {0x0, 0, 83, SPVB_VULKAN_ON, 0},
    {0x0, 0, 99, SPVB_VULKAN_ON, 0},
    {0x0, "!VK_KHR_portability_subset", 203, SPVB_VULKAN_ON, 0},
    {0x0, 0, 28, SPVB_VULKAN_ON, 0},
    {0x0, 0, 57, SPVB_VULKAN_ON, 0},
    {0x0, 0, 9, SPVB_VULKAN_ON, 0},
    {0x0, 0, 16, SPVB_VULKAN_ON, 0},
    {0x0, 0, 178, SPVB_VULKAN_ON, 0},
    {0x0, 0, 11, SPVB_VULKAN_ON, 0},
    {0x0, 0, 18, SPVB_VULKAN_ON, 0},
    {0x0, 0, 179, SPVB_VULKAN_ON, 0},
    {0x0, 0, 14, SPVB_VULKAN_ON, 0},
    {0x0, 0, 21, SPVB_VULKAN_ON, 0},
    {0x0, 0, 180, SPVB_VULKAN_ON, 0},
    {0x0, 0, 6, SPVB_VULKAN_ON, 0},
    {0x0, 0, 75, SPVB_VULKAN_ON, 0},
    {0x0, 0, 76, SPVB_VULKAN_ON, 0},
    {0x0, 0, 77, SPVB_VULKAN_ON, 0},
    {0x0, 0, 147, SPVB_VULKAN_ON, 0},
    {0x0, 0, 29, SPVB_VULKAN_ON, 0},
    {0x0, 0, 58, SPVB_VULKAN_ON, 0},
    {0x0, 0, 30, SPVB_VULKAN_ON, 0},
    {0x0, 0, 59, SPVB_VULKAN_ON, 0},
    {0x0, 0, 257, SPVB_VULKAN_ON, 0},
    {0x0, 0, 26, SPVB_VULKAN_ON, 0},
    {0x0, 0, 37, SPVB_VULKAN_ON, 0},
    {0x0, 0, 38, SPVB_VULKAN_ON, 0},
    {0x0, 0, 150, SPVB_VULKAN_ON, 0},
    {0x0, 0, 151, SPVB_VULKAN_ON, 0},
    {0x0, 0, 55, SPVB_VULKAN_ON, 0},
    {0x0, 0, 62, SPVB_VULKAN_ON, 0},
    {0x0, 0, 187, SPVB_VULKAN_ON, 0},
    {0x0, 0, 182, SPVB_VULKAN_ON, 0},
    {0x0, 0, 51, SPVB_VULKAN_ON, 0},
    {0x0, 0, 127, SPVB_VULKAN_ON, 0},
    {0x0, 0, 186, SPVB_VULKAN_ON, 0},
    {0x0, 0, 193, SPVB_VULKAN_ON, 0},
    {0x0, 0, 149, SPVB_VULKAN_ON, 0},
    {0x0, 0, 199, SPVB_VULKAN_HAS_BIT, 512},
    {0x0, 0, 199, SPVB_VULKAN_HAS_BIT, 8192},
    {0x0, 0, 199, SPVB_VULKAN_HAS_BIT, 1024},
    {0x0, 0, 199, SPVB_VULKAN_HAS_BIT, 16},
    {0x0, 0, 199, SPVB_VULKAN_HAS_BIT, 8},
    {0x0, 0, 199, SPVB_VULKAN_HAS_BIT, 4096},
    {0x0, 0, 199, SPVB_VULKAN_HAS_BIT, 128},
    {0x0, 0, 199, SPVB_VULKAN_HAS_BIT, 2048},
    {0x0, 0, 199, SPVB_VULKAN_HAS_BIT, 256},
    {0x0, 0, 199, SPVB_VULKAN_HAS_BIT, 64},
    {0x0, 0, 199, SPVB_VULKAN_HAS_BIT, 2},
    {0x0, 0, 199, SPVB_VULKAN_HAS_BIT, 4},
    {0x0, 0, 199, SPVB_VULKAN_HAS_BIT, 1},
    {0x0, 0, 333, SPVB_VULKAN_ON, 0},
    {0x0, 0, 24, SPVB_VULKAN_ON, 0},
    {0x0, 0, 122, SPVB_VULKAN_ON, 0},
    {0x0, 0, 123, SPVB_VULKAN_ON, 0},
    {0x0, 0, 124, SPVB_VULKAN_ON, 0},
    {0x0, 0, 27, SPVB_VULKAN_ON, 0},
    {0x0, 0, 56, SPVB_VULKAN_ON, 0},
    {0x0, 0, 209, SPVB_VULKAN_ON, 0},
    {0x0, 0, 54, SPVB_VULKAN_ON, 0},
    {0x0, 0, 61, SPVB_VULKAN_ON, 0},
    {0x0, 0, 155, SPVB_VULKAN_ON, 0},
    {0x0, 0, 192, SPVB_VULKAN_ON, 0},
    {0x0, 0, 299, SPVB_VULKAN_ON, 0},
    {0x0, 0, 95, SPVB_VULKAN_ON, 0},
    {0x0, 0, 340, SPVB_VULKAN_ON, 0},
    {0x0, 0, 258, SPVB_VULKAN_ON, 0},
    {0x0, 0, 296, SPVB_VULKAN_ON, 0},
    {0x0, 0, 294, SPVB_VULKAN_ON, 0},
    {0x0, 0, 295, SPVB_VULKAN_ON, 0},
    {0x0, 0, 298, SPVB_VULKAN_ON, 0},
    {0x0, 0, 265, SPVB_VULKAN_ON, 0},
    {0x0, 0, 262, SPVB_VULKAN_ON, 0},
    {0x0, 0, 263, SPVB_VULKAN_ON, 0},
    {0x0, 0, 264, SPVB_VULKAN_ON, 0},
    {0x0, 0, 266, SPVB_VULKAN_ON, 0},
    {0x0, 0, 259, SPVB_VULKAN_ON, 0},
    {0x0, 0, 260, SPVB_VULKAN_ON, 0},
    {0x0, 0, 261, SPVB_VULKAN_ON, 0},
    {0x0, 0, 140, SPVB_VULKAN_ON, 0},
    {0x0, 0, 342, SPVB_VULKAN_ON, 0},
    {0x0, 0, 341, SPVB_VULKAN_ON, 0},
    {0x0, 0, 343, SPVB_VULKAN_ON, 0},
    {0x0, 0, 46, SPVB_VULKAN_ON, 0},
    {0x0, 0, 64, SPVB_VULKAN_ON, 0},
    {0x0, 0, 49, SPVB_VULKAN_ON, 0},
    {0x0, 0, 48, SPVB_VULKAN_ON, 0},
    {0x0, 0, 66, SPVB_VULKAN_ON, 0},
    {0x0, 0, 185, SPVB_VULKAN_ON, 0},
    {0x0, 0, 184, SPVB_VULKAN_ON, 0},
    {0x0, 0, 300, SPVB_VULKAN_ON, 0},
    {0x0, 0, 50, SPVB_VULKAN_HAS_BIT, 4},
    {0x0, 0, 50, SPVB_VULKAN_HAS_BIT, 8},
    {0x0, 0, 50, SPVB_VULKAN_HAS_BIT, 1},
    {0x0, 0, 50, SPVB_VULKAN_HAS_BIT, 64},
    {0x0, 0, 50, SPVB_VULKAN_HAS_BIT, 256},
    {0x0, 0, 50, SPVB_VULKAN_HAS_BIT, 128},
    {0x0, 0, 50, SPVB_VULKAN_HAS_BIT, 16},
    {0x0, 0, 50, SPVB_VULKAN_HAS_BIT, 32},
    {0x0, 0, 50, SPVB_VULKAN_HAS_BIT, 2},
    {0x0, 0, 183, SPVB_VULKAN_HAS_BIT, 512},
    {0x0, 0, 183, SPVB_VULKAN_HAS_BIT, 8192},
    {0x0, 0, 183, SPVB_VULKAN_HAS_BIT, 1024},
    {0x0, 0, 183, SPVB_VULKAN_HAS_BIT, 16},
    {0x0, 0, 183, SPVB_VULKAN_HAS_BIT, 8},
    {0x0, 0, 183, SPVB_VULKAN_HAS_BIT, 4096},
    {0x0, 0, 183, SPVB_VULKAN_HAS_BIT, 128},
    {0x0, 0, 183, SPVB_VULKAN_HAS_BIT, 2048},
    {0x0, 0, 183, SPVB_VULKAN_HAS_BIT, 256},
    {0x0, 0, 183, SPVB_VULKAN_HAS_BIT, 64},
    {0x0, 0, 183, SPVB_VULKAN_HAS_BIT, 2},
    {0x0, 0, 183, SPVB_VULKAN_HAS_BIT, 4},
    {0x0, 0, 183, SPVB_VULKAN_HAS_BIT, 1},
    {0x0, 0, 334, SPVB_VULKAN_ON, 0},
    {0x0, 0, 211, SPVB_VULKAN_ON, 0},
    {0x0, 0, 302, SPVB_VULKAN_ON, 0},
    {0x0, 0, 304, SPVB_VULKAN_ON, 0},
    {0x0, "!VK_KHR_portability_subset", 201, SPVB_VULKAN_ON, 0},
    {0x0, "!VK_KHR_portability_subset", 202, SPVB_VULKAN_ON, 0},
    {0x0, 0, 4, SPVB_VULKAN_ON, 0},
    {0x0, 0, 114, SPVB_VULKAN_ON, 0},
    {0x0, 0, 115, SPVB_VULKAN_ON, 0},
    {0x0, 0, 113, SPVB_VULKAN_ON, 0},
    {0x0, 0, 335, SPVB_VULKAN_ON, 0},
    {0x0, 0, 253, SPVB_VULKAN_ON, 0},
    {0x0, 0, 254, SPVB_VULKAN_ON, 0},
    {0x0, 0, 252, SPVB_VULKAN_ON, 0},
    {0x0, 0, 112, SPVB_VULKAN_ON, 0},
    {0x0, 0, 146, SPVB_VULKAN_ON, 0},
    {0x0, 0, 314, SPVB_VULKAN_ON, 0},
    {0x0, 0, 313, SPVB_VULKAN_ON, 0},
    {0x0, 0, 205, SPVB_VULKAN_ON, 0},
    {0x0, 0, 305, SPVB_VULKAN_ON, 0},
    {0x0, 0, 306, SPVB_VULKAN_ON, 0},
    {0x0, 0, 312, SPVB_VULKAN_ON, 0},
    {0x0, 0, 204, SPVB_VULKAN_ON, 0},
    {0x0, 0, 206, SPVB_VULKAN_ON, 0},
    {0x0, 0, 308, SPVB_VULKAN_ON, 0},
    {0x0, 0, 311, SPVB_VULKAN_ON, 0},
    {0x0, 0, 310, SPVB_VULKAN_ON, 0},
    {0x0, 0, 309, SPVB_VULKAN_ON, 0},
    {0x0, 0, 307, SPVB_VULKAN_ON, 0},
    {0x0, 0, 326, SPVB_VULKAN_ON, 0},
    {0x0, 0, 92, SPVB_VULKAN_ON, 0},
    {0x0, 0, 287, SPVB_VULKAN_ON, 0},
    {0x0, 0, 47, SPVB_VULKAN_ON, 0},
    {0x0, 0, 65, SPVB_VULKAN_ON, 0},
    {0x0, 0, 323, SPVB_VULKAN_ON, 0},
    {0x0, 0, 267, SPVB_VULKAN_ON, 0},
    {0x0, 0, 43, SPVB_VULKAN_ON, 0},
    {0x0, 0, 42, SPVB_VULKAN_ON, 0},
    {0x0, 0, 288, SPVB_VULKAN_ON, 0},
    {0x0, 0, 344, SPVB_VULKAN_ON, 0},
    {0x0, 0, 345, SPVB_VULKAN_ON, 0},
    {0x0, 0, 190, SPVB_VULKAN_ON, 0},
    {0x0, 0, 67, SPVB_VULKAN_ON, 0},
    {0x0, 0, 327, SPVB_VULKAN_ON, 0},
    {0x0, 0, 68, SPVB_VULKAN_ON, 0},
    {0x0, 0, 248, SPVB_VULKAN_ON, 0},
    {0x0, 0, 107, SPVB_VULKAN_ON, 0},
    {0x0, 0, 109, SPVB_VULKAN_ON, 0},
    {0x0, 0, 108, SPVB_VULKAN_ON, 0},
    {0x0, 0, 353, SPVB_VULKAN_ON, 0},
};
static const spvb_row spvb_vulkan_questions[] = {
    {"a atomic64", 0, 1},
    {"a cpu", 1, 1},
    {"a fp16", 2, 1},
    {"a fp64", 3, 1},
    {"a gpu", 4, 3},
    {"a image", 7, 1},
    {"c AbortKHR", 8, 1},
    {"c AtomicFloat16AddEXT", 9, 2},
    {"c AtomicFloat16MinMaxEXT", 11, 2},
    {"c AtomicFloat16VectorNV", 13, 1},
    {"c AtomicFloat32AddEXT", 14, 3},
    {"c AtomicFloat32MinMaxEXT", 17, 3},
    {"c AtomicFloat64AddEXT", 20, 2},
    {"c AtomicFloat64MinMaxEXT", 22, 2},
    {"c BFloat16CooperativeMatrixKHR", 24, 1},
    {"c BFloat16DotProductKHR", 25, 1},
    {"c BFloat16TypeKHR", 26, 1},
    {"c BitcastExtractEXT", 27, 2},
    {"c ClipDistance", 29, 1},
    {"c ClusterCullingShadingHUAWEI", 30, 1},
    {"c ComputeDerivativeGroupLinearKHR", 31, 2},
    {"c ComputeDerivativeGroupQuadsKHR", 33, 2},
    {"c ConstantDataKHR", 35, 1},
    {"c CooperativeMatrixBlockLoadsNV", 36, 1},
    {"c CooperativeMatrixConversionQCOM", 37, 1},
    {"c CooperativeMatrixConversionsEXT", 38, 1},
    {"c CooperativeMatrixConversionsNV", 39, 1},
    {"c CooperativeMatrixDecodeVectorNV", 40, 1},
    {"c CooperativeMatrixGetCoordinateEXT", 41, 1},
    {"c CooperativeMatrixKHR", 42, 1},
    {"c CooperativeMatrixNV", 43, 1},
    {"c CooperativeMatrixPerElementOperationsEXT", 44, 2},
    {"c CooperativeMatrixReductionsEXT", 46, 2},
    {"c CooperativeMatrixTensorAddressingNV", 48, 1},
    {"c CooperativeVectorNV", 49, 1},
    {"c CooperativeVectorTrainingNV", 50, 1},
    {"c CoreBuiltinsARM", 51, 1},
    {"c CullDistance", 52, 1},
    {"c DemoteToHelperInvocation", 53, 2},
    {"c DenormFlushToZero", 55, 6},
    {"c DenormPreserve", 61, 6},
    {"c DerivativeControl", 67, 1},
    {"c DescriptorHeapEXT", 68, 1},
    {"c DeviceGroup", 69, 2},
    {"c DotProduct", 71, 2},
    {"c DotProductBFloat16AccVALVE", 73, 1},
    {"c DotProductFloat16AccFloat16VALVE", 74, 1},
    {"c DotProductFloat16AccFloat32VALVE", 75, 1},
    {"c DotProductFloat8AccFloat32VALVE", 76, 1},
    {"c DotProductInput4x8Bit", 77, 2},
    {"c DotProductInput4x8BitPacked", 79, 2},
    {"c DotProductInputAll", 81, 2},
    {"c DrawParameters", 83, 3},
    {"c ExpectAssumeKHR", 86, 2},
    {"c FMAKHR", 88, 3},
    {"c Float16", 91, 3},
    {"c Float4EXT", 94, 1},
    {"c Float64", 95, 1},
    {"c Float6EXT", 96, 1},
    {"c Float8CooperativeMatrixEXT", 97, 1},
    {"c Float8EXT", 98, 1},
    {"c Float8UnsignedE8M0EXT", 99, 1},
    {"c FloatControls2", 100, 2},
    {"c FragmentBarycentricKHR", 102, 2},
    {"c FragmentDensityEXT", 104, 2},
    {"c FragmentFullyCoveredEXT", 106, 1},
    {"c FragmentMaskAMD", 107, 1},
    {"c FragmentShaderPixelInterlockEXT", 108, 1},
    {"c FragmentShaderSampleInterlockEXT", 109, 1},
    {"c FragmentShaderShadingRateInterlockEXT", 110, 2},
    {"c FragmentShadingRateKHR", 112, 3},
    {"c Geometry", 115, 1},
    {"c GeometryPointSize", 116, 1},
    {"c GeometryShaderPassthroughNV", 117, 1},
    {"c GeometryStreams", 118, 1},
    {"c GraphARM", 119, 1},
    {"c GroupNonUniform", 120, 1},
    {"c GroupNonUniformArithmetic", 121, 1},
    {"c GroupNonUniformBallot", 122, 1},
    {"c GroupNonUniformClustered", 123, 1},
    {"c GroupNonUniformPartitionedEXT", 124, 2},
    {"c GroupNonUniformQuad", 126, 1},
    {"c GroupNonUniformRotateKHR", 127, 2},
    {"c GroupNonUniformShuffle", 129, 1},
    {"c GroupNonUniformShuffleRelative", 130, 1},
    {"c GroupNonUniformVote", 131, 1},
    {"c Image1D", 132, 1},
    {"c ImageBuffer", 133, 1},
    {"c ImageCubeArray", 134, 1},
    {"c ImageFootprintNV", 135, 1},
    {"c ImageGatherBiasLodAMD", 136, 1},
    {"c ImageGatherExtended", 137, 1},
    {"c ImageGatherExtendedModesQCOM", 138, 1},
    {"c ImageGatherLinearQCOM", 139, 1},
    {"c ImageMSArray", 140, 1},
    {"c ImageQuery", 141, 1},
    {"c ImageReadWriteLodAMD", 142, 1},
    {"c InputAttachment", 143, 1},
    {"c InputAttachmentArrayDynamicIndexing", 144, 2},
    {"c InputAttachmentArrayNonUniformIndexing", 146, 2},
    {"c Int16", 148, 1},
    {"c Int64", 149, 1},
    {"c Int64Atomics", 150, 5},
    {"c Int64ImageEXT", 155, 1},
    {"c Int8", 156, 2},
    {"c IntegerFunctions2INTEL", 158, 1},
    {"c InterpolationFunction", 159, 1},
    {"c LongVectorEXT", 160, 1},
    {"c MXInt8EXT", 161, 1},
    {"c Matrix", 162, 1},
    {"c MeshShadingEXT", 163, 1},
    {"c MeshShadingNV", 164, 1},
    {"c MinLod", 165, 1},
    {"c MultiView", 166, 2},
    {"c MultiViewport", 168, 1},
    {"c MultipleWaitQueuesQCOM", 169, 1},
    {"c PerViewAttributesNV", 170, 1},
    {"c PhysicalStorageBufferAddresses", 171, 3},
    {"c PushConstantBanksNV", 174, 1},
    {"c QuadControlKHR", 175, 1},
    {"c RawAccessChainsNV", 176, 1},
    {"c RayCullMaskKHR", 177, 1},
    {"c RayQueryKHR", 178, 1},
    {"c RayQueryPositionFetchKHR", 179, 1},
    {"c RayTracingClusterAccelerationStructureNV", 180, 1},
    {"c RayTracingKHR", 181, 1},
    {"c RayTracingLinearSweptSpheresGeometryNV", 182, 1},
    {"c RayTracingMotionBlurNV", 183, 1},
    {"c RayTracingNV", 184, 1},
    {"c RayTracingOpacityMicromapExecutionModeKHR", 185, 1},
    {"c RayTracingOpacityMicromapKHR", 186, 2},
    {"c RayTracingPositionFetchKHR", 188, 1},
    {"c RayTracingSpheresGeometryNV", 189, 1},
    {"c RayTraversalPrimitiveCullingKHR", 190, 2},
    {"c ReplicatedCompositesEXT", 192, 1},
    {"c RoundingModeRTE", 193, 6},
    {"c RoundingModeRTZ", 199, 6},
    {"c RuntimeDescriptorArray", 205, 2},
    {"c SampleMaskOverrideCoverageNV", 207, 1},
    {"c SampleMaskPostDepthCoverage", 208, 1},
    {"c SampleRateShading", 209, 1},
    {"c Sampled1D", 210, 1},
    {"c SampledBuffer", 211, 1},
    {"c SampledCubeArray", 212, 1},
    {"c SampledImageArrayDynamicIndexing", 213, 1},
    {"c SampledImageArrayNonUniformIndexing", 214, 2},
    {"c Shader", 216, 1},
    {"c Shader64BitIndexingEXT", 217, 1},
    {"c ShaderClockKHR", 218, 1},
    {"c ShaderEnqueueAMDX", 219, 1},
    {"c ShaderInvocationReorderEXT", 220, 1},
    {"c ShaderInvocationReorderNV", 221, 1},
    {"c ShaderLayer", 222, 1},
    {"c ShaderNonUniform", 223, 2},
    {"c ShaderSMBuiltinsNV", 225, 1},
    {"c ShaderViewportIndex", 226, 1},
    {"c ShaderViewportIndexLayerEXT", 227, 2},
    {"c ShaderViewportMaskNV", 229, 1},
    {"c SignedZeroInfNanPreserve", 230, 6},
    {"c SparseResidency", 236, 1},
    {"c SplitBarrierEXT", 237, 1},
    {"c StencilExportEXT", 238, 1},
    {"c StorageBuffer16BitAccess", 239, 2},
    {"c StorageBuffer8BitAccess", 241, 2},
    {"c StorageBufferArrayDynamicIndexing", 243, 1},
    {"c StorageBufferArrayNonUniformIndexing", 244, 2},
    {"c StorageImageArrayDynamicIndexing", 246, 1},
    {"c StorageImageArrayNonUniformIndexing", 247, 2},
    {"c StorageImageExtendedFormats", 249, 1},
    {"c StorageImageMultisample", 250, 1},
    {"c StorageImageReadWithoutFormat", 251, 3},
    {"c StorageImageWriteWithoutFormat", 254, 3},
    {"c StorageInputOutput16", 257, 2},
    {"c StoragePushConstant16", 259, 2},
    {"c StoragePushConstant8", 261, 2},
    {"c StorageTensorArrayDynamicIndexingARM", 263, 1},
    {"c StorageTensorArrayNonUniformIndexingARM", 264, 1},
    {"c StorageTexelBufferArrayDynamicIndexing", 265, 2},
    {"c StorageTexelBufferArrayNonUniformIndexing", 267, 2},
    {"c SubgroupBallotKHR", 269, 1},
    {"c SubgroupVoteKHR", 270, 1},
    {"c TensorAddressingNV", 271, 1},
    {"c TensorsARM", 272, 1},
    {"c Tessellation", 273, 1},
    {"c TessellationPointSize", 274, 1},
    {"c TextureBlockMatch2QCOM", 275, 1},
    {"c TextureBlockMatchQCOM", 276, 1},
    {"c TextureBoxFilterQCOM", 277, 1},
    {"c TextureSampleWeightedQCOM", 278, 1},
    {"c TileImageColorReadAccessEXT", 279, 1},
    {"c TileImageDepthReadAccessEXT", 280, 1},
    {"c TileImageStencilReadAccessEXT", 281, 1},
    {"c TileShadingQCOM", 282, 1},
    {"c TransformFeedback", 283, 1},
    {"c UniformAndStorageBuffer16BitAccess", 284, 2},
    {"c UniformAndStorageBuffer8BitAccess", 286, 2},
    {"c UniformBufferArrayDynamicIndexing", 288, 1},
    {"c UniformBufferArrayNonUniformIndexing", 289, 2},
    {"c UniformTexelBufferArrayDynamicIndexing", 291, 2},
    {"c UniformTexelBufferArrayNonUniformIndexing", 293, 2},
    {"c UntypedPointersKHR", 295, 1},
    {"c VariablePointers", 296, 2},
    {"c VariablePointersStorageBuffer", 298, 2},
    {"c VulkanMemoryModel", 300, 2},
    {"c VulkanMemoryModelDeviceScope", 302, 2},
    {"c WorkgroupMemoryExplicitLayout16BitAccessKHR", 304, 1},
    {"c WorkgroupMemoryExplicitLayout8BitAccessKHR", 305, 1},
    {"c WorkgroupMemoryExplicitLayoutKHR", 306, 1},
    {"e SPV_AMD_gcn_shader", 307, 1},
    {"e SPV_AMD_gpu_shader_half_float", 308, 1},
    {"e SPV_AMD_gpu_shader_int16", 309, 1},
    {"e SPV_AMD_shader_ballot", 310, 1},
    {"e SPV_AMD_shader_early_and_late_fragment_tests", 311, 1},
    {"e SPV_AMD_shader_explicit_vertex_parameter", 312, 1},
    {"e SPV_AMD_shader_fragment_mask", 313, 1},
    {"e SPV_AMD_shader_image_load_store_lod", 314, 1},
    {"e SPV_AMD_shader_trinary_minmax", 315, 1},
    {"e SPV_AMD_texture_gather_bias_lod", 316, 1},
    {"e SPV_ARM_core_builtins", 317, 1},
    {"e SPV_ARM_graph", 318, 1},
    {"e SPV_ARM_tensors", 319, 1},
    {"e SPV_EXT_cooperative_matrix_maintenance1", 320, 1},
    {"e SPV_EXT_demote_to_helper_invocation", 321, 1},
    {"e SPV_EXT_descriptor_heap", 322, 1},
    {"e SPV_EXT_descriptor_indexing", 323, 1},
    {"e SPV_EXT_float8", 324, 1},
    {"e SPV_EXT_fragment_fully_covered", 325, 1},
    {"e SPV_EXT_fragment_invocation_density", 326, 1},
    {"e SPV_EXT_fragment_shader_interlock", 327, 1},
    {"e SPV_EXT_long_vector", 328, 1},
    {"e SPV_EXT_mesh_shader", 329, 1},
    {"e SPV_EXT_ocp_microscaling_types", 330, 1},
    {"e SPV_EXT_opacity_micromap", 331, 2},
    {"e SPV_EXT_physical_storage_buffer", 333, 1},
    {"e SPV_EXT_replicated_composites", 334, 1},
    {"e SPV_EXT_shader_64bit_indexing", 335, 1},
    {"e SPV_EXT_shader_atomic_float16_add", 336, 1},
    {"e SPV_EXT_shader_atomic_float_add", 337, 1},
    {"e SPV_EXT_shader_atomic_float_min_max", 338, 1},
    {"e SPV_EXT_shader_image_int64", 339, 1},
    {"e SPV_EXT_shader_invocation_reorder", 340, 1},
    {"e SPV_EXT_shader_stencil_export", 341, 1},
    {"e SPV_EXT_shader_subgroup_partitioned", 342, 1},
    {"e SPV_EXT_shader_tile_image", 343, 1},
    {"e SPV_EXT_shader_viewport_index_layer", 344, 1},
    {"e SPV_EXT_split_barrier", 345, 1},
    {"e SPV_GOOGLE_decorate_string", 346, 1},
    {"e SPV_GOOGLE_hlsl_functionality1", 347, 1},
    {"e SPV_GOOGLE_user_type", 348, 1},
    {"e SPV_HUAWEI_cluster_culling_shader", 349, 1},
    {"e SPV_HUAWEI_subpass_shading", 350, 1},
    {"e SPV_INTEL_shader_integer_functions2", 351, 1},
    {"e SPV_KHR_16bit_storage", 352, 1},
    {"e SPV_KHR_8bit_storage", 353, 1},
    {"e SPV_KHR_abort", 354, 1},
    {"e SPV_KHR_bfloat16", 355, 1},
    {"e SPV_KHR_compute_shader_derivatives", 356, 1},
    {"e SPV_KHR_constant_data", 357, 1},
    {"e SPV_KHR_cooperative_matrix", 358, 1},
    {"e SPV_KHR_device_group", 359, 1},
    {"e SPV_KHR_expect_assume", 360, 1},
    {"e SPV_KHR_float_controls", 361, 1},
    {"e SPV_KHR_float_controls2", 362, 1},
    {"e SPV_KHR_fma", 363, 1},
    {"e SPV_KHR_fragment_shader_barycentric", 364, 1},
    {"e SPV_KHR_fragment_shading_rate", 365, 1},
    {"e SPV_KHR_integer_dot_product", 366, 1},
    {"e SPV_KHR_maximal_reconvergence", 367, 1},
    {"e SPV_KHR_multiview", 368, 1},
    {"e SPV_KHR_non_semantic_info", 369, 1},
    {"e SPV_KHR_opacity_micromap", 370, 1},
    {"e SPV_KHR_physical_storage_buffer", 371, 1},
    {"e SPV_KHR_post_depth_coverage", 372, 1},
    {"e SPV_KHR_quad_control", 373, 1},
    {"e SPV_KHR_ray_cull_mask", 374, 1},
    {"e SPV_KHR_ray_query", 375, 1},
    {"e SPV_KHR_ray_tracing", 376, 1},
    {"e SPV_KHR_ray_tracing_position_fetch", 377, 1},
    {"e SPV_KHR_relaxed_extended_instruction", 378, 1},
    {"e SPV_KHR_shader_ballot", 379, 1},
    {"e SPV_KHR_shader_clock", 380, 1},
    {"e SPV_KHR_shader_draw_parameters", 381, 1},
    {"e SPV_KHR_storage_buffer_storage_class", 382, 1},
    {"e SPV_KHR_subgroup_rotate", 383, 1},
    {"e SPV_KHR_subgroup_uniform_control_flow", 384, 1},
    {"e SPV_KHR_subgroup_vote", 385, 1},
    {"e SPV_KHR_terminate_invocation", 386, 1},
    {"e SPV_KHR_untyped_pointers", 387, 1},
    {"e SPV_KHR_variable_pointers", 388, 1},
    {"e SPV_KHR_vulkan_memory_model", 389, 1},
    {"e SPV_KHR_workgroup_memory_explicit_layout", 390, 1},
    {"e SPV_NVX_multiview_per_view_attributes", 391, 1},
    {"e SPV_NV_cluster_acceleration_structure", 392, 1},
    {"e SPV_NV_compute_shader_derivatives", 393, 1},
    {"e SPV_NV_cooperative_matrix", 394, 1},
    {"e SPV_NV_cooperative_matrix2", 395, 1},
    {"e SPV_NV_cooperative_matrix_decode_vector", 396, 1},
    {"e SPV_NV_cooperative_vector", 397, 1},
    {"e SPV_NV_fragment_shader_barycentric", 398, 1},
    {"e SPV_NV_geometry_shader_passthrough", 399, 1},
    {"e SPV_NV_linear_swept_spheres", 400, 1},
    {"e SPV_NV_mesh_shader", 401, 1},
    {"e SPV_NV_push_constant_bank", 402, 1},
    {"e SPV_NV_raw_access_chains", 403, 1},
    {"e SPV_NV_ray_tracing", 404, 1},
    {"e SPV_NV_ray_tracing_motion_blur", 405, 1},
    {"e SPV_NV_sample_mask_override_coverage", 406, 1},
    {"e SPV_NV_shader_atomic_fp16_vector", 407, 1},
    {"e SPV_NV_shader_image_footprint", 408, 1},
    {"e SPV_NV_shader_invocation_reorder", 409, 1},
    {"e SPV_NV_shader_sm_builtins", 410, 1},
    {"e SPV_NV_shader_subgroup_partitioned", 411, 2},
    {"e SPV_NV_shading_rate", 413, 1},
    {"e SPV_NV_tensor_addressing", 414, 1},
    {"e SPV_NV_viewport_array2", 415, 1},
    {"e SPV_QCOM_cooperative_matrix_conversion", 416, 1},
    {"e SPV_QCOM_image_processing", 417, 1},
    {"e SPV_QCOM_image_processing2", 418, 1},
    {"e SPV_QCOM_image_processing3", 419, 1},
    {"e SPV_QCOM_multiple_wait_queues", 420, 1},
    {"e SPV_QCOM_tile_shading", 421, 1},
    {"e SPV_VALVE_mixed_float_dot_product", 422, 1},
    {"f alphaToOne", 423, 1},
    {"f attachmentFragmentShadingRate", 424, 1},
    {"f blockMatchExtendedClampToEdge", 425, 1},
    {"f bresenhamLines", 426, 1},
    {"f bufferDeviceAddress", 427, 1},
    {"f bufferDeviceAddressCaptureReplay", 428, 1},
    {"f bufferDeviceAddressMultiDevice", 429, 1},
    {"f clusterAccelerationStructure", 430, 1},
    {"f clustercullingShader", 431, 1},
    {"f computeDerivativeGroupLinear", 432, 1},
    {"f computeDerivativeGroupQuads", 433, 1},
    {"f computeFullSubgroups", 434, 1},
    {"f constantAlphaColorBlendFactors", 435, 1},
    {"f cooperativeMatrix", 436, 1},
    {"f cooperativeMatrixBlockLoads", 437, 1},
    {"f cooperativeMatrixConversion", 438, 1},
    {"f cooperativeMatrixConversions", 439, 1},
    {"f cooperativeMatrixDecodeVector", 440, 1},
    {"f cooperativeMatrixFlexibleDimensions", 441, 1},
    {"f cooperativeMatrixGetCoordinate", 442, 1},
    {"f cooperativeMatrixPerElementOperations", 443, 1},
    {"f cooperativeMatrixProperties2", 444, 1},
    {"f cooperativeMatrixReductions", 445, 1},
    {"f cooperativeMatrixRobustBufferAccess", 446, 1},
    {"f cooperativeMatrixSupportedStages.VK_SHADER_STAGE_ANY_HIT_BIT_KHR", 447, 1},
    {"f cooperativeMatrixSupportedStages.VK_SHADER_STAGE_CALLABLE_BIT_KHR", 448, 1},
    {"f cooperativeMatrixSupportedStages.VK_SHADER_STAGE_CLOSEST_HIT_BIT_KHR", 449, 1},
    {"f cooperativeMatrixSupportedStages.VK_SHADER_STAGE_FRAGMENT_BIT", 450, 1},
    {"f cooperativeMatrixSupportedStages.VK_SHADER_STAGE_GEOMETRY_BIT", 451, 1},
    {"f cooperativeMatrixSupportedStages.VK_SHADER_STAGE_INTERSECTION_BIT_KHR", 452, 1},
    {"f cooperativeMatrixSupportedStages.VK_SHADER_STAGE_MESH_BIT_EXT", 453, 1},
    {"f cooperativeMatrixSupportedStages.VK_SHADER_STAGE_MISS_BIT_KHR", 454, 1},
    {"f cooperativeMatrixSupportedStages.VK_SHADER_STAGE_RAYGEN_BIT_KHR", 455, 1},
    {"f cooperativeMatrixSupportedStages.VK_SHADER_STAGE_TASK_BIT_EXT", 456, 1},
    {"f cooperativeMatrixSupportedStages.VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT", 457, 1},
    {"f cooperativeMatrixSupportedStages.VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT", 458, 1},
    {"f cooperativeMatrixSupportedStages.VK_SHADER_STAGE_VERTEX_BIT", 459, 1},
    {"f cooperativeMatrixTensorAddressing", 460, 1},
    {"f cooperativeMatrixWorkgroupScope", 461, 1},
    {"f cooperativeVector", 462, 1},
    {"f cooperativeVectorSupportedStages.VK_SHADER_STAGE_ANY_HIT_BIT_KHR", 463, 1},
    {"f cooperativeVectorSupportedStages.VK_SHADER_STAGE_CALLABLE_BIT_KHR", 464, 1},
    {"f cooperativeVectorSupportedStages.VK_SHADER_STAGE_CLOSEST_HIT_BIT_KHR", 465, 1},
    {"f cooperativeVectorSupportedStages.VK_SHADER_STAGE_FRAGMENT_BIT", 466, 1},
    {"f cooperativeVectorSupportedStages.VK_SHADER_STAGE_GEOMETRY_BIT", 467, 1},
    {"f cooperativeVectorSupportedStages.VK_SHADER_STAGE_INTERSECTION_BIT_KHR", 468, 1},
    {"f cooperativeVectorSupportedStages.VK_SHADER_STAGE_MESH_BIT_EXT", 469, 1},
    {"f cooperativeVectorSupportedStages.VK_SHADER_STAGE_MISS_BIT_KHR", 470, 1},
    {"f cooperativeVectorSupportedStages.VK_SHADER_STAGE_RAYGEN_BIT_KHR", 471, 1},
    {"f cooperativeVectorSupportedStages.VK_SHADER_STAGE_TASK_BIT_EXT", 472, 1},
    {"f cooperativeVectorSupportedStages.VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT", 473, 1},
    {"f cooperativeVectorSupportedStages.VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT", 474, 1},
    {"f cooperativeVectorSupportedStages.VK_SHADER_STAGE_VERTEX_BIT", 475, 1},
    {"f cooperativeVectorTraining", 476, 1},
    {"f cooperativeVectorTrainingFloat16Accumulation", 477, 1},
    {"f cooperativeVectorTrainingFloat32Accumulation", 478, 1},
    {"f dataGraph", 479, 1},
    {"f dataGraphDescriptorBuffer", 480, 1},
    {"f dataGraphShaderModule", 481, 1},
    {"f dataGraphSpecializationConstants", 482, 1},
    {"f dataGraphUpdateAfterBind", 483, 1},
    {"f denormBehaviorIndependence.VK_SHADER_FLOAT_CONTROLS_INDEPENDENCE_32_BIT_ONLY", 484, 1},
    {"f denormBehaviorIndependence.VK_SHADER_FLOAT_CONTROLS_INDEPENDENCE_ALL", 485, 1},
    {"f depthBiasClamp", 486, 1},
    {"f depthBounds", 487, 1},
    {"f depthClamp", 488, 1},
    {"f descriptorBindingInlineUniformBlockUpdateAfterBind", 489, 1},
    {"f descriptorBindingPartiallyBound", 490, 1},
    {"f descriptorBindingSampledImageUpdateAfterBind", 491, 1},
    {"f descriptorBindingStorageBufferUpdateAfterBind", 492, 1},
    {"f descriptorBindingStorageImageUpdateAfterBind", 493, 1},
    {"f descriptorBindingStorageTensorUpdateAfterBind", 494, 1},
    {"f descriptorBindingStorageTexelBufferUpdateAfterBind", 495, 1},
    {"f descriptorBindingUniformBufferUpdateAfterBind", 496, 1},
    {"f descriptorBindingUniformTexelBufferUpdateAfterBind", 497, 1},
    {"f descriptorBindingUpdateUnusedWhilePending", 498, 1},
    {"f descriptorBindingVariableDescriptorCount", 499, 1},
    {"f descriptorHeap", 500, 1},
    {"f descriptorHeapCaptureReplay", 501, 1},
    {"f descriptorIndexing", 502, 1},
    {"f drawIndirectCount", 503, 1},
    {"f drawIndirectFirstInstance", 504, 1},
    {"f dualSrcBlend", 505, 1},
    {"f dynamicRendering", 506, 1},
    {"f dynamicRenderingLocalRead", 507, 1},
    {"f events", 508, 1},
    {"f fillModeNonSolid", 509, 1},
    {"f fragmentDensityMap", 510, 1},
    {"f fragmentDensityMapDynamic", 511, 1},
    {"f fragmentDensityMapNonSubsampledImages", 512, 1},
    {"f fragmentShaderBarycentric", 513, 1},
    {"f fragmentShaderPixelInterlock", 514, 1},
    {"f fragmentShaderSampleInterlock", 515, 1},
    {"f fragmentShaderShadingRateInterlock", 516, 1},
    {"f fragmentStoresAndAtomics", 517, 1},
    {"f fullDrawIndexUint32", 518, 1},
    {"f geometryShader", 519, 1},
    {"f geometryStreams", 520, 1},
    {"f globalPriorityQuery", 521, 1},
    {"f hostImageCopy", 522, 1},
    {"f hostQueryReset", 523, 1},
    {"f imageCubeArray", 524, 1},
    {"f imageFootprint", 525, 1},
    {"f imageGatherExtendedModes", 526, 1},
    {"f imageGatherLinear", 527, 1},
    {"f imageView2DOn3DImage", 528, 1},
    {"f imageViewFormatReinterpretation", 529, 1},
    {"f imageViewFormatSwizzle", 530, 1},
    {"f imagelessFramebuffer", 531, 1},
    {"f independentBlend", 532, 1},
    {"f indexTypeUint8", 533, 1},
    {"f inheritedQueries", 534, 1},
    {"f inlineUniformBlock", 535, 1},
    {"f largePoints", 536, 1},
    {"f linearSweptSpheres", 537, 1},
    {"f logicOp", 538, 1},
    {"f longVector", 539, 1},
    {"f maintenance4", 540, 1},
    {"f maintenance5", 541, 1},
    {"f maintenance6", 542, 1},
    {"f maintenance8", 543, 1},
    {"f maintenance9", 544, 1},
    {"f meshAndTaskShaderDerivatives", 545, 1},
    {"f meshShader", 546, 1},
    {"f meshShaderQueries", 547, 1},
    {"f micromap", 548, 1},
    {"f multiDrawIndirect", 549, 1},
    {"f multiViewport", 550, 1},
    {"f multisampleArrayImage", 551, 1},
    {"f multiview", 552, 1},
    {"f multiviewClusterCullingShader", 553, 1},
    {"f multiviewGeometryShader", 554, 1},
    {"f multiviewMeshShader", 555, 1},
    {"f multiviewTessellationShader", 556, 1},
    {"f mutableComparisonSamplers", 557, 1},
    {"f occlusionQueryPrecise", 558, 1},
    {"f pipelineCreationCacheControl", 559, 1},
    {"f pipelineFragmentShadingRate", 560, 1},
    {"f pipelineProtectedAccess", 561, 1},
    {"f pipelineRobustness", 562, 1},
    {"f pipelineStatisticsQuery", 563, 1},
    {"f pointPolygons", 564, 1},
    {"f primitiveFragmentShadingRate", 565, 1},
    {"f primitiveFragmentShadingRateMeshShader", 566, 1},
    {"f privateData", 567, 1},
    {"f protectedMemory", 568, 1},
    {"f pushConstantBank", 569, 1},
    {"f pushDescriptor", 570, 1},
    {"f rayQuery", 571, 1},
    {"f rayTracingMaintenance1", 572, 1},
    {"f rayTracingMotionBlur", 573, 1},
    {"f rayTracingMotionBlurPipelineTraceRaysIndirect", 574, 1},
    {"f rayTracingPipeline", 575, 1},
    {"f rayTracingPipelineShaderGroupHandleCaptureReplay", 576, 1},
    {"f rayTracingPipelineShaderGroupHandleCaptureReplayMixed", 577, 1},
    {"f rayTracingPipelineTraceRaysIndirect", 578, 1},
    {"f rayTracingPipelineTraceRaysIndirect2", 579, 1},
    {"f rayTracingPositionFetch", 580, 1},
    {"f rayTraversalPrimitiveCulling", 581, 1},
    {"f rectangularLines", 582, 1},
    {"f robustBufferAccess", 583, 1},
    {"f robustImageAccess", 584, 1},
    {"f roundingModeIndependence.VK_SHADER_FLOAT_CONTROLS_INDEPENDENCE_32_BIT_ONLY", 585, 1},
    {"f roundingModeIndependence.VK_SHADER_FLOAT_CONTROLS_INDEPENDENCE_ALL", 586, 1},
    {"f runtimeDescriptorArray", 587, 1},
    {"f sampleRateShading", 588, 1},
    {"f samplerAnisotropy", 589, 1},
    {"f samplerFilterMinmax", 590, 1},
    {"f samplerMipLodBias", 591, 1},
    {"f samplerMirrorClampToEdge", 592, 1},
    {"f samplerYcbcrConversion", 593, 1},
    {"f scalarBlockLayout", 594, 1},
    {"f separateDepthStencilLayouts", 595, 1},
    {"f separateStencilMaskRef", 596, 1},
    {"f shader64BitIndexing", 597, 1},
    {"f shaderAbort", 598, 1},
    {"f shaderBFloat16CooperativeMatrix", 599, 1},
    {"f shaderBFloat16DotProduct", 600, 1},
    {"f shaderBFloat16Type", 601, 1},
    {"f shaderBufferFloat16AtomicAdd", 602, 1},
    {"f shaderBufferFloat16AtomicMinMax", 603, 1},
    {"f shaderBufferFloat16Atomics", 604, 1},
    {"f shaderBufferFloat32AtomicAdd", 605, 1},
    {"f shaderBufferFloat32AtomicMinMax", 606, 1},
    {"f shaderBufferFloat32Atomics", 607, 1},
    {"f shaderBufferFloat64AtomicAdd", 608, 1},
    {"f shaderBufferFloat64AtomicMinMax", 609, 1},
    {"f shaderBufferFloat64Atomics", 610, 1},
    {"f shaderBufferInt64Atomics", 611, 1},
    {"f shaderClipDistance", 612, 1},
    {"f shaderConstantData", 613, 1},
    {"f shaderCoreBuiltins", 614, 1},
    {"f shaderCullDistance", 615, 1},
    {"f shaderDemoteToHelperInvocation", 616, 1},
    {"f shaderDenormFlushToZeroFloat16", 617, 1},
    {"f shaderDenormFlushToZeroFloat32", 618, 1},
    {"f shaderDenormFlushToZeroFloat64", 619, 1},
    {"f shaderDenormPreserveFloat16", 620, 1},
    {"f shaderDenormPreserveFloat32", 621, 1},
    {"f shaderDenormPreserveFloat64", 622, 1},
    {"f shaderDeviceClock", 623, 1},
    {"f shaderDrawParameters", 624, 1},
    {"f shaderEarlyAndLateFragmentTests", 625, 1},
    {"f shaderEnqueue", 626, 1},
    {"f shaderExpectAssume", 627, 1},
    {"f shaderFloat16", 628, 1},
    {"f shaderFloat16VectorAtomics", 629, 1},
    {"f shaderFloat4", 630, 1},
    {"f shaderFloat6", 631, 1},
    {"f shaderFloat64", 632, 1},
    {"f shaderFloat8", 633, 1},
    {"f shaderFloat8CooperativeMatrix", 634, 1},
    {"f shaderFloat8UnsignedE8M0", 635, 1},
    {"f shaderFloatControls2", 636, 1},
    {"f shaderFmaFloat16", 637, 1},
    {"f shaderFmaFloat32", 638, 1},
    {"f shaderFmaFloat64", 639, 1},
    {"f shaderImageFloat32AtomicAdd", 640, 1},
    {"f shaderImageFloat32AtomicMinMax", 641, 1},
    {"f shaderImageFloat32Atomics", 642, 1},
    {"f shaderImageGatherExtended", 643, 1},
    {"f shaderImageInt64Atomics", 644, 1},
    {"f shaderInputAttachmentArrayDynamicIndexing", 645, 1},
    {"f shaderInputAttachmentArrayNonUniformIndexing", 646, 1},
    {"f shaderInt16", 647, 1},
    {"f shaderInt64", 648, 1},
    {"f shaderInt8", 649, 1},
    {"f shaderIntegerDotProduct", 650, 1},
    {"f shaderIntegerFunctions2", 651, 1},
    {"f shaderMXInt8", 652, 1},
    {"f shaderMeshEnqueue", 653, 1},
    {"f shaderMixedFloatDotProductBFloat16Acc", 654, 1},
    {"f shaderMixedFloatDotProductFloat16AccFloat16", 655, 1},
    {"f shaderMixedFloatDotProductFloat16AccFloat32", 656, 1},
    {"f shaderMixedFloatDotProductFloat8AccFloat32", 657, 1},
    {"f shaderMultipleWaitQueues", 658, 1},
    {"f shaderOutputLayer", 659, 1},
    {"f shaderOutputViewportIndex", 660, 1},
    {"f shaderQuadControl", 661, 1},
    {"f shaderRawAccessChains", 662, 1},
    {"f shaderRelaxedExtendedInstruction", 663, 1},
    {"f shaderReplicatedComposites", 664, 1},
    {"f shaderResourceMinLod", 665, 1},
    {"f shaderResourceResidency", 666, 1},
    {"f shaderRoundingModeRTEFloat16", 667, 1},
    {"f shaderRoundingModeRTEFloat32", 668, 1},
    {"f shaderRoundingModeRTEFloat64", 669, 1},
    {"f shaderRoundingModeRTZFloat16", 670, 1},
    {"f shaderRoundingModeRTZFloat32", 671, 1},
    {"f shaderRoundingModeRTZFloat64", 672, 1},
    {"f shaderSMBuiltins", 673, 1},
    {"f shaderSampleRateInterpolationFunctions", 674, 1},
    {"f shaderSampledImageArrayDynamicIndexing", 675, 1},
    {"f shaderSampledImageArrayNonUniformIndexing", 676, 1},
    {"f shaderSharedFloat16AtomicAdd", 677, 1},
    {"f shaderSharedFloat16AtomicMinMax", 678, 1},
    {"f shaderSharedFloat16Atomics", 679, 1},
    {"f shaderSharedFloat32AtomicAdd", 680, 1},
    {"f shaderSharedFloat32AtomicMinMax", 681, 1},
    {"f shaderSharedFloat32Atomics", 682, 1},
    {"f shaderSharedFloat64AtomicAdd", 683, 1},
    {"f shaderSharedFloat64AtomicMinMax", 684, 1},
    {"f shaderSharedFloat64Atomics", 685, 1},
    {"f shaderSharedInt64Atomics", 686, 1},
    {"f shaderSignedZeroInfNanPreserveFloat16", 687, 1},
    {"f shaderSignedZeroInfNanPreserveFloat32", 688, 1},
    {"f shaderSignedZeroInfNanPreserveFloat64", 689, 1},
    {"f shaderSplitBarrier", 690, 1},
    {"f shaderStorageBufferArrayDynamicIndexing", 691, 1},
    {"f shaderStorageBufferArrayNonUniformIndexing", 692, 1},
    {"f shaderStorageImageArrayDynamicIndexing", 693, 1},
    {"f shaderStorageImageArrayNonUniformIndexing", 694, 1},
    {"f shaderStorageImageExtendedFormats", 695, 1},
    {"f shaderStorageImageMultisample", 696, 1},
    {"f shaderStorageImageReadWithoutFormat", 697, 1},
    {"f shaderStorageImageWriteWithoutFormat", 698, 1},
    {"f shaderStorageTensorArrayDynamicIndexing", 699, 1},
    {"f shaderStorageTensorArrayNonUniformIndexing", 700, 1},
    {"f shaderStorageTexelBufferArrayDynamicIndexing", 701, 1},
    {"f shaderStorageTexelBufferArrayNonUniformIndexing", 702, 1},
    {"f shaderSubgroupClock", 703, 1},
    {"f shaderSubgroupExtendedTypes", 704, 1},
    {"f shaderSubgroupPartitioned", 705, 1},
    {"f shaderSubgroupRotate", 706, 1},
    {"f shaderSubgroupRotateClustered", 707, 1},
    {"f shaderSubgroupUniformControlFlow", 708, 1},
    {"f shaderTensorAccess", 709, 1},
    {"f shaderTensorSupportedStages.VK_SHADER_STAGE_ANY_HIT_BIT_KHR", 710, 1},
    {"f shaderTensorSupportedStages.VK_SHADER_STAGE_CALLABLE_BIT_KHR", 711, 1},
    {"f shaderTensorSupportedStages.VK_SHADER_STAGE_CLOSEST_HIT_BIT_KHR", 712, 1},
    {"f shaderTensorSupportedStages.VK_SHADER_STAGE_FRAGMENT_BIT", 713, 1},
    {"f shaderTensorSupportedStages.VK_SHADER_STAGE_GEOMETRY_BIT", 714, 1},
    {"f shaderTensorSupportedStages.VK_SHADER_STAGE_INTERSECTION_BIT_KHR", 715, 1},
    {"f shaderTensorSupportedStages.VK_SHADER_STAGE_MESH_BIT_EXT", 716, 1},
    {"f shaderTensorSupportedStages.VK_SHADER_STAGE_MISS_BIT_KHR", 717, 1},
    {"f shaderTensorSupportedStages.VK_SHADER_STAGE_RAYGEN_BIT_KHR", 718, 1},
    {"f shaderTensorSupportedStages.VK_SHADER_STAGE_TASK_BIT_EXT", 719, 1},
    {"f shaderTensorSupportedStages.VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT", 720, 1},
    {"f shaderTensorSupportedStages.VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT", 721, 1},
    {"f shaderTensorSupportedStages.VK_SHADER_STAGE_VERTEX_BIT", 722, 1},
    {"f shaderTerminateInvocation", 723, 1},
    {"f shaderTessellationAndGeometryPointSize", 724, 1},
    {"f shaderTileImageColorReadAccess", 725, 1},
    {"f shaderTileImageDepthReadAccess", 726, 1},
    {"f shaderTileImageStencilReadAccess", 727, 1},
    {"f shaderUniformBufferArrayDynamicIndexing", 728, 1},
    {"f shaderUniformBufferArrayNonUniformIndexing", 729, 1},
    {"f shaderUniformBufferUnsizedArray", 730, 1},
    {"f shaderUniformTexelBufferArrayDynamicIndexing", 731, 1},
    {"f shaderUniformTexelBufferArrayNonUniformIndexing", 732, 1},
    {"f shaderUntypedPointers", 733, 1},
    {"f shaderZeroInitializeWorkgroupMemory", 734, 1},
    {"f shadingRateCoarseSampleOrder", 735, 1},
    {"f shadingRateImage", 736, 1},
    {"f smoothLines", 737, 1},
    {"f sparseBinding", 738, 1},
    {"f sparseImageFloat32AtomicAdd", 739, 1},
    {"f sparseImageFloat32AtomicMinMax", 740, 1},
    {"f sparseImageFloat32Atomics", 741, 1},
    {"f sparseImageInt64Atomics", 742, 1},
    {"f sparseResidency16Samples", 743, 1},
    {"f sparseResidency2Samples", 744, 1},
    {"f sparseResidency4Samples", 745, 1},
    {"f sparseResidency8Samples", 746, 1},
    {"f sparseResidencyAliased", 747, 1},
    {"f sparseResidencyBuffer", 748, 1},
    {"f sparseResidencyImage2D", 749, 1},
    {"f sparseResidencyImage3D", 750, 1},
    {"f spheres", 751, 1},
    {"f stippledBresenhamLines", 752, 1},
    {"f stippledRectangularLines", 753, 1},
    {"f stippledSmoothLines", 754, 1},
    {"f storageBuffer16BitAccess", 755, 1},
    {"f storageBuffer8BitAccess", 756, 1},
    {"f storageInputOutput16", 757, 1},
    {"f storagePushConstant16", 758, 1},
    {"f storagePushConstant8", 759, 1},
    {"f subgroupBroadcastDynamicId", 760, 1},
    {"f subgroupQuadOperationsInAllStages", 761, 1},
    {"f subgroupSizeControl", 762, 1},
    {"f subgroupSupportedOperations.VK_SUBGROUP_FEATURE_ARITHMETIC_BIT", 763, 1},
    {"f subgroupSupportedOperations.VK_SUBGROUP_FEATURE_BALLOT_BIT", 764, 1},
    {"f subgroupSupportedOperations.VK_SUBGROUP_FEATURE_BASIC_BIT", 765, 1},
    {"f subgroupSupportedOperations.VK_SUBGROUP_FEATURE_CLUSTERED_BIT", 766, 1},
    {"f subgroupSupportedOperations.VK_SUBGROUP_FEATURE_PARTITIONED_BIT_NV", 767, 1},
    {"f subgroupSupportedOperations.VK_SUBGROUP_FEATURE_QUAD_BIT", 768, 1},
    {"f subgroupSupportedOperations.VK_SUBGROUP_FEATURE_SHUFFLE_BIT", 769, 1},
    {"f subgroupSupportedOperations.VK_SUBGROUP_FEATURE_SHUFFLE_RELATIVE_BIT", 770, 1},
    {"f subgroupSupportedOperations.VK_SUBGROUP_FEATURE_VOTE_BIT", 771, 1},
    {"f subgroupSupportedStages.VK_SHADER_STAGE_ANY_HIT_BIT_KHR", 772, 1},
    {"f subgroupSupportedStages.VK_SHADER_STAGE_CALLABLE_BIT_KHR", 773, 1},
    {"f subgroupSupportedStages.VK_SHADER_STAGE_CLOSEST_HIT_BIT_KHR", 774, 1},
    {"f subgroupSupportedStages.VK_SHADER_STAGE_FRAGMENT_BIT", 775, 1},
    {"f subgroupSupportedStages.VK_SHADER_STAGE_GEOMETRY_BIT", 776, 1},
    {"f subgroupSupportedStages.VK_SHADER_STAGE_INTERSECTION_BIT_KHR", 777, 1},
    {"f subgroupSupportedStages.VK_SHADER_STAGE_MESH_BIT_EXT", 778, 1},
    {"f subgroupSupportedStages.VK_SHADER_STAGE_MISS_BIT_KHR", 779, 1},
    {"f subgroupSupportedStages.VK_SHADER_STAGE_RAYGEN_BIT_KHR", 780, 1},
    {"f subgroupSupportedStages.VK_SHADER_STAGE_TASK_BIT_EXT", 781, 1},
    {"f subgroupSupportedStages.VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT", 782, 1},
    {"f subgroupSupportedStages.VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT", 783, 1},
    {"f subgroupSupportedStages.VK_SHADER_STAGE_VERTEX_BIT", 784, 1},
    {"f synchronization2", 785, 1},
    {"f taskShader", 786, 1},
    {"f tensorNonPacked", 787, 1},
    {"f tensors", 788, 1},
    {"f tessellationIsolines", 789, 1},
    {"f tessellationPointMode", 790, 1},
    {"f tessellationShader", 791, 1},
    {"f textureBlockMatch", 792, 1},
    {"f textureBlockMatch2", 793, 1},
    {"f textureBoxFilter", 794, 1},
    {"f textureCompressionASTC_HDR", 795, 1},
    {"f textureCompressionASTC_LDR", 796, 1},
    {"f textureCompressionBC", 797, 1},
    {"f textureCompressionETC2", 798, 1},
    {"f textureSampleWeighted", 799, 1},
    {"f tileShading", 800, 1},
    {"f tileShadingAnisotropicApron", 801, 1},
    {"f tileShadingApron", 802, 1},
    {"f tileShadingAtomicOps", 803, 1},
    {"f tileShadingColorAttachments", 804, 1},
    {"f tileShadingDepthAttachments", 805, 1},
    {"f tileShadingDispatchTile", 806, 1},
    {"f tileShadingFragmentStage", 807, 1},
    {"f tileShadingImageProcessing", 808, 1},
    {"f tileShadingInputAttachments", 809, 1},
    {"f tileShadingPerTileDispatch", 810, 1},
    {"f tileShadingPerTileDraw", 811, 1},
    {"f tileShadingSampledAttachments", 812, 1},
    {"f tileShadingStencilAttachments", 813, 1},
    {"f timelineSemaphore", 814, 1},
    {"f transformFeedback", 815, 1},
    {"f triangleFans", 816, 1},
    {"f uniformAndStorageBuffer16BitAccess", 817, 1},
    {"f uniformAndStorageBuffer8BitAccess", 818, 1},
    {"f uniformBufferStandardLayout", 819, 1},
    {"f variableMultisampleRate", 820, 1},
    {"f variablePointers", 821, 1},
    {"f variablePointersStorageBuffer", 822, 1},
    {"f vertexAttributeAccessBeyondStride", 823, 1},
    {"f vertexAttributeInstanceRateDivisor", 824, 1},
    {"f vertexAttributeInstanceRateZeroDivisor", 825, 1},
    {"f vertexPipelineStoresAndAtomics", 826, 1},
    {"f vulkanMemoryModel", 827, 1},
    {"f vulkanMemoryModelAvailabilityVisibilityChains", 828, 1},
    {"f vulkanMemoryModelDeviceScope", 829, 1},
    {"f wideLines", 830, 1},
    {"f workgroupMemoryExplicitLayout", 831, 1},
    {"f workgroupMemoryExplicitLayout16BitAccess", 832, 1},
    {"f workgroupMemoryExplicitLayout8BitAccess", 833, 1},
    {"f workgroupMemoryExplicitLayoutScalarBlockLayout", 834, 1},
};
static const spvb_vulkan_limit spvb_vulkan_limits[] = {
    {"maxBoundDescriptorSets", offsetof(VkPhysicalDeviceLimits, maxBoundDescriptorSets)},
    {"maxComputeSharedMemorySize", offsetof(VkPhysicalDeviceLimits, maxComputeSharedMemorySize)},
    {"maxComputeWorkGroupCount.0", offsetof(VkPhysicalDeviceLimits, maxComputeWorkGroupCount[0])},
    {"maxComputeWorkGroupCount.1", offsetof(VkPhysicalDeviceLimits, maxComputeWorkGroupCount[1])},
    {"maxComputeWorkGroupCount.2", offsetof(VkPhysicalDeviceLimits, maxComputeWorkGroupCount[2])},
    {"maxComputeWorkGroupInvocations", offsetof(VkPhysicalDeviceLimits, maxComputeWorkGroupInvocations)},
    {"maxComputeWorkGroupSize.0", offsetof(VkPhysicalDeviceLimits, maxComputeWorkGroupSize[0])},
    {"maxComputeWorkGroupSize.1", offsetof(VkPhysicalDeviceLimits, maxComputeWorkGroupSize[1])},
    {"maxComputeWorkGroupSize.2", offsetof(VkPhysicalDeviceLimits, maxComputeWorkGroupSize[2])},
    {"maxFragmentOutputAttachments", offsetof(VkPhysicalDeviceLimits, maxFragmentOutputAttachments)},
    {"maxGeometryOutputVertices", offsetof(VkPhysicalDeviceLimits, maxGeometryOutputVertices)},
    {"maxGeometryShaderInvocations", offsetof(VkPhysicalDeviceLimits, maxGeometryShaderInvocations)},
    {"maxPerStageDescriptorSampledImages", offsetof(VkPhysicalDeviceLimits, maxPerStageDescriptorSampledImages)},
    {"maxPerStageDescriptorSamplers", offsetof(VkPhysicalDeviceLimits, maxPerStageDescriptorSamplers)},
    {"maxPerStageDescriptorStorageBuffers", offsetof(VkPhysicalDeviceLimits, maxPerStageDescriptorStorageBuffers)},
    {"maxPerStageDescriptorStorageImages", offsetof(VkPhysicalDeviceLimits, maxPerStageDescriptorStorageImages)},
    {"maxPerStageDescriptorUniformBuffers", offsetof(VkPhysicalDeviceLimits, maxPerStageDescriptorUniformBuffers)},
    {"maxPerStageResources", offsetof(VkPhysicalDeviceLimits, maxPerStageResources)},
    {"maxPushConstantsSize", offsetof(VkPhysicalDeviceLimits, maxPushConstantsSize)},
    {"maxStorageBufferRange", offsetof(VkPhysicalDeviceLimits, maxStorageBufferRange)},
    {"maxTessellationPatchSize", offsetof(VkPhysicalDeviceLimits, maxTessellationPatchSize)},
    {"maxUniformBufferRange", offsetof(VkPhysicalDeviceLimits, maxUniformBufferRange)},
};
static const spvb_vulkan_spirv spvb_vulkan_spirv_versions[] = {
    {0x100, 0x100, 0},
    {0x101, 0x101, 0},
    {0x102, 0x101, 0},
    {0x103, 0x101, 0},
    {0x104, 0x102, "VK_KHR_spirv_1_4"},
    {0x105, 0x102, 0},
    {0x106, 0x103, 0},
};
static const spvb_vulkan_driver spvb_vulkan_drivers[] = {
    {"amd", 1, {10, 10, 12, 0}},
    {"amdvlk", 2, {10, 10, 12, 0}},
    {"radv", 3, {10, 10, 12, 0}},
    {"nvidia", 4, {10, 8, 8, 6}},
    {"intel", 5, {18, 14, 0, 0}},
    {"anv", 6, {10, 10, 12, 0}},
    {"imagination", 7, {10, 10, 12, 0}},
    {"qualcomm", 8, {10, 10, 12, 0}},
    {"arm", 9, {10, 10, 12, 0}},
    {"swiftshader", 10, {10, 10, 12, 0}},
    {"ggp", 11, {0, 0, 0, 0}},
    {"broadcom", 12, {10, 10, 12, 0}},
    {"lavapipe", 13, {10, 10, 12, 0}},
    {"moltenvk", 14, {0, 0, 0, 0}},
    {"coreavi", 15, {0, 0, 0, 0}},
    {"juice", 16, {0, 0, 0, 0}},
    {"verisilicon", 17, {10, 10, 12, 0}},
    {"turnip", 18, {10, 10, 12, 0}},
    {"v3dv", 19, {10, 10, 12, 0}},
    {"panvk", 20, {10, 10, 12, 0}},
    {"samsung", 21, {10, 10, 12, 0}},
    {"venus", 22, {10, 10, 12, 0}},
    {"dozen", 23, {10, 10, 12, 0}},
    {"nvk", 24, {10, 10, 12, 0}},
    {"pvr", 25, {10, 10, 12, 0}},
    {"honeykrisp", 26, {10, 10, 12, 0}},
    {"vulkan_sc_emulation", 27, {0, 0, 0, 0}},
    {"kosmickrisp", 28, {10, 10, 12, 0}},
    {"gfxstream", 29, {0, 0, 0, 0}},
    {"ape_soft", 30, {0, 0, 0, 0}},
};
/* until here */

/* The head of every structure in a chain. */
typedef struct spvb_vulkan_head {
    VkStructureType type;
    const void *next;
} spvb_vulkan_head;

/* Finds a member in a chain. */
static const uint32_t *spvb_vulkan_find(const void *chain, const spvb_vulkan_member *member)
{
    for (const spvb_vulkan_head *at = (const spvb_vulkan_head *)chain; at; at = (const spvb_vulkan_head *)at->next)
        for (uint32_t place = member->first; place < (uint32_t)member->first + member->count; place++)
            if ((uint32_t)at->type == spvb_vulkan_places[place].structure)
                return (const uint32_t *)((const char *)at + sizeof *at + spvb_vulkan_places[place].offset);
    return NULL;
}

/* The smaller one of the device's and the application's version: 0x102 for 1.2. */
static uint32_t spvb_vulkan_version(const spvb_vulkan *device)
{
    uint32_t of_device = device->properties->apiVersion, version = device->application_version;
    if (version == 0) version = VK_MAKE_VERSION(1, 0, 0);
    if (of_device < version) version = of_device;
    return (version >> 22 & 0x7f) << 8 | (version >> 12 & 0x3ff);
}

static int spvb_vulkan_has_extension(const spvb_vulkan *device, const char *name)
{
    for (uint32_t index = 0; index < device->created->enabledExtensionCount; index++)
        if (strcmp(device->created->ppEnabledExtensionNames[index], name) == 0) return 1;
    return 0;
}

/* Answers if a member is what a way needs. Features without their structure in the chain are off. Properties without theirs are unknown. */
static uint8_t spvb_vulkan_member_is(const spvb_vulkan *device, const spvb_vulkan_way *way)
{
    const spvb_vulkan_member *member = &spvb_vulkan_members[way->member];
    const uint32_t *value = spvb_vulkan_find(device->created->pNext, member);
    if (!value) value = spvb_vulkan_find(device->property_chain, member);
    /* The first features are also passed without a chain. */
    for (uint32_t place = member->first; !value && place < (uint32_t)member->first + member->count; place++)
        if (spvb_vulkan_places[place].structure == 1000059000 && device->created->pEnabledFeatures)
            value = (const uint32_t *)((const char *)device->created->pEnabledFeatures + spvb_vulkan_places[place].offset);
    if (!value) return way->test == SPVB_VULKAN_ON ? SPVB_NO : SPVB_UNKNOWN;
    switch (way->test) {
    case SPVB_VULKAN_ON: return *value != 0;
    case SPVB_VULKAN_HAS_BIT: return (*value & way->value) != 0;
    default: return *value == way->value;
    }
}

static uint8_t spvb_vulkan_way_is(const spvb_vulkan *device, const spvb_vulkan_way *way)
{
    if (way->extension && way->extension[0] == '!') {
        if (!spvb_vulkan_has_extension(device, way->extension + 1)) return SPVB_YES;
    } else if (way->version || way->extension) {
        int is_included = way->version && spvb_vulkan_version(device) >= way->version;
        if (!is_included && !(way->extension && spvb_vulkan_has_extension(device, way->extension))) return SPVB_NO;
    }
    if (way->test == SPVB_VULKAN_TYPE) return (uint32_t)device->properties->deviceType == way->value;
    return way->member == 0xffff ? SPVB_YES : spvb_vulkan_member_is(device, way);
}

/* Answers by the table, where a question without a row is no. */
static uint8_t spvb_vulkan_by_table(const spvb_vulkan *device, char kind, spvb_text name)
{
    const spvb_row *row = spvb_find_row(spvb_vulkan_questions, sizeof spvb_vulkan_questions / sizeof spvb_vulkan_questions[0], kind, name);
    uint8_t answer = SPVB_NO;
    for (uint32_t way = 0; row && way < row->count; way++) {
        uint8_t of_way = spvb_vulkan_way_is(device, &spvb_vulkan_ways[row->first + way]);
        if (of_way == SPVB_YES) return SPVB_YES;
        if (of_way == SPVB_UNKNOWN) answer = SPVB_UNKNOWN;
    }
    return answer;
}

/* A member of properties by the number of a structure and its place, or of another structure. */
static const uint32_t *spvb_vulkan_property(const spvb_vulkan *device, uint32_t structure, size_t offset,
                                            uint32_t other, size_t other_offset)
{
    for (const spvb_vulkan_head *at = (const spvb_vulkan_head *)device->property_chain; at;
         at = (const spvb_vulkan_head *)at->next) {
        if ((uint32_t)at->type == structure) return (const uint32_t *)((const char *)at + sizeof *at + offset);
        if ((uint32_t)at->type == other) return (const uint32_t *)((const char *)at + sizeof *at + other_offset);
    }
    return NULL;
}

/* Compares the size of sub-groups. A device with several sizes supports each of them (==). Other comparisons are known if they are the same for all of its sizes. */
static uint8_t spvb_vulkan_sub_groups(const spvb_vulkan *device, const spvb_leaf *leaf)
{
    const uint32_t *size = spvb_vulkan_property(device, 1000094000, 0, 50, 48);
    const uint32_t *least = spvb_vulkan_property(device, 1000225000, 0, 54, 0);
    if (least && leaf->sign == SPVB_EQUAL) {
        uint32_t wanted = leaf->bound[0];
        return wanted >= least[0] && wanted <= least[1] && (wanted & (wanted - 1)) == 0;
    }
    if (least) {
        uint8_t of_least = spvb_compare(least[0], leaf), of_most = spvb_compare(least[1], leaf);
        return of_least == of_most ? of_least : SPVB_UNKNOWN;
    }
    return size ? spvb_compare(*size, leaf) : SPVB_UNKNOWN;
}

/* Compares the driver and its version. */
static uint8_t spvb_vulkan_driver_is(const spvb_vulkan *device, const spvb_leaf *leaf)
{
    const uint32_t *id = spvb_vulkan_property(device, 1000196000, 0, 52, 0);
    if (!id) return SPVB_UNKNOWN;
    for (size_t index = 0; index < sizeof spvb_vulkan_drivers / sizeof spvb_vulkan_drivers[0]; index++) {
        const spvb_vulkan_driver *driver = &spvb_vulkan_drivers[index];
        if (!spvb_is(leaf->argument, driver->name)) continue;
        if (driver->id != *id) return SPVB_NO;
        if (leaf->sign == SPVB_NO_SIGN) return SPVB_YES;
        if (driver->bits[0] == 0) return SPVB_UNKNOWN;
        uint32_t version = device->properties->driverVersion, used = 0;
        int order = 0;
        for (int part = 0; part < 4 && order == 0; part++) {
            uint32_t bits = driver->bits[part], has = 0, bound = leaf->bound[part];
            if (bits) {
                used += bits;
                has = version >> (32 - used) & (((uint32_t)1 << bits) - 1);
            }
            order = (has > bound) - (has < bound);
        }
        spvb_leaf compared = *leaf;
        compared.bound[0] = 1;
        return spvb_compare((uint64_t)(1 + order), &compared);
    }
    return SPVB_NO;
}

/* Answers a leaf of a condition or a requirement. */
static uint8_t spvb_vulkan_answer_leaf(void *context, const spvb_leaf *leaf)
{
    const spvb_vulkan *device = (const spvb_vulkan *)context;
    spvb_text name = leaf->name, argument = leaf->argument;
    const VkPhysicalDeviceLimits *limits = &device->properties->limits;
    if (spvb_is(name, "cap")) return spvb_vulkan_by_table(device, 'c', argument);
    if (spvb_is(name, "ext")) return spvb_vulkan_by_table(device, 'e', argument);
    if (spvb_is(name, "driver")) return spvb_vulkan_driver_is(device, leaf);
    if (spvb_is(name, "host") || spvb_is(name, "arch") || spvb_is(name, "target")) return SPVB_UNKNOWN;
    if (spvb_is(name, "feature") || spvb_is(name, "limit")) {
        if (argument.size < 7 || memcmp(argument.text, "vulkan:", 7) != 0) return SPVB_NO;
        argument.text += 7;
        argument.size -= 7;
        if (name.size == 7) return spvb_vulkan_by_table(device, 'f', argument);
        for (size_t index = 0; index < sizeof spvb_vulkan_limits / sizeof spvb_vulkan_limits[0]; index++)
            if (spvb_is(argument, spvb_vulkan_limits[index].name))
                return spvb_compare(*(const uint32_t *)((const char *)limits + spvb_vulkan_limits[index].offset), leaf);
        return SPVB_UNKNOWN;
    }
    if (spvb_is(name, "subgroup_size")) return spvb_vulkan_sub_groups(device, leaf);
    if (spvb_is(name, "max_work_group_size")) return spvb_compare(limits->maxComputeWorkGroupInvocations, leaf);
    if (spvb_is(name, "max_shared_memory")) return spvb_compare(limits->maxComputeSharedMemorySize, leaf);
    spvb_leaf versions = *leaf;
    versions.bound[0] = leaf->bound[0] << 8 | (leaf->bound[1] & 0xff);
    if (spvb_is(name, "vulkan_version")) return spvb_compare(spvb_vulkan_version(device), &versions);
    if (spvb_is(name, "opencl_version")) return SPVB_NO;
    if (spvb_is(name, "spirv_version")) {
        uint32_t newest = 0;
        for (size_t index = 0; index < sizeof spvb_vulkan_spirv_versions / sizeof spvb_vulkan_spirv_versions[0]; index++) {
            const spvb_vulkan_spirv *row = &spvb_vulkan_spirv_versions[index];
            int accepts = row->version && spvb_vulkan_version(device) >= row->version && !row->extension;
            if (row->extension) accepts = spvb_vulkan_version(device) >= 0x102 || spvb_vulkan_has_extension(device, row->extension);
            if (accepts && row->spirv > newest) newest = row->spirv;
        }
        return spvb_compare(newest, &versions);
    }
    if (spvb_is(name, "aspect")) name = argument;
    return spvb_vulkan_by_table(device, 'a', name);
}

/* Answers a question by its text. */
static uint8_t spvb_vulkan_answer(const spvb_vulkan *device, spvb_text question)
{
    return spvb_evaluate(question, spvb_vulkan_answer_leaf, (void *)device);
}

/* Answers all questions of a bundle, as many as spvb_question_count says. */
static void spvb_vulkan_answer_all(const spvb_bundle *bundle, const spvb_vulkan *device, uint8_t *answers)
{
    for (uint32_t question = 0; question < spvb_question_count(bundle); question++) {
        spvb_kind kind;
        spvb_text text = spvb_question(bundle, question, &kind);
        answers[question] = kind == SPVB_CONSTANT ? SPVB_UNKNOWN : spvb_vulkan_answer(device, text);
    }
}

#endif
