/* What the lean library does. `main FIXTURES EXPECTED`: results are compared with those of the program spirv-if, which are in the folder
 * EXPECTED. */
#include "expected.h"

static spvif_device *device_with(const char *part, const char *value) {
    spvif_parts *parts = spvif_parts_create();
    CHECK(spvif_parts_set(parts, part, value) == SPVIF_STATUS_OK);
    spvif_device *device = NULL;
    OK(spvif_device_from_parts(parts, &device, &error));
    spvif_parts_destroy(parts);
    return device;
}

/* A packed module for devices that are described, and for one of which nothing is known. */
static void packed(void) {
    spvif_module *module = module_of(expected, "reduce.packed.spv");
    spvif_prepared *prepared = NULL;
    OK(spvif_prepare(module, &prepared, &error));
    const char *aspects[] = {"gpu,fp16", "gpu"}, *architectures[] = {"intel_gpu_pvc", "nvidia_gpu_sm_50"};
    spvif_result *result = NULL;
    for (int at = 0; at < 2; ++at) {
        spvif_device *device = device_with("aspects", aspects[at]);
        int32_t holds = -1;
        OK(spvif_device_holds(device, "fp16", &holds, &error));
        CHECK(holds == (at == 0));
        spvif_device_destroy(device);
        device = device_with("architecture", architectures[at]);
        OK(spvif_device_holds(device, at == 0 ? "arch(intel_gpu_pvc)" : "!arch(intel_gpu_pvc)", &holds, &error));
        CHECK(holds == 1);
        spvif_device_destroy(device);
    }
    spvif_device *device = device_with("aspects", "gpu,fp16");
    OK(spvif_specialize(prepared, device, NULL, &result, &error));
    equals(result, "reduce.half.spv");
    uint8_t keys[2][16];
    OK(spvif_prepared_cache_key(prepared, device, NULL, keys[0], &error));
    OK(spvif_prepared_cache_key(prepared, NULL, NULL, keys[1], &error));
    CHECK(memcmp(keys[0], keys[1], 16) != 0);
    size_t count = 0, written = 0;
    spvif_result_words(result, &count);
    uint32_t *words = malloc(4 * count);
    OK(spvif_specialize_into(prepared, device, NULL, words, count, &written, &error));
    CHECK(written == count && memcmp(words, spvif_result_words(result, NULL), 4 * count) == 0);
    free(words);
    spvif_result_destroy(result);
    spvif_device_destroy(device);
    spvif_settings *settings = spvif_settings_create();
    CHECK(spvif_settings_unset(settings, "error") == SPVIF_STATUS_OK);
    FAILS(SPVIF_STATUS_UNDECIDED, spvif_specialize(prepared, NULL, settings, &result, &error))
    CHECK(spvif_error_undecided(error, 0)->spec_id == 0 && result == NULL);
    CHECK(strcmp(spvif_error_undecided(error, 0)->condition, "fp16") == 0);
    FREED
    spvif_settings_destroy(settings);
    spvif_prepared_destroy(prepared);
    spvif_module_destroy(module);
}

/* The verdicts that devices by their parts have. */
static void verdicts(void) {
    /* Every device accepts its version. */
    spvif_module *module = module_of(fixtures, "traps/cast-llvm-spirv-O2.spv");
    spvif_prepared *prepared = NULL;
    OK(spvif_prepare(module, &prepared, &error));
    const char *parts[] = {"capabilities", "capabilities", "aspects"};
    const char *values[] = {"Kernel,Addresses,Int64,Float64,Linkage", "Kernel,Addresses,Int64,Linkage", "gpu,fp64"};
    spvif_verdict of_parts[] = {SPVIF_VERDICT_RUNS, SPVIF_VERDICT_DOES_NOT_RUN, SPVIF_VERDICT_NOT_KNOWN};
    spvif_settings *settings = spvif_settings_create();
    CHECK(spvif_settings_strict(settings) == SPVIF_STATUS_OK);
    for (int at = 0; at < 3; ++at) {
        spvif_device *device = device_with(parts[at], values[at]);
        spvif_compatibility *compatibility = NULL;
        OK(spvif_compatibility_create(prepared, device, settings, &compatibility, &error));
        CHECK(spvif_compatibility_verdict(compatibility) == of_parts[at]);
        CHECK((of_parts[at] == SPVIF_VERDICT_DOES_NOT_RUN) == (spvif_compatibility_missing(compatibility, 0) != NULL));
        CHECK((of_parts[at] == SPVIF_VERDICT_NOT_KNOWN) == (spvif_compatibility_unknown(compatibility, 0) != NULL));
        spvif_compatibility_destroy(compatibility);
        spvif_result *result = NULL;
        if (of_parts[at] == SPVIF_VERDICT_RUNS) {
            OK(spvif_specialize(prepared, device, settings, &result, &error));
            spvif_result_destroy(result);
        } else {
            FAILS(SPVIF_STATUS_REFUSED, spvif_specialize(prepared, device, settings, &result, &error))
            CHECK((spvif_error_missing(error, 0) == NULL) == (of_parts[at] == SPVIF_VERDICT_NOT_KNOWN));
            FREED
        }
        spvif_device_destroy(device);
    }
    spvif_settings_destroy(settings);
    spvif_prepared_destroy(prepared);
    spvif_module_destroy(module);
}

