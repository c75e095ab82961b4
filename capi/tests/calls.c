/* Every function of the interface. `calls FIXTURES EXPECTED`: results are compared with those of the program spirv-if, which are in the
 * folder EXPECTED. */
#include "expected.h"

/* For the script to look at. */
static void write_result(const spvif_result *result, const char *name) {
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", expected, name);
    FILE *stream = fopen(path, "wb");
    size_t count = 0;
    const uint32_t *words = spvif_result_words(result, &count);
    CHECK(stream != NULL && fwrite(words, 4, count, stream) == count && fclose(stream) == 0);
}

static spvif_device *device(const char *name) {
    spvif_device *device = NULL;
    OK(spvif_device_by_name(name, &device, &error));
    CHECK(strcmp(spvif_device_name(device), name) == 0);
    return device;
}

/* At build time: a compiler's module becomes one for every device. */
static spvif_result *packed(const char *name) {
    spvif_module *module = module_of(fixtures, name);
    spvif_result *result = NULL;
    OK(spvif_pack(module, NULL, &result, &error));
    spvif_module_destroy(module);
    return result;
}

static void packing(void) {
    spvif_result *result = packed("glsl/reduce.spv");
    equals(result, "reduce.packed.spv");
    file own = read_file(expected, "reduce.packed.prop");
    CHECK(strcmp(spvif_result_properties(result), (char *)own.bytes) == 0);
    free(own.bytes);
    const spvif_constant *constant = spvif_result_set_by_host(result, 0);
    CHECK(constant && constant->spec_id == 0 && strcmp(constant->condition, "fp16") == 0);
    CHECK(!spvif_result_set_by_host(result, 1));
    CHECK(strstr(spvif_result_warning(result, 0), "`fp16 && cap(StorageBuffer16BitAccess)`") && !spvif_result_warning(result, 1));
    spvif_result_destroy(result);

    spvif_pack_options *options = spvif_pack_options_create();
    CHECK(spvif_pack_options_dialect(options, "function-variants") == SPVIF_STATUS_OK);
    CHECK(spvif_pack_options_max_clones(options, 4) == SPVIF_STATUS_OK);
    CHECK(spvif_pack_options_property_names(options, "dpcpp") == SPVIF_STATUS_OK);
    CHECK(spvif_pack_options_keep_exports(options) == SPVIF_STATUS_OK);
    CHECK(spvif_pack_options_add_export(options, "sum_in_half(u1;u1;") == SPVIF_STATUS_OK);
    spvif_module *module = module_of(fixtures, "glsl/reduce.spv");
    OK(spvif_pack(module, options, &result, &error));
    equals(result, "reduce.variants.spv");
    spvif_result_destroy(result);
    spvif_pack_options_destroy(options);
    options = spvif_pack_options_create();
    CHECK(spvif_pack_options_strip(options) == SPVIF_STATUS_OK);
    OK(spvif_pack(module, options, &result, &error));
    equals(result, "reduce.stripped.spv");
    spvif_result_destroy(result);
    /* Devices without doubles get other code. */
    spvif_module *switching = module_of(fixtures, "traps/helper-O2.spv");
    spvif_pack_options *twins = spvif_pack_options_create();
    CHECK(spvif_pack_options_lower(twins, "Float64") == SPVIF_STATUS_OK);
    OK(spvif_pack(switching, twins, &result, &error));
    CHECK(strstr(spvif_result_lowered(result, 0), "Float64") && !spvif_result_lowered(result, 1));
    spvif_result_destroy(result);
    CHECK(spvif_pack_options_lower(twins, "Flaot64") != SPVIF_STATUS_OK);
    spvif_pack_options_destroy(twins);
    spvif_module_destroy(switching);
    /* A change that failed makes the call fail. */
    CHECK(spvif_pack_options_add_export(options, NULL) == SPVIF_STATUS_ARGUMENT);
    FAILS(SPVIF_STATUS_ARGUMENT, spvif_pack(module, options, &result, &error))
    CHECK(strcmp(spvif_error_message(error), "the name of an export is null") == 0 && result == NULL);
    FREED
    spvif_module_destroy(module);
    spvif_pack_options_destroy(options);

    /* An annotations file. */
    module = module_of(fixtures, "annotations/guarded.spv");
    file yaml = read_file(fixtures, "annotations/guarded.yaml");
    spvif_module *annotated = NULL;
    OK(spvif_module_annotate(module, "guarded.yaml", (char *)yaml.bytes, &annotated, &error));
    OK(spvif_pack(annotated, NULL, &result, &error));
    equals(result, "guarded.packed.spv");
    spvif_result_destroy(result);
    spvif_module *none = NULL;
    FAILS(SPVIF_STATUS_REQUEST, spvif_module_annotate(module, "a.yaml", "functions: { none: { when: fp16 } }", &none, &error))
    CHECK(strstr(spvif_error_message(error), "no function is named `none`") && none == NULL);
    FREED
    /* With a name, which changed modules and prepared ones keep, messages begin with it. */
    spvif_module *named = NULL, *changed = NULL;
    OK(spvif_module_name(annotated, "blur", &named, &error));
    FAILS(SPVIF_STATUS_REQUEST, spvif_module_annotate(named, "a.yaml", "functions: { none: { when: fp16 } }", &none, &error))
    CHECK(strncmp(spvif_error_message(error), "blur: a.yaml:", 13) == 0);
    FREED
    OK(spvif_module_annotate(named, "a.yaml", "{}", &changed, &error));
    spvif_prepared *prepared = NULL;
    OK(spvif_prepare(changed, &prepared, &error));
    spvif_settings *unknown = spvif_settings_create();
    OK(spvif_settings_set(unknown, 77, spvif_bool(true)));
    FAILS(SPVIF_STATUS_REQUEST, spvif_specialize(prepared, NULL, unknown, &result, &error))
    CHECK(strncmp(spvif_error_message(error), "blur: ", 6) == 0 && strncmp(spvif_error_message(error), "blur: blur", 10) != 0);
    FREED
    spvif_settings_destroy(unknown);
    spvif_prepared_destroy(prepared);
    spvif_module_destroy(changed);
    spvif_module_destroy(named);
    free(yaml.bytes);
    spvif_module_destroy(annotated);
    spvif_module_destroy(module);
}

/* Compile-time properties become execution modes and decorations, as in the program. */
static void lowering(void) {
    spvif_module *module = module_of(fixtures, "properties/run.spv"), *kept = NULL;
    spvif_result *result = NULL;
    OK(spvif_pack(module, NULL, &result, &error));
    equals(result, "properties.packed.spv");
    spvif_result_destroy(result);
    CHECK(!spvif_module_warning(module, 0));
    spvif_prepared *prepared = NULL;
    OK(spvif_prepare(module, &prepared, &error));
    OK(spvif_specialize(prepared, NULL, NULL, &result, &error));
    equals(result, "properties.plain.spv");
    spvif_result_destroy(result);
    spvif_prepared_destroy(prepared);
    OK(spvif_module_lower_properties(module, true, 0, &kept, &error));
    OK(spvif_prepare(kept, &prepared, &error));
    OK(spvif_specialize(prepared, NULL, NULL, &result, &error));
    equals(result, "properties.kept.spv");
    spvif_result_destroy(result);
    spvif_prepared_destroy(prepared);
    spvif_module_destroy(kept);
    spvif_module_destroy(module);

    /* A mode of a later version stays a requirement. */
    module = module_of(expected, "later.spv");
    OK(spvif_module_lower_properties(module, false, 0x10000, &kept, &error));
    CHECK(strstr(spvif_module_warning(kept, 0), "SubgroupSize is of SPIR-V 1.1") && !spvif_module_warning(kept, 1));
    spvif_module_destroy(kept);
    CHECK(!spvif_module_warning(module, 0));
    spvif_module_destroy(module);
}

/* At load time: the same module for two devices. */
static void specializing(void) {
    spvif_result *pack = packed("glsl/reduce.spv"), *result = NULL;
    spvif_module *module = NULL;
    OK(spvif_result_module(pack, &module, &error));
    spvif_prepared *prepared = NULL;
    OK(spvif_prepare(module, &prepared, &error));
    size_t size_of_module = 0;
    spvif_result_words(pack, &size_of_module);
    /* It keeps what it needs. */
    spvif_module_destroy(module);
    spvif_result_destroy(pack);
    const char *names[] = {"intel_gpu_bmg_g21", "nvidia_gpu_sm_50"};
    for (int at = 0; at < 2; ++at) {
        spvif_device *own = device(names[at]);
        OK(spvif_specialize(prepared, own, NULL, &result, &error));
        char name[64];
        snprintf(name, sizeof name, "reduce.%s.spv", names[at]);
        equals(result, name);
        CHECK(!spvif_result_undecided(result, 0) && strcmp(spvif_result_properties(result), "") == 0);
        /* Into memory of ours. */
        size_t count = 0, needed = 0;
        const uint32_t *words = spvif_result_words(result, &count);
        uint32_t *buffer = malloc(4 * count);
        CHECK(buffer != NULL);
        FAILS(SPVIF_STATUS_BUFFER, spvif_specialize_into(prepared, own, NULL, buffer, count - 1, &needed, &error))
        CHECK(needed == count);
        FREED
        OK(spvif_specialize_into(prepared, own, NULL, buffer, count, &needed, &error));
        CHECK(needed == count && memcmp(words, buffer, 4 * count) == 0);
        free(buffer);
        FAILS(SPVIF_STATUS_BUFFER, spvif_specialize_into(prepared, own, NULL, NULL, 0, &needed, &error))
        CHECK(needed == count);
        FREED
        FAILS(SPVIF_STATUS_ARGUMENT, spvif_specialize_into(prepared, own, NULL, NULL, count, &needed, &error))
        FREED
        /* What is far behind it stays as it is: a call does nothing for each word of a large buffer. */
        size_t large = 1 << 20;
        buffer = malloc(4 * large);
        CHECK(buffer != NULL);
        memset(buffer, 0xa5, 4 * large);
        OK(spvif_specialize_into(prepared, own, NULL, buffer, large, &needed, &error));
        CHECK(needed == count && memcmp(words, buffer, 4 * count) == 0);
        for (size_t word = size_of_module; word < large; ++word) CHECK(buffer[word] == 0xa5a5a5a5);
        free(buffer);
        spvif_result_destroy(result);
        spvif_device_destroy(own);
    }
    /* Nothing is known of the device. */
    spvif_settings *settings = spvif_settings_create();
    FAILS(SPVIF_STATUS_UNDECIDED, spvif_specialize(prepared, NULL, NULL, &result, &error))
    const spvif_constant *constant = spvif_error_undecided(error, 0);
    CHECK(constant && constant->spec_id == 0 && strcmp(constant->condition, "fp16") == 0);
    CHECK(!spvif_error_undecided(error, 1) && !spvif_error_missing(error, 0) && result == NULL);
    says(error, "undecided.txt");
    FREED
    CHECK(spvif_settings_unset(settings, "keep") == SPVIF_STATUS_OK);
    OK(spvif_specialize(prepared, NULL, settings, &result, &error));
    CHECK(spvif_result_undecided(result, 0));
    spvif_result_destroy(result);
    CHECK(spvif_settings_unset(settings, "default") == SPVIF_STATUS_OK);
    OK(spvif_specialize(prepared, NULL, settings, &result, &error));
    CHECK(spvif_result_defaulted(result, 0)->spec_id == 0 && !spvif_result_defaulted(result, 1));
    spvif_result_destroy(result);
    CHECK(spvif_settings_unset(settings, "error") == SPVIF_STATUS_OK);
    FAILS(SPVIF_STATUS_UNDECIDED, spvif_specialize(prepared, NULL, settings, &result, &error))
    FREED
    spvif_prepared_destroy(prepared);
    spvif_settings_destroy(settings);
}

