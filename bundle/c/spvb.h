/*
 * Reads bundles of SPIR-V shaders: modules by name, and the module of a ready shader for a device. spec-extensions/bundle.md of spirv-if specifies the format.
 *
 * Compile spvb.c into your program (C99), and link zstd's decoder (libzstd, or its single file zstddeclib.c). For bundles of `spirv-if bundle --uncompressed`,
 * define SPVB_WITHOUT_ZSTD instead. zstd asks the processor for its features whenever it decompresses a module, which takes longer than to decompress it where a
 * hypervisor answers; compiled with -DDYNAMIC_BMI2=0, zstd does not ask.
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
 * A ready shader (`spirv-if bundle --ready`) has a module for each device. Answer the questions of the bundle once for a device, and then for each shader:
 *
 *     spvb_choice choice;
 *     if (spvb_find(bundle, "blur", &shader) != SPVB_OK) ...
 *     if (spvb_select(bundle, shader, answers, &choice) != SPVB_OK) ...
 *     uint32_t *words = malloc(4 * (size_t)choice.words);
 *     if (spvb_write(bundle, &choice, words, NULL) != SPVB_OK) ...
 *
 * spvb_vulkan.h and spvb_opencl.h answer questions about devices of these APIs.
 *
 * A bundle may be used by several threads at once: after spvb_open, nothing changes it until spvb_close. Nothing is assumed about the bytes: damaged and hostile bundles are errors.
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
    SPVB_MEMORY = 6,
    /* The shader is ready, and has several modules: choose a result by spvb_select. */
    SPVB_READY = 7,
    /* Unknown answers decide between results. spvb_reasons has the questions. */
    SPVB_NOT_KNOWN = 8,
    /* The device does not meet requirements of the result. spvb_reasons has them. */
    SPVB_DOES_NOT_RUN = 9,
    /* No variant of the shader is for the device. */
    SPVB_NO_RESULT = 10,
    /* The bundle is compressed, and this reader was compiled without zstd. */
    SPVB_COMPRESSED = 11,
    /* The shader is not ready: it is stored with its conditions, and the library specializes it. */
    SPVB_NOT_READY = 12
} spvb_status;

/* An answer to a question. */
#define SPVB_NO ((uint8_t)0)
#define SPVB_YES ((uint8_t)1)
#define SPVB_UNKNOWN ((uint8_t)2)

/* The kind of a question. */
typedef enum spvb_kind {
    /* A leaf of conditions: the device has it, or the host decides so. */
    SPVB_CONDITION = 0,
    /* A requirement of code: the device supports it. */
    SPVB_REQUIREMENT = 1,
    /* The host gives a constant a value. */
    SPVB_CONSTANT = 2
} spvb_kind;

/* A binding of descriptors. */
typedef struct spvb_binding {
    uint32_t set, binding;
} spvb_binding;

/* The result of a shader for a device. */
typedef struct spvb_choice {
    /* The shader, and the number of the result among those of the shader. */
    uint32_t shader, result;
    /* The number of words of the result. */
    uint32_t words;
    /* The number of questions of requirements whose answers are unknown, each once, for spvb_reasons. */
    uint32_t unknown;
    /* The bytes that spvb_write needs beside the result: 0 in a bundle that is not compressed. */
    size_t scratch;
    /* The key of the result for caches: equal results have equal keys. */
    uint64_t key;
    /* The number of bindings that variants of the shader have and the result does not have, for spvb_removed_binding. */
    uint32_t removed_bindings;
} spvb_choice;

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
/* The number of variants of a shader, which must exist; 0 for a ready shader. */
uint32_t spvb_variant_count(const spvb_bundle *bundle, uint32_t shader);
/* A variant of a shader, from 0. Each device gets the first one whose condition holds. */
spvb_status spvb_variant(const spvb_bundle *bundle, uint32_t shader, uint32_t variant, spvb_variant_info *info);
/* The SpecId or name of a constant to fix, and its value. The number must be one of a variant. */
void spvb_constant(const spvb_bundle *bundle, uint32_t constant, spvb_text *name, spvb_text *value);

