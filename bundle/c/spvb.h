/*
 * Reads bundles of SPIR-V shaders: modules by name. spec-extensions/bundle.md of spirv-if specifies the format.
 *
 * Compile spvb.c into your program, and link zstd's decoder (libzstd, or its single file zstddeclib.c).
 *
 *     const spvb_bundle *bundle;
 *     if (spvb_open(bytes, size, &bundle) != SPVB_OK) ...
 *     uint32_t *words;
 *     size_t count;
 *     if (spvb_get(bundle, "blur", &words, &count) != SPVB_OK) ...
 *     vkCreateShaderModule(... .codeSize = 4 * count, .pCode = words ...);
 *     spvb_free(words);
 *     spvb_close(bundle);
 *
 * A bundle may be used by several threads at once. Nothing is assumed about the bytes: damaged and hostile bundles are errors.
 */
#ifndef SPVB_H
#define SPVB_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The result of a call. */
typedef enum spvb_status {
    SPVB_OK = 0,
    /* The bytes are not a bundle. */
    SPVB_NOT_A_BUNDLE = 1,
    /* A newer program wrote the bundle. */
    SPVB_VERSION = 2,
    /* The bundle is damaged. */
    SPVB_DAMAGED = 3,
    /* There is no shader of this name, or no variant of this number. */
    SPVB_NOT_FOUND = 4,
    /* The shader has several variants: choose one by spvb_variant. */
    SPVB_SEVERAL_VARIANTS = 5,
    /* There is not enough memory. */
    SPVB_MEMORY = 6
} spvb_status;

typedef struct spvb_bundle spvb_bundle;

/* A text in the bundle, in UTF-8, without a zero byte at its end. */
typedef struct spvb_text {
    const char *text;
    size_t size;
} spvb_text;

/* A variant of a shader. */
typedef struct spvb_variant_info {
    /* The condition on devices; empty for all remaining devices. */
    spvb_text condition;
    /* The number of its module. */
    uint32_t module;
    /* The number of words of its module. */
    uint32_t words;
    /* The constants to fix, for spvb_constant. */
    uint32_t first_constant;
    uint32_t constant_count;
} spvb_variant_info;

/* Opens the bytes of a bundle, which must stay where they are until spvb_close. Decompresses nothing but the dictionary. */
spvb_status spvb_open(const void *bytes, size_t size, const spvb_bundle **bundle);
/* Closes a bundle. Does nothing for NULL. */
void spvb_close(const spvb_bundle *bundle);

/* The number of shaders. They are sorted by name. */
uint32_t spvb_shader_count(const spvb_bundle *bundle);
/* The name of the shader of a number, which must exist. */
spvb_text spvb_shader_name(const spvb_bundle *bundle, uint32_t shader);
/* Finds a shader by its name. */
spvb_status spvb_find(const spvb_bundle *bundle, const char *name, uint32_t *shader);
/* The number of variants of a shader, which must exist. */
uint32_t spvb_variant_count(const spvb_bundle *bundle, uint32_t shader);
/* A variant of a shader, from 0. Each device gets the first one whose condition holds. */
spvb_status spvb_variant(const spvb_bundle *bundle, uint32_t shader, uint32_t variant, spvb_variant_info *info);
/* The SpecId or name of a constant to fix, and its value. The number must be one of a variant. */
void spvb_constant(const spvb_bundle *bundle, uint32_t constant, spvb_text *name, spvb_text *value);

/* The number of modules. */
uint32_t spvb_module_count(const spvb_bundle *bundle);
/* The words of a module, which spvb_free frees. */
spvb_status spvb_module(const spvb_bundle *bundle, uint32_t module, uint32_t **words, size_t *count);
/* The words of the one module of a shader, which spvb_free frees. */
spvb_status spvb_get(const spvb_bundle *bundle, const char *name, uint32_t **words, size_t *count);
/* Frees the words of a module. */
void spvb_free(uint32_t *words);

#ifdef __cplusplus
}
#endif

#endif