/* Settings remember the first of their changes that failed, and all that uses them fails with it. */
static void failed_settings(void) {
    spvif_module *module = module_of(fixtures, "spec/precision.spv");
    spvif_prepared *prepared = NULL;
    spvif_result *result = NULL, *none = NULL;
    OK(spvif_prepare(module, &prepared, &error));
    OK(spvif_specialize(prepared, NULL, NULL, &result, &error));
    const char *messages[] = {
        "the value for SpecId 3 is null", "the value for SpecId 3 is null", "the constant is null", "the value for the name `tile` is null",
        "the value for the name `tile` is null", "the constant is null", "the name of an entry point is not UTF-8"};
    for (int at = 0; at < 7; ++at) {
        spvif_settings *settings = spvif_settings_create();
        spvif_status changed[] = {
            at == 0 ? spvif_settings_set_text(settings, "3", NULL) : SPVIF_STATUS_ARGUMENT,
            at == 1 ? spvif_settings_set_default_text(settings, "3", NULL) : SPVIF_STATUS_ARGUMENT,
            at == 2 ? spvif_settings_set_text(settings, NULL, "1") : SPVIF_STATUS_ARGUMENT,
            at == 3 ? spvif_settings_set_text(settings, "tile", NULL) : SPVIF_STATUS_ARGUMENT,
            at == 4 ? spvif_settings_set_default_text(settings, "tile", NULL) : SPVIF_STATUS_ARGUMENT,
            at == 5 ? spvif_settings_leave(settings, NULL) : SPVIF_STATUS_ARGUMENT,
            at == 6 ? spvif_settings_add_entry_point(settings, "\xff") : SPVIF_STATUS_ARGUMENT};
        for (int each = 0; each < 7; ++each) CHECK(changed[each] == SPVIF_STATUS_ARGUMENT);
        /* Neither a later failure nor a later success takes its place. */
        CHECK(spvif_settings_set_text(settings, "99", NULL) == SPVIF_STATUS_ARGUMENT);
        CHECK(spvif_settings_set(settings, 0, spvif_bool(true)) == SPVIF_STATUS_OK);
        uint8_t key[16];
        size_t count = 0;
        spvif_host_values *values = NULL;
        for (int call = 0; call < 4; ++call) {
            FAILS(SPVIF_STATUS_ARGUMENT, call == 0   ? spvif_specialize(prepared, NULL, settings, &none, &error)
                                         : call == 1 ? spvif_specialize_into(prepared, NULL, settings, NULL, 0, &count, &error)
                                         : call == 2 ? spvif_prepared_cache_key(prepared, NULL, settings, key, &error)
                                                     : spvif_host_values_create(prepared, result, settings, &values, &error))
            CHECK(strcmp(spvif_error_message(error), messages[at]) == 0);
            FREED
        }
        CHECK(none == NULL && values == NULL && count == 0);
        spvif_settings_destroy(settings);
    }
    spvif_result_destroy(result);
    spvif_prepared_destroy(prepared);
    spvif_module_destroy(module);
}

/* What a result lacks of an interface, kind by kind, and what keeping it changes (tests/interface.spvasm). */
static void interfaces(void) {
    spvif_module *module = module_of(expected, "interface.spv");
    spvif_prepared *prepared = NULL;
    spvif_result *result = NULL;
    spvif_interface *lacks = NULL, *whole = NULL;
    OK(spvif_prepare(module, &prepared, &error));
    spvif_settings *settings = spvif_settings_create();
    CHECK(spvif_settings_add_entry_point(settings, "fill") == SPVIF_STATUS_OK);
    OK(spvif_specialize(prepared, NULL, settings, &result, &error));
    OK(spvif_removed_interface(prepared, result, &lacks, &error));
    const spvif_entry_point *entry = spvif_interface_entry_point(lacks, 0);
    CHECK(entry && strcmp(entry->name, "shade") == 0 && strcmp(entry->stage, "Fragment") == 0 && !entry->condition);
    const spvif_binding *binding = spvif_interface_binding(lacks, 0);
    CHECK(binding && binding->set == 1 && binding->binding == 2 && strcmp(binding->name, "texels") == 0);
    CHECK(binding->descriptor_type == 7 && strcmp(binding->type_name, "VK_DESCRIPTOR_TYPE_STORAGE_BUFFER") == 0);
    CHECK(binding->count == 1 && binding->stages == 0x10); /* VK_SHADER_STAGE_FRAGMENT_BIT */
    const spvif_push_constants *push = spvif_interface_push_constants(lacks, 0);
    CHECK(push && push->members == 2 && strcmp(push->name, "scale") == 0);
    CHECK(push->offset == 0 && push->size == 8 && push->stages == 0x10);
    const spvif_location *input = spvif_interface_location(lacks, 0), *output = spvif_interface_location(lacks, 1);
    CHECK(input && strcmp(input->storage_class, "Input") == 0 && input->location == 3 && input->component == 1);
    CHECK(strcmp(input->name, "colour") == 0);
    CHECK(output && strcmp(output->storage_class, "Output") == 0 && output->location == 0 && output->component == 0 && !output->name);
    const uint32_t *spec_id = spvif_interface_spec_id(lacks, 0);
    CHECK(spec_id && *spec_id == 0);
    CHECK(!spvif_interface_entry_point(lacks, 1) && !spvif_interface_binding(lacks, 1) && !spvif_interface_push_constants(lacks, 1));
    CHECK(!spvif_interface_location(lacks, 2) && !spvif_interface_spec_id(lacks, 1));
    OK(spvif_interface_create(module, &whole, &error));
    CHECK(spvif_interface_entry_point(whole, 1) && spvif_interface_spec_id(whole, 1));
    spvif_interface_destroy(whole);
    spvif_interface_destroy(lacks);
    spvif_result_destroy(result);
    spvif_settings_destroy(settings);

    settings = spvif_settings_create();
    CHECK(spvif_settings_set(settings, 0, spvif_bool(false)) == SPVIF_STATUS_OK);
    for (int keeps = 0; keeps < 2; ++keeps) {
        if (keeps) CHECK(spvif_settings_keep_interface(settings) == SPVIF_STATUS_OK);
        OK(spvif_specialize(prepared, NULL, settings, &result, &error));
        equals(result, keeps ? "interface.kept.spv" : "interface.plain.spv");
        OK(spvif_removed_interface(prepared, result, &lacks, &error));
        CHECK((spvif_interface_binding(lacks, 0) == NULL) == keeps && (spvif_interface_push_constants(lacks, 0) == NULL) == keeps);
        spvif_interface_destroy(lacks);
        /* For a program that found the result in a cache. */
        OK(spvif_removed_interface_for(prepared, NULL, settings, &lacks, &error));
        CHECK((spvif_interface_binding(lacks, 0) == NULL) == keeps && (spvif_interface_push_constants(lacks, 0) == NULL) == keeps);
        spvif_interface_destroy(lacks);
        spvif_result_destroy(result);
    }
    spvif_settings_destroy(settings);

    /* An entry point that a device does not run, beside one that it does. */
    const char *yaml = "small:\n  aspects: [gpu]\n  max-work-group-size: 256\n";
    spvif_device *small = NULL;
    OK(spvif_device_from_config("small.yaml", yaml, "small", &small, &error));
    OK(spvif_specialize(prepared, small, NULL, &result, &error));
    const spvif_unsupported *unsupported = spvif_result_unsupported(result, 0);
    CHECK(unsupported && strcmp(unsupported->entry_point, "fill") == 0);
    CHECK(unsupported->missing->kind == SPVIF_MISSING_KIND_WORK_GROUP_SIZE && unsupported->missing->number == 512);
    CHECK(strstr(unsupported->missing->reason, "256") && !spvif_result_unsupported(result, 1));
    size_t kept_words = 0, fewer_words = 0;
    CHECK(spvif_result_words(result, &kept_words));
    spvif_result_destroy(result);
    /* Left out. */
    settings = spvif_settings_create();
    CHECK(spvif_settings_drop_unsupported(settings) == SPVIF_STATUS_OK);
    OK(spvif_specialize(prepared, small, settings, &result, &error));
    CHECK(spvif_result_words(result, &fewer_words) && fewer_words < kept_words);
    CHECK(strcmp(spvif_result_unsupported(result, 0)->entry_point, "fill") == 0);
    spvif_result_destroy(result);
    spvif_settings_destroy(settings);
    spvif_device_destroy(small);
    spvif_prepared_destroy(prepared);

    spvif_requirements *requirements = NULL;
    OK(spvif_requirements_create(module, &requirements, &error));
    CHECK(strcmp(spvif_requirements_superfluous(requirements, 0), "Int64") == 0 && !spvif_requirements_superfluous(requirements, 1));
    const spvif_spec_constant *on = spvif_requirements_spec_constant(requirements, 0);
    const spvif_spec_constant *length = spvif_requirements_spec_constant(requirements, 1);
    CHECK(on && on->branches == 1 && on->array_sizes == 0 && !on->work_group_size);
    CHECK(length && length->spec_id == 1 && length->branches == 0 && length->array_sizes == 1 && !length->work_group_size);
    spvif_requirements_destroy(requirements);
    spvif_module_destroy(module);
}

