/* Threads that share objects. `threads FIXTURES`: each result equals that of one thread alone. */
#include "common.h"

#include <pthread.h>

enum { THREADS = 8, ROUNDS = 50 };

static spvif_prepared *prepared;
static spvif_module *module;
static spvif_device *devices[2];
static spvif_settings *settings;
static spvif_result *alone[2];
static spvif_result *shared;

static void *work(void *number) {
    size_t first = *(size_t *)number;
    for (size_t round = 0; round < ROUNDS; ++round) {
        size_t at = (first + round) % 2;
        spvif_result *result = NULL;
        OK(spvif_specialize(prepared, devices[at], settings, &result, &error));
        size_t counts[2];
        const uint32_t *words = spvif_result_words(result, &counts[0]);
        CHECK(memcmp(words, spvif_result_words(alone[at], &counts[1]), 4 * counts[0]) == 0 && counts[0] == counts[1]);
        spvif_result_destroy(result);
        /* The report of a result that all threads ask for is made once. */
        CHECK(strcmp(spvif_result_set_by_host(shared, 0)->condition, "fp16") == 0);
        CHECK(strlen(spvif_result_properties(shared)) > 0);
        if (round % 10 == first % 10) {
            spvif_prepared *own = NULL;
            OK(spvif_prepare(module, &own, &error));
            OK(spvif_specialize(own, devices[at], NULL, &result, &error));
            spvif_result_destroy(result);
            spvif_prepared_destroy(own);
        }
    }
    return NULL;
}

int main(int count, char **arguments) {
    CHECK(count == 2);
    spvif_module *compiled = module_of(arguments[1], "glsl/reduce.spv");
    OK(spvif_pack(compiled, NULL, &shared, &error));
    OK(spvif_result_module(shared, &module, &error));
    OK(spvif_prepare(module, &prepared, &error));
    settings = spvif_settings_create();
    CHECK(spvif_settings_trim(settings) == SPVIF_STATUS_OK);
    OK(spvif_device_by_name("intel_gpu_bmg_g21", &devices[0], &error));
    OK(spvif_device_by_name("nvidia_gpu_sm_50", &devices[1], &error));
    for (int at = 0; at < 2; ++at) {
        spvif_prepared *own = NULL;
        OK(spvif_prepare(module, &own, &error));
        OK(spvif_specialize(own, devices[at], settings, &alone[at], &error));
        spvif_prepared_destroy(own);
    }
    pthread_t threads[THREADS];
    size_t numbers[THREADS];
    for (size_t at = 0; at < THREADS; ++at) {
        numbers[at] = at;
        CHECK(pthread_create(&threads[at], NULL, work, &numbers[at]) == 0);
    }
    for (size_t at = 0; at < THREADS; ++at) CHECK(pthread_join(threads[at], NULL) == 0);
    spvif_prepared_destroy(prepared);
    spvif_settings_destroy(settings);
    for (int at = 0; at < 2; ++at) {
        spvif_result_destroy(alone[at]);
        spvif_device_destroy(devices[at]);
    }
    spvif_result_destroy(shared);
    spvif_module_destroy(module);
    spvif_module_destroy(compiled);
    printf("%d threads share what they use\n", THREADS);
    return 0;
}
