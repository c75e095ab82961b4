/* Loads one packed module on the first Vulkan device of this machine, whatever of it the application enables:
 *
 *   spirv-if pack fixtures/vulkan/reduce.spv -o target/reduce.spv
 *   vulkan target/reduce.spv [half] [double]
 *
 * Its kernel adds numbers in double precision, else in half precision, else in single (fixtures/vulkan/reduce.comp), and writes down
 * which of them ran. `half` enables shaderFloat16, and `double` shaderFloat64: without these words the kernel may use neither, even if
 * the hardware has both. */
#include "packed.h"

#include <string.h>
#include <vulkan/vulkan.h>

#define PARTS 3
#define PART 1024 /* bytes, for each of the three bindings */
#define API VK_API_VERSION_1_2

static void vulkan(VkResult result, const char *call) {
    if (result == VK_SUCCESS) return;
    fprintf(stderr, "%s: error %d\n", call, result);
    exit(1);
}
#define VK(call) vulkan(call, #call)

static VkBuffer make_buffer(VkPhysicalDevice physical, VkDevice device, VkDeviceMemory *memory) {
    VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = PARTS * PART,
                               .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT};
    VkBuffer buffer;
    VK(vkCreateBuffer(device, &info, NULL, &buffer));
    VkMemoryRequirements needs;
    vkGetBufferMemoryRequirements(device, buffer, &needs);
    VkPhysicalDeviceMemoryProperties known;
    vkGetPhysicalDeviceMemoryProperties(physical, &known);
    VkMemoryPropertyFlags wanted = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    uint32_t type = 0;
    while (!(needs.memoryTypeBits >> type & 1) || (known.memoryTypes[type].propertyFlags & wanted) != wanted) ++type;
    VkMemoryAllocateInfo allocate = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, NULL, needs.size, type};
    VK(vkAllocateMemory(device, &allocate, NULL, memory));
    VK(vkBindBufferMemory(device, buffer, *memory, 0));
    return buffer;
}

/* Runs the kernel once, on one work-group. */
static void run(VkDevice device, uint32_t family, VkBuffer buffer, const uint32_t *words, size_t count) {
    VkDescriptorSetLayoutBinding bindings[PARTS];
    VkDescriptorBufferInfo parts[PARTS];
    for (uint32_t at = 0; at < PARTS; ++at) {
        bindings[at] = (VkDescriptorSetLayoutBinding){at, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL};
        parts[at] = (VkDescriptorBufferInfo){buffer, at * PART, PART};
    }
    VkDescriptorSetLayoutCreateInfo set_info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
                                                .bindingCount = PARTS, .pBindings = bindings};
    VkDescriptorSetLayout set_layout;
    VK(vkCreateDescriptorSetLayout(device, &set_info, NULL, &set_layout));
    VkPushConstantRange pushed = {VK_SHADER_STAGE_COMPUTE_BIT, 0, 8};
    VkPipelineLayoutCreateInfo layout_info = {VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO, NULL, 0, 1, &set_layout, 1, &pushed};
    VkPipelineLayout layout;
    VK(vkCreatePipelineLayout(device, &layout_info, NULL, &layout));

    VkShaderModuleCreateInfo shader_info = {VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, NULL, 0, 4 * count, words};
    VkShaderModule shader;
    VK(vkCreateShaderModule(device, &shader_info, NULL, &shader));
    VkComputePipelineCreateInfo pipeline_info = {.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO, .layout = layout};
    pipeline_info.stage = (VkPipelineShaderStageCreateInfo){
        VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO, NULL, 0, VK_SHADER_STAGE_COMPUTE_BIT, shader, "main", NULL};
    VkPipeline pipeline;
    VK(vkCreateComputePipelines(device, VK_NULL_HANDLE, 1, &pipeline_info, NULL, &pipeline));

    VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, PARTS};
    VkDescriptorPoolCreateInfo pool_info = {VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, NULL, 0, 1, 1, &size};
    VkDescriptorPool sets;
    VK(vkCreateDescriptorPool(device, &pool_info, NULL, &sets));
    VkDescriptorSetAllocateInfo of_set = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO, NULL, sets, 1, &set_layout};
    VkDescriptorSet set;
    VK(vkAllocateDescriptorSets(device, &of_set, &set));
    VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET, .dstSet = set, .descriptorCount = PARTS,
                                  .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, .pBufferInfo = parts};
    vkUpdateDescriptorSets(device, 1, &write, 0, NULL);

    VkCommandPoolCreateInfo commands_info = {VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO, NULL, 0, family};
    VkCommandPool pool;
    VK(vkCreateCommandPool(device, &commands_info, NULL, &pool));
    VkCommandBufferAllocateInfo of_commands = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, NULL, pool, VK_COMMAND_BUFFER_LEVEL_PRIMARY, 1};
    VkCommandBuffer commands;
    VK(vkAllocateCommandBuffers(device, &of_commands, &commands));
    VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    VK(vkBeginCommandBuffer(commands, &begin));
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0, NULL);
    struct { uint32_t pairs_each; float one; } parameters = {2, 1.0f};
    vkCmdPushConstants(commands, layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof parameters, &parameters);
    vkCmdDispatch(commands, 1, 1, 1);
    VkMemoryBarrier seen = {VK_STRUCTURE_TYPE_MEMORY_BARRIER, NULL, VK_ACCESS_SHADER_WRITE_BIT, VK_ACCESS_HOST_READ_BIT};
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &seen, 0, NULL, 0, NULL);
    VK(vkEndCommandBuffer(commands));
    VkQueue queue;
    vkGetDeviceQueue(device, family, 0, &queue);
    VkSubmitInfo submit = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &commands};
    VK(vkQueueSubmit(queue, 1, &submit, VK_NULL_HANDLE));
    VK(vkDeviceWaitIdle(device));
    vkDestroyCommandPool(device, pool, NULL);
    vkDestroyDescriptorPool(device, sets, NULL);
    vkDestroyPipeline(device, pipeline, NULL);
    vkDestroyShaderModule(device, shader, NULL);
    vkDestroyPipelineLayout(device, layout, NULL);
    vkDestroyDescriptorSetLayout(device, set_layout, NULL);
}

