#version 450

// 64-bit integers as two 32-bit words, of which x is the low one. `specialize --lower` takes these functions from the compiled module, by their names
// in spec-extensions/lowerings.csv: it copies the code of functions without branches, and calls the others. Floats are made of bits, so that the
// device's rounding does not matter. `scripts/lowering.sh` compiles this file.

layout(set = 0, binding = 0, std430) buffer Data { uvec2 data; };

// Arithmetic

uvec2 int64_add(const uvec2 a, const uvec2 b) {
    uint low = a.x + b.x;
    return uvec2(low, a.y + b.y + (low < a.x ? 1u : 0u));
}

uvec2 int64_subtract(const uvec2 a, const uvec2 b) {
    return uvec2(a.x - b.x, a.y - b.y - (a.x < b.x ? 1u : 0u));
}

uvec2 int64_negate(const uvec2 a) {
    return uvec2(0u - a.x, ~a.y + (a.x == 0 ? 1u : 0u));
}

uvec2 int64_multiply(const uvec2 a, const uvec2 b) {
    uint high, low;
    umulExtended(a.x, b.x, high, low);
    return uvec2(low, high + a.x * b.y + a.y * b.x);
}

// The upper half of the product of 128 bits.
uvec2 int64_multiply_high_unsigned(const uvec2 a, const uvec2 b) {
    uint high, low, first_high, first_low, second_high, second_low, top_high, top_low;
    umulExtended(a.x, b.x, high, low);
    umulExtended(a.x, b.y, first_high, first_low);
    umulExtended(a.y, b.x, second_high, second_low);
    umulExtended(a.y, b.y, top_high, top_low);
    uvec2 middle = int64_add(int64_add(uvec2(high, 0), uvec2(first_low, 0)), uvec2(second_low, 0));
    uvec2 top = int64_add(uvec2(top_low, top_high), uvec2(middle.y, 0));
    return int64_add(int64_add(top, uvec2(first_high, 0)), uvec2(second_high, 0));
}

uvec2 int64_multiply_high_signed(const uvec2 a, const uvec2 b) {
    uvec2 high = int64_multiply_high_unsigned(a, b);
    uvec2 if_a = b & uvec2(uint(int(a.y) >> 31));
    uvec2 if_b = a & uvec2(uint(int(b.y) >> 31));
    return int64_subtract(int64_subtract(high, if_a), if_b);
}

// Comparisons. One comparison of words decides unless they are equal.

bool int64_equal(const uvec2 a, const uvec2 b) {
    return ((a.x ^ b.x) | (a.y ^ b.y)) == 0;
}

bool int64_not_equal(const uvec2 a, const uvec2 b) {
    return ((a.x ^ b.x) | (a.y ^ b.y)) != 0;
}

bool int64_less_unsigned(const uvec2 a, const uvec2 b) {
    return mix(a.y < b.y, a.x < b.x, a.y == b.y);
}

bool int64_less_equal_unsigned(const uvec2 a, const uvec2 b) {
    return mix(a.y < b.y, a.x <= b.x, a.y == b.y);
}

bool int64_greater_unsigned(const uvec2 a, const uvec2 b) {
    return mix(a.y > b.y, a.x > b.x, a.y == b.y);
}

bool int64_greater_equal_unsigned(const uvec2 a, const uvec2 b) {
    return mix(a.y > b.y, a.x >= b.x, a.y == b.y);
}

bool int64_less_signed(const uvec2 a, const uvec2 b) {
    return mix(int(a.y) < int(b.y), a.x < b.x, a.y == b.y);
}

bool int64_less_equal_signed(const uvec2 a, const uvec2 b) {
    return mix(int(a.y) < int(b.y), a.x <= b.x, a.y == b.y);
}

bool int64_greater_signed(const uvec2 a, const uvec2 b) {
    return mix(int(a.y) > int(b.y), a.x > b.x, a.y == b.y);
}

bool int64_greater_equal_signed(const uvec2 a, const uvec2 b) {
    return mix(int(a.y) > int(b.y), a.x >= b.x, a.y == b.y);
}

// Choices

uvec2 int64_select(const bool condition, const uvec2 a, const uvec2 b) {
    return mix(b, a, bvec2(condition));
}

uvec2 int64_minimum_unsigned(const uvec2 a, const uvec2 b) {
    return int64_select(int64_less_unsigned(b, a), b, a);
}

