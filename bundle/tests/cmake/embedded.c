/* A program with a bundle in it: `embedded MODULE` compares the shader `scale` with a file. */
#include HEADER

#include <spvb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int count, char **arguments)
{
    static uint32_t expected[1 << 16];
    FILE *file = count == 2 ? fopen(arguments[1], "rb") : NULL;
    if (!file) return 2;
    size_t size = fread(expected, 4, sizeof expected / 4, file);
    fclose(file);
    const spvb_bundle *bundle;
    uint32_t *words;
    size_t found;
    if (spvb_open(BUNDLE, BUNDLE_SIZE, &bundle) != SPVB_OK) return 3;
    if (spvb_get(bundle, "scale", &words, &found) != SPVB_OK) return 4;
    if (found != size || memcmp(words, expected, 4 * size) != 0) return 5;
    spvb_free(words);
    if (spvb_get(bundle, "scala", &words, &found) != SPVB_NOT_FOUND) return 6;
    spvb_close(bundle);
    puts("the shader is that of the file");
    return 0;
}
