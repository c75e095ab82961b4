/*
 * Prints what a bundle's shader takes, in nanoseconds: `time app.spvb NAME` opens the bundle,
 * selects and writes the result of a device that has everything, copies as many bytes, and decompresses the last frame
 * of zstd alone, with one context: that of the shader's block, if the bundle is compressed and has no other shader.
 *
 * `time open app.spvb NAME COUNT` opens it so many times, and `time select app.spvb NAME COUNT` opens it once, and selects and writes so many times: the nanoseconds of one. scripts/speed.py counts
 * the instructions.
 */
#define _POSIX_C_SOURCE 199309L
#include <spvb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#ifndef SPVB_WITHOUT_ZSTD
#include <zstd.h>
#endif

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return 1e9 * (double)time.tv_sec + (double)time.tv_nsec;
}

static uint8_t bytes[1 << 26];

/* The nanoseconds of zstd for the last frame of a file; 0 if there is none. */
static double zstd_alone(size_t size)
{
#ifdef SPVB_WITHOUT_ZSTD
    (void)size;
    return 0;
#else
    static const uint8_t magic[4] = {0x28, 0xb5, 0x2f, 0xfd};
    size_t at = size;
    do {
        if (at < 4) return 0;
        at--;
    } while (size - at < 4 || memcmp(bytes + at, magic, 4) != 0 || ZSTD_isError(ZSTD_findFrameCompressedSize(bytes + at, size - at)));
    size_t stored = ZSTD_findFrameCompressedSize(bytes + at, size - at);
    size_t room = (size_t)ZSTD_getFrameContentSize(bytes + at, stored);
    void *content = malloc(room + 1);
    ZSTD_DCtx *context = ZSTD_createDCtx();
    int times = (int)(1 + (1 << 24) / (room + 4096));
    double start = now();
    for (int time = 0; time < times; time++) ZSTD_decompressDCtx(context, content, room, bytes + at, stored);
    double taken = (now() - start) / times;
    ZSTD_freeDCtx(context);
    free(content);
    return taken;
#endif
}

/* Opens, or selects and writes, so many times, and prints the time of one. */
static int repeat(int opens, size_t size, const char *name, int times)
{
    static uint8_t answers[1 << 16];
    static uint32_t words[1 << 20];
    const spvb_bundle *bundle;
    uint32_t shader;
    spvb_choice choice;
    memset(answers, SPVB_YES, sizeof answers);
    if (spvb_open(bytes, size, &bundle) != SPVB_OK || spvb_find(bundle, name, &shader) != SPVB_OK) return 3;
    double start = now();
    for (int time = 0; time < times; time++) {
        if (opens) {
            spvb_close(bundle);
            if (spvb_open(bytes, size, &bundle) != SPVB_OK) return 4;
        } else if (spvb_select(bundle, shader, answers, &choice) != SPVB_OK || spvb_write(bundle, &choice, words, NULL) != SPVB_OK) {
            return 5;
        }
    }
    printf("%010lu\n", (unsigned long)((now() - start) / times));
    return 0;
}

int main(int count, char **arguments)
{
    FILE *file = count == 3 || count == 5 ? fopen(arguments[count == 3 ? 1 : 2], "rb") : NULL;
    if (!file) return 2;
    size_t size = fread(bytes, 1, sizeof bytes, file);
    if (count == 5) return repeat(arguments[1][0] == 'o', size, arguments[3], atoi(arguments[4]));
    const spvb_bundle *bundle;
    double best[4] = {1e18, 1e18, 1e18, 1e18};
    for (int round = 0; round < 9; round++) {
        double start = now();
        if (spvb_open(bytes, size, &bundle) != SPVB_OK) return 3;
        double opened = now() - start;
        uint32_t shader;
        spvb_choice choice;
        uint8_t *answers = malloc(spvb_question_count(bundle) + 1);
        memset(answers, SPVB_YES, spvb_question_count(bundle));
        if (spvb_find(bundle, arguments[2], &shader) != SPVB_OK) return 4;
        if (spvb_select(bundle, shader, answers, &choice) != SPVB_OK) return 5;
        uint32_t *words = malloc(4 * (size_t)choice.words), *copy = malloc(4 * (size_t)choice.words);
        void *scratch = malloc(choice.scratch + 1);
        int times = (int)(1 + (1 << 24) / (choice.words + 1024));
        start = now();
        for (int time = 0; time < times; time++) {
            if (spvb_select(bundle, shader, answers, &choice) != SPVB_OK) return 6;
            if (spvb_write(bundle, &choice, words, scratch) != SPVB_OK) return 7;
            __asm__ volatile("" : : "r"(words) : "memory");
        }
        double written = (now() - start) / times;
        start = now();
        for (int time = 0; time < times; time++) {
            memcpy(copy, words, 4 * (size_t)choice.words);
            __asm__ volatile("" : : "r"(copy) : "memory");
        }
        double copied = (now() - start) / times;
        double all[4] = {opened, written, copied, zstd_alone(size)};
        for (int kind = 0; kind < 4; kind++)
            if (all[kind] < best[kind]) best[kind] = all[kind];
        if (round == 8) printf("%u %.0f %.0f %.0f %.0f\n", 4 * choice.words, best[0], best[1], best[2], best[3]);
        free(scratch);
        free(copy);
        free(words);
        free(answers);
        spvb_close(bundle);
    }
    return 0;
}
