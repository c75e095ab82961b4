/* Runs the shader `tint` of a ready bundle on the first Vulkan device: `ready app.spvb` (see README.md). Failures are not handled: they end the program. */
#include <spvb_vulkan.h>
#include <stdio.h>
#include <stdlib.h>

#define MUST(call) if ((call) != 0) exit((fprintf(stderr, "failed: %s\n", #call), 1))

int main(int count, char **arguments)
{
    static uint8_t bytes[1 << 20];
    FILE *file = count == 2 ? fopen(arguments[1], "rb") : NULL;
    if (!file) return 2;
    size_t size = fread(bytes, 1, sizeof bytes, file);
    VkInstance instance; VkPhysicalDevice physical; VkDevice device; VkQueue queue; VkShaderModule module; VkPipelineLayout layout; VkPipeline pipeline;
    VkDescriptorSetLayout set_layout; VkDescriptorPool pool; VkDescriptorSet set; VkBuffer buffer; VkDeviceMemory memory; VkCommandPool commands_pool; VkCommandBuffer commands;
    /* A device with the features that the shader may use, as far as they exist. */
    VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO, .apiVersion = VK_API_VERSION_1_2};
    VkInstanceCreateInfo instance_info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO, .pApplicationInfo = &application};
    MUST(vkCreateInstance(&instance_info, NULL, &instance));
    uint32_t one = 1, shader;
    vkEnumeratePhysicalDevices(instance, &one, &physical);
    VkPhysicalDeviceVulkan12Features exist = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES};
    VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = &exist};
    vkGetPhysicalDeviceFeatures2(physical, &features);
    VkPhysicalDeviceVulkan11Properties limits = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_PROPERTIES};
    VkPhysicalDeviceProperties2 properties = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &limits};
    vkGetPhysicalDeviceProperties2(physical, &properties);
    VkPhysicalDeviceVulkan12Features on = {.sType = exist.sType, .shaderFloat16 = exist.shaderFloat16 && !getenv("NO_HALVES")};
    VkDeviceQueueCreateInfo queue_info = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO, .queueCount = 1, .pQueuePriorities = (float[]){1}};
    VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, .pNext = &on, .queueCreateInfoCount = 1, .pQueueCreateInfos = &queue_info};
    MUST(vkCreateDevice(physical, &info, NULL, &device));

    /* The module for this device: questions are answered once, and then each shader is a look-up and a copy. */
    const spvb_bundle *bundle;
    MUST(spvb_open(bytes, size, &bundle));
    spvb_vulkan answering = {&info, &properties.properties, properties.pNext, application.apiVersion};
    uint8_t *answers = malloc(spvb_question_count(bundle) + 1);
    spvb_vulkan_answer_all(bundle, &answering, answers);
    spvb_choice choice;
    MUST(spvb_find(bundle, "tint", &shader));
    MUST(spvb_select(bundle, shader, answers, &choice));
    uint32_t *words = malloc(4 * (size_t)choice.words);
    MUST(spvb_write(bundle, &choice, words, NULL));
    MUST(vkCreateShaderModule(device, &(VkShaderModuleCreateInfo){.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = 4 * (size_t)choice.words, .pCode = words}, NULL, &module));

    /* A pipeline of it, and a buffer of 64 colours. */
    VkDescriptorSetLayoutBinding binding = {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL};
    MUST(vkCreateDescriptorSetLayout(device, &(VkDescriptorSetLayoutCreateInfo){.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, .bindingCount = 1, .pBindings = &binding}, NULL, &set_layout));
    MUST(vkCreatePipelineLayout(device, &(VkPipelineLayoutCreateInfo){.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO, .setLayoutCount = 1, .pSetLayouts = &set_layout}, NULL, &layout));
    VkComputePipelineCreateInfo pipeline_info = {.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO, .layout = layout,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO, .stage = VK_SHADER_STAGE_COMPUTE_BIT, .module = module, .pName = "main"}};
    MUST(vkCreateComputePipelines(device, VK_NULL_HANDLE, 1, &pipeline_info, NULL, &pipeline));
    MUST(vkCreateBuffer(device, &(VkBufferCreateInfo){.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = 1024, .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT}, NULL, &buffer));
    VkPhysicalDeviceMemoryProperties memories;
    vkGetPhysicalDeviceMemoryProperties(physical, &memories);
    VkMemoryAllocateInfo memory_info = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, .allocationSize = 1024};
    while (~memories.memoryTypes[memory_info.memoryTypeIndex].propertyFlags & 6) memory_info.memoryTypeIndex++; /* visible and coherent */
    float(*colors)[4];
    MUST(vkAllocateMemory(device, &memory_info, NULL, &memory));
    MUST(vkBindBufferMemory(device, buffer, memory, 0));
    MUST(vkMapMemory(device, memory, 0, 1024, 0, (void **)&colors));
    for (int color = 0; color < 64; color++) colors[color][0] = 0.1f * (float)color;
    MUST(vkCreateDescriptorPool(device, &(VkDescriptorPoolCreateInfo){.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, .maxSets = 1, .poolSizeCount = 1, .pPoolSizes = &(VkDescriptorPoolSize){VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1}}, NULL, &pool));
    MUST(vkAllocateDescriptorSets(device, &(VkDescriptorSetAllocateInfo){.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO, .descriptorPool = pool, .descriptorSetCount = 1, .pSetLayouts = &set_layout}, &set));
    VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET, .dstSet = set, .descriptorCount = 1, .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, .pBufferInfo = &(VkDescriptorBufferInfo){buffer, 0, VK_WHOLE_SIZE}};
    vkUpdateDescriptorSets(device, 1, &write, 0, NULL);
    MUST(vkCreateCommandPool(device, &(VkCommandPoolCreateInfo){.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO}, NULL, &commands_pool));
    MUST(vkAllocateCommandBuffers(device, &(VkCommandBufferAllocateInfo){.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, .commandPool = commands_pool, .commandBufferCount = 1}, &commands));
    MUST(vkBeginCommandBuffer(commands, &(VkCommandBufferBeginInfo){.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO}));
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0, NULL);
    vkCmdDispatch(commands, 1, 1, 1);
    MUST(vkEndCommandBuffer(commands));
    vkGetDeviceQueue(device, 0, 0, &queue);
    MUST(vkQueueSubmit(queue, 1, &(VkSubmitInfo){.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &commands}, VK_NULL_HANDLE));
    MUST(vkQueueWaitIdle(queue));
    printf("%s: result %u of %u words, %.4f squared is %.4f\n", properties.properties.deviceName, choice.result, choice.words, 6.3, colors[63][0]);
    spvb_close(bundle);
    return 0;
}