/* Property sets beside a module that does not carry its own. */
static void properties(void) {
    spvif_module *module = module_of(expected, "kernels.spv"), *complete = NULL, *none = NULL;
    file text = read_file(expected, "kernels.prop");
    OK(spvif_module_add_properties(module, "kernels.prop", (char *)text.bytes, &complete, &error));
    free(text.bytes);
    spvif_prepared *prepared = NULL;
    spvif_result *result = NULL;
    OK(spvif_prepare(complete, &prepared, &error));
    spvif_device *own = device("intel_gpu_dg1");
    OK(spvif_specialize(prepared, own, NULL, &result, &error));
    equals(result, "kernels.intel_gpu_dg1.spv");
    spvif_interface *lacks = NULL;
    OK(spvif_removed_interface(prepared, result, &lacks, &error));
    CHECK(strcmp(spvif_interface_entry_point(lacks, 0)->name, "main_fp64") == 0);
    CHECK(strcmp(spvif_interface_entry_point(lacks, 1)->name, "other") == 0 && !spvif_interface_entry_point(lacks, 2));
    spvif_interface_destroy(lacks);
    spvif_result_destroy(result);
    spvif_prepared_destroy(prepared);
    /* Without them nothing says what its constant stands for. */
    OK(spvif_prepare(module, &prepared, &error));
    FAILS(SPVIF_STATUS_UNDECIDED, spvif_specialize(prepared, own, NULL, &result, &error))
    FREED
    FAILS(SPVIF_STATUS_MODULE, spvif_module_add_properties(module, "kernels.prop", "[SYCL", &none, &error))
    CHECK(strstr(spvif_error_message(error), "kernels.prop") && none == NULL);
    FREED
    spvif_device_destroy(own);
    spvif_prepared_destroy(prepared);
    spvif_module_destroy(complete);
    spvif_module_destroy(module);
}

/* A condition that the host decides, in a module that is packed, and in the compiler's. */
static void decisions(void) {
    spvif_module *module = module_of(fixtures, "check/double.spv"), *annotated = NULL, *modules[2];
    OK(spvif_module_annotate(module, "a.yaml", "functions: { boo: { when: host(fast), otherwise: undef } }", &annotated, &error));
    spvif_result *pack = NULL, *result = NULL;
    OK(spvif_pack(annotated, NULL, &pack, &error));
    OK(spvif_result_module(pack, &modules[0], &error));
    modules[1] = annotated;
    /* With doubles, and of which nothing says how large work-groups may be. */
    spvif_parts *parts = spvif_parts_create();
    CHECK(spvif_parts_set(parts, "capabilities", "Shader,Float64") == SPVIF_STATUS_OK);
    CHECK(spvif_parts_set(parts, "aspects", "gpu,fp64") == SPVIF_STATUS_OK);
    spvif_device *own = NULL;
    OK(spvif_device_from_parts(parts, &own, &error));
    spvif_parts_destroy(parts);
    for (int at = 0; at < 2; ++at) {
        spvif_prepared *prepared = NULL;
        OK(spvif_prepare(modules[at], &prepared, &error));
        spvif_settings *settings = spvif_settings_create();
        FAILS(SPVIF_STATUS_UNDECIDED, spvif_specialize(prepared, own, settings, &result, &error))
        CHECK(strcmp(spvif_error_undecided(error, 0)->condition, "host(fast)") == 0);
        CHECK(strstr(spvif_error_message(error), "host(fast) is for the host to decide"));
        FREED
        size_t counts[2] = {0, 0};
        for (int fast = 0; fast < 2; ++fast) {
            CHECK(spvif_settings_set_text(settings, "fast", fast ? "true" : "false") == SPVIF_STATUS_OK);
            OK(spvif_specialize(prepared, own, settings, &result, &error));
            CHECK(!spvif_result_undecided(result, 0) && spvif_result_words(result, &counts[fast]));
            spvif_result_destroy(result);
        }
        CHECK(counts[0] < counts[1]);
        CHECK(spvif_settings_set_text(settings, "fast", "2") == SPVIF_STATUS_OK);
        FAILS(SPVIF_STATUS_REQUEST, spvif_specialize(prepared, own, settings, &result, &error))
        FREED
        spvif_settings_destroy(settings);
        spvif_prepared_destroy(prepared);
        spvif_module_destroy(modules[at]);
    }
    spvif_device_destroy(own);
    spvif_result_destroy(pack);
    spvif_module_destroy(module);
}

/* Specialization constants of a module that was never packed. */
static void constants(void) {
    spvif_module *module = module_of(fixtures, "spec/precision.spv");
    spvif_prepared *prepared = NULL;
    OK(spvif_prepare(module, &prepared, &error));
    spvif_settings *settings = spvif_settings_create();
    CHECK(spvif_settings_set(settings, 0, spvif_bool(false)) == SPVIF_STATUS_OK);
    CHECK(spvif_settings_set_text(settings, "1", "true") == SPVIF_STATUS_OK);
    CHECK(spvif_settings_set(settings, 2, spvif_int(0)) == SPVIF_STATUS_OK);
    CHECK(spvif_settings_set(settings, 10, spvif_uint(32)) == SPVIF_STATUS_OK);
    CHECK(spvif_settings_trim(settings) == SPVIF_STATUS_OK);
    spvif_result *result = NULL;
    OK(spvif_specialize(prepared, NULL, settings, &result, &error));
    equals(result, "precision.spv");
    CHECK(strcmp(spvif_result_removed(result, 0), "Float16") == 0);
    CHECK(!spvif_result_work_around(result) && !spvif_result_warning(result, 0));
    spvif_result_destroy(result);
    /* A SpecId that it does not have, and a value that does not fit. */
    CHECK(spvif_settings_set(settings, 99, spvif_float(1.5)) == SPVIF_STATUS_OK);
    FAILS(SPVIF_STATUS_REQUEST, spvif_specialize(prepared, NULL, settings, &result, &error))
    CHECK(strstr(spvif_error_message(error), "99"));
    FREED
    CHECK(spvif_settings_ignore_unknown(settings) == SPVIF_STATUS_OK);
    OK(spvif_specialize(prepared, NULL, settings, &result, &error));
    CHECK(spvif_result_ignored(result, 0)->spec_id == 99 && !spvif_result_ignored(result, 1));
    spvif_result_destroy(result);
    CHECK(spvif_settings_work_around(settings, "nvidia") == SPVIF_STATUS_OK);
    OK(spvif_specialize(prepared, NULL, settings, &result, &error));
    CHECK(strcmp(spvif_result_work_around(result), "the compiler of nvidia is not known to fail at any instruction") == 0);
    spvif_result_destroy(result);
    CHECK(spvif_settings_set(settings, 0, spvif_float(0.5)) == SPVIF_STATUS_OK);
    FAILS(SPVIF_STATUS_REQUEST, spvif_specialize(prepared, NULL, settings, &result, &error))
    FREED
    spvif_settings *misspelled = spvif_settings_create();
    CHECK(spvif_settings_unset(misspelled, "kept") == SPVIF_STATUS_ARGUMENT);
    FAILS(SPVIF_STATUS_ARGUMENT, spvif_specialize(prepared, NULL, misspelled, &result, &error))
    CHECK(strcmp(spvif_error_message(error), "the policy is `kept`: expected one of error, keep, default") == 0);
    FREED
    spvif_settings_destroy(misspelled);
    CHECK(spvif_settings_add_entry_point(settings, "none") == SPVIF_STATUS_OK);
    CHECK(spvif_settings_work_around(settings, "rusticl") == SPVIF_STATUS_OK);
    FAILS(SPVIF_STATUS_REQUEST, spvif_specialize(prepared, NULL, settings, &result, &error))
    CHECK(strstr(spvif_error_message(error), "none"));
    FREED
    spvif_settings_destroy(settings);
    spvif_prepared_destroy(prepared);
    spvif_module_destroy(module);
}

/* What the device leaves open is packed, with functions cloned. */
static void clones(void) {
    const char *text = "spec-constants: { 0: host(a), 1: host(b), 2: host(c), 3: host(d) }\nfunctions: { twice: { when: host(a) } }";
    spvif_module *module = module_of(expected, "clones.spv"), *annotated = NULL;
    OK(spvif_module_annotate(module, "a.yaml", text, &annotated, &error));
    spvif_prepared *prepared = NULL;
    OK(spvif_prepare(annotated, &prepared, &error));
    spvif_device *own = device("intel_gpu_bmg_g21");
    spvif_settings *settings = spvif_settings_create();
    spvif_result *result = NULL;
    CHECK(spvif_settings_unset(settings, "keep") == SPVIF_STATUS_OK);
    CHECK(spvif_settings_max_clones(settings, 15) == SPVIF_STATUS_OK);
    FAILS(SPVIF_STATUS_MODULE, spvif_specialize(prepared, own, settings, &result, &error))
    CHECK(strstr(spvif_error_message(error), "main would need 16 clones, and no more than 15 are allowed"));
    FREED
    CHECK(spvif_settings_max_clones(settings, 16) == SPVIF_STATUS_OK);
    OK(spvif_specialize(prepared, own, settings, &result, &error));
    /* It is larger than the module, and fits into a buffer of its own size all the same. */
    size_t count = 0, needed = 0;
    const uint32_t *words = spvif_result_words(result, &count);
    const spvif_constant *unknown = spvif_result_unknown(result, 3);
    CHECK(unknown->spec_id == 3 && strcmp(unknown->condition, "host(d)") == 0);
    CHECK(!spvif_result_unknown(result, 4) && !spvif_result_work_around(result));
    CHECK(strcmp(spvif_result_open(result, 3)->condition, "host(d)") == 0 && !spvif_result_open(result, 4));
    file compiled = read_file(expected, "clones.spv");
    CHECK(4 * count > compiled.size);
    free(compiled.bytes);
    uint32_t *buffer = malloc(4 * count);
    CHECK(buffer != NULL);
    OK(spvif_specialize_into(prepared, own, settings, buffer, count, &needed, &error));
    CHECK(needed == count && memcmp(words, buffer, 4 * count) == 0);
    free(buffer);
    spvif_result_destroy(result);
    spvif_settings_destroy(settings);
    spvif_device_destroy(own);
    spvif_prepared_destroy(prepared);
    spvif_module_destroy(annotated);
    spvif_module_destroy(module);
}