uvec2 int64_minimum_signed(const uvec2 a, const uvec2 b) {
    return int64_select(int64_less_signed(b, a), b, a);
}

uvec2 int64_maximum_unsigned(const uvec2 a, const uvec2 b) {
    return int64_select(int64_less_unsigned(a, b), b, a);
}

uvec2 int64_maximum_signed(const uvec2 a, const uvec2 b) {
    return int64_select(int64_less_signed(a, b), b, a);
}

uvec2 int64_clamp_unsigned(const uvec2 a, const uvec2 low, const uvec2 high) {
    return int64_minimum_unsigned(int64_maximum_unsigned(a, low), high);
}

uvec2 int64_clamp_signed(const uvec2 a, const uvec2 low, const uvec2 high) {
    return int64_minimum_signed(int64_maximum_signed(a, low), high);
}

uvec2 int64_absolute(const uvec2 a) {
    uint sign = uint(int(a.y) >> 31);
    return int64_subtract(a ^ uvec2(sign), uvec2(sign));
}

uvec2 int64_sign(const uvec2 a) {
    uint sign = uint(int(a.y) >> 31);
    return uvec2(sign | ((a.x | a.y) != 0 ? 1u : 0u), sign);
}

// A component of a vector of two, and a vector with another component.

uvec2 int64_component(const uvec4 vector, const uint index) {
    return int64_select(index == 0, vector.xy, vector.zw);
}

uvec4 int64_with_component(const uvec4 vector, const uvec2 component, const uint index) {
    return uvec4(int64_select(index == 0, component, vector.xy), int64_select(index == 0, vector.zw, component));
}

// Shifts. Each word is shifted by 0 to 31 bits, and from 32 bits on they change places.

uvec2 int64_shift_left(const uvec2 a, const uint shift) {
    uint bits = shift & 31;
    uint low = a.x << bits;
    uint high = a.y << bits | a.x >> 1u >> (31 - bits);
    return int64_select((shift & 32) != 0, uvec2(0, low), uvec2(low, high));
}

uvec2 int64_shift_right_unsigned(const uvec2 a, const uint shift) {
    uint bits = shift & 31;
    uint low = a.x >> bits | a.y << 1u << (31 - bits);
    uint high = a.y >> bits;
    return int64_select((shift & 32) != 0, uvec2(high, 0), uvec2(low, high));
}

uvec2 int64_shift_right_signed(const uvec2 a, const uint shift) {
    uint bits = shift & 31;
    uint low = a.x >> bits | a.y << 1u << (31 - bits);
    int high = int(a.y) >> bits;
    return int64_select((shift & 32) != 0, uvec2(uint(high), uint(high >> 31)), uvec2(low, uint(high)));
}

// Bits

uvec2 int64_reverse(const uvec2 a) {
    return uvec2(bitfieldReverse(a.y), bitfieldReverse(a.x));
}

uint int64_count(const uvec2 a) {
    return uint(bitCount(a.x) + bitCount(a.y));
}

// The lowest `count` bits, of 0 to 64.
uvec2 int64_mask(const uint count) {
    return int64_select(count == 0, uvec2(0), int64_shift_right_unsigned(uvec2(0xffffffff), 64 - count));
}

uvec2 int64_extract_unsigned(const uvec2 a, const uint offset, const uint count) {
    return int64_shift_right_unsigned(a, offset) & int64_mask(count);
}

uvec2 int64_extract_signed(const uvec2 a, const uint offset, const uint count) {
    uvec2 shifted = int64_shift_left(a, 64 - offset - count);
    return int64_select(count == 0, uvec2(0), int64_shift_right_signed(shifted, 64 - count));
}

uvec2 int64_insert(const uvec2 a, const uvec2 inserted, const uint offset, const uint count) {
    uvec2 mask = int64_shift_left(int64_mask(count), offset);
    return a & ~mask | int64_shift_left(inserted, offset) & mask;
}

// Conversions

uvec2 int64_from_unsigned(const uint a) {
    return uvec2(a, 0);
}

uvec2 int64_from_signed(const int a) {
    return uvec2(uint(a), uint(a >> 31));
}

uint int64_low(const uvec2 a) {
    return a.x;
}

// An index: one that is out of bounds stays so.
uint int64_index(const uvec2 a) {
    return a.y == 0 ? a.x : 0xffffffffu;
}

