// DPC++ as a program: `dpcpp OUT SOURCE.cpp [OPTION...]` compiles kernels written as free functions.
//
// libsycl-jit, which PyPI's intel-sycl-rt has, is the whole compiler behind one exported function, compileSYCL: front end, passes, sycl-post-link and
// translator. OPTIONs are those of clang. An OUT that ends in .spv gets the module of the only image: -fsycl-device-code-split=off makes one. Another
// OUT gets OUT-N.spv, OUT-N.prop (property sets) and OUT-N.sym (kernels) for each image, and OUT.table, which lists them.
//
// The structures below are those of intel/llvm, sycl-jit/common/include. The library is loaded by name: setup.sh spirv-tools makes a wrapper that says
// where it is.
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct {
    const void *items;
    size_t count;
} View;

typedef struct {
    const char *path, *contents;
} File;

typedef struct {
    const char *name;
    uint8_t is_number;
    uint32_t number;
    const uint8_t *bytes;
    size_t size;
} Property;

typedef struct {
    const char *name;
    const Property *properties;
    size_t count;
} PropertySet;

typedef struct {
    uint32_t format;
    uint64_t address_bits;
    const uint8_t *start;
    uint64_t size;
    const char **symbols;
    size_t symbol_count;
    const PropertySet *sets;
    size_t set_count;
} Image;

// `rest` is more than what this version of the library has there.
typedef struct {
    uint32_t error;
    const Image *images;
    size_t image_count;
    const char *options;
    const char *ir;
    size_t ir_size;
    const char *log;
    char rest[256];
} Result;

typedef void Compile(Result *, File, View files, View options, View ir, uint8_t keeps_ir, uint32_t format);

static const uint32_t SPIRV = 2;

static void fail(const char *what, const char *why) {
    fprintf(stderr, "dpcpp: %s: %s\n", what, why);
    exit(1);
}

static char *read_all(const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file) fail(path, "cannot be read");
    fseek(file, 0, SEEK_END);
    size_t size = (size_t)ftell(file);
    rewind(file);
    char *text = malloc(size + 1);
    if (fread(text, 1, size, file) != size) fail(path, "cannot be read");
    text[size] = 0;
    fclose(file);
    return text;
}

static FILE *create(const char *path) {
    FILE *file = fopen(path, "wb");
    if (!file) fail(path, "cannot be written");
    return file;
}

static void write_all(const char *path, const void *bytes, size_t size) {
    FILE *file = create(path);
    if (fwrite(bytes, 1, size, file) != size || fclose(file)) fail(path, "cannot be written");
}

// LLVM's Base64, whose first character has the lowest bits.
static void write_base64(FILE *file, const uint8_t *bytes, size_t size) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    unsigned bits = 0, count = 0;
    for (size_t at = 0; at < size; at++) {
        bits |= (unsigned)bytes[at] << count;
        for (count += 8; count >= 6; count -= 6, bits >>= 6) fputc(digits[bits & 63], file);
    }
    if (count) fputc(digits[bits & 63], file);
}

static void write_properties(const char *path, const Image *image) {
    FILE *file = create(path);
    for (size_t at = 0; at < image->set_count; at++) {
        const PropertySet *set = &image->sets[at];
        fprintf(file, "[%s]\n", set->name);
        for (const Property *property = set->properties; property < set->properties + set->count; property++) {
            fprintf(file, "%s=%d|", property->name, property->is_number ? 1 : 2);
            if (property->is_number)
                fprintf(file, "%u", property->number);
            else
                write_base64(file, property->bytes, property->size);
            fputc('\n', file);
        }
    }
    fclose(file);
}

// The path of a file of an image.
static char *path_of(const char *out, size_t image, const char *ending) {
    size_t size = strlen(out) + 32;
    char *path = malloc(size);
    snprintf(path, size, "%s-%zu.%s", out, image, ending);
    return path;
}

static void write_images(const char *out, const Result *result) {
    char *table_path = malloc(strlen(out) + 8);
    sprintf(table_path, "%s.table", out);
    FILE *table = create(table_path);
    fputs("[Code|Properties|Symbols]\n", table);
    for (size_t at = 0; at < result->image_count; at++) {
        const Image *image = &result->images[at];
        char *code = path_of(out, at, "spv"), *properties = path_of(out, at, "prop"), *symbols = path_of(out, at, "sym");
        fprintf(table, "%s|%s|%s\n", code, properties, symbols);
        write_all(code, image->start, image->size);
        write_properties(properties, image);
        FILE *file = create(symbols);
        for (size_t symbol = 0; symbol < image->symbol_count; symbol++) fprintf(file, "%s\n", image->symbols[symbol]);
        fclose(file);
    }
    fclose(table);
}

int main(int count, char **arguments) {
    if (count < 3) fail("usage", "dpcpp OUT SOURCE.cpp [OPTION...]");
    const char *out = arguments[1], *source = arguments[2];
    void *library = dlopen("libsycl-jit.so", RTLD_NOW);
    if (!library) fail("libsycl-jit.so", dlerror());
    Compile *compile;
    *(void **)&compile = dlsym(library, "compileSYCL");
    if (!compile) fail("libsycl-jit.so", "has no compileSYCL");

    Result result = {0};
    File input = {source, read_all(source)};
    View options = {arguments + 3, (size_t)count - 3}, none = {0};
    compile(&result, input, none, options, none, 0, SPIRV);
    if (result.log) fputs(result.log, stderr);
    if (result.error || !result.image_count) fail(source, "is not compiled");

    size_t length = strlen(out);
    if (length < 4 || strcmp(out + length - 4, ".spv"))
        write_images(out, &result);
    else if (result.image_count > 1)
        fail(source, "becomes several images");
    else
        write_all(out, result.images[0].start, result.images[0].size);
    // Destructors of the library would run without the rest of DPC++'s runtime.
    fflush(0);
    _exit(0);
}