/* Constants that a driver sets, and what else is the same for it. */
static void left_for_drivers(void) {
    spvif_module *module = module_of(fixtures, "spec/precision.spv");
    spvif_prepared *prepared = NULL;
    OK(spvif_prepare(module, &prepared, &error));
    spvif_settings *settings = spvif_settings_create();
    CHECK(spvif_settings_set(settings, 0, spvif_bool(false)) == SPVIF_STATUS_OK);
    CHECK(spvif_settings_set(settings, 1, spvif_bool(true)) == SPVIF_STATUS_OK);
    CHECK(spvif_settings_set_text(settings, "subgroups", "0") == SPVIF_STATUS_OK);
    CHECK(spvif_settings_set_default(settings, 10, spvif_uint(32)) == SPVIF_STATUS_OK);
    CHECK(spvif_settings_set_default_text(settings, "factor", "2.5") == SPVIF_STATUS_OK);
    CHECK(spvif_settings_leave(settings, "offset") == SPVIF_STATUS_OK);
    CHECK(spvif_settings_keep_interface(settings) == SPVIF_STATUS_OK);
    CHECK(spvif_settings_strip(settings) == SPVIF_STATUS_OK);
    CHECK(spvif_settings_trim(settings) == SPVIF_STATUS_OK);
    uint8_t key[16], other[16];
    OK(spvif_prepared_cache_key(prepared, NULL, settings, key, &error));
    CHECK(spvif_settings_max_version(settings, 0x10200) == SPVIF_STATUS_OK);
    OK(spvif_prepared_cache_key(prepared, NULL, settings, other, &error));
    CHECK(memcmp(key, other, sizeof key) != 0);
    spvif_result *result = NULL;
    OK(spvif_specialize(prepared, NULL, settings, &result, &error));
    equals(result, "precision.older.spv");

    /* What the result lacks. */
    spvif_interface *interface = NULL, *before = NULL;
    OK(spvif_removed_interface(prepared, result, &interface, &error));
    for (uint32_t at = 0; at < 3; ++at) {
        const uint32_t *spec_id = spvif_interface_spec_id(interface, at);
        CHECK(spec_id && *spec_id == at);
    }
    CHECK(!spvif_interface_spec_id(interface, 3) && !spvif_interface_binding(interface, 0));
    OK(spvif_interface_create(module, &before, &error));
    const spvif_binding *binding = spvif_interface_binding(before, 0);
    CHECK(binding && binding->set == 0 && binding->binding == 0);
    const spvif_entry_point *entry = spvif_interface_entry_point(before, 0);
    CHECK(entry && strcmp(entry->name, "main") == 0 && strcmp(entry->stage, "GLCompute") == 0);
    CHECK(!spvif_interface_location(before, 0) && !spvif_interface_push_constants(before, 0));
    spvif_interface_destroy(before);
    spvif_interface_destroy(interface);

    /* What is left for VkSpecializationInfo. */
    spvif_settings *values = spvif_settings_create();
    CHECK(spvif_settings_set(values, 0, spvif_bool(true)) == SPVIF_STATUS_OK);
    CHECK(spvif_settings_set(values, 10, spvif_uint(64)) == SPVIF_STATUS_OK);
    CHECK(spvif_settings_set(values, 4, spvif_float(1.5)) == SPVIF_STATUS_OK);
    spvif_host_values *left = NULL;
    OK(spvif_host_values_create(prepared, result, values, &left, &error));
    const spvif_specialization_info *info = spvif_host_values_info(left);
    CHECK(info->map_entry_count == 2 && info->data_size == 12);
    const uint8_t *data = info->data;
    double factor = 0;
    uint32_t width = 0;
    CHECK(info->map_entries[0].constant_id == 4 && info->map_entries[0].size == sizeof factor);
    CHECK(info->map_entries[1].constant_id == 10 && info->map_entries[1].size == sizeof width);
    memcpy(&factor, data + info->map_entries[0].offset, sizeof factor);
    memcpy(&width, data + info->map_entries[1].offset, sizeof width);
    CHECK(factor == 1.5 && width == 64);
    /* The same for a program that found the result in a cache; without values, those that the settings leave as defaults are none. */
    spvif_host_values *on_hit = NULL;
    OK(spvif_host_values_for(prepared, NULL, settings, values, &on_hit, &error));
    const spvif_specialization_info *hit = spvif_host_values_info(on_hit);
    CHECK(hit->map_entry_count == 2 && hit->data_size == info->data_size && memcmp(hit->data, info->data, info->data_size) == 0);
    CHECK(memcmp(hit->map_entries, info->map_entries, 2 * sizeof *info->map_entries) == 0);
    spvif_host_values_destroy(on_hit);
    OK(spvif_host_values_for(prepared, NULL, settings, NULL, &on_hit, &error));
    CHECK(spvif_host_values_info(on_hit)->map_entry_count == 0);
    spvif_host_values_destroy(on_hit);
    FAILS(SPVIF_STATUS_ARGUMENT, spvif_host_values_for(NULL, NULL, settings, values, &on_hit, &error))
    CHECK(on_hit == NULL);
    FREED
    spvif_host_values_destroy(left);
    /* A SpecId that the module does not have. */
    CHECK(spvif_settings_set(values, 99, spvif_uint(1)) == SPVIF_STATUS_OK);
    FAILS(SPVIF_STATUS_REQUEST, spvif_host_values_create(prepared, result, values, &left, &error))
    CHECK(strstr(spvif_error_message(error), "99"));
    FREED
    CHECK(spvif_settings_ignore_unknown(values) == SPVIF_STATUS_OK);
    OK(spvif_host_values_create(prepared, result, values, &left, &error));
    CHECK(spvif_host_values_info(left)->map_entry_count == 2);
    spvif_host_values_destroy(left);
    FAILS(SPVIF_STATUS_ARGUMENT, spvif_host_values_create(prepared, result, NULL, &left, &error))
    CHECK(left == NULL);
    FREED
    spvif_settings_destroy(values);
    spvif_result_destroy(result);

    /* It is too new with the other value. */
    CHECK(spvif_settings_set(settings, 2, spvif_int(1)) == SPVIF_STATUS_OK);
    FAILS(SPVIF_STATUS_TOO_NEW, spvif_specialize(prepared, NULL, settings, &result, &error))
    const spvif_missing *missing = spvif_error_missing(error, 0);
    CHECK(missing && missing->kind == SPVIF_MISSING_KIND_VERSION && missing->number == 0x10300);
    CHECK(strstr(missing->name, "GroupNonUniform") && strstr(missing->reason, "SPIR-V 1.3"));
    FREED
    /* Every type of value. */
    CHECK(spvif_settings_max_version(settings, 0x10600) == SPVIF_STATUS_OK);
    CHECK(spvif_settings_set_default(settings, 0, spvif_bool(true)) == SPVIF_STATUS_OK);
    CHECK(spvif_settings_set_default(settings, 3, spvif_int(-1)) == SPVIF_STATUS_OK);
    CHECK(spvif_settings_set_default(settings, 4, spvif_float(0.5)) == SPVIF_STATUS_OK);
    CHECK(spvif_settings_set_default_text(settings, "5", "-2") == SPVIF_STATUS_OK);
    CHECK(spvif_settings_leave(settings, "11") == SPVIF_STATUS_OK);
    OK(spvif_specialize(prepared, NULL, settings, &result, &error));
    spvif_module *changed = NULL;
    OK(spvif_result_module(result, &changed, &error));
    spvif_requirements *requirements = NULL;
    OK(spvif_requirements_create(changed, &requirements, &error));
    const char *expected_defaults[] = {"true", "18446744073709551615", "0.5", "-2", "32", "1"};
    for (size_t at = 0; at < 6; ++at) {
        const spvif_spec_constant *constant = spvif_requirements_spec_constant(requirements, at);
        CHECK(constant && strcmp(constant->default_value, expected_defaults[at]) == 0);
    }
    CHECK(!spvif_requirements_spec_constant(requirements, 6));
    spvif_requirements_destroy(requirements);
    spvif_module_destroy(changed);
    spvif_result_destroy(result);
    /* What each constant decides. */
    OK(spvif_requirements_create(module, &requirements, &error));
    const spvif_spec_constant *constant = spvif_requirements_spec_constant(requirements, 0);
    CHECK(constant && constant->spec_id == 0 && strcmp(constant->name, "use_half") == 0);
    CHECK(strcmp(constant->type_name, "bool") == 0 && constant->branches > 0);
    CHECK(constant->array_sizes == 0 && !constant->work_group_size);
    for (size_t at = 6; at < 8; ++at) {
        const spvif_spec_constant *size = spvif_requirements_spec_constant(requirements, at);
        CHECK(size && size->spec_id == at + 4 && size->work_group_size && size->array_sizes == 0);
    }
    bool saves_half = false;
    const spvif_decided *decided = NULL;
    for (size_t at = 0; (decided = spvif_requirements_decided(requirements, 0, at)); ++at) {
        for (size_t each = 0; each < decided->capability_count; ++each) {
            /* The number of Float16. */
            saves_half |= !decided->value && decided->capabilities[each] == 9;
        }
        CHECK(strcmp(decided->text, decided->value ? "true" : "false") == 0);
    }
    /* GroupNonUniformArithmetic depends on a number. */
    bool saves_groups = false;
    for (size_t at = 0; (decided = spvif_requirements_decided(requirements, 2, at)); ++at) {
        for (size_t each = 0; each < decided->capability_count; ++each) {
            saves_groups |= decided->blocks == 2 && decided->capabilities[each] == 63 && strcmp(decided->text, "0") == 0;
        }
    }
    CHECK(saves_groups && !spvif_requirements_spec_constant(requirements, 2)->untried);
    CHECK(saves_half && !spvif_requirements_decided(requirements, 99, 0));
    spvif_requirements_destroy(requirements);
    spvif_settings_destroy(settings);
    spvif_prepared_destroy(prepared);
    spvif_module_destroy(module);
}