int main(int count, char **arguments) {
    size_t size = 0;
    spvif_prepared *prepared = load(count > 1 ? arguments[1] : NULL, &size);

    VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO, .apiVersion = API};
    VkInstanceCreateInfo instance_info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO, .pApplicationInfo = &application};
    VkInstance instance;
    VK(vkCreateInstance(&instance_info, NULL, &instance));
    uint32_t one = 1, families = 16, family = 0;
    VkPhysicalDevice physical;
    VkResult found = vkEnumeratePhysicalDevices(instance, &one, &physical);
    if ((found != VK_SUCCESS && found != VK_INCOMPLETE) || one == 0) vulkan(VK_ERROR_UNKNOWN, "vkEnumeratePhysicalDevices");
    VkQueueFamilyProperties queues[16];
    vkGetPhysicalDeviceQueueFamilyProperties(physical, &families, queues);
    while (family + 1 < families && !(queues[family].queueFlags & VK_QUEUE_COMPUTE_BIT)) ++family;

    float priority = 1;
    VkDeviceQueueCreateInfo queue_info = {VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO, NULL, 0, family, 1, &priority};
    VkPhysicalDeviceVulkan12Features of_1_2 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES};
    VkPhysicalDeviceFeatures features = {0};
    for (int at = 2; at < count; ++at) {
        of_1_2.shaderFloat16 |= strcmp(arguments[at], "half") == 0;
        features.shaderFloat64 |= strcmp(arguments[at], "double") == 0;
    }
    VkDeviceCreateInfo device_info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, .pNext = &of_1_2, .queueCreateInfoCount = 1,
                                      .pQueueCreateInfos = &queue_info, .pEnabledFeatures = &features};
    VkDevice device;
    VK(vkCreateDevice(physical, &device_info, NULL, &device));

    /* This is all that an application has to do: the packed module is cut down to what this device was created with. */
    spvif_error *error = NULL;
    spvif_device *own = NULL;
    spvif_result *result = NULL;
    spvif_vulkan_get_instance_proc_addr get = (spvif_vulkan_get_instance_proc_addr)vkGetInstanceProcAddr;
    ours(spvif_device_from_vulkan(get, instance, API, physical, &device_info, &own, &error), &error);
    ours(spvif_specialize(prepared, own, NULL, &result, &error), &error);
    size_t words_count = 0;
    const uint32_t *words = spvif_result_words(result, &words_count);

    VkDeviceMemory memory;
    VkBuffer buffer = make_buffer(physical, device, &memory);
    uint32_t *mapped;
    VK(vkMapMemory(device, memory, 0, VK_WHOLE_SIZE, 0, (void **)&mapped));
    for (int at = 0; at < PART / 4; ++at) mapped[at] = 0x3c003800; /* pairs of a half and a one: 64 invocations add two of them */
    run(device, family, buffer, words, words_count);
    float sum;
    memcpy(&sum, &mapped[PART / 4], sizeof sum);
    const char *ways[] = {"no", "double", "half", "single"};
    printf("%s\n  %zu of %zu bytes stay\n", spvif_device_name(own), 4 * words_count, size);
    printf("  computed in %s precision, of %u digits: %g\n", ways[mapped[PART / 2] & 3], mapped[PART / 2 + 1], sum);

    vkDestroyBuffer(device, buffer, NULL);
    vkFreeMemory(device, memory, NULL);
    vkDestroyDevice(device, NULL);
    vkDestroyInstance(instance, NULL);
    spvif_result_destroy(result);
    spvif_device_destroy(own);
    spvif_prepared_destroy(prepared);
    return 0;
}
