/* Comparing results with those of the program spirv-if. */
#ifndef EXPECTED_H
#define EXPECTED_H

#include "common.h"

/* The folders of input modules, and of results of the program. */
static const char *fixtures, *expected;

/* Ends the test unless a result is that of the program. */
static void equals(const spvif_result *result, const char *name) {
    file own = read_file(expected, name);
    size_t count = 0;
    const uint32_t *words = spvif_result_words(result, &count);
    if (4 * count != own.size || memcmp(words, own.bytes, own.size) != 0) {
        fprintf(stderr, "the result is not that of the program: %s\n", name);
        exit(1);
    }
    free(own.bytes);
}

/* Ends the test unless an error has the message of the program, in the words of this interface. */
static inline void says(const spvif_error *error, const char *name) {
    file own = read_file(expected, name);
    if (strcmp(spvif_error_message(error), (const char *)own.bytes) != 0) {
        fprintf(stderr, "%s: the message is '%s', and not '%s'\n", name, spvif_error_message(error), (const char *)own.bytes);
        exit(1);
    }
    free(own.bytes);
}

#endif
