/* Answers the questions of a bundle about a Vulkan device without features, and prints those whose answer is yes. No driver takes part. */
#include <spvb_vulkan.h>
#include <stdio.h>
#include <stdlib.h>

int main(int count, char **arguments)
{
    static uint8_t file_bytes[1 << 20];
    FILE *file = count == 2 ? fopen(arguments[1], "rb") : NULL;
    if (!file) return 2;
    size_t size = fread(file_bytes, 1, sizeof file_bytes, file);
    fclose(file);
    /* Exactly as large as the bundle, so that a sanitizer finds reads after its end. */
    uint8_t *bytes = malloc(size);
    memcpy(bytes, file_bytes, size);
    const spvb_bundle *bundle;
    if (spvb_open(bytes, size, &bundle) != SPVB_OK) return 3;
    static const VkDeviceCreateInfo created = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO};
    static const VkPhysicalDeviceProperties properties = {.apiVersion = VK_API_VERSION_1_0};
    spvb_vulkan device = {&created, &properties, NULL, VK_API_VERSION_1_0};
    uint32_t questions = spvb_question_count(bundle);
    uint8_t *answers = malloc(questions + 1);
    spvb_vulkan_answer_all(bundle, &device, answers);
    for (uint32_t question = 0; question < questions; question++) {
        spvb_kind kind;
        spvb_text text = spvb_question(bundle, question, &kind);
        if (kind == SPVB_CONDITION && answers[question] == SPVB_YES) printf("%.*s\n", (int)text.size, text.text);
    }
    free(answers);
    spvb_close(bundle);
    free(bytes);
    return 0;
}