static void refusing(void) {
    spvif_module *module = module_of(fixtures, "opencl/plain.spv");
    spvif_prepared *prepared = NULL;
    OK(spvif_prepare(module, &prepared, &error));
    spvif_device *own = device("intel_gpu_acm_g10");
    spvif_result *result = NULL;
    FAILS(SPVIF_STATUS_REFUSED, spvif_specialize(prepared, own, NULL, &result, &error))
    const spvif_missing *missing = NULL;
    bool has_double = false;
    for (size_t at = 0; (missing = spvif_error_missing(error, at)); ++at) {
        /* The number of Float64 in SPIR-V. */
        has_double |= missing->kind == SPVIF_MISSING_KIND_CAPABILITY && missing->number == 10;
        CHECK(strlen(missing->name) > 0 && strlen(missing->reason) > 0);
    }
    CHECK(has_double && strstr(spvif_error_message(error), "does not accept Float64") && result == NULL);
    says(error, "refused.txt");
    FREED
    /* One that lowering would make run. */
    spvif_module *switching = module_of(fixtures, "traps/helper-O2.spv");
    spvif_prepared *switched = NULL;
    OK(spvif_prepare(switching, &switched, &error));
    FAILS(SPVIF_STATUS_REFUSED, spvif_specialize(switched, own, NULL, &result, &error))
    CHECK(strstr(spvif_error_message(error), "with spvif_settings_lower"));
    says(error, "lower.txt");
    FREED
    spvif_prepared_destroy(switched);
    spvif_module_destroy(switching);
    /* Nobody wants the error. */
    CHECK(spvif_specialize(prepared, own, NULL, &result, NULL) == SPVIF_STATUS_REFUSED);
    spvif_device_destroy(own);
    spvif_prepared_destroy(prepared);
    spvif_module_destroy(module);

    /* A version and a capability, by their numbers. */
    module = module_of(fixtures, "spec/precision.spv");
    OK(spvif_prepare(module, &prepared, &error));
    const char *yaml = "mine:\n  spirv-versions: ['1.0']\n  exact-spirv-versions: true\n  capabilities: [Shader]\n"
                       "  exact-capabilities: true\n";
    OK(spvif_device_from_config("mine.yaml", yaml, "mine", &own, &error));
    CHECK(strcmp(spvif_device_name(own), "mine") == 0);
    FAILS(SPVIF_STATUS_REFUSED, spvif_specialize(prepared, own, NULL, &result, &error))
    bool has_version = false, has_capability = false;
    const spvif_missing *missing = NULL;
    for (size_t at = 0; (missing = spvif_error_missing(error, at)); ++at) {
        has_version |= missing->kind == SPVIF_MISSING_KIND_VERSION && missing->number == 0x10500 &&
                       strcmp(missing->name, "SPIR-V 1.5") == 0;
        /* The number of Float64. */
        has_capability |= missing->kind == SPVIF_MISSING_KIND_CAPABILITY && missing->number == 10 &&
                          strcmp(missing->name, "Float64") == 0;
    }
    CHECK(has_version && has_capability);
    FREED
    spvif_device_destroy(own);
    spvif_prepared_destroy(prepared);
    spvif_module_destroy(module);
}

/* A module that a device runs with changes. */
static void adapting(void) {
    spvif_module *module = module_of(fixtures, "adapted/hints.spv");
    spvif_prepared *prepared = NULL;
    OK(spvif_prepare(module, &prepared, &error));
    spvif_parts *parts = spvif_parts_create();
    CHECK(spvif_parts_set(parts, "capabilities", "Kernel,Addresses,Linkage,Int64") == SPVIF_STATUS_OK);
    spvif_device *described = NULL;
    OK(spvif_device_from_parts(parts, &described, &error));
    spvif_parts_destroy(parts);
    spvif_settings *settings = spvif_settings_create();
    spvif_result *result = NULL;
    FAILS(SPVIF_STATUS_REFUSED, spvif_specialize(prepared, described, settings, &result, &error))
    CHECK(strstr(spvif_error_message(error), "with spvif_settings_adapt"));
    says(error, "adapt.txt");
    FREED
    CHECK(spvif_settings_adapt(settings) == SPVIF_STATUS_OK);
    CHECK(spvif_settings_lower(settings) == SPVIF_STATUS_OK);
    CHECK(spvif_settings_wider_halves(settings) == SPVIF_STATUS_OK);
    OK(spvif_specialize(prepared, described, settings, &result, &error));
    equals(result, "hints.adapted.spv");
    CHECK(spvif_result_adapted(result, 0));
    CHECK(!spvif_result_lowered(result, 0));
    spvif_result_destroy(result);
    spvif_settings_destroy(settings);
    spvif_device_destroy(described);
    spvif_prepared_destroy(prepared);
    spvif_module_destroy(module);
}

/* One module and three devices with the three verdicts; strict settings refuse the third. */
static void verdicts(void) {
    spvif_module *module = module_of(fixtures, "opencl/plain.spv");
    spvif_prepared *prepared = NULL;
    OK(spvif_prepare(module, &prepared, &error));
    spvif_parts *parts = spvif_parts_create();
    CHECK(spvif_parts_set(parts, "aspects", "gpu,fp64") == SPVIF_STATUS_OK);
    spvif_device *asked[] = {device("intel_gpu_pvc"), device("intel_gpu_acm_g10"), NULL};
    OK(spvif_device_from_parts(parts, &asked[2], &error));
    spvif_parts_destroy(parts);
    spvif_settings *strict = spvif_settings_create();
    CHECK(spvif_settings_strict(strict) == SPVIF_STATUS_OK);
    spvif_verdict of_devices[] = {SPVIF_VERDICT_RUNS, SPVIF_VERDICT_DOES_NOT_RUN, SPVIF_VERDICT_NOT_KNOWN};
    const char *names[] = {"runs", "does not run", "not known"};
    spvif_compatibility *compatibility = NULL;
    spvif_result *result = NULL;
    for (int at = 0; at < 3; ++at) {
        /* Strict settings change no verdict. */
        for (int is_strict = 0; is_strict < 2; ++is_strict) {
            OK(spvif_compatibility_create(prepared, asked[at], is_strict ? strict : NULL, &compatibility, &error));
            CHECK(spvif_compatibility_verdict(compatibility) == of_devices[at]);
            CHECK(strcmp(spvif_compatibility_verdict_name(compatibility), names[at]) == 0);
            const char *missing = spvif_compatibility_missing(compatibility, 0), *unknown = spvif_compatibility_unknown(compatibility, 0);
            CHECK(at == 1 ? missing && strcmp(missing, "Float64") == 0 : !missing);
            CHECK(at == 2 ? unknown && strcmp(unknown, "SPIR-V 1.2") == 0 : at == 1 || !unknown);
            spvif_compatibility_destroy(compatibility);
        }
        if (at != 1) {
            OK(spvif_specialize(prepared, asked[at], NULL, &result, &error));
            const char *unknown = spvif_result_not_known(result, 0);
            CHECK(at == 2 ? unknown && strcmp(unknown, "SPIR-V 1.2") == 0 : !unknown);
            spvif_result_destroy(result);
        }
        if (at == 0) {
            OK(spvif_specialize(prepared, asked[at], strict, &result, &error));
            spvif_result_destroy(result);
        }
    }
    FAILS(SPVIF_STATUS_REFUSED, spvif_specialize(prepared, asked[2], strict, &result, &error))
    CHECK(strstr(spvif_error_message(error), "is not known to run on the described device: nothing says if it has SPIR-V 1.2, "));
    CHECK(strcmp(spvif_error_unknown(error, 0), "SPIR-V 1.2") == 0 && !spvif_error_missing(error, 0) && result == NULL);
    FREED
    /* Nothing is known. */
    OK(spvif_compatibility_create(prepared, NULL, NULL, &compatibility, &error));
    CHECK(spvif_compatibility_verdict(compatibility) == SPVIF_VERDICT_NOT_KNOWN && spvif_compatibility_unknown(compatibility, 0));
    spvif_compatibility_destroy(compatibility);
    CHECK(spvif_compatibility_verdict(NULL) == SPVIF_VERDICT_NOT_KNOWN && !spvif_compatibility_unknown(NULL, 0));
    FAILS(SPVIF_STATUS_ARGUMENT, spvif_compatibility_create(NULL, asked[0], NULL, &compatibility, &error))
    CHECK(compatibility == NULL);
    FREED
    for (int at = 0; at < 3; ++at) spvif_device_destroy(asked[at]);
    spvif_settings_destroy(strict);
    spvif_prepared_destroy(prepared);
    spvif_module_destroy(module);
}

