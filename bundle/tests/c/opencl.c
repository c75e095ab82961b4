/* Writes the results of a bundle's ready shaders for the first OpenCL device, as vulkan.c beside it does for Vulkan: `opencl app.spvb FOLDER`. */
#define CL_TARGET_OPENCL_VERSION 300
#include <spvb_opencl.h>
#include <stdio.h>

int main(int count, char **arguments)
{
    static uint8_t bytes[1 << 24];
    FILE *file = count == 3 ? fopen(arguments[1], "rb") : NULL;
    if (!file) return 2;
    size_t size = fread(bytes, 1, sizeof bytes, file);
    cl_platform_id platform;
    cl_device_id device;
    if (clGetPlatformIDs(1, &platform, NULL) != CL_SUCCESS) return 3;
    if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) != CL_SUCCESS) return 3;
    const spvb_bundle *bundle;
    if (spvb_open(bytes, size, &bundle) != SPVB_OK) return 4;
    uint8_t *answers = malloc(spvb_question_count(bundle) + 1);
    if (spvb_opencl_answer_all(bundle, device, answers) != SPVB_OK) return 5;
    for (uint32_t shader = 0; shader < spvb_shader_count(bundle); shader++) {
        spvb_text name = spvb_shader_name(bundle, shader);
        spvb_choice choice;
        spvb_status status = spvb_select(bundle, shader, answers, &choice);
        if (status != SPVB_OK) {
            uint32_t reasons[64], reason_count = spvb_reasons(bundle, shader, answers, reasons, 64);
            printf("%.*s: status %d:", (int)name.size, name.text, status);
            for (uint32_t reason = 0; reason < reason_count && reason < 64; reason++) {
                spvb_text text = spvb_question(bundle, reasons[reason], NULL);
                printf(" %.*s;", (int)text.size, text.text);
            }
            printf("\n");
            continue;
        }
        char path[4096];
        uint32_t *words = malloc(4 * (size_t)choice.words);
        snprintf(path, sizeof path, "%s/%.*s.spv", arguments[2], (int)name.size, name.text);
        FILE *result = fopen(path, "wb");
        if (!result || spvb_write(bundle, &choice, words, NULL) != SPVB_OK) return 6;
        fwrite(words, 4, choice.words, result);
        fclose(result);
        free(words);
    }
    spvb_close(bundle);
    return 0;
}
