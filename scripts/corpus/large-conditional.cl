// A kernel beside hashcat's own in one module: rates passwords by the Shannon entropy of a digest. Which digest depends on
// the architecture, and in what arithmetic the entropy is summed on the aspects. build-corpus.sh large compiles it.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

#include "m22000-pure.cl"

enum { ASPECT = -1, ARCHITECTURE = -2, NOT = -3, AND = -4, OR = -5 };
enum { FP16 = 5, FP64 = 6, INTEL_GPU_ACM_G10 = 17, INTEL_GPU_PVC = 20, NVIDIA_GPU_SM_80 = 30 };

#define CONDITIONAL_CALLER __attribute__((noinline, weak)) void

static void count_nibbles(const u32 *words, int count, u32 *nibbles) {
    for (int i = 0; i < count * 8; ++i) {
        nibbles[(words[i / 8] >> (i % 8 * 4)) & 15]++;
    }
}

static void digest_long(GLOBAL_AS const pw_t *pw, u32 *nibbles) {
    sha256_hmac_ctx_t hmac;
    sha256_hmac_init_global_swap(&hmac, pw->i, pw->pw_len);
    sha256_hmac_update_global_swap(&hmac, pw->i, pw->pw_len);
    sha256_hmac_final(&hmac);
    count_nibbles(hmac.opad.h, 8, nibbles);
}

static void digest_short(GLOBAL_AS const pw_t *pw, u32 *nibbles) {
    md5_hmac_ctx_t hmac;
    md5_hmac_init_global(&hmac, pw->i, pw->pw_len);
    md5_hmac_update_global(&hmac, pw->i, pw->pw_len);
    md5_hmac_final(&hmac);
    count_nibbles(hmac.opad.h, 4, nibbles);
}

// Only where both precisions are there, to compare them: a second digest of the wide form of the password.
static void digest_wide(GLOBAL_AS const pw_t *pw, u32 *nibbles) {
    sha1_hmac_ctx_t hmac;
    sha1_hmac_init_global_utf16le_swap(&hmac, pw->i, pw->pw_len);
    sha1_hmac_update_global_utf16le_swap(&hmac, pw->i, pw->pw_len);
    sha1_hmac_final(&hmac);
    count_nibbles(hmac.opad.h, 5, nibbles);
}

#define ENTROPY(NAME, TYPE)                                                             \
    static void NAME(const u32 *nibbles, GLOBAL_AS float *entropy) {                    \
        TYPE total = (TYPE)0.0f, sum = (TYPE)0.0f;                                      \
        for (int i = 0; i < 16; ++i) {                                                  \
            total += (TYPE)nibbles[i];                                                  \
        }                                                                               \
        for (int i = 0; i < 16; ++i) {                                                  \
            TYPE share = (TYPE)nibbles[i] / total;                                      \
            sum -= nibbles[i] == 0 ? (TYPE)0.0f : share * log2(share);                  \
        }                                                                               \
        *entropy = (float)sum;                                                          \
    }

ENTROPY(entropy_in_double, double)
ENTROPY(entropy_in_half, half)
ENTROPY(entropy_in_float, float)

CONDITIONAL_CALLER call_if_on_device_conditionally_long(GLOBAL_AS const pw_t *pw, u32 *nibbles, int c0, int c1, int c2,
                                                        int c3, int c4, int c5, int c6, int c7) {
    digest_long(pw, nibbles);
}

CONDITIONAL_CALLER call_if_on_device_conditionally_short(GLOBAL_AS const pw_t *pw, u32 *nibbles, int c0, int c1, int c2,
                                                         int c3, int c4, int c5, int c6, int c7, int c8) {
    digest_short(pw, nibbles);
}

CONDITIONAL_CALLER call_if_on_device_conditionally_wide(GLOBAL_AS const pw_t *pw, u32 *nibbles, int c0, int c1, int c2,
                                                        int c3, int c4) {
    digest_wide(pw, nibbles);
}

CONDITIONAL_CALLER call_if_on_device_conditionally_double(const u32 *nibbles, GLOBAL_AS float *entropy, int c0, int c1) {
    entropy_in_double(nibbles, entropy);
}

CONDITIONAL_CALLER call_if_on_device_conditionally_half(const u32 *nibbles, GLOBAL_AS float *entropy, int c0, int c1,
                                                        int c2, int c3, int c4, int c5) {
    entropy_in_half(nibbles, entropy);
}

CONDITIONAL_CALLER call_if_on_device_conditionally_float(const u32 *nibbles, GLOBAL_AS float *entropy, int c0, int c1,
                                                         int c2, int c3, int c4, int c5, int c6) {
    entropy_in_float(nibbles, entropy);
}

__kernel void rate(GLOBAL_AS const pw_t *passwords, GLOBAL_AS float *entropies) {
    GLOBAL_AS const pw_t *pw = passwords + get_global_id(0);
    GLOBAL_AS float *entropy = entropies + get_global_id(0);
    u32 nibbles[16] = {0};
    call_if_on_device_conditionally_long(pw, nibbles, OR, ARCHITECTURE, INTEL_GPU_PVC, OR, ARCHITECTURE, INTEL_GPU_ACM_G10,
                                         ARCHITECTURE, NVIDIA_GPU_SM_80);
    call_if_on_device_conditionally_short(pw, nibbles, NOT, OR, ARCHITECTURE, INTEL_GPU_PVC, OR, ARCHITECTURE,
                                          INTEL_GPU_ACM_G10, ARCHITECTURE, NVIDIA_GPU_SM_80);
    call_if_on_device_conditionally_wide(pw, nibbles, AND, ASPECT, FP64, ASPECT, FP16);
    call_if_on_device_conditionally_double(nibbles, entropy, ASPECT, FP64);
    call_if_on_device_conditionally_half(nibbles, entropy, AND, NOT, ASPECT, FP64, ASPECT, FP16);
    call_if_on_device_conditionally_float(nibbles, entropy, AND, NOT, ASPECT, FP64, NOT, ASPECT, FP16);
}
