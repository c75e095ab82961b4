/* What the two programs share: a packed module in a file, and errors. */
#ifndef PACKED_H
#define PACKED_H

#include <spvif.h>
#include <stdio.h>
#include <stdlib.h>

/* A call of the library that must succeed. A device that does not run the module ends the program with status 3, as `spirv-if` does. */
static void ours(spvif_status status, spvif_error **error) {
    if (status == SPVIF_STATUS_OK) return;
    fprintf(stderr, "%s\n", spvif_error_message(*error));
    for (size_t at = 0; spvif_error_missing(*error, at); ++at)
        fprintf(stderr, "  missing: %s\n", spvif_error_missing(*error, at)->name);
    spvif_error_destroy(*error);
    exit(status == SPVIF_STATUS_REFUSED ? 3 : 1);
}

/* The module in a file, prepared for being specialized. */
static spvif_prepared *load(const char *path, size_t *size) {
    FILE *file = path ? fopen(path, "rb") : NULL;
    long end = file && fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
    char *bytes = end > 0 ? malloc((size_t)end) : NULL;
    if (!bytes || fseek(file, 0, SEEK_SET) != 0 || fread(bytes, 1, (size_t)end, file) != (size_t)end) {
        fprintf(stderr, "name a packed module\n");
        exit(2);
    }
    *size = (size_t)end;
    fclose(file);
    spvif_error *error = NULL;
    spvif_module *module = NULL;
    spvif_prepared *prepared = NULL;
    ours(spvif_module_create(bytes, *size, &module, &error), &error);
    ours(spvif_prepare(module, &prepared, &error), &error);
    spvif_module_destroy(module); /* what is prepared keeps it */
    free(bytes);
    return prepared;
}

#endif