/* A plain module: constants, names, declarations. */
static void plain(void) {
    spvif_module *module = module_of(fixtures, "spec/precision.spv");
    spvif_result *result = NULL;
    OK(spvif_trim(module, &result, &error));
    equals(result, "precision.trimmed.spv");
    spvif_result_destroy(result);
    spvif_prepared *prepared = NULL;
    OK(spvif_prepare(module, &prepared, &error));
    spvif_settings *settings = spvif_settings_create();
    CHECK(spvif_settings_set(settings, 0, spvif_bool(false)) == SPVIF_STATUS_OK);
    CHECK(spvif_settings_set_text(settings, "1", "true") == SPVIF_STATUS_OK);
    CHECK(spvif_settings_set_text(settings, "subgroups", "0") == SPVIF_STATUS_OK);
    CHECK(spvif_settings_set_default(settings, 10, spvif_uint(32)) == SPVIF_STATUS_OK);
    CHECK(spvif_settings_set_default_text(settings, "factor", "2.5") == SPVIF_STATUS_OK);
    CHECK(spvif_settings_leave(settings, "offset") == SPVIF_STATUS_OK);
    CHECK(spvif_settings_keep_interface(settings) == SPVIF_STATUS_OK);
    CHECK(spvif_settings_strip(settings) == SPVIF_STATUS_OK);
    CHECK(spvif_settings_trim(settings) == SPVIF_STATUS_OK);
    OK(spvif_specialize(prepared, NULL, settings, &result, &error));
    equals(result, "precision.kept.spv");
    CHECK(strcmp(spvif_result_removed(result, 0), "Float16") == 0);
    spvif_host_values *values = NULL;
    OK(spvif_host_values_create(prepared, result, settings, &values, &error));
    spvif_host_values_destroy(values);
    spvif_result_destroy(result);
    spvif_settings_destroy(settings);
    spvif_prepared_destroy(prepared);
    spvif_module_destroy(module);
}

/* A compiler's module with conditional calls, which are decided without packing it. */
static void not_packed(void) {
    spvif_device *device = device_with("aspects", "gpu,fp16");
    spvif_module *module = module_of(fixtures, "glsl/reduce.spv");
    spvif_prepared *prepared = NULL;
    spvif_result *result = NULL;
    OK(spvif_prepare(module, &prepared, &error));
    OK(spvif_specialize(prepared, device, NULL, &result, &error));
    spvif_result_destroy(result);
    spvif_prepared_destroy(prepared);
    spvif_module_destroy(module);
    spvif_device_destroy(device);
}

/* What a result lacks. */
static void interfaces(void) {
    spvif_module *module = module_of(expected, "interface.spv");
    spvif_prepared *prepared = NULL;
    spvif_result *result = NULL;
    spvif_interface *lacks = NULL;
    OK(spvif_prepare(module, &prepared, &error));
    spvif_settings *settings = spvif_settings_create();
    CHECK(spvif_settings_set(settings, 0, spvif_bool(false)) == SPVIF_STATUS_OK);
    OK(spvif_specialize(prepared, NULL, settings, &result, &error));
    equals(result, "interface.plain.spv");
    OK(spvif_removed_interface(prepared, result, &lacks, &error));
    CHECK(spvif_interface_binding(lacks, 0)->set == 1 && !spvif_interface_binding(lacks, 1));
    spvif_interface_destroy(lacks);
    spvif_result_destroy(result);
    spvif_settings_destroy(settings);
    spvif_prepared_destroy(prepared);
    spvif_module_destroy(module);
}

static void errors(void) {
    spvif_module *module = NULL;
    spvif_device *device = NULL;
    FAILS(SPVIF_STATUS_LOAD, spvif_module_create("text", 4, &module, &error))
    CHECK(module == NULL);
    FREED
    FAILS(SPVIF_STATUS_ARGUMENT, spvif_device_from_vulkan(NULL, NULL, 0, NULL, NULL, &device, &error))
    FREED
    FAILS(SPVIF_STATUS_ARGUMENT, spvif_device_from_opencl(NULL, NULL, NULL, &device, &error))
    FREED
    spvif_parts *parts = spvif_parts_create();
    CHECK(spvif_parts_set(parts, "colour", "red") == SPVIF_STATUS_REQUEST);
    FAILS(SPVIF_STATUS_REQUEST, spvif_device_from_parts(parts, &device, &error))
    CHECK(strstr(spvif_error_message(error), "a device has no part `colour`") && device == NULL);
    FREED
    spvif_parts_destroy(parts);
}

int main(int count, char **arguments) {
    CHECK(count == 3 && spvif_abi_version() == SPVIF_ABI_VERSION);
    fixtures = arguments[1], expected = arguments[2];
    packed();
    verdicts();
    plain();
    not_packed();
    interfaces();
    errors();
    puts("the lean library specializes");
    return 0;
}
