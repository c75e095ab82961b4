/* Reads the bundles in a file (a size of eight bytes before each) and prints for each what it has, or the status of the first failed call. */
#include "spvb.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* FNV-1a. */
static uint64_t hash(uint64_t hash, const void *bytes, size_t size)
{
    for (size_t at = 0; at < size; at++) hash = (hash ^ ((const uint8_t *)bytes)[at]) * 0x100000001b3;
    return hash;
}

static uint64_t hash_text(uint64_t sum, spvb_text text)
{
    return hash(sum, text.text, text.size);
}

/* Adds the questions that explain a selection. */
static uint64_t hash_reasons(const spvb_bundle *bundle, uint32_t shader, const uint8_t *answers, uint64_t sum)
{
    uint32_t count = spvb_reasons(bundle, shader, answers, NULL, 0);
    uint32_t *questions = malloc(4 * (size_t)count + 4);
    if (spvb_reasons(bundle, shader, answers, questions, count) != count) abort();
    for (uint32_t index = 0; index < count; index++) sum = hash_text(sum, spvb_question(bundle, questions[index], NULL));
    free(questions);
    return sum;
}

/* Selects results of a ready shader by answers that are computed, and adds them. */
static spvb_status hash_results(const spvb_bundle *bundle, uint32_t shader, uint64_t *sum)
{
    uint32_t questions = spvb_question_count(bundle);
    uint8_t *answers = malloc(questions + 1);
    spvb_status failed = SPVB_OK;
    for (uint32_t seed = 0; seed < 16 && failed == SPVB_OK; seed++) {
        for (uint32_t question = 0; question < questions; question++) {
            spvb_kind of_question;
            spvb_question(bundle, question, &of_question);
            /* Every other device meets all requirements. */
            if (of_question == SPVB_REQUIREMENT && seed % 2 == 0) answers[question] = SPVB_YES;
            else answers[question] = (uint8_t)((seed * 2654435761u + question * 40503u) >> 5) % (seed < 8 ? 2 : 3);
        }
        spvb_choice choice;
        spvb_status status = spvb_select(bundle, shader, answers, &choice);
        uint8_t kind = (uint8_t)status;
        *sum = hash(*sum, &kind, 1);
        if (status == SPVB_DAMAGED) failed = status;
        else *sum = hash_reasons(bundle, shader, answers, *sum);
        if (status != SPVB_OK) continue;
        /* The limit of the format, so that callers allocate what they can. */
        if (choice.words > 1 << 26) abort();
        /* Both are as large as the reader says. */
        uint32_t *words = malloc(4 * (size_t)choice.words + 1);
        void *scratch = malloc(choice.scratch + 1);
        failed = spvb_write(bundle, &choice, words, seed % 2 ? scratch : NULL);
        if (failed == SPVB_OK) *sum = hash(*sum, words, 4 * (size_t)choice.words);
        *sum = hash(*sum, &choice.key, sizeof choice.key);
        *sum = hash(*sum, &choice.unknown, sizeof choice.unknown);
        for (uint32_t index = 0; index < choice.removed_bindings; index++) {
            spvb_binding binding = spvb_removed_binding(bundle, &choice, index);
            *sum = hash(*sum, &binding, sizeof binding);
        }
        free(scratch);
        free(words);
    }
    free(answers);
    return failed;
}

/* Reads everything in a bundle, and returns a hash of it. */
static spvb_status read_all(const void *bytes, size_t size, uint64_t *sum)
{
    const spvb_bundle *bundle;
    spvb_status status = spvb_open(bytes, size, &bundle);
    *sum = 0xcbf29ce484222325;
    if (status != SPVB_OK) return status;
    for (uint32_t shader = 0; shader < spvb_shader_count(bundle) && status == SPVB_OK; shader++) {
        spvb_text text = spvb_shader_name(bundle, shader);
        *sum = hash_text(*sum, text);
        /* Names with a zero byte cannot be asked for. */
        char *name = calloc(text.size + 1, 1);
        uint32_t found = 0;
        memcpy(name, text.text, text.size);
        if (strlen(name) == text.size && (spvb_find(bundle, name, &found) != SPVB_OK || found != shader)) abort();
        for (uint32_t number = 0; number < spvb_variant_count(bundle, shader) && status == SPVB_OK; number++) {
            spvb_variant_info variant;
            if (spvb_variant(bundle, shader, number, &variant) != SPVB_OK) abort();
            *sum = hash_text(*sum, variant.condition);
            for (uint32_t constant = 0; constant < variant.constant_count; constant++) {
                spvb_text key, value;
                spvb_constant(bundle, variant.first_constant + constant, &key, &value);
                *sum = hash_text(hash_text(*sum, key), value);
            }
            uint32_t *words;
            size_t count;
            status = spvb_module(bundle, variant.module, &words, &count);
            if (status == SPVB_OK && count != variant.words) abort();
            if (status == SPVB_OK) *sum = hash(*sum, words, 4 * count);
            spvb_free(words);
        }
        if (status == SPVB_OK && spvb_variant_count(bundle, shader) == 0) status = hash_results(bundle, shader, sum);
        free(name);
    }
    for (uint32_t question = 0; question < spvb_question_count(bundle); question++) {
        spvb_kind kind;
        *sum = hash_text(*sum, spvb_question(bundle, question, &kind));
        uint8_t byte = (uint8_t)kind;
        *sum = hash(*sum, &byte, 1);
    }
    spvb_close(bundle);
    return status;
}

int main(int count, char **arguments)
{
    FILE *file = count == 2 ? fopen(arguments[1], "rb") : NULL;
    uint64_t size;
    if (!file) return 2;
    while (fread(&size, sizeof size, 1, file) == 1) {
        /* Exactly as large as the bundle, so that a sanitizer finds reads after its end. */
        void *bytes = malloc(size ? size : 1);
        uint64_t sum;
        if (!bytes || fread(bytes, 1, size, file) != size) return 2;
        spvb_status status = read_all(bytes, size, &sum);
        if (status == SPVB_OK) printf("%016llx\n", (unsigned long long)sum);
        else printf("status %d\n", status);
        free(bytes);
    }
    fclose(file);
    return 0;
}
