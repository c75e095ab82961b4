/* What the tests in C share. */
#ifndef COMMON_H
#define COMMON_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <spvif.h>

#define CHECK(condition)                                                                                          \
    do {                                                                                                          \
        if (!(condition)) {                                                                                       \
            fprintf(stderr, "%s:%d: failed: %s\n", __FILE__, __LINE__, #condition);                               \
            exit(1);                                                                                              \
        }                                                                                                         \
    } while (0)

/* A call that must succeed. */
#define OK(call)                                                                                                  \
    do {                                                                                                          \
        spvif_error *error = NULL;                                                                                \
        if ((call) != SPVIF_STATUS_OK) {                                                                          \
            fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, spvif_error_message(error));            \
            exit(1);                                                                                              \
        }                                                                                                         \
        CHECK(error == NULL);                                                                                     \
    } while (0)

/* A call that must fail so; its error is `error` in what follows, and freed by FREED. */
#define FAILS(status, call)                                                                                       \
    {                                                                                                             \
        spvif_error *error = NULL;                                                                                \
        CHECK((call) == (status));                                                                                \
        CHECK(spvif_error_status(error) == (status));                                                             \
        CHECK(strlen(spvif_error_message(error)) > 0);
#define FREED                                                                                                     \
    spvif_error_destroy(error);                                                                                   \
    }

typedef struct {
    unsigned char *bytes;
    size_t size;
} file;

/* A file, with a 0 after its end, so that it is a text too. */
static inline file read_file(const char *folder, const char *name) {
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *stream = fopen(path, "rb");
    if (!stream) {
        perror(path);
        exit(1);
    }
    fseek(stream, 0, SEEK_END);
    file own = {NULL, (size_t)ftell(stream)};
    rewind(stream);
    own.bytes = malloc(own.size + 1);
    CHECK(own.bytes != NULL && fread(own.bytes, 1, own.size, stream) == own.size);
    own.bytes[own.size] = 0;
    fclose(stream);
    return own;
}

static inline spvif_module *module_of(const char *folder, const char *name) {
    file own = read_file(folder, name);
    spvif_module *module = NULL;
    OK(spvif_module_create(own.bytes, own.size, &module, &error));
    free(own.bytes);
    return module;
}

#endif
