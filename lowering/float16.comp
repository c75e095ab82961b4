#version 450

// Halves as floats of 32 bits with the same value. A sum, product, quotient or square root of halves is computed as a float first. That has more than twice the
// bits of a half, so rounding it again gives the half that is nearest to the exact result.

layout(set = 0, binding = 0, std430) buffer Data { float data; uvec2 wide; };

const uint SIGN = 0x80000000u;
const uint INFINITY = 0x7f800000u;
// The smallest normal half, the first float beyond all halves, and the largest half.
const uint NORMAL = 0x38800000u;
const uint BEYOND = 0x47800000u;
const uint LARGEST = 0x477fe000u;
// The bits of a float that a half does not have.
const uint REST = 0x1fffu;
// A NaN must keep a bit of its fraction.
const uint QUIET = 0x400000u;
// The smallest half, 2^-24, and how often it is in 1.
const float SMALLEST = 1.0 / 16777216.0;
const float SMALLEST_IN_ONE = 16777216.0;

// The number of bits of the significand of a small float that are less than the smallest half. 25 bits are more than all.
uint float16_dropped_bits(const uint size) {
    uint dropped = 126u - (size >> 23);
    return mix(dropped, 25u, dropped > 25u);
}

uint float16_significand(const uint size) {
    return size & 0x7fffffu | 0x800000u;
}

// Rounding to a half

float float16_round_even(const float a) {
    uint bits = floatBitsToUint(a);
    uint size = bits & ~SIGN;
    // A carry leads to the next exponent.
    uint normal = size + (REST >> 1) + (size >> 13 & 1u) & ~REST;
    normal = mix(normal, INFINITY, normal >= BEYOND);
    uint dropped = float16_dropped_bits(size);
    uint significand = float16_significand(size);
    uint count = significand + (1u << dropped - 1u) - 1u + (significand >> dropped & 1u) >> dropped;
    uint small = floatBitsToUint(float(count) * SMALLEST);
    uint rounded = mix(normal, small, size < NORMAL);
    rounded = mix(rounded, size | QUIET, size > INFINITY);
    return uintBitsToFloat(rounded | bits & SIGN);
}

float float16_round_zero(const float a) {
    uint bits = floatBitsToUint(a);
    uint size = bits & ~SIGN;
    uint normal = mix(size & ~REST, LARGEST, size >= BEYOND);
    uint count = float16_significand(size) >> float16_dropped_bits(size);
    uint small = floatBitsToUint(float(count) * SMALLEST);
    uint rounded = mix(normal, small, size < NORMAL);
    rounded = mix(rounded, size, size == INFINITY);
    rounded = mix(rounded, size | QUIET, size > INFINITY);
    return uintBitsToFloat(rounded | bits & SIGN);
}

// Rounding to odd, before the result is rounded to a half: if it is not exact, its last bit is 1.

float float16_odd(const float a, const bool is_less, const bool is_greater) {
    uint bits = floatBitsToUint(a);
    bool is_even = (bits & 1u) == 0u;
    // The exact result has a smaller or a greater magnitude.
    uint other = mix(bits + 1u, bits - 1u, is_less);
    bool is_inexact = is_less || is_greater;
    bool is_changed = is_even && is_inexact;
    return uintBitsToFloat(mix(bits, other, is_changed));
}

// a * b + c. The product is exact, and so is the error of the sum.
float float16_fused(const float a, const float b, const float c) {
    float product = a * b;
    float sum = product + c;
    float added = sum - product;
    float error = (product - (sum - added)) + (c - added);
    bool is_negative = sum < 0.0;
    bool below = error < 0.0;
    bool above = error > 0.0;
    return float16_odd(sum, mix(below, above, is_negative), mix(above, below, is_negative));
}

// The words of a double, the low one first. Numbers that are too small for floats are too small for halves.
float float16_from_double(const uvec2 a) {
    uint size = a.y & ~SIGN;
    uint rest = a.x << 3;
    uint lost = mix(0u, 1u, rest != 0u);
    uint number = (size - 0x38000000u << 3) + (a.x >> 29) | lost;
    number = mix(number, 0u, size < 0x38100000u);
    number = mix(number, INFINITY - 1u, size >= 0x47f00000u);
    number = mix(number, INFINITY, size >= 0x7ff00000u);
    uint fraction = size & 0xfffffu | a.x;
    bool is_special = size >= 0x7ff00000u;
    bool has_fraction = fraction != 0u;
    bool is_nan = is_special && has_fraction;
    number = mix(number, INFINITY | QUIET, is_nan);
    return uintBitsToFloat(number | a.y & SIGN);
}

// Bits

uint float16_to_bits(const float a) {
    uint bits = floatBitsToUint(a);
    uint size = bits & ~SIGN;
    uint small = uint(uintBitsToFloat(size) * SMALLEST_IN_ONE);
    uint fraction = size >> 13 & 0x3ffu;
    uint nan = mix(fraction | 0x7c00u, 0x7e00u, fraction == 0u);
    uint half_size = mix(size - 0x38000000u >> 13, small, size < NORMAL);
    half_size = mix(half_size, 0x7c00u, size == INFINITY);
    half_size = mix(half_size, nan, size > INFINITY);
    return half_size | bits >> 16 & 0x8000u;
}

float float16_from_bits(const uint bits) {
    uint size = bits & 0x7fffu;
    uint normal = (size << 13) + 0x38000000u;
    uint special = (size << 13) + 0x70000000u;
    uint small = floatBitsToUint(float(size) * SMALLEST);
    uint number = mix(normal, small, size < 0x400u);
    number = mix(number, special, size >= 0x7c00u);
    return uintBitsToFloat(number | (bits & 0x8000u) << 16);
}

bool float16_is_normal(const float a) {
    uint size = floatBitsToUint(a) & ~SIGN;
    return size - NORMAL < INFINITY - NORMAL;
}

void main() {
    uint bits = float16_to_bits(float16_round_even(data)) + float16_to_bits(float16_round_zero(data));
    data = float16_fused(data, data, data) + float16_from_double(wide) + float16_from_bits(bits);
    data = float16_is_normal(data) ? 1.0 : 0.0;
}
