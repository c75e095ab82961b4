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

// Converts an integer to a float that rounds like it: of large ones, the bits that no float has become one.
float bfloat16_from_uint(const uint a) {
    uint rest = a & 0xffu;
    uint odd = a ^ rest | uint(rest != 0u) << 8;
    return float(a < 0x1000000u ? a : odd);
}

float bfloat16_from_int(const int a) {
    float size = bfloat16_from_uint(a < 0 ? -uint(a) : uint(a));
    return a < 0 ? -size : size;
}

// Converts a double, low word first, to a float that rounds like it: its last bit is odd if further ones are not zero.
float bfloat16_from_double(const uvec2 a) {
    uint sign = a.y & SIGN;
    uint exponent = a.y >> 20 & 0x7ffu;
    uint fraction = (a.y & 0xfffffu) << 3 | a.x >> 29;
    uint rest = uint((a.x & 0x1fffffffu) != 0u);
    if (exponent == 0x7ffu) {
        return uintBitsToFloat(sign | INFINITY | ((fraction | rest) != 0u ? QUIET | fraction : 0u));
    }
    if (exponent > 1150u) {
        // The largest float, which rounds to infinity.
        return uintBitsToFloat(sign | INFINITY - 1u);
    }
    if (exponent > 896u) {
        return uintBitsToFloat(sign | exponent - 896u << 23 | fraction | rest);
    }
    if (exponent < 873u) {
        return uintBitsToFloat(sign | uint((exponent | fraction | rest) != 0u));
    }
    uint whole = fraction | 0x800000u;
    uint lost = 897u - exponent;
    uint kept = whole >> lost;
    rest |= uint(whole != kept << lost);
    return uintBitsToFloat(sign | kept | rest);
}

void main() {
    data = bfloat16_from_bits(bfloat16_to_bits(bfloat16_round_even(data)));
    data += bfloat16_from_int(floatBitsToInt(data)) + bfloat16_from_uint(floatBitsToUint(data)) + bfloat16_from_double(floatBitsToUint(vec2(data)));
}