/* A kernel with a case that the device does not run. */
static void traps(void) {
    spvif_module *module = module_of(fixtures, "traps/cast-O0.spv");
    spvif_prepared *prepared = NULL;
    OK(spvif_prepare(module, &prepared, &error));
    spvif_device *without = device("intel_gpu_acm_g10");
    spvif_settings *settings = spvif_settings_create();
    spvif_result *result = NULL;
    FAILS(SPVIF_STATUS_REFUSED, spvif_specialize(prepared, without, settings, &result, &error))
    FREED
    spvif_settings *malformed = spvif_settings_create();
    CHECK(spvif_settings_trap(malformed, "loud") == SPVIF_STATUS_REQUEST);
    FAILS(SPVIF_STATUS_REQUEST, spvif_specialize(prepared, without, malformed, &result, &error))
    CHECK(strstr(spvif_error_message(error), "invalid trap 'loud'"));
    FREED
    spvif_settings_destroy(malformed);
    CHECK(spvif_settings_trap(settings, "store:1:64") == SPVIF_STATUS_OK);
    OK(spvif_specialize(prepared, without, settings, &result, &error));
    const char *trapped = spvif_result_trapped(result, 0);
    CHECK(trapped && strstr(trapped, "of `__clang_ocl_kern_imp_run` requires Float64: trap store:1:64"));
    CHECK(!spvif_result_trapped(result, 1) && !spvif_result_trapped(NULL, 0));
    spvif_result_destroy(result);
    spvif_settings_destroy(settings);
    spvif_device_destroy(without);
    spvif_prepared_destroy(prepared);
    spvif_module_destroy(module);
}

/* The program's verdicts on modules and devices: lines of a file, a device, and a verdict or "error". */
static void verdicts_of_program(void) {
    file text = read_file(expected, "verdicts.txt");
    char name[256], device_name[64], verdict[16];
    int counts[3] = {0, 0, 0}, length = 0;
    for (const char *line = (const char *)text.bytes; sscanf(line, "%255s %63s %15[^\n]%n", name, device_name, verdict, &length) == 3; line += length) {
        spvif_module *module = module_of(fixtures, name);
        spvif_prepared *prepared = NULL;
        spvif_compatibility *compatibility = NULL;
        spvif_device *device_of_line = device(device_name);
        OK(spvif_prepare(module, &prepared, &error));
        if (strcmp(verdict, "error") == 0) {
            CHECK(spvif_compatibility_create(prepared, device_of_line, NULL, &compatibility, NULL) != SPVIF_STATUS_OK);
        } else {
            OK(spvif_compatibility_create(prepared, device_of_line, NULL, &compatibility, &error));
            const char *verdict_name = spvif_compatibility_verdict_name(compatibility);
            if (strcmp(verdict_name, verdict) != 0) fprintf(stderr, "%s on %s: %s, and the program says: %s\n", name, device_name, verdict_name, verdict);
            CHECK(strcmp(verdict_name, verdict) == 0);
            counts[spvif_compatibility_verdict(compatibility)] += 1;
            spvif_compatibility_destroy(compatibility);
        }
        spvif_device_destroy(device_of_line);
        spvif_prepared_destroy(prepared);
        spvif_module_destroy(module);
    }
    CHECK(counts[SPVIF_VERDICT_RUNS] && counts[SPVIF_VERDICT_DOES_NOT_RUN] && counts[SPVIF_VERDICT_NOT_KNOWN]);
    free(text.bytes);
}

static void devices(void) {
    spvif_device *own = NULL;
    FAILS(SPVIF_STATUS_REQUEST, spvif_device_by_name("intel_gpu_pvd", &own, &error))
    CHECK(strstr(spvif_error_message(error), "intel_gpu_pvc") && own == NULL);
    FREED
    FAILS(SPVIF_STATUS_REQUEST, spvif_device_by_name("intel_gpu_*", &own, &error))
    CHECK(strstr(spvif_error_message(error), "intel_gpu_pvc"));
    FREED
    spvif_parts *parts = spvif_parts_create();
    CHECK(spvif_parts_set(parts, "aspects", "gpu,fp16") == SPVIF_STATUS_OK);
    OK(spvif_device_from_parts(parts, &own, &error));
    CHECK(strcmp(spvif_device_name(own), "") == 0);
    int32_t holds = 7;
    OK(spvif_device_holds(own, "fp16", &holds, &error));
    CHECK(holds == 1);
    OK(spvif_device_holds(own, "fp16 && fp64", &holds, &error));
    CHECK(holds == 0);
    OK(spvif_device_holds(own, "cap(Geometry)", &holds, &error));
    CHECK(holds == -1);
    FAILS(SPVIF_STATUS_REQUEST, spvif_device_holds(own, "fp16 &&", &holds, &error))
    FREED
    spvif_device_destroy(own);
    CHECK(spvif_parts_set(parts, "aspects", "gpu,fp17") == SPVIF_STATUS_OK);
    FAILS(SPVIF_STATUS_REQUEST, spvif_device_from_parts(parts, &own, &error))
    CHECK(strstr(spvif_error_message(error), "fp16"));
    FREED
    /* The first change that failed is what the device fails with. */
    CHECK(spvif_parts_set(parts, "colour", "red") == SPVIF_STATUS_REQUEST);
    CHECK(spvif_parts_set(parts, "aspects", NULL) == SPVIF_STATUS_ARGUMENT);
    CHECK(spvif_parts_set(parts, "aspects", "gpu") == SPVIF_STATUS_OK);
    FAILS(SPVIF_STATUS_REQUEST, spvif_device_from_parts(parts, &own, &error))
    CHECK(strstr(spvif_error_message(error), "a device has no part `colour`; its parts are device, capabilities,") && own == NULL);
    FREED
    spvif_parts_destroy(parts);
    parts = spvif_parts_create();
    CHECK(spvif_parts_set(parts, "aspects", NULL) == SPVIF_STATUS_ARGUMENT);
    FAILS(SPVIF_STATUS_ARGUMENT, spvif_device_from_parts(parts, &own, &error))
    CHECK(strcmp(spvif_error_message(error), "the value of the part `aspects` is null") == 0);
    FREED
    spvif_parts_destroy(parts);
    const char *yaml = "mine:\n  aspects: [gpu, fp16]\n";
    OK(spvif_device_from_config("mine.yaml", yaml, "mine", &own, &error));
    OK(spvif_device_holds(own, "fp64", &holds, &error));
    CHECK(holds == 0);
    spvif_device_destroy(own);
    FAILS(SPVIF_STATUS_MODULE, spvif_device_from_config("mine.yaml", "mine: [", "mine", &own, &error))
    CHECK(strstr(spvif_error_message(error), "mine.yaml:"));
    FREED
}

static void expect_holds(const spvif_device *own, const char *condition, int32_t expected) {
    int32_t holds = 7;
    OK(spvif_device_holds(own, condition, &holds, &error));
    CHECK(holds == expected);
}

/* Modes of processors, and features of providers, as the program reads them. */
static void modes_and_features(void) {
    spvif_device *own = NULL;
    OK(spvif_device_by_name("gfx90a:xnack+:sramecc-", &own, &error));
    CHECK(strcmp(spvif_device_name(own), "amd_gpu_gfx90a:xnack+:sramecc-") == 0);
    expect_holds(own, "feature(amdgpu:xnack) && !feature(amdgpu:sramecc) && feature(amdgpu:mai-insts)", 1);
    spvif_device_destroy(own);
    OK(spvif_device_by_name("gfx1100", &own, &error));
    expect_holds(own, "feature(amdgpu:wavefrontsize64)", -1);
    spvif_device_destroy(own);
    OK(spvif_device_by_name("gfx1100:wavefrontsize64+", &own, &error));
    expect_holds(own, "feature(amdgpu:wavefrontsize64) && !feature(amdgpu:wavefrontsize32)", 1);
    spvif_device_destroy(own);
    FAILS(SPVIF_STATUS_REQUEST, spvif_device_by_name("gfx1100:xnack+", &own, &error))
    CHECK(strstr(spvif_error_message(error), "amd_gpu_gfx1100 has no mode `xnack+`; it has wavefrontsize32+"));
    FREED
    const char *yaml = "mine:\n  architecture: amd_gpu_gfx90a\n  provider-features: [amdgpu:mine]\n";
    OK(spvif_device_from_config("mine.yaml", yaml, "mine:xnack-", &own, &error));
    expect_holds(own, "feature(amdgpu:mine) && !feature(amdgpu:xnack)", 1);
    expect_holds(own, "feature(amdgpu:sramecc)", -1);
    spvif_device_destroy(own);

    spvif_parts *parts = spvif_parts_create();
    CHECK(spvif_parts_set(parts, "provider-features", "amdgpu:gfx12-insts,!amdgpu:xnack") == SPVIF_STATUS_OK);
    OK(spvif_device_from_parts(parts, &own, &error));
    expect_holds(own, "feature(amdgpu:gfx12-insts)", 1);
    expect_holds(own, "feature(amdgpu:xnack)", 0);
    expect_holds(own, "feature(amdgpu:mai-insts)", -1);
    spvif_device_destroy(own);
    CHECK(spvif_parts_set(parts, "provider-features", "amdgpu:gfx12-insts,!amdgpu:*") == SPVIF_STATUS_OK);
    OK(spvif_device_from_parts(parts, &own, &error));
    expect_holds(own, "feature(amdgpu:mai-insts)", 0);
    spvif_device_destroy(own);
    CHECK(spvif_parts_set(parts, "provider-features", "gfx12-insts") == SPVIF_STATUS_OK);
    FAILS(SPVIF_STATUS_REQUEST, spvif_device_from_parts(parts, &own, &error))
    CHECK(strstr(spvif_error_message(error), "amdgpu:gfx12-insts"));
    FREED
    spvif_parts_destroy(parts);
}