// Moves the words up if their upper bits are zeros, and counts z down.
uvec3 int64_move_up(const uvec3 a, const uint count) {
    bool is_small = a.y >> (32 - count) == 0;
    uvec3 moved = uvec3(a.x << count, a.y << count | a.x >> (32 - count), a.z - count);
    return mix(a, moved, bvec3(is_small));
}

// Rounds to nearest, and a tie to the even neighbour: the first bit is moved to the top, 24 bits are kept, and the others decide.
float int64_to_float_unsigned(const uvec2 a) {
    uvec3 bits = mix(uvec3(a, 127 + 63), uvec3(0, a.x, 127 + 31), bvec3(a.y == 0));
    bits = int64_move_up(bits, 16);
    bits = int64_move_up(bits, 8);
    bits = int64_move_up(bits, 4);
    bits = int64_move_up(bits, 2);
    bits = int64_move_up(bits, 1);
    uint kept = bits.y >> 8;
    // Half of the last kept bit is the top bit of the rest. It rounds up with anything below, or if what is kept is odd.
    uint rest = bits.y << 24 | (bits.x != 0 ? 1u : 0u) | kept & 1;
    uint up = rest > 0x80000000 ? 1u : 0u;
    // The first bit of what is kept adds one to the exponent.
    uint result = (bits.z - 1 << 23) + kept + up;
    return uintBitsToFloat((a.x | a.y) == 0 ? 0 : result);
}

float int64_to_float_signed(const uvec2 a) {
    uint magnitude = floatBitsToUint(int64_to_float_unsigned(int64_absolute(a)));
    return uintBitsToFloat(magnitude | a.y & 0x80000000);
}

// Rounds once to a number that a float of 16 bits has: below 2^24 a float is exact, and what is above is infinite.
float int64_to_half_unsigned(const uvec2 a) {
    uint bits = floatBitsToUint(int64_to_float_unsigned(a));
    uint rounded = bits + 0xfff + (bits >> 13 & 1) & 0xffffe000;
    return uintBitsToFloat(rounded > 0x477fe000 ? 0x7f800000 : rounded);
}

float int64_to_half_signed(const uvec2 a) {
    uint magnitude = floatBitsToUint(int64_to_half_unsigned(int64_absolute(a)));
    return uintBitsToFloat(magnitude | a.y & 0x80000000);
}

// Rounds toward zero.
uvec2 int64_from_float_unsigned(const float a) {
    uint bits = floatBitsToUint(a);
    uint exponent = bits >> 23 & 0xff;
    uvec2 kept = uvec2(bits & 0x7fffff | 0x800000, 0);
    uvec2 fraction = int64_shift_right_unsigned(kept, 150 - exponent);
    uvec2 result = int64_select(exponent < 150, fraction, int64_shift_left(kept, exponent - 150));
    return int64_select(exponent < 127, uvec2(0), result);
}

uvec2 int64_from_float_signed(const float a) {
    uint sign = uint(int(floatBitsToUint(a)) >> 31);
    return int64_subtract(int64_from_float_unsigned(a) ^ uvec2(sign), uvec2(sign));
}

// Division by shifts and subtractions, 32 of them at most: the device divides upper words, and small numbers. Returns quotient and remainder.
uvec4 int64_divide(const uvec2 a, const uvec2 b) {
    uint quotient_low = 0;
    uint quotient_high = 0;
    uvec2 rest = uvec2(a.y, 0);
    uint first = 0x80000000;
    if (b.y == 0) {
        quotient_high = a.y / b.x;
        rest = uvec2(a.y % b.x, 0);
    }
    if ((a.y | b.y) == 0) {
        quotient_low = a.x / b.x;
        rest = uvec2(a.x % b.x, 0);
        first = 0;
    }
    for (uint mask = first; mask != 0; mask >>= 1) {
        uvec2 shifted = uvec2(rest.x << 1 | ((a.x & mask) != 0 ? 1u : 0u), rest.y << 1 | rest.x >> 31);
        bool fits = mix(int64_greater_equal_unsigned(shifted, b), true, int(rest.y) < 0);
        quotient_low |= fits ? mask : 0;
        rest = int64_select(fits, int64_subtract(shifted, b), shifted);
    }
    return uvec4(quotient_low, quotient_high, rest);
}

uvec2 int64_divide_unsigned(const uvec2 a, const uvec2 b) {
    return int64_divide(a, b).xy;
}

uvec2 int64_modulo_unsigned(const uvec2 a, const uvec2 b) {
    return int64_divide(a, b).zw;
}

