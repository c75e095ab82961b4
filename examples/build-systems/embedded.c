/* Cuts the module inside it down for two devices. */
#include <spvif.h>
#include <stdio.h>

#include "guarded.h"

int main(void) {
    spvif_module *module = NULL;
    spvif_prepared *prepared = NULL;
    if (spvif_module_create(guarded, guarded_size, &module, NULL) || spvif_prepare(module, &prepared, NULL)) return 1;
    const char *names[] = {"intel_gpu_bmg_g21", "nvidia_gpu_sm_50"};
    for (int at = 0; at < 2; ++at) {
        spvif_error *error = NULL;
        spvif_device *device = NULL;
        spvif_result *result = NULL;
        size_t count = 0;
        if (spvif_device_by_name(names[at], &device, &error) || spvif_specialize(prepared, device, NULL, &result, &error)) {
            fprintf(stderr, "%s\n", spvif_error_message(error));
            return 1;
        }
        spvif_result_words(result, &count);
        printf("%s: %u of %u bytes\n", names[at], (unsigned)(4 * count), (unsigned)guarded_size);
        spvif_result_destroy(result);
        spvif_device_destroy(device);
    }
    spvif_prepared_destroy(prepared);
    spvif_module_destroy(module);
    return 0;
}
