#version 450

// Floats of 16 bits as their bits. `specialize --lower` takes these functions from the compiled module, by their names. Integers compute the results, also
// subnormal ones, so that the device's rounding and flushes do not matter. `scripts/lowering.sh` compiles this file.

layout(set = 0, binding = 0, std430) buffer Data { uint data; float number; };

// Every half is a float.
float half_to_float(const uint bits) {
    uint magnitude = bits & 0x7fffu;
    uint normal = (magnitude << 13) + (magnitude < 0x7c00u ? 0x38000000u : 0x70000000u);
    // A subnormal number is a multiple of 2^-24, and as a float it is normal.
    uint subnormal = floatBitsToUint(float(magnitude) * 5.9604644775390625e-8);
    return uintBitsToFloat((magnitude < 0x400u ? subnormal : normal) | (bits & 0x8000u) << 16);
}

// The bits of a number below 2^-14 are its multiple of 2^-24. They are shifted by so many bits, and by 25 if nothing is left of them.
uint half_shift(const uint magnitude) {
    uint shift = 126u - (magnitude >> 23);
    return shift < 25u ? shift : 25u;
}

uint half_with_sign(const uint bits, const uint result) {
    uint magnitude = bits & 0x7fffffffu;
    uint nan = 0x7e00u | (magnitude >> 13 & 0x3ffu);
    return (magnitude > 0x7f800000u ? nan : result) | (bits >> 16 & 0x8000u);
}

// Rounds to nearest, and a tie to even.
uint half_from_float(const float number) {
    uint bits = floatBitsToUint(number);
    uint magnitude = bits & 0x7fffffffu;
    uint rounded = magnitude - 0x38000000u + 0xfffu + (magnitude >> 13 & 1u) >> 13;
    uint normal = rounded < 0x7c00u ? rounded : 0x7c00u;
    uint shift = half_shift(magnitude);
    uint significand = magnitude & 0x7fffffu | 0x800000u;
    uint subnormal = significand + (1u << shift >> 1) - 1u + (significand >> shift & 1u) >> shift;
    return half_with_sign(bits, magnitude < 0x38800000u ? subnormal : normal);
}

// Rounds toward zero.
uint half_from_float_toward_zero(const float number) {
    uint bits = floatBitsToUint(number);
    uint magnitude = bits & 0x7fffffffu;
    uint cut = magnitude - 0x38000000u >> 13;
    uint finite = cut < 0x7c00u ? cut : 0x7bffu;
    uint normal = magnitude < 0x7f800000u ? finite : 0x7c00u;
    uint subnormal = (magnitude & 0x7fffffu | 0x800000u) >> half_shift(magnitude);
    return half_with_sign(bits, magnitude < 0x38800000u ? subnormal : normal);
}

void main() {
    number = half_to_float(data);
    data = half_from_float(number);
    data = half_from_float_toward_zero(number);
}
