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
        free(name);
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
