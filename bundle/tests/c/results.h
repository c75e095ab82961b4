/*
 * Results of the tests beside it. Include it after spvb_vulkan.h or spvb_opencl.h.
 */
#include <stdio.h>
#include <stdlib.h>

/* Reads the bundle of the command line, which names it and a folder. */
static size_t read_bundle(int count, char **arguments, uint8_t *bytes, size_t room)
{
    FILE *file = count == 3 ? fopen(arguments[1], "rb") : NULL;
    if (!file) return 0;
    size_t size = fread(bytes, 1, room, file);
    fclose(file);
    return size;
}

/* Writes FOLDER/NAME.spv for each ready shader that the device runs, and prints the others. Returns 0 if a result cannot be written. */
static int write_results(const spvb_bundle *bundle, const uint8_t *answers, const char *folder)
{
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
        snprintf(path, sizeof path, "%s/%.*s.spv", folder, (int)name.size, name.text);
        FILE *result = fopen(path, "wb");
        if (!result || spvb_write(bundle, &choice, words, NULL) != SPVB_OK) return 0;
        fwrite(words, 4, choice.words, result);
        fclose(result);
        free(words);
    }
    return 1;
}