/* The number of modules. */
uint32_t spvb_module_count(const spvb_bundle *bundle);
/* The words of a module, which spvb_free frees. */
spvb_status spvb_module(const spvb_bundle *bundle, uint32_t module, uint32_t **words, size_t *count);
/* The words of the one module of a shader, which spvb_free frees. Requirements are not compared. */
spvb_status spvb_get(const spvb_bundle *bundle, const char *name, uint32_t **words, size_t *count);
/* Frees the words of a module. */
void spvb_free(uint32_t *words);

/* The number of questions. */
uint32_t spvb_question_count(const spvb_bundle *bundle);
/* The text of a question, which must exist, and its kind, unless that is NULL. */
spvb_text spvb_question(const spvb_bundle *bundle, uint32_t question, spvb_kind *kind);
/*
 * Chooses the result of a shader. `answers` has an answer for each question of the bundle: SPVB_YES, SPVB_NO or SPVB_UNKNOWN. Where an answer is unknown, all ways must end in one
 * result.
 */
spvb_status spvb_select(const spvb_bundle *bundle, uint32_t shader, const uint8_t *answers, spvb_choice *choice);
/*
 * Returns the number of questions that explain what spvb_select returned for the same arguments, and writes the first ones, at most `capacity`, into `questions`: each once, in ascending
 * order. After SPVB_NOT_KNOWN they decide between results, after SPVB_DOES_NOT_RUN they are requirements that are not met, and after SPVB_OK requirements whose answers are unknown.
 */
uint32_t spvb_reasons(const spvb_bundle *bundle, uint32_t shader, const uint8_t *answers, uint32_t *questions,
                      uint32_t capacity);
/* A removed binding of a result, by its number below choice->removed_bindings. */
spvb_binding spvb_removed_binding(const spvb_bundle *bundle, const spvb_choice *choice, uint32_t number);
/* Writes the words of a result, choice->words of them, into memory of the caller. `scratch` is aligned for uint32_t and has choice->scratch bytes, or is NULL, and then they are allocated. */
spvb_status spvb_write(const spvb_bundle *bundle, const spvb_choice *choice, uint32_t *into, void *scratch);

/* A sign between a number of the device and a bound. */
typedef enum spvb_sign {
    SPVB_NO_SIGN = 0,
    SPVB_EQUAL = 1,
    SPVB_NOT_EQUAL = 2,
    SPVB_LESS = 3,
    SPVB_LESS_OR_EQUAL = 4,
    SPVB_GREATER = 5,
    SPVB_GREATER_OR_EQUAL = 6
} spvb_sign;

/* A leaf of a condition: `fp16` is a name, `cap(Float16)` a name with an argument, and `limit(vulkan:maxComputeWorkGroupSize.0) >= 64` has a sign and a bound, too. */
typedef struct spvb_leaf {
    spvb_text name, argument;
    spvb_sign sign;
    /* The parts of the bound, as many as there are: one number, or a version. */
    uint32_t bound[4];
    uint32_t parts;
} spvb_leaf;

/* Answers a leaf: SPVB_YES, SPVB_NO or SPVB_UNKNOWN. */
typedef uint8_t spvb_answer_leaf(void *context, const spvb_leaf *leaf);

/* Answers a question that is a condition or a requirement, from the answers to its leaves. A text that is no condition is unknown. */
uint8_t spvb_evaluate(spvb_text text, spvb_answer_leaf *answer, void *context);
/* Compares a number with the bound of a leaf; a leaf without a sign holds. */
uint8_t spvb_compare(uint64_t number, const spvb_leaf *leaf);
/* True if texts are equal. */
int spvb_is(spvb_text text, const char *other);

/* A row of the tables in spvb_vulkan.h and spvb_opencl.h. Its key is a letter for the kind of what is asked, a space, and a name; one of its ways suffices for yes. */
typedef struct spvb_row {
    const char *key;
    uint16_t first, count;
} spvb_row;

/* Finds the row of a kind and a name among `count` rows, which are sorted by their keys; NULL for none. */
const spvb_row *spvb_find_row(const spvb_row *rows, size_t count, char kind, spvb_text name);

#ifdef __cplusplus
}
#endif

#endif