static void trimming_and_linking(void) {
    spvif_module *module = module_of(fixtures, "spec/precision.spv");
    spvif_result *result = NULL;
    OK(spvif_trim(module, &result, &error));
    equals(result, "precision.trimmed.spv");
    spvif_result_destroy(result);
    spvif_module_destroy(module);

    spvif_module *units[] = {module_of(fixtures, "link/static-user-O2.spv"), module_of(fixtures, "link/static-library-O2.spv")};
    OK(spvif_link((const spvif_module *const *)units, 2, NULL, &result, &error));
    CHECK(!spvif_result_warning(result, 0));
    /* It goes on with what it knows of both. */
    OK(spvif_result_module(result, &module, &error));
    spvif_result *pack = NULL;
    OK(spvif_pack(module, NULL, &pack, &error));
    write_result(pack, "linked.spv");
    spvif_result_destroy(pack);
    spvif_result_destroy(result);
    spvif_module_destroy(module);
    spvif_module *twice[] = {units[0], units[0]};
    FAILS(SPVIF_STATUS_MODULE, spvif_link((const spvif_module *const *)twice, 2, NULL, &result, &error))
    FREED
    spvif_module_destroy(units[0]);
    spvif_module_destroy(units[1]);

    /* A shader with an entry point and an exported function, which a library keeps. */
    const uint32_t shader[] = {
        0x7230203, 0x10000, 0x70000, 0x7, 0x0,
        0x20011, 0x1, 0x20011, 0x5, 0x3000e, 0x0, 0x1, 0x4000f, 0x5, 0x1, 0x6d, 0x60010, 0x1, 0x11, 0x1, 0x1, 0x1,
        0x50047, 0x2, 0x29, 0x66, 0x0, 0x20013, 0x3, 0x30021, 0x4, 0x3, 0x50036, 0x3, 0x1, 0x0, 0x4, 0x200f8, 0x5, 0x100fd,
        0x10038, 0x50036, 0x3, 0x2, 0x0, 0x4, 0x200f8, 0x6, 0x100fd, 0x10038
    };
    OK(spvif_module_create(shader, sizeof shader, &module, &error));
    size_t count = 0;
    OK(spvif_link((const spvif_module *const *)&module, 1, NULL, &result, &error));
    spvif_result_words(result, &count);
    CHECK(count < sizeof shader / 4);
    spvif_result_destroy(result);
    spvif_link_options *options = spvif_link_options_create();
    CHECK(spvif_link_options_create_library(options) == SPVIF_STATUS_OK);
    OK(spvif_link((const spvif_module *const *)&module, 1, options, &result, &error));
    const uint32_t *words = spvif_result_words(result, &count);
    CHECK(count == sizeof shader / 4 && memcmp(words, shader, sizeof shader) == 0);
    spvif_result_destroy(result);
    spvif_link_options_destroy(options);
    spvif_module_destroy(module);
}

/* What Vulkan must enable: in structures of the core, or of extensions. */
static void vulkan_requirements(const spvif_module *module) {
    for (uint32_t minor = 1; minor <= 3; ++minor) {
        spvif_vulkan_requirements *own = NULL;
        OK(spvif_requirements_vulkan(module, 1u << 22 | minor << 12, NULL, &own, &error));
        CHECK(spvif_vulkan_requirements_version(own) == (1u << 22 | minor << 12));
        uint32_t count = 99;
        const char *const *names = spvif_vulkan_requirements_extensions(own, &count);
        bool has_half = false, has_storage = false, has_extension = false, has_size = false;
        for (uint32_t at = 0; at < count; ++at) has_extension |= strcmp(names[at], "VK_KHR_shader_float16_int8") == 0;
        CHECK(has_extension == (minor < 2) && spvif_vulkan_requirements_extensions(own, NULL) == names);
        const spvif_vulkan_feature *feature = NULL;
        for (size_t at = 0; (feature = spvif_vulkan_requirements_feature(own, at)); ++at) {
            has_half |= strcmp(feature->member, "shaderFloat16") == 0;
            has_storage |= strcmp(feature->structure, minor < 2 ? "VkPhysicalDevice16BitStorageFeatures" : "VkPhysicalDeviceVulkan11Features") == 0 &&
                           strcmp(feature->member, "storageBuffer16BitAccess") == 0;
        }
        const spvif_vulkan_limit *limit = NULL;
        for (size_t at = 0; (limit = spvif_vulkan_requirements_limit(own, at)); ++at)
            has_size |= strcmp(limit->member, "maxComputeWorkGroupInvocations") == 0 && limit->at_least > 1;
        CHECK(has_half && has_storage && has_size && !spvif_vulkan_requirements_property(own, 0));
        /* VkPhysicalDeviceFeatures2, and another structure. */
        struct structure { uint32_t type; const struct structure *next; } const *chain = spvif_vulkan_requirements_chain(own);
        CHECK(chain && chain->type == 1000059000 && chain->next);
        CHECK(!spvif_vulkan_requirements_missing(own, 0) && !spvif_vulkan_requirements_unknown(own, 0));
        spvif_vulkan_requirements_destroy(own);
    }
    /* Of a device, what it does not have. */
    spvif_device *device = NULL;
    OK(spvif_device_by_name("vulkan_vp_android_2021", &device, &error));
    spvif_vulkan_requirements *own = NULL;
    OK(spvif_requirements_vulkan(module, 1u << 22 | 3u << 12, device, &own, &error));
    CHECK(strcmp(spvif_vulkan_requirements_missing(own, 0), "shaderFloat16") == 0 || spvif_vulkan_requirements_missing(own, 1));
    spvif_vulkan_requirements_destroy(own);
    spvif_device_destroy(device);
    FAILS(SPVIF_STATUS_REQUEST, spvif_requirements_vulkan(module, 5u << 22, NULL, &own, &error))
    FREED
    /* Of two modules, with a chain of our own: 16-bit floats are VkPhysicalDeviceVulkan12Features', which is there already. */
    spvif_module *other = module_of(fixtures, "glsl/shade.spv");
    spvif_vulkan_requirements *all[2] = {NULL, NULL}, *joined = NULL;
    OK(spvif_requirements_vulkan(module, 1u << 22 | 3u << 12, NULL, &all[0], &error));
    OK(spvif_requirements_vulkan(other, 1u << 22 | 3u << 12, NULL, &all[1], &error));
    struct { uint32_t type; void *next; uint32_t features[47]; } ours = {51, NULL, {0}};
    OK(spvif_vulkan_requirements_union((const spvif_vulkan_requirements *const *)all, 2, &ours, &joined, &error));
    bool has_double = false, is_ours = false;
    const spvif_vulkan_feature *feature = NULL;
    for (size_t at = 0; (feature = spvif_vulkan_requirements_feature(joined, at)); ++at)
        has_double |= strcmp(feature->member, "shaderFloat64") == 0;
    const struct structure { uint32_t type; const struct structure *next; } *next = spvif_vulkan_requirements_chain(joined);
    for (; next; next = next->next) {
        CHECK(next->type != 51 || (const void *)next == &ours);
        is_ours |= next->type == 51;
    }
    uint32_t set = 0;
    for (int at = 0; at < 47; ++at) set += ours.features[at];
    CHECK(has_double && is_ours && set >= 1);
    spvif_vulkan_requirements_destroy(joined);
    for (int at = 0; at < 2; ++at) spvif_vulkan_requirements_destroy(all[at]);
    spvif_module_destroy(other);
}

static void requirements(void) {
    spvif_module *module = module_of(fixtures, "glsl/reduce.spv");
    spvif_requirements *own = NULL;
    OK(spvif_requirements_create(module, &own, &error));
    const spvif_entry_point *entry = spvif_requirements_entry_point(own, 0);
    CHECK(entry && strcmp(entry->name, "main") == 0 && strcmp(entry->stage, "GLCompute") == 0 && !entry->condition);
    CHECK(!spvif_requirements_entry_point(own, 1) && !spvif_requirements_required(own, 1, 0));
    bool has_shader = false, has_half = false, has_aspect = false, has_size = false;
    const spvif_required *required = NULL;
    for (size_t at = 0; (required = spvif_requirements_required(own, 0, at)); ++at) {
        bool is_capability = required->kind == SPVIF_REQUIREMENT_KIND_CAPABILITY;
        has_shader |= is_capability && required->number == 1 && !required->condition;
        has_half |= is_capability && strcmp(required->name, "Float16") == 0 && strcmp(required->condition, "fp16") == 0;
        has_aspect |= required->kind == SPVIF_REQUIREMENT_KIND_ASPECT && required->number == 5;
        has_size |= required->kind == SPVIF_REQUIREMENT_KIND_WORK_GROUP_SIZE && required->size[0] > 1 &&
                    required->size[1] == 1 && required->number == required->size[0];
    }
    CHECK(has_shader && has_half && has_aspect && has_size);
    CHECK(strstr(spvif_requirements_json(own), "\"Float16\""));
    spvif_requirements_destroy(own);
    vulkan_requirements(module);
    spvif_module_destroy(module);
}

/* Shaders of a bundle, by name. */
static void bundles(void) {
    file own = read_file(expected, "app.spvb");
    char path[1024];
    snprintf(path, sizeof path, "%s/app.spvb", expected);
    spvif_bundle *copied = NULL, *bundle = NULL;
    OK(spvif_bundle_create(own.bytes, own.size, &copied, &error));
    OK(spvif_bundle_open(path, &bundle, &error));
    CHECK(strcmp(spvif_bundle_name(bundle, 0), "precision") == 0 && strcmp(spvif_bundle_name(copied, 1), "scale") == 0);
    CHECK(!spvif_bundle_name(bundle, 2));
    CHECK(spvif_bundle_variants(bundle, "scale") == 2 && spvif_bundle_variants(bundle, "scala") == 0);
    spvif_module *module = NULL;
    OK(spvif_bundle_module(bundle, "scale", 1, &module, &error));
    spvif_module_destroy(module);
    FAILS(SPVIF_STATUS_REQUEST, spvif_bundle_module(bundle, "scale", 2, &module, &error)) FREED
    FAILS(SPVIF_STATUS_REQUEST, spvif_bundle_module(bundle, "scala", 0, &module, &error)) FREED
    spvif_device *bmg = device("intel_gpu_bmg_g21");
    spvif_result *result = NULL;
    static const char *const names[] = {"precision", "scale"};
    for (size_t at = 0; at < 2; ++at) {
        snprintf(path, sizeof path, "bundled/%s.spv", names[at]);
        OK(spvif_bundle_specialize(copied, names[at], bmg, NULL, &result, &error));
        equals(result, path);
        spvif_result_destroy(result);
    }
    FAILS(SPVIF_STATUS_UNDECIDED, spvif_bundle_specialize(bundle, "scale", NULL, NULL, &result, &error)) FREED
    spvif_device_destroy(bmg);
    spvif_bundle_destroy(copied);
    spvif_bundle_destroy(bundle);
    own.bytes[own.size / 2] ^= 1;
    FAILS(SPVIF_STATUS_LOAD, spvif_bundle_create(own.bytes, own.size - 1, &bundle, &error)) FREED
    FAILS(SPVIF_STATUS_REQUEST, spvif_bundle_open("no/such.spvb", &bundle, &error)) FREED
    free(own.bytes);
}

