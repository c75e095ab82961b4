#version 450

// Numbers of bfloat16 as floats of 32 bits with the same value: their bits are the upper ones of the float.

layout(set = 0, binding = 0, std430) buffer Data { float data; };

const uint SIGN = 0x80000000u;
const uint INFINITY = 0x7f800000u;
// A NaN must keep a bit of its fraction.
const uint QUIET = 0x400000u;

// Rounds to nearest, and a tie to the even neighbour.
float bfloat16_round_even(const float a) {
    uint bits = floatBitsToUint(a);
    // A carry leads to the next exponent, and to infinity.
    uint rounded = bits + 0x7fffu + (bits >> 16 & 1u);
    rounded = mix(rounded, bits | QUIET, (bits & ~SIGN) > INFINITY);
    return uintBitsToFloat(rounded & 0xffff0000u);
}

uint bfloat16_to_bits(const float a) {
    return floatBitsToUint(a) >> 16;
}

float bfloat16_from_bits(const uint bits) {
    return uintBitsToFloat(bits << 16);
}

void main() {
    data = bfloat16_from_bits(bfloat16_to_bits(bfloat16_round_even(data)));
}
