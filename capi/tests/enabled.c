/* What an application enabled counts, not what the hardware supports: a device without features gets a module that Vulkan's validation
 * accepts, and what the driver supports would be rejected. `enabled FOLDER PACKED`. */
#include "common.h"

#include <vulkan/vulkan.h>

static int errors;

static VkBool32 VKAPI_CALL count_errors(VkDebugUtilsMessageSeverityFlagBitsEXT severity, VkDebugUtilsMessageTypeFlagsEXT type,
                                        const VkDebugUtilsMessengerCallbackDataEXT *data, void *user) {
    (void)type, (void)user;
    if (severity & VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT && strstr(data->pMessage, "Float")) errors += 1;
    return VK_FALSE;
}

static spvif_void_function SPVIF_CALL has_nothing(void *instance, const char *name) {
    (void)instance, (void)name;
    return NULL;
}

int main(int count, char **arguments) {
    CHECK(count == 3);
    VkDebugUtilsMessengerCreateInfoEXT messenger = {
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
        .messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
        .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT,
        .pfnUserCallback = count_errors};
    const char *extension = VK_EXT_DEBUG_UTILS_EXTENSION_NAME;
    VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO, .apiVersion = VK_API_VERSION_1_2};
    VkInstanceCreateInfo instance_info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO, .pApplicationInfo = &application,
                                          .enabledExtensionCount = 1, .ppEnabledExtensionNames = &extension};
    VkInstance instance;
    CHECK(vkCreateInstance(&instance_info, NULL, &instance) == VK_SUCCESS);
    PFN_vkCreateDebugUtilsMessengerEXT create =
        (PFN_vkCreateDebugUtilsMessengerEXT)vkGetInstanceProcAddr(instance, "vkCreateDebugUtilsMessengerEXT");
    PFN_vkDestroyDebugUtilsMessengerEXT destroy =
        (PFN_vkDestroyDebugUtilsMessengerEXT)vkGetInstanceProcAddr(instance, "vkDestroyDebugUtilsMessengerEXT");
    VkDebugUtilsMessengerEXT listening;
    CHECK(create && destroy && create(instance, &messenger, NULL, &listening) == VK_SUCCESS);
    uint32_t one = 1;
    VkPhysicalDevice physical;
    VkResult found = vkEnumeratePhysicalDevices(instance, &one, &physical);
    CHECK((found == VK_SUCCESS || found == VK_INCOMPLETE) && one == 1);

    /* The hardware has both. */
    VkPhysicalDeviceVulkan12Features supported_1_2 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES};
    VkPhysicalDeviceFeatures2 supported = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = &supported_1_2};
    vkGetPhysicalDeviceFeatures2(physical, &supported);
    CHECK(supported_1_2.shaderFloat16 && supported.features.shaderFloat64);

    float priority = 1;
    VkDeviceQueueCreateInfo queue = {VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO, NULL, 0, 0, 1, &priority};
    VkPhysicalDeviceShaderFloat16Int8Features half = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_FLOAT16_INT8_FEATURES};
    VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = &half};
    VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, .pNext = &features, .queueCreateInfoCount = 1,
                               .pQueueCreateInfos = &queue};
    VkDevice device;
    CHECK(vkCreateDevice(physical, &info, NULL, &device) == VK_SUCCESS);

    spvif_module *module = module_of(arguments[1], arguments[2]);
    spvif_prepared *prepared = NULL;
    OK(spvif_prepare(module, &prepared, &error));
    spvif_vulkan_get_instance_proc_addr get = (spvif_vulkan_get_instance_proc_addr)vkGetInstanceProcAddr;
    int seen[2];
    for (int at = 0; at < 2; ++at) {
        const VkDeviceCreateInfo *counts = at == 0 ? &info : NULL;
        spvif_device *own = NULL;
        OK(spvif_device_from_vulkan(get, instance, VK_API_VERSION_1_2, physical, counts, &own, &error));
        int32_t fp16 = -1, fp64 = -1;
        OK(spvif_device_holds(own, "fp16", &fp16, &error));
        OK(spvif_device_holds(own, "fp64", &fp64, &error));
        CHECK(fp16 == at && fp64 == at);
        spvif_result *result = NULL;
        OK(spvif_specialize(prepared, own, NULL, &result, &error));
        size_t words = 0;
        const uint32_t *code = spvif_result_words(result, &words);
        VkShaderModuleCreateInfo shader_info = {VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, NULL, 0, 4 * words, code};
        VkShaderModule shader = VK_NULL_HANDLE;
        errors = 0;
        (void)vkCreateShaderModule(device, &shader_info, NULL, &shader);
        seen[at] = errors;
        if (shader) vkDestroyShaderModule(device, shader, NULL);
        spvif_result_destroy(result);
        spvif_device_destroy(own);
    }
    CHECK(seen[0] == 0 && seen[1] > 0);

    /* One feature of an extension's structure, and one of the old way. */
    half.shaderFloat16 = VK_TRUE;
    spvif_device *own = NULL;
    int32_t holds = -1;
    OK(spvif_device_from_vulkan(get, instance, VK_API_VERSION_1_2, physical, &info, &own, &error));
    OK(spvif_device_holds(own, "fp16 && !fp64 && !cap(Int64)", &holds, &error));
    CHECK(holds == 1);
    /* Every driver of Vulkan 1.1 must support it, and still it is to be enabled. */
    OK(spvif_device_holds(own, "cap(MultiView)", &holds, &error));
    CHECK(holds == 0);
    spvif_device_destroy(own);
    VkPhysicalDeviceFeatures old = {.shaderFloat64 = VK_TRUE};
    info.pNext = NULL;
    info.pEnabledFeatures = &old;
    OK(spvif_device_from_vulkan(get, instance, VK_API_VERSION_1_2, physical, &info, &own, &error));
    OK(spvif_device_holds(own, "fp64 && !fp16 && !cap(Int64)", &holds, &error));
    CHECK(holds == 1);
    spvif_device_destroy(own);

    /* An application that gives no version uses 1.0. */
    OK(spvif_device_from_vulkan(get, instance, 0, physical, &info, &own, &error));
    OK(spvif_device_holds(own, "cap(Shader) && fp64", &holds, &error));
    CHECK(holds == 1);
    spvif_device_destroy(own);
    own = NULL;
    FAILS(SPVIF_STATUS_ARGUMENT, spvif_device_from_vulkan(get, instance, 13, physical, &info, &own, &error))
    CHECK(strstr(spvif_error_message(error), "invalid Vulkan version 0xd") && own == NULL);
    FREED

    /* What cannot be asked. */
    FAILS(SPVIF_STATUS_DRIVER, spvif_device_from_vulkan(has_nothing, instance, VK_API_VERSION_1_2, physical, &info, &own, &error))
    CHECK(strstr(spvif_error_message(error), "vkGetPhysicalDeviceProperties") && own == NULL);
    FREED
    FAILS(SPVIF_STATUS_ARGUMENT, spvif_device_from_vulkan(NULL, instance, VK_API_VERSION_1_2, physical, &info, &own, &error))
    FREED
    FAILS(SPVIF_STATUS_ARGUMENT, spvif_device_from_opencl(NULL, NULL, NULL, &own, &error))
    FREED
    /* What the library says to enable for a module is enough. */
    OK(spvif_device_from_vulkan(get, instance, VK_API_VERSION_1_2, physical, NULL, &own, &error));
    spvif_vulkan_requirements *required = NULL;
    spvif_result *plain = NULL;
    spvif_module *plain_module = NULL;
    OK(spvif_specialize(prepared, own, NULL, &plain, &error));
    OK(spvif_result_module(plain, &plain_module, &error));
    OK(spvif_requirements_vulkan(plain_module, VK_API_VERSION_1_2, own, &required, &error));
    CHECK(!spvif_vulkan_requirements_missing(required, 0) && !spvif_vulkan_requirements_unknown(required, 0));
    VkDeviceCreateInfo enough = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, .pNext = spvif_vulkan_requirements_chain(required),
                                 .queueCreateInfoCount = 1, .pQueueCreateInfos = &queue};
    enough.ppEnabledExtensionNames = spvif_vulkan_requirements_extensions(required, &enough.enabledExtensionCount);
    VkDevice enabled;
    CHECK(vkCreateDevice(physical, &enough, NULL, &enabled) == VK_SUCCESS);
    spvif_device *other = NULL;
    spvif_vulkan_requirements *again = NULL;
    OK(spvif_device_from_vulkan(get, instance, VK_API_VERSION_1_2, physical, &enough, &other, &error));
    OK(spvif_requirements_vulkan(plain_module, VK_API_VERSION_1_2, other, &again, &error));
    CHECK(!spvif_vulkan_requirements_missing(again, 0));
    spvif_vulkan_requirements_destroy(again);
    spvif_device_destroy(other);
    info.pEnabledFeatures = NULL;
    OK(spvif_device_from_vulkan(get, instance, VK_API_VERSION_1_2, physical, &info, &other, &error));
    OK(spvif_requirements_vulkan(plain_module, VK_API_VERSION_1_2, other, &again, &error));
    CHECK(spvif_vulkan_requirements_missing(again, 0));
    spvif_vulkan_requirements_destroy(again);
    spvif_vulkan_requirements_destroy(required);
    spvif_module_destroy(plain_module);
    spvif_result_destroy(plain);
    spvif_device_destroy(other);
    spvif_device_destroy(own);
    vkDestroyDevice(enabled, NULL);
    spvif_prepared_destroy(prepared);
    spvif_module_destroy(module);
    vkDestroyDevice(device, NULL);
    destroy(instance, listening, NULL);
    vkDestroyInstance(instance, NULL);
    puts("what is enabled counts");
    return 0;
}
