#!/usr/bin/env bash
# Question: does a shader compute the same from a specialization constant as from the same value in a buffer?
#
# Good guess: yes. Vulkan's appendix "Precision and Operation of SPIR-V Instructions" has conversions correctly rounded, so uint(float(16777217)) is 16777216 in any
# case: a float has 24 bits. Only what the appendix leaves open may differ from device to device, not from one value to the other on the same device.
#
# Truth: lavapipe takes OpConvertUToF and OpConvertFToU together for no conversion at all, so that what comes from a buffer stays 16777217, while it computes 16777216 from a
# constant. It takes them as they are if one of them has NoContraction, though that is for arithmetic. And it flushes subnormal numbers to zero,
# which Vulkan allows, but does not do so when it computes with constants: half of 3 * 2^-149 is 0 from a buffer, and 2 * 2^-149 from a constant.
#
# Why it matters: values that become constants, by a tool or by the driver, change results of a correct shader. A test that compares a specialized shader with the general one
# bit by bit finds such differences, and blames the tool. Compare with the driver's own result for VkSpecializationInfo.
# shellcheck source=findings/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
bring_packages mesa-vulkan-drivers=26.2.6-1 libvulkan1=1.4.363.0-1 libvulkan-dev=1.4.363.0-1 spirv-tools=2026.4~rc2-1

# shader NAME LINE...: assembles a shader that converts and halves a number from the buffer and the constant with the same value, with these decorations.
shader() {
    in_root spirv-as --target-env vulkan1.1 - -o "$folder/$1.spv" <<ASM
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 1 1 1
OpDecorate %constant SpecId 0
OpDecorate %numbers ArrayStride 4
OpDecorate %block Block
OpMemberDecorate %block 0 Offset 0
OpDecorate %buffer DescriptorSet 0
OpDecorate %buffer Binding 0
$(printf '%s\n' "${@:2}")
%void = OpTypeVoid
%type = OpTypeFunction %void
%uint = OpTypeInt 32 0
%float = OpTypeFloat 32
%half = OpConstant %float 0.5
%c0 = OpConstant %uint 0
%c1 = OpConstant %uint 1
%c2 = OpConstant %uint 2
%c3 = OpConstant %uint 3
%c4 = OpConstant %uint 4
%constant = OpSpecConstant %uint 0
%numbers = OpTypeRuntimeArray %uint
%block = OpTypeStruct %numbers
%to_block = OpTypePointer StorageBuffer %block
%buffer = OpVariable %to_block StorageBuffer
%to_uint = OpTypePointer StorageBuffer %uint
%main = OpFunction %void None %type
%start = OpLabel
%p0 = OpAccessChain %to_uint %buffer %c0 %c0
%p1 = OpAccessChain %to_uint %buffer %c0 %c1
%p2 = OpAccessChain %to_uint %buffer %c0 %c2
%p3 = OpAccessChain %to_uint %buffer %c0 %c3
%p4 = OpAccessChain %to_uint %buffer %c0 %c4
%number = OpLoad %uint %p0
%float1 = OpConvertUToF %float %number
%uint1 = OpConvertFToU %uint %float1
OpStore %p1 %uint1
%float2 = OpConvertUToF %float %constant
%uint2 = OpConvertFToU %uint %float2
OpStore %p2 %uint2
%float3 = OpBitcast %float %number
%half3 = OpFMul %float %float3 %half
%uint3 = OpBitcast %uint %half3
OpStore %p3 %uint3
%float4 = OpBitcast %float %constant
%half4 = OpFMul %float %float4 %half
%uint4 = OpBitcast %uint %half4
OpStore %p4 %uint4
OpReturn
OpFunctionEnd
ASM
    in_root spirv-val --target-env vulkan1.1 "$folder/$1.spv"
}
shader plain
shader held 'OpDecorate %float1 NoContraction'

# A program that runs a shader for a number, which is in the buffer and in constant 0, and prints what the shader stores behind it.
cat >"$folder/run.c" <<'C'
#include <stdio.h>
#include <stdlib.h>
#include <vulkan/vulkan.h>

