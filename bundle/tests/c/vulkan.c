/*
 * Writes the results of a bundle's ready shaders for the first Vulkan device, with all of its features on: `vulkan app.spvb FOLDER` writes FOLDER/NAME.spv for each shader that the
 * device runs, and prints the others. scripts/test-bundle.sh compares them with what spirv-if writes for the device.
 */
#include <spvb_vulkan.h>
#include "results.h"

/* A structure of features or properties that is large enough for each. */
typedef struct structure {
    spvb_vulkan_head head;
    uint32_t members[1024];
} structure;

enum { PLACES = sizeof spvb_vulkan_places / sizeof spvb_vulkan_places[0] };
static const uint32_t properties_of[] = {50, 52, 54, 1000094000, 1000196000, 1000197000, 1000225000};
static structure features[PLACES], properties[sizeof properties_of / sizeof properties_of[0]];

static int is_of_features(uint32_t number)
{
    for (size_t index = 0; index < sizeof properties_of / sizeof properties_of[0]; index++)
        if (properties_of[index] == number) return 0;
    return 1;
}

int main(int count, char **arguments)
{
    static uint8_t bytes[1 << 24];
    size_t size = read_bundle(count, arguments, bytes, sizeof bytes);
    if (!size) return 2;
    VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO, .apiVersion = VK_API_VERSION_1_3};
    VkInstanceCreateInfo instance_info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO, .pApplicationInfo = &application};
    VkInstance instance;
    if (vkCreateInstance(&instance_info, NULL, &instance) != VK_SUCCESS) return 3;
    uint32_t one = 1;
    VkPhysicalDevice physical;
    vkEnumeratePhysicalDevices(instance, &one, &physical);
    size_t used = 0;
    for (uint32_t place = 0; place < PLACES; place++) {
        uint32_t number = spvb_vulkan_places[place].structure;
        int is_new = number != 1000059000 && is_of_features(number);
        for (size_t index = 0; index < used; index++) is_new &= (uint32_t)features[index].head.type != number;
        if (!is_new) continue;
        features[used].head.type = (VkStructureType)number;
        features[used].head.next = used ? &features[used - 1] : NULL;
        used++;
    }
    VkPhysicalDeviceFeatures2 all = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = &features[used - 1]};
    vkGetPhysicalDeviceFeatures2(physical, &all);
    for (size_t index = 0; index < sizeof properties_of / sizeof properties_of[0]; index++) {
        properties[index].head.type = (VkStructureType)properties_of[index];
        properties[index].head.next = index ? &properties[index - 1] : NULL;
    }
    VkPhysicalDeviceProperties2 known = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &properties[sizeof properties_of / sizeof properties_of[0] - 1]};
    vkGetPhysicalDeviceProperties2(physical, &known);
    static VkExtensionProperties extensions[1024];
    static const char *names[1024];
    uint32_t extension_count = 1024;
    vkEnumerateDeviceExtensionProperties(physical, NULL, &extension_count, extensions);
    for (uint32_t index = 0; index < extension_count; index++) names[index] = extensions[index].extensionName;
    VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, .pNext = &all, .enabledExtensionCount = extension_count, .ppEnabledExtensionNames = names};

    const spvb_bundle *bundle;
    if (spvb_open(bytes, size, &bundle) != SPVB_OK) return 4;
    spvb_vulkan device = {&info, &known.properties, known.pNext, application.apiVersion};
    uint8_t *answers = malloc(spvb_question_count(bundle) + 1);
    spvb_vulkan_answer_all(bundle, &device, answers);
    if (!write_results(bundle, answers, arguments[2])) return 5;
    spvb_close(bundle);
    return 0;
}