uvec2 int64_divide_signed(const uvec2 a, const uvec2 b) {
    uvec2 quotient = int64_divide(int64_absolute(a), int64_absolute(b)).xy;
    uint sign = uint(int(a.y ^ b.y) >> 31);
    return int64_subtract(quotient ^ uvec2(sign), uvec2(sign));
}

// Has the sign of the dividend.
uvec2 int64_remainder_signed(const uvec2 a, const uvec2 b) {
    uvec2 rest = int64_divide(int64_absolute(a), int64_absolute(b)).zw;
    uint sign = uint(int(a.y) >> 31);
    return int64_subtract(rest ^ uvec2(sign), uvec2(sign));
}

// Has the sign of the divisor.
uvec2 int64_modulo_signed(const uvec2 a, const uvec2 b) {
    uvec2 rest = int64_remainder_signed(a, b);
    bool differs = mix(int(rest.y ^ b.y) < 0, false, (rest.x | rest.y) == 0);
    return int64_add(rest, int64_select(differs, b, uvec2(0)));
}

// The second results of additions and subtractions.

uvec2 int64_carry(const uvec2 a, const uvec2 b) {
    return uvec2(int64_less_unsigned(int64_add(a, b), a) ? 1u : 0u, 0);
}

uvec2 int64_borrow(const uvec2 a, const uvec2 b) {
    return uvec2(int64_less_unsigned(a, b) ? 1u : 0u, 0);
}

// Keeps all functions.
void main() {
    uvec2 a = data;
    a = int64_add(a, a);
    a = int64_subtract(a, a);
    a = int64_negate(a);
    a = int64_multiply(a, a);
    a = int64_multiply_high_unsigned(a, a);
    a = int64_multiply_high_signed(a, a);
    a.x = int64_equal(a, a) ? 1u : 0u;
    a.x = int64_not_equal(a, a) ? 1u : 0u;
    a.x = int64_less_unsigned(a, a) ? 1u : 0u;
    a.x = int64_less_equal_unsigned(a, a) ? 1u : 0u;
    a.x = int64_greater_unsigned(a, a) ? 1u : 0u;
    a.x = int64_greater_equal_unsigned(a, a) ? 1u : 0u;
    a.x = int64_less_signed(a, a) ? 1u : 0u;
    a.x = int64_less_equal_signed(a, a) ? 1u : 0u;
    a.x = int64_greater_signed(a, a) ? 1u : 0u;
    a.x = int64_greater_equal_signed(a, a) ? 1u : 0u;
    a = int64_select((a.x == 0), a, a);
    a = int64_minimum_unsigned(a, a);
    a = int64_minimum_signed(a, a);
    a = int64_maximum_unsigned(a, a);
    a = int64_maximum_signed(a, a);
    a = int64_clamp_unsigned(a, a, a);
    a = int64_clamp_signed(a, a, a);
    a = int64_absolute(a);
    a = int64_sign(a);
    a = int64_component(uvec4(a, a), a.x);
    a = (int64_with_component(uvec4(a, a), a, a.x)).xz;
    a = int64_shift_left(a, a.x);
    a = int64_shift_right_unsigned(a, a.x);
    a = int64_shift_right_signed(a, a.x);
    a = int64_reverse(a);
    a.x = int64_count(a);
    a = int64_mask(a.x);
    a = int64_move_up(uvec3(a, a.x), a.x).xy;
    a = int64_extract_unsigned(a, a.x, a.x);
    a = int64_extract_signed(a, a.x, a.x);
    a = int64_insert(a, a, a.x, a.x);
    a = int64_from_unsigned(a.x);
    a = int64_from_signed(int(a.x));
    a.x = int64_low(a);
    a.x = int64_index(a);
    a.x = floatBitsToUint(int64_to_float_unsigned(a));
    a.x = floatBitsToUint(int64_to_float_signed(a));
    a.x = floatBitsToUint(int64_to_half_unsigned(a));
    a.x = floatBitsToUint(int64_to_half_signed(a));
    a = int64_from_float_unsigned(uintBitsToFloat(a.x));
    a = int64_from_float_signed(uintBitsToFloat(a.x));
    a = (int64_divide(a, a)).xz;
    a = int64_divide_unsigned(a, a);
    a = int64_modulo_unsigned(a, a);
    a = int64_divide_signed(a, a);
    a = int64_remainder_signed(a, a);
    a = int64_modulo_signed(a, a);
    a = int64_carry(a, a);
    a = int64_borrow(a, a);
    data = a;
}