/* A variant of a fixture. */
static spvif_shader_variant *variant(const char *path) {
    spvif_module *module = module_of(fixtures, path);
    spvif_shader_variant *made = spvif_shader_variant_create(module);
    CHECK(made);
    spvif_module_destroy(module);
    return made;
}

/* Ready shaders of a bundle that is built here, equal to that of the program. */
static void built_bundles(void) {
    spvif_shader_variant *scale[] = {variant("merge/scale-fp16.spv"), variant("merge/scale.spv")};
    spvif_shader_variant *precision = variant("spec/precision.spv");
    static const char *const values[] = {"true", "false"};
    CHECK(spvif_shader_variant_set_condition(scale[0], "fp16") == SPVIF_STATUS_OK);
    CHECK(spvif_shader_variant_set_constant_values(precision, "use_half", values, 2) == SPVIF_STATUS_OK);
    spvif_settings *settings = spvif_settings_create();
    CHECK(spvif_settings_strip(settings) == SPVIF_STATUS_OK);
    spvif_bundle_builder *builder = spvif_bundle_builder_create();
    const spvif_shader_variant *const *first = (const spvif_shader_variant *const *)scale;
    const spvif_shader_variant *const second[] = {precision};
    CHECK(spvif_bundle_builder_add_ready(builder, "scale", first, 2, settings, 256) == SPVIF_STATUS_OK);
    CHECK(spvif_bundle_builder_add_ready(builder, "precision", second, 1, settings, 256) == SPVIF_STATUS_OK);
    CHECK(!spvif_bundle_builder_note(builder, 0));
    spvif_bundle_bytes *bytes = NULL;
    OK(spvif_bundle_builder_build(builder, &bytes, &error));
    file program = read_file(expected, "ready.spvb");
    CHECK(spvif_bundle_bytes_size(bytes) == program.size);
    CHECK(memcmp(spvif_bundle_bytes_data(bytes), program.bytes, program.size) == 0);
    free(program.bytes);
    spvif_bundle_bytes_destroy(bytes);
    /* With conditions; a note says which questions one result leaves open. */
    CHECK(spvif_shader_variant_set_constant(scale[0], "0", "1") == SPVIF_STATUS_OK);
    CHECK(spvif_bundle_builder_add(builder, "conditional", first, 2) == SPVIF_STATUS_OK);
    CHECK(spvif_bundle_builder_add_ready(builder, "many", second, 1, NULL, 1) == SPVIF_STATUS_OK);
    CHECK(strstr(spvif_bundle_builder_note(builder, 0), "use_half == true"));
    OK(spvif_bundle_builder_build(builder, &bytes, &error));
    spvif_bundle *bundle = NULL;
    OK(spvif_bundle_create(spvif_bundle_bytes_data(bytes), spvif_bundle_bytes_size(bytes), &bundle, &error));
    CHECK(spvif_bundle_variants(bundle, "conditional") == 2);
    spvif_bundle_destroy(bundle);
    spvif_bundle_bytes_destroy(bytes);
    /* A change that fails makes building fail. */
    CHECK(spvif_bundle_builder_add(builder, "scale", first, 2) == SPVIF_STATUS_REQUEST);
    CHECK(spvif_bundle_builder_add(builder, "none", NULL, 1) == SPVIF_STATUS_ARGUMENT);
    FAILS(SPVIF_STATUS_REQUEST, spvif_bundle_builder_build(builder, &bytes, &error)) FREED
    CHECK(!spvif_shader_variant_create(NULL));
    spvif_bundle_builder_destroy(builder);
    spvif_settings_destroy(settings);
    spvif_shader_variant_destroy(scale[0]);
    spvif_shader_variant_destroy(scale[1]);
    spvif_shader_variant_destroy(precision);
}

/* Null, texts that are none, and bytes that are not a module, or a damaged one. */
static void wrong(void) {
    spvif_module *module = NULL;
    FAILS(SPVIF_STATUS_LOAD, spvif_module_create(NULL, 0, &module, &error))
    FREED
    FAILS(SPVIF_STATUS_ARGUMENT, spvif_module_create(NULL, 4, &module, &error))
    FREED
    FAILS(SPVIF_STATUS_LOAD, spvif_module_create("OpCapability Shader", 19, &module, &error))
    FREED
    FAILS(SPVIF_STATUS_ARGUMENT, spvif_module_create("", 0, NULL, &error))
    FREED
    spvif_result *result = NULL;
    FAILS(SPVIF_STATUS_ARGUMENT, spvif_pack(NULL, NULL, &result, &error))
    FREED
    FAILS(SPVIF_STATUS_ARGUMENT, spvif_specialize(NULL, NULL, NULL, &result, &error))
    FREED
    FAILS(SPVIF_STATUS_ARGUMENT, spvif_link(NULL, 2, NULL, &result, &error))
    FREED
    spvif_device *own = NULL;
    FAILS(SPVIF_STATUS_ARGUMENT, spvif_device_by_name("\xff", &own, &error))
    FREED
    CHECK(spvif_settings_trim(NULL) == SPVIF_STATUS_ARGUMENT);
    FAILS(SPVIF_STATUS_ARGUMENT, spvif_device_from_vulkan(NULL, NULL, 0, NULL, NULL, &own, &error))
    CHECK(strstr(spvif_error_message(error), "get_instance_proc_addr is null"));
    FREED
    FAILS(SPVIF_STATUS_ARGUMENT, spvif_device_from_opencl(NULL, NULL, NULL, &own, &error))
    CHECK(strstr(spvif_error_message(error), "get_device_info is null"));
    FREED
    CHECK(spvif_result_words(NULL, NULL) != NULL && spvif_result_warning(NULL, 0) == NULL);
    CHECK(spvif_error_status(NULL) == SPVIF_STATUS_OK && strcmp(spvif_error_message(NULL), "") == 0);
    spvif_module_destroy(NULL);
    spvif_result_destroy(NULL);
    spvif_error_destroy(NULL);
    spvif_device_destroy(NULL);
    spvif_settings_destroy(NULL);
    spvif_prepared_destroy(NULL);
    spvif_requirements_destroy(NULL);
    spvif_vulkan_requirements_destroy(NULL);
    CHECK(!spvif_vulkan_requirements_chain(NULL) && !spvif_vulkan_requirements_version(NULL));
    spvif_parts_destroy(NULL);
    spvif_pack_options_destroy(NULL);
    spvif_interface_destroy(NULL);
    spvif_host_values_destroy(NULL);
}

static int failed, succeeded;

/* All that can be done with some bytes: whatever comes of it, it comes as a status. */
static void everything(const void *bytes, size_t size, const spvif_device *device) {
    spvif_module *module = NULL;
    spvif_result *result = NULL;
    spvif_prepared *prepared = NULL;
    spvif_requirements *own = NULL;
    spvif_error *error = NULL;
    if (spvif_module_create(bytes, size, &module, &error) == SPVIF_STATUS_OK) {
        spvif_vulkan_requirements *vulkan = NULL;
        spvif_status status[5] = {spvif_pack(module, NULL, &result, NULL)};
        spvif_result_destroy(result);
        status[1] = spvif_trim(module, &result, NULL);
        spvif_result_destroy(result);
        status[2] = spvif_requirements_create(module, &own, NULL);
        spvif_requirements_destroy(own);
        status[4] = spvif_requirements_vulkan(module, 0, device, &vulkan, NULL);
        spvif_vulkan_requirements_destroy(vulkan);
        if (spvif_prepare(module, &prepared, NULL) == SPVIF_STATUS_OK) {
            status[3] = spvif_specialize(prepared, device, NULL, &result, NULL);
            spvif_result_destroy(result);
            spvif_prepared_destroy(prepared);
        }
        for (int at = 0; at < 5; ++at) {
            CHECK(status[at] != SPVIF_STATUS_INTERNAL && status[at] != SPVIF_STATUS_ARGUMENT);
            *(status[at] == SPVIF_STATUS_OK ? &succeeded : &failed) += 1;
        }
        spvif_module_destroy(module);
    } else {
        failed += 1;
    }
    spvif_error_destroy(error);
}

static void damaged(int step) {
    spvif_result *result = packed("glsl/reduce.spv");
    size_t count = 0;
    const uint32_t *words = spvif_result_words(result, &count);
    spvif_device *own = device("intel_gpu_bmg_g21");
    uint32_t *copy = malloc(4 * count + 1);
    CHECK(copy != NULL);
    everything(words, 4 * count, own);
    CHECK(failed == 0 && succeeded == 5);
    uint32_t random = 1;
    for (size_t at = 0; at < count; at += (size_t)step) {
        everything(words, 4 * at, own);
        everything(words, 4 * at + 2, own);
        memcpy(copy, words, 4 * count);
        random = random * 1664525 + 1013904223;
        copy[at] = random >> (random & 31);
        everything(copy, 4 * count, own);
    }
    /* At an odd address. */
    memmove((char *)copy + 1, words, 4 * count);
    int before = failed;
    everything((char *)copy + 1, 4 * count, own);
    CHECK(failed == before && succeeded > 100 / step && failed > 100 / step);
    free(copy);
    spvif_device_destroy(own);
    spvif_result_destroy(result);
}

int main(int count, char **arguments) {
    CHECK(count >= 3);
    fixtures = arguments[1];
    expected = arguments[2];
    CHECK(spvif_abi_version() == SPVIF_ABI_VERSION && strcmp(spvif_version(), "0.1.0") == 0);
    packing();
    lowering();
    specializing();
    decisions();
    constants();
    clones();
    left_for_drivers();
    failed_settings();
    interfaces();
    properties();
    refusing();
    adapting();
    verdicts();
    traps();
    verdicts_of_program();
    devices();
    modes_and_features();
    trimming_and_linking();
    requirements();
    bundles();
    built_bundles();
    wrong();
    /* Valgrind is slow. */
    damaged(count > 3 ? atoi(arguments[3]) : 1);
    printf("all as it should be; of damaged modules %d calls failed, and %d did not\n", failed, succeeded);
    return 0;
}