#define TYPE(name) .sType = VK_STRUCTURE_TYPE_##name
static void check(VkResult result) {
    if (result != VK_SUCCESS) exit(1);
}

int main(int count, char **arguments) {
    static uint32_t code[1 << 16];
    size_t size = fread(code, 1, sizeof code, fopen(arguments[1], "rb"));
    uint32_t number = strtoul(arguments[count - 1], NULL, 0), one = 1, *numbers;

    VkApplicationInfo application = {TYPE(APPLICATION_INFO), .apiVersion = VK_API_VERSION_1_2};
    VkInstanceCreateInfo instance_info = {TYPE(INSTANCE_CREATE_INFO), .pApplicationInfo = &application};
    VkInstance instance;
    check(vkCreateInstance(&instance_info, NULL, &instance));
    VkPhysicalDevice physical;
    check(vkEnumeratePhysicalDevices(instance, &one, &physical));
    VkPhysicalDeviceDriverProperties driver = {TYPE(PHYSICAL_DEVICE_DRIVER_PROPERTIES)};
    VkPhysicalDeviceProperties2 properties = {TYPE(PHYSICAL_DEVICE_PROPERTIES_2), .pNext = &driver};
    vkGetPhysicalDeviceProperties2(physical, &properties);
    float priority = 1;
    VkDeviceQueueCreateInfo queue_info = {TYPE(DEVICE_QUEUE_CREATE_INFO), .queueCount = 1, .pQueuePriorities = &priority};
    VkDeviceCreateInfo device_info = {TYPE(DEVICE_CREATE_INFO), .queueCreateInfoCount = 1, .pQueueCreateInfos = &queue_info};
    VkDevice device;
    check(vkCreateDevice(physical, &device_info, NULL, &device));

    VkBufferCreateInfo buffer_info = {TYPE(BUFFER_CREATE_INFO), .size = 64, .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT};
    VkBuffer buffer;
    check(vkCreateBuffer(device, &buffer_info, NULL, &buffer));
    VkMemoryRequirements needs;
    vkGetBufferMemoryRequirements(device, buffer, &needs);
    VkMemoryAllocateInfo memory_info = {TYPE(MEMORY_ALLOCATE_INFO), .allocationSize = needs.size}; /* lavapipe has one type */
    VkDeviceMemory memory;
    check(vkAllocateMemory(device, &memory_info, NULL, &memory));
    check(vkBindBufferMemory(device, buffer, memory, 0));
    check(vkMapMemory(device, memory, 0, VK_WHOLE_SIZE, 0, (void **)&numbers));
    numbers[0] = number;

    VkDescriptorSetLayoutBinding binding = {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT};
    VkDescriptorSetLayoutCreateInfo set_info = {TYPE(DESCRIPTOR_SET_LAYOUT_CREATE_INFO), .bindingCount = 1, .pBindings = &binding};
    VkDescriptorSetLayout set_layout;
    check(vkCreateDescriptorSetLayout(device, &set_info, NULL, &set_layout));
    VkPipelineLayoutCreateInfo layout_info = {TYPE(PIPELINE_LAYOUT_CREATE_INFO), .setLayoutCount = 1, .pSetLayouts = &set_layout};
    VkPipelineLayout layout;
    check(vkCreatePipelineLayout(device, &layout_info, NULL, &layout));
    VkShaderModuleCreateInfo module_info = {TYPE(SHADER_MODULE_CREATE_INFO), .codeSize = size, .pCode = code};
    VkShaderModule module;
    check(vkCreateShaderModule(device, &module_info, NULL, &module));
    VkSpecializationMapEntry entry = {0, 0, sizeof number};
    VkSpecializationInfo constants = {1, &entry, sizeof number, &number};
    VkComputePipelineCreateInfo pipeline_info = {TYPE(COMPUTE_PIPELINE_CREATE_INFO), .layout = layout,
        .stage = {TYPE(PIPELINE_SHADER_STAGE_CREATE_INFO), .stage = VK_SHADER_STAGE_COMPUTE_BIT, .module = module, .pName = "main",
            .pSpecializationInfo = &constants}};
    VkPipeline pipeline;
    check(vkCreateComputePipelines(device, VK_NULL_HANDLE, 1, &pipeline_info, NULL, &pipeline));

    VkDescriptorPoolSize pool_size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1};
    VkDescriptorPoolCreateInfo pool_info = {TYPE(DESCRIPTOR_POOL_CREATE_INFO), .maxSets = 1, .poolSizeCount = 1, .pPoolSizes = &pool_size};
    VkDescriptorPool pool;
    check(vkCreateDescriptorPool(device, &pool_info, NULL, &pool));
    VkDescriptorSetAllocateInfo allocate_info = {TYPE(DESCRIPTOR_SET_ALLOCATE_INFO), .descriptorPool = pool, .descriptorSetCount = 1, .pSetLayouts = &set_layout};
    VkDescriptorSet set;
    check(vkAllocateDescriptorSets(device, &allocate_info, &set));
    VkDescriptorBufferInfo whole = {buffer, 0, VK_WHOLE_SIZE};
    VkWriteDescriptorSet write = {TYPE(WRITE_DESCRIPTOR_SET), .dstSet = set, .descriptorCount = 1,
        .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, .pBufferInfo = &whole};
    vkUpdateDescriptorSets(device, 1, &write, 0, NULL);

    VkCommandPoolCreateInfo commands_info = {TYPE(COMMAND_POOL_CREATE_INFO)};
    VkCommandPool commands;
    check(vkCreateCommandPool(device, &commands_info, NULL, &commands));
    VkCommandBufferAllocateInfo command_info = {TYPE(COMMAND_BUFFER_ALLOCATE_INFO), .commandPool = commands, .commandBufferCount = 1};
    VkCommandBuffer command;
    check(vkAllocateCommandBuffers(device, &command_info, &command));
    VkCommandBufferBeginInfo begin = {TYPE(COMMAND_BUFFER_BEGIN_INFO)};
    check(vkBeginCommandBuffer(command, &begin));
    vkCmdBindPipeline(command, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    vkCmdBindDescriptorSets(command, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0, NULL);
    vkCmdDispatch(command, 1, 1, 1);
    check(vkEndCommandBuffer(command));
    VkQueue queue;
    vkGetDeviceQueue(device, 0, 0, &queue);
    VkSubmitInfo submit = {TYPE(SUBMIT_INFO), .commandBufferCount = 1, .pCommandBuffers = &command};
    check(vkQueueSubmit(queue, 1, &submit, VK_NULL_HANDLE));
    check(vkQueueWaitIdle(queue));
    printf("%s %s, %u: converted %u from the buffer, %u from the constant; half %u from the buffer, %u from the constant\n",
        driver.driverName, driver.driverInfo, number, numbers[1], numbers[2], numbers[3], numbers[4]);
}
C
cc -I"$unpacked/usr/include" "$folder/run.c" -o "$folder/run" -Wl,--allow-shlib-undefined "$unpacked/usr/lib/$triplet/libvulkan.so.1"

export VK_DRIVER_FILES=$unpacked/usr/share/vulkan/icd.d/lvp_icd.json VK_LOADER_LAYERS_DISABLE='~all~' MESA_SHADER_CACHE_DISABLE=true
found=$(for arguments in 'plain.spv 16777217' 'held.spv 16777217' 'plain.spv 3'; do
    read -r name number <<<"$arguments"
    echo "$name: $("$unpacked/$loader" --library-path "$unpacked/usr/lib/$triplet" "$folder/run" "$folder/$name" "$number")"
done)
echo "$found"
[[ $found == *'plain.spv: '*'16777217: converted 16777217 from the buffer, 16777216 from the constant'*'held.spv: '*'converted 16777216 from the buffer, 16777216 from the constant'*'plain.spv: '*' 3: '*'half 0 from the buffer, 2 from the constant' ]] ||
    changed 'the driver does something else'
