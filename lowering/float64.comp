#version 450

// Doubles of IEEE 754 as two 32-bit words, of which x is the low one and y has the sign and the exponent. `specialize --lower` takes these functions from
// the compiled module, by their names in spec-extensions/lowerings.csv. They are written from the definition, with integers only: results are exact ones
// rounded once to nearest, a tie to the even neighbour, subnormal numbers included. What computes a NaN gives the canonical one. `scripts/lowering.sh`
// compiles this file.

layout(set = 0, binding = 0, std430) buffer Data { uvec2 data; };

// Choices, classes

uvec2 float64_select(const bool condition, const uvec2 a, const uvec2 b) {
    return mix(b, a, bvec2(condition));
}

uvec2 float64_nan() {
    return uvec2(0u, 0x7ff80000u);
}

uvec2 float64_infinity(const uint sign) {
    return uvec2(0u, sign | 0x7ff00000u);
}

bool float64_is_nan(const uvec2 a) {
    return ((a.y & 0x7fffffffu) | (a.x != 0u ? 1u : 0u)) > 0x7ff00000u;
}

bool float64_is_infinite(const uvec2 a) {
    return (a.x | (a.y & 0x7fffffffu) ^ 0x7ff00000u) == 0u;
}

bool float64_is_zero(const uvec2 a) {
    return (a.x | a.y << 1u) == 0u;
}

// Infinities and NaNs.
bool float64_is_special(const uvec2 a) {
    return (a.y & 0x7ff00000u) == 0x7ff00000u;
}

// Signs

uvec2 float64_negate(const uvec2 a) {
    return uvec2(a.x, a.y ^ 0x80000000u);
}

uvec2 float64_absolute(const uvec2 a) {
    return uvec2(a.x, a.y & 0x7fffffffu);
}

// Comparisons. As integers with signs, numbers have the order of their bits, and both zeros are 0.

bool float64_is_below(const uvec2 a, const uvec2 b) {
    return mix(a.y < b.y, a.x < b.x, a.y == b.y);
}

uvec2 float64_key(const uvec2 a) {
    uint sign = uint(int(a.y) >> 31);
    uint low = (a.x ^ sign) - sign;
    uint high = (a.y & 0x7fffffffu ^ sign) + ((low == 0u ? 1u : 0u) & sign);
    // Words without sign have this order too.
    return uvec2(low, high ^ 0x80000000u);
}

bool float64_ordered(const uvec2 a, const uvec2 b) {
    return ((float64_is_nan(a) ? 1u : 0u) | (float64_is_nan(b) ? 1u : 0u)) == 0u;
}

bool float64_unordered(const uvec2 a, const uvec2 b) {
    return !float64_ordered(a, b);
}

bool float64_equal(const uvec2 a, const uvec2 b) {
    bool is_same = (a.x ^ b.x | a.y ^ b.y) == 0u;
    bool are_zeros = (a.x | b.x | (a.y | b.y) << 1u) == 0u;
    bool is_equal = is_same || are_zeros;
    bool is_ordered = float64_ordered(a, b);
    return is_ordered && is_equal;
}

bool float64_not_equal(const uvec2 a, const uvec2 b) {
    bool differs = !float64_equal(a, b);
    bool is_ordered = float64_ordered(a, b);
    return is_ordered && differs;
}

bool float64_less(const uvec2 a, const uvec2 b) {
    bool is_less = float64_is_below(float64_key(a), float64_key(b));
    bool is_ordered = float64_ordered(a, b);
    return is_ordered && is_less;
}

bool float64_less_equal(const uvec2 a, const uvec2 b) {
    bool is_less = !float64_is_below(float64_key(b), float64_key(a));
    bool is_ordered = float64_ordered(a, b);
    return is_ordered && is_less;
}

bool float64_greater(const uvec2 a, const uvec2 b) {
    return float64_less(b, a);
}

bool float64_greater_equal(const uvec2 a, const uvec2 b) {
    return float64_less_equal(b, a);
}

bool float64_unordered_equal(const uvec2 a, const uvec2 b) {
    return !float64_not_equal(a, b);
}

bool float64_unordered_not_equal(const uvec2 a, const uvec2 b) {
    return !float64_equal(a, b);
}

bool float64_unordered_less(const uvec2 a, const uvec2 b) {
    return !float64_less_equal(b, a);
}

bool float64_unordered_less_equal(const uvec2 a, const uvec2 b) {
    return !float64_less(b, a);
}

bool float64_unordered_greater(const uvec2 a, const uvec2 b) {
    return !float64_less_equal(a, b);
}

bool float64_unordered_greater_equal(const uvec2 a, const uvec2 b) {
    return !float64_less(a, b);
}

// Choices

uvec2 float64_minimum(const uvec2 a, const uvec2 b) {
    return float64_select(float64_less(b, a), b, a);
}

uvec2 float64_maximum(const uvec2 a, const uvec2 b) {
    return float64_select(float64_less(a, b), b, a);
}

uvec2 float64_clamp(const uvec2 a, const uvec2 low, const uvec2 high) {
    return float64_minimum(float64_maximum(a, low), high);
}

uvec2 float64_minimum_number(const uvec2 a, const uvec2 b) {
    return float64_select(float64_is_nan(a), b, float64_minimum(a, b));
}

uvec2 float64_maximum_number(const uvec2 a, const uvec2 b) {
    return float64_select(float64_is_nan(a), b, float64_maximum(a, b));
}

uvec2 float64_clamp_number(const uvec2 a, const uvec2 low, const uvec2 high) {
    return float64_minimum_number(float64_maximum_number(a, low), high);
}

uvec2 float64_sign(const uvec2 a) {
    uint one = a.y & 0x80000000u | 0x3ff00000u;
    bool is_nothing = float64_is_zero(a) != float64_is_nan(a);
    return uvec2(0u, is_nothing ? 0u : one);
}

uvec2 float64_step(const uvec2 edge, const uvec2 a) {
    return uvec2(0u, float64_less(a, edge) ? 0u : 0x3ff00000u);
}

// Vectors of two: a component, and a vector with another component.

uvec2 float64_component(const uvec4 vector, const uint index) {
    return float64_select(index == 0u, uvec2(vector.x, vector.y), uvec2(vector.z, vector.w));
}

uvec4 float64_with_component(const uvec4 vector, const uvec2 component, const uint index) {
    uvec2 first = float64_select(index == 0u, component, uvec2(vector.x, vector.y));
    uvec2 second = float64_select(index == 0u, uvec2(vector.z, vector.w), component);
    return uvec4(first.x, first.y, second.x, second.y);
}

// Shifts

uint float64_leading_zeros(const uint a) {
    uint rest = a;
    uint count = a == 0u ? 1u : 0u;
    uint step = rest < 0x10000u ? 16u : 0u;
    rest <<= step;
    count += step;
    step = rest < 0x1000000u ? 8u : 0u;
    rest <<= step;
    count += step;
    step = rest < 0x10000000u ? 4u : 0u;
    rest <<= step;
    count += step;
    step = rest < 0x40000000u ? 2u : 0u;
    rest <<= step;
    count += step;
    return count + (rest < 0x80000000u ? 1u : 0u);
}

// By 0 to 31 bits.
uvec2 float64_moved_up(const uvec2 a, const uint count) {
    return uvec2(a.x << count, a.y << count | a.x >> 1u >> (31u - count));
}

// By any number of bits. The lowest bit of the result says if any set bit is lost.
uvec2 float64_moved_down(const uvec2 a, const uint count) {
    uint bits = count & 31u;
    uint low = count > 31u ? a.y : a.x;
    uint high = count > 31u ? 0u : a.y;
    uint lost = (count > 31u ? a.x : 0u) | low & (1u << bits) - 1u;
    uvec2 moved = uvec2(low >> bits | high << 1u << (31u - bits) | (lost != 0u ? 1u : 0u), high >> bits);
    return float64_select(count > 63u, uvec2((a.x | a.y) != 0u ? 1u : 0u, 0u), moved);
}

// Numbers in parts: x and y are the significand, whose first bit is the top bit, and z is the exponent as normal numbers have it.

// Moves the first bit of a significand to the top. It is not zero.
uvec3 float64_normalized(const uvec2 a, const int exponent) {
    uvec2 upper = float64_select(a.y == 0u, uvec2(0u, a.x), a);
    uint skipped = a.y == 0u ? 32u : 0u;
    uint zeros = float64_leading_zeros(upper.y);
    uvec2 moved = float64_moved_up(upper, zeros & 31u);
    return uvec3(moved.x, moved.y, uint(exponent) - skipped - zeros);
}

uvec3 float64_parts(const uvec2 a) {
    uint exponent = a.y >> 20u & 0x7ffu;
    uint first = exponent == 0u ? 0u : 0x80000000u;
    uvec2 bits = uvec2(a.x << 11u, (a.y & 0xfffffu) << 11u | a.x >> 21u | first);
    if (exponent == 0u) {
        return float64_normalized(bits, 1);
    }
    return uvec3(bits.x, bits.y, exponent);
}

// Rounds a number in parts. The lowest bits of the significand may say that there are more.
uvec2 float64_rounded(const uint sign, const uvec3 parts) {
    int exponent = int(parts.z);
    uint missing = uint(1 - exponent);
    uint below = exponent < 1 ? missing : 0u;
    uvec2 bits = float64_moved_down(uvec2(parts.x, parts.y), below);
    uint low = bits.x >> 11u | bits.y << 21u;
    // A tie rounds up if what is kept is odd.
    uint up = (bits.x & 0x7ffu) + (low & 1u) > 0x400u ? 1u : 0u;
    uint rounded = low + up;
    // The first bit of what is kept adds one to the exponent, and so does a carry.
    uint field = (exponent < 1 ? 0u : 0u - missing) << 20u;
    uint high = (bits.y >> 11u) + (rounded < up ? 1u : 0u) + field;
    return float64_select(exponent > 2046, float64_infinity(sign), uvec2(rounded, sign | high));
}

// Arithmetic

uvec2 float64_add(const uvec2 a, const uvec2 b) {
    bool is_swapped = float64_is_below(float64_absolute(a), float64_absolute(b));
    uvec2 large = float64_select(is_swapped, b, a);
    uvec2 small = float64_select(is_swapped, a, b);
    uint large_exponent = large.y >> 20u & 0x7ffu;
    uint small_exponent = small.y >> 20u & 0x7ffu;
    uint sign = large.y & 0x80000000u;
    bool differs = int(large.y ^ small.y) < 0;
    if (large_exponent == 0x7ffu) {
        bool is_nan = float64_is_nan(large) ? true : (differs ? small_exponent == 0x7ffu : false);
        return float64_select(is_nan, float64_nan(), large);
    }
    // Significands with a free bit above, and bits for rounding below.
    uint large_first = large_exponent == 0u ? 0u : 0x40000000u;
    uint small_first = small_exponent == 0u ? 0u : 0x40000000u;
    uvec2 x = uvec2(large.x << 10u, (large.y & 0xfffffu) << 10u | large.x >> 22u | large_first);
    uvec2 y = uvec2(small.x << 10u, (small.y & 0xfffffu) << 10u | small.x >> 22u | small_first);
    uint exponent = large_exponent == 0u ? 1u : large_exponent;
    y = float64_moved_down(y, exponent - (small_exponent == 0u ? 1u : small_exponent));
    uint mask = differs ? 0xffffffffu : 0u;
    uint low = x.x + (y.x ^ mask) + (mask & 1u);
    bool carries = mix(low < y.x, x.x >= y.x, differs);
    uint high = x.y + (y.y ^ mask) + (carries ? 1u : 0u);
    if ((low | high) == 0u) {
        return uvec2(0u, large.y & small.y & 0x80000000u);
    }
    return float64_rounded(sign, float64_normalized(uvec2(low, high), int(exponent) + 1));
}

uvec2 float64_subtract(const uvec2 a, const uvec2 b) {
    return float64_add(a, float64_negate(b));
}

// The 128 bits of a product, the lowest word first.
uvec4 float64_product(const uvec2 a, const uvec2 b) {
    uint high, low, first_high, first_low, second_high, second_low, top_high, top_low;
    umulExtended(a.x, b.x, high, low);
    umulExtended(a.x, b.y, first_high, first_low);
    umulExtended(a.y, b.x, second_high, second_low);
    umulExtended(a.y, b.y, top_high, top_low);
    uint middle = high + first_low;
    uint carry = middle < first_low ? 1u : 0u;
    middle += second_low;
    carry += middle < second_low ? 1u : 0u;
    uint upper = top_low + first_high;
    uint top = top_high + (upper < first_high ? 1u : 0u);
    upper += second_high;
    top += upper < second_high ? 1u : 0u;
    upper += carry;
    top += upper < carry ? 1u : 0u;
    return uvec4(low, middle, upper, top);
}

uvec2 float64_multiply(const uvec2 a, const uvec2 b) {
    uint sign = (a.y ^ b.y) & 0x80000000u;
    bool has_zero = float64_is_zero(a) ? true : float64_is_zero(b);
    if (float64_is_special(a) || float64_is_special(b)) {
        bool is_nan = float64_ordered(a, b) ? has_zero : true;
        return float64_select(is_nan, float64_nan(), float64_infinity(sign));
    }
    if (has_zero) {
        return uvec2(0u, sign);
    }
    uvec3 x = float64_parts(a);
    uvec3 y = float64_parts(b);
    uvec4 product = float64_product(uvec2(x.x, x.y), uvec2(y.x, y.y));
    uvec2 bits = uvec2(product.z | ((product.x | product.y) != 0u ? 1u : 0u), product.w);
    return float64_rounded(sign, float64_normalized(bits, int(x.z) + int(y.z) - 1022));
}

// One bit at a time.
uvec2 float64_divide(const uvec2 a, const uvec2 b) {
    uint sign = (a.y ^ b.y) & 0x80000000u;
    bool is_zero = float64_is_zero(a);
    bool by_zero = float64_is_zero(b);
    bool is_infinite = float64_is_infinite(a);
    bool by_infinity = float64_is_infinite(b);
    if (float64_unordered(a, b) || is_zero && by_zero || is_infinite && by_infinity) {
        return float64_nan();
    }
    if (is_infinite || by_zero) {
        return float64_infinity(sign);
    }
    if (is_zero || by_infinity) {
        return uvec2(0u, sign);
    }
    uvec3 x = float64_parts(a);
    uvec3 y = float64_parts(b);
    uvec2 rest = uvec2(x.x >> 11u | x.y << 21u, x.y >> 11u);
    uvec2 divisor = uvec2(y.x >> 11u | y.y << 21u, y.y >> 11u);
    uvec2 quotient = uvec2(0u);
    for (uint count = 0u; count < 56u; count++) {
        bool fits = !float64_is_below(rest, divisor);
        uint borrow = rest.x < divisor.x ? 1u : 0u;
        uvec2 less = uvec2(rest.x - divisor.x, rest.y - divisor.y - borrow);
        quotient = float64_moved_up(quotient, 1u);
        quotient.x |= fits ? 1u : 0u;
        rest = float64_moved_up(float64_select(fits, less, rest), 1u);
    }
    quotient = float64_moved_up(quotient, 8u);
    quotient.x |= (rest.x | rest.y) != 0u ? 1u : 0u;
    return float64_rounded(sign, float64_normalized(quotient, int(x.z) - int(y.z) + 1023));
}

// One bit at a time, for which two of the number are needed.
uvec2 float64_square_root(const uvec2 a) {
    if (float64_is_zero(a)) {
        return a;
    }
    if (float64_is_nan(a) || int(a.y) < 0) {
        return float64_nan();
    }
    if (float64_is_infinite(a)) {
        return a;
    }
    uvec3 x = float64_parts(a);
    int exponent = int(x.z) - 1023;
    // The first two bits are before the point.
    uvec2 bits = uvec2(x.x, x.y);
    if ((exponent & 1) == 0) {
        bits = float64_moved_down(bits, 1u);
    }
    uvec2 rest = uvec2(0u);
    uvec2 root = uvec2(0u);
    for (uint count = 0u; count < 55u; count++) {
        rest = float64_moved_up(rest, 2u);
        rest.x |= bits.y >> 30u;
        bits = float64_moved_up(bits, 2u);
        uvec2 trial = float64_moved_up(root, 2u);
        trial.x |= 1u;
        bool fits = !float64_is_below(rest, trial);
        uint borrow = rest.x < trial.x ? 1u : 0u;
        uvec2 less = uvec2(rest.x - trial.x, rest.y - trial.y - borrow);
        root = float64_moved_up(root, 1u);
        root.x |= fits ? 1u : 0u;
        rest = float64_select(fits, less, rest);
    }
    root = float64_moved_up(root, 9u);
    root.x |= (rest.x | rest.y) != 0u ? 1u : 0u;
    return float64_rounded(0u, uvec3(root.x, root.y, uint((exponent >> 1) + 1023)));
}

// Moves 128 bits down. The lowest bit of the result says if any set bit is lost.
uvec4 float64_all_moved_down(const uvec4 a, const uint count) {
    uvec4 words = a;
    uint lost = 0u;
    for (uint skipped = 32u; skipped <= count && skipped <= 128u; skipped += 32u) {
        lost |= words.x;
        words = uvec4(words.y, words.z, words.w, 0u);
    }
    uint bits = count & 31u;
    uint up = 31u - bits;
    lost |= words.x & (1u << bits) - 1u;
    return uvec4(
        words.x >> bits | words.y << 1u << up | (lost != 0u ? 1u : 0u),
        words.y >> bits | words.z << 1u << up,
        words.z >> bits | words.w << 1u << up,
        words.w >> bits
    );
}

uvec4 float64_all_added(const uvec4 a, const uvec4 b, const uint carry_in) {
    uvec4 sum;
    sum.x = a.x + b.x;
    uint carry = sum.x < b.x ? 1u : 0u;
    sum.x += carry_in;
    carry |= sum.x < carry_in ? 1u : 0u;
    sum.y = a.y + b.y;
    uint next = sum.y < b.y ? 1u : 0u;
    sum.y += carry;
    next |= sum.y < carry ? 1u : 0u;
    sum.z = a.z + b.z;
    carry = sum.z < b.z ? 1u : 0u;
    sum.z += next;
    carry |= sum.z < next ? 1u : 0u;
    sum.w = a.w + b.w + carry;
    return sum;
}

// a * b + c, rounded once.
uvec2 float64_fused(const uvec2 a, const uvec2 b, const uvec2 c) {
    uint sign = (a.y ^ b.y) & 0x80000000u;
    bool differs = int(sign ^ c.y) < 0;
    bool has_zero = float64_is_zero(a) ? true : float64_is_zero(b);
    bool is_infinite = float64_is_infinite(a) ? true : float64_is_infinite(b);
    if (float64_unordered(a, b) || float64_is_nan(c) || is_infinite && has_zero) {
        return float64_nan();
    }
    if (is_infinite) {
        bool is_nan = float64_is_infinite(c) ? differs : false;
        return float64_select(is_nan, float64_nan(), float64_infinity(sign));
    }
    if (float64_is_infinite(c)) {
        return c;
    }
    if (has_zero) {
        return float64_add(uvec2(0u, sign), c);
    }
    uvec3 x = float64_parts(a);
    uvec3 y = float64_parts(b);
    uvec3 z = float64_parts(c);
    // Both have a free bit above.
    uvec4 product = float64_all_moved_down(float64_product(uvec2(x.x, x.y), uvec2(y.x, y.y)), 1u);
    uvec4 added = float64_all_moved_down(uvec4(0u, 0u, z.x, z.y), 1u);
    int product_exponent = int(x.z) + int(y.z) - 1022;
    int added_exponent = float64_is_zero(c) ? product_exponent : int(z.z);
    int distance = product_exponent - added_exponent;
    product = float64_all_moved_down(product, distance < 0 ? uint(-distance) : 0u);
    added = float64_all_moved_down(added, distance > 0 ? uint(distance) : 0u);
    int exponent = (distance > 0 ? product_exponent : added_exponent) + 1;
    uvec4 sum = float64_all_added(product, mix(added, ~added, bvec4(differs)), differs ? 1u : 0u);
    if (int(sum.w) < 0 && differs) {
        sum = float64_all_added(~sum, uvec4(0u), 1u);
        sign ^= 0x80000000u;
    }
    for (uint count = 0u; count < 3u; count++) {
        if (sum.w == 0u) {
            sum = uvec4(0u, sum.x, sum.y, sum.z);
            exponent -= 32;
        }
    }
    if (sum.w == 0u) {
        return uvec2(0u);
    }
    uint zeros = float64_leading_zeros(sum.w);
    uvec2 upper = float64_moved_up(uvec2(sum.z, sum.w), zeros);
    upper.x |= sum.y >> 1u >> (31u - zeros);
    upper.x |= (sum.y << zeros | sum.x) != 0u ? 1u : 0u;
    return float64_rounded(sign, uvec3(upper.x, upper.y, uint(exponent) - zeros));
}

// Rounding to integers

// The bits of a fraction, whose exponent is one of numbers from 1 to 2^52.
uvec2 float64_fraction_bits(const uint exponent) {
    uint count = 1075u - exponent;
    uint mask = (1u << (count & 31u)) - 1u;
    uint low = count > 31u ? 0xffffffffu : mask;
    uint high = count > 31u ? mask : 0u;
    return uvec2(low, high);
}

uvec2 float64_truncate(const uvec2 a) {
    uint exponent = a.y >> 20u & 0x7ffu;
    uvec2 fraction = float64_fraction_bits(exponent < 1023u ? 1023u : (exponent > 1074u ? 1074u : exponent));
    uvec2 kept = uvec2(a.x & ~fraction.x, a.y & ~fraction.y);
    uvec2 whole = float64_select(float64_is_nan(a), float64_nan(), a);
    uvec2 small = uvec2(0u, a.y & 0x80000000u);
    return float64_select(exponent > 1074u, whole, float64_select(exponent < 1023u, small, kept));
}

// Adds to the magnitude before what is below 1 is cut off.
uvec2 float64_whole_of_sum(const uvec2 a, const uvec2 added, const uvec2 fraction) {
    uint low = a.x + added.x;
    uint high = a.y + added.y + (low < added.x ? 1u : 0u);
    return uvec2(low & ~fraction.x, high & ~fraction.y);
}

uvec2 float64_floor(const uvec2 a) {
    uint exponent = a.y >> 20u & 0x7ffu;
    if (exponent > 1074u || int(a.y) >= 0) {
        return float64_truncate(a);
    }
    if (exponent < 1023u) {
        return float64_select(float64_is_zero(a), a, uvec2(0u, 0xbff00000u));
    }
    uvec2 fraction = float64_fraction_bits(exponent);
    return float64_whole_of_sum(a, fraction, fraction);
}

uvec2 float64_ceil(const uvec2 a) {
    uvec2 floor = float64_floor(float64_negate(a));
    return float64_select(float64_is_nan(a), floor, float64_negate(floor));
}

uvec2 float64_round_even(const uvec2 a) {
    uint exponent = a.y >> 20u & 0x7ffu;
    if (exponent > 1074u) {
        return float64_truncate(a);
    }
    if (exponent < 1023u) {
        bool is_more = float64_is_below(uvec2(0u, 0x3fe00000u), float64_absolute(a));
        return uvec2(0u, a.y & 0x80000000u | (is_more ? 0x3ff00000u : 0u));
    }
    uvec2 fraction = float64_fraction_bits(exponent);
    // Just below a half, and the lowest bit that is kept: the first bit of 1 is in the exponent.
    uvec2 below_half = uvec2(fraction.x >> 1u | fraction.y << 31u, fraction.y >> 1u);
    uvec2 last = uvec2(a.x & ~fraction.x & fraction.x + 1u, a.y & ~fraction.y & fraction.y + (fraction.x == 0xffffffffu ? 1u : 0u));
    uint odd = (last.x | last.y) != 0u ? 1u : 0u;
    return float64_whole_of_sum(a, uvec2(below_half.x + odd, below_half.y + (below_half.x + odd < odd ? 1u : 0u)), fraction);
}

// The part that truncation cuts off, with the sign of the number.
uvec2 float64_signed_fraction(const uvec2 a) {
    uvec2 rest = float64_subtract(a, float64_truncate(a));
    uvec2 fraction = uvec2(rest.x, rest.y & 0x7fffffffu | a.y & 0x80000000u);
    uvec2 special = float64_select(float64_is_nan(a), float64_nan(), uvec2(0u, a.y & 0x80000000u));
    return float64_select(float64_is_special(a), special, fraction);
}

// Exponents

uvec2 float64_scale(const uvec2 a, const int exponent) {
    if (float64_is_special(a) || float64_is_zero(a)) {
        return float64_select(float64_is_nan(a), float64_nan(), a);
    }
    uvec3 parts = float64_parts(a);
    int limited = exponent > 4000 ? 4000 : (exponent < -4000 ? -4000 : exponent);
    return float64_rounded(a.y & 0x80000000u, uvec3(parts.x, parts.y, parts.z + uint(limited)));
}

// A significand of at least one half and less than 1, and the exponent to it.
uvec2 float64_significand(const uvec2 a) {
    if (float64_is_special(a) || float64_is_zero(a)) {
        return float64_select(float64_is_nan(a), float64_nan(), a);
    }
    uvec3 parts = float64_parts(a);
    return uvec2(parts.x >> 11u | parts.y << 21u, a.y & 0x80000000u | (parts.y >> 11u) + (1021u << 20u));
}

int float64_exponent(const uvec2 a) {
    if (float64_is_special(a) || float64_is_zero(a)) {
        return 0;
    }
    return int(float64_parts(a).z) - 1022;
}

// Conversions

uvec2 float64_from_float(const float a) {
    uint bits = floatBitsToUint(a);
    uint sign = bits & 0x80000000u;
    uint exponent = bits >> 23u & 0xffu;
    uint significand = bits << 9u;
    if (exponent == 0xffu) {
        return significand != 0u ? float64_nan() : float64_infinity(sign);
    }
    if (exponent == 0u) {
        if (significand == 0u) {
            return uvec2(0u, sign);
        }
        uint zeros = float64_leading_zeros(significand);
        significand = significand << zeros << 1u;
        exponent -= zeros;
    }
    return uvec2(significand << 20u, sign | exponent + 896u << 20u | significand >> 12u);
}

float float64_to_float(const uvec2 a) {
    uint sign = a.y & 0x80000000u;
    int exponent = int(a.y >> 20u & 0x7ffu) - 896;
    uint more = a.x << 11u != 0u ? 1u : 0u;
    uint bits = 0x80000000u | (a.y & 0xfffffu) << 11u | a.x >> 21u | more;
    uint missing = uint(1 - exponent);
    uint below = exponent < 1 ? missing : 0u;
    // From 26 bits on, all that is left rounds to 0.
    uint lost = (bits & (1u << (below & 31u)) - 1u) != 0u ? 1u : 0u;
    uint moved = bits >> (below & 31u) | lost;
    bits = below > 25u ? 0u : moved;
    uint kept = bits >> 8u;
    uint up = (bits & 0xffu) + (kept & 1u) > 0x80u ? 1u : 0u;
    uint field = (exponent < 1 ? 0u : 0u - missing) << 23u;
    uint rounded = field + kept + up;
    uint finite = exponent > 254 ? 0x7f800000u : rounded;
    uint number = sign | finite;
    return uintBitsToFloat(float64_is_nan(a) ? 0x7fc00000u : number);
}

// Rounds once to a number that a float of 16 bits has. Of the low word counts only if it is 0: the upper one has more bits than such a float.
float float64_to_half(const uvec2 a) {
    uint sign = a.y & 0x80000000u;
    uint magnitude = a.y & 0x7fffffffu | (a.x != 0u ? 1u : 0u);
    // Numbers below 2^-14 have fewer bits, and those below 2^-24 none.
    uint field = magnitude >> 20u;
    uint missing = field < 1009u ? 1009u - field : 0u;
    uint count = 10u + (missing > 10u ? 10u : missing);
    uint fraction = (1u << count) - 1u;
    uint odd = missing > 9u ? 1u : magnitude >> count & 1u;
    uint rounded = magnitude + (fraction >> 1u) + odd & ~fraction;
    uint small = magnitude > 0x3e600000u ? 0x3e700000u : 0u;
    uint finite = missing > 10u ? small : rounded;
    uint number = finite > 0x40efffffu ? 0x7ff00000u : finite;
    return float64_to_float(uvec2(0u, sign | (magnitude > 0x7ff00000u ? magnitude : number)));
}

// From and to integers of 64 bits as two words; those to integers round toward zero.

uvec2 float64_from_magnitude(const uint sign, const uvec2 a) {
    if ((a.x | a.y) == 0u) {
        return uvec2(0u);
    }
    return float64_rounded(sign, float64_normalized(a, 1023 + 63));
}

uvec2 float64_from_unsigned(const uvec2 a) {
    return float64_from_magnitude(0u, a);
}

uvec2 float64_from_signed(const ivec2 a) {
    uint sign = uint(a.y >> 31);
    uint low = (uint(a.x) ^ sign) - sign;
    uint high = (uint(a.y) ^ sign) + ((low == 0u ? 1u : 0u) & sign);
    return float64_from_magnitude(sign & 0x80000000u, uvec2(low, high));
}

uvec2 float64_to_unsigned(const uvec2 a) {
    uint exponent = a.y >> 20u & 0x7ffu;
    uvec2 bits = uvec2(a.x, a.y & 0xfffffu | 0x100000u);
    uint down = 1075u - exponent;
    uint low = down > 31u ? bits.y : bits.x;
    uint high = down > 31u ? 0u : bits.y;
    uint count = down & 31u;
    uvec2 small = uvec2(low >> count | high << 1u << (31u - count), high >> count);
    uvec2 large = float64_moved_up(bits, exponent - 1075u & 31u);
    return float64_select(exponent < 1023u, uvec2(0u), float64_select(exponent < 1075u, small, large));
}

uvec2 float64_to_signed(const uvec2 a) {
    uint sign = uint(int(a.y) >> 31);
    uvec2 magnitude = float64_to_unsigned(a);
    uint low = (magnitude.x ^ sign) - sign;
    return uvec2(low, (magnitude.y ^ sign) + ((low == 0u ? 1u : 0u) & sign));
}

// Functions that the specification derives from a formula: each operation of it rounds.

uvec2 float64_fraction(const uvec2 a) {
    return float64_subtract(a, float64_floor(a));
}

uvec2 float64_remainder(const uvec2 a, const uvec2 b) {
    return float64_subtract(a, float64_multiply(b, float64_truncate(float64_divide(a, b))));
}

uvec2 float64_modulo(const uvec2 a, const uvec2 b) {
    return float64_subtract(a, float64_multiply(b, float64_floor(float64_divide(a, b))));
}

uvec2 float64_inverse_square_root(const uvec2 a) {
    return float64_divide(uvec2(0u, 0x3ff00000u), float64_square_root(a));
}

uvec2 float64_mix(const uvec2 a, const uvec2 b, const uvec2 share) {
    uvec2 rest = float64_subtract(uvec2(0u, 0x3ff00000u), share);
    return float64_add(float64_multiply(a, rest), float64_multiply(b, share));
}

uvec2 float64_smooth_step(const uvec2 low, const uvec2 high, const uvec2 a) {
    uvec2 share = float64_divide(float64_subtract(a, low), float64_subtract(high, low));
    share = float64_clamp(share, uvec2(0u), uvec2(0u, 0x3ff00000u));
    uvec2 twice = float64_add(share, share);
    return float64_multiply(float64_multiply(share, share), float64_subtract(uvec2(0u, 0x40080000u), twice));
}

// Keeps all functions.
void main() {
    uvec2 a = data;
    a = float64_select((a.x == 0u), a, a);
    a = float64_nan();
    a = float64_infinity(a.x);
    a.x = float64_is_nan(a) ? 1u : 0u;
    a.x = float64_is_infinite(a) ? 1u : 0u;
    a.x = float64_is_zero(a) ? 1u : 0u;
    a.x = float64_is_special(a) ? 1u : 0u;
    a = float64_negate(a);
    a = float64_absolute(a);
    a.x = float64_is_below(a, a) ? 1u : 0u;
    a = float64_key(a);
    a.x = float64_ordered(a, a) ? 1u : 0u;
    a.x = float64_unordered(a, a) ? 1u : 0u;
    a.x = float64_equal(a, a) ? 1u : 0u;
    a.x = float64_not_equal(a, a) ? 1u : 0u;
    a.x = float64_less(a, a) ? 1u : 0u;
    a.x = float64_less_equal(a, a) ? 1u : 0u;
    a.x = float64_greater(a, a) ? 1u : 0u;
    a.x = float64_greater_equal(a, a) ? 1u : 0u;
    a.x = float64_unordered_equal(a, a) ? 1u : 0u;
    a.x = float64_unordered_not_equal(a, a) ? 1u : 0u;
    a.x = float64_unordered_less(a, a) ? 1u : 0u;
    a.x = float64_unordered_less_equal(a, a) ? 1u : 0u;
    a.x = float64_unordered_greater(a, a) ? 1u : 0u;
    a.x = float64_unordered_greater_equal(a, a) ? 1u : 0u;
    a = float64_minimum(a, a);
    a = float64_maximum(a, a);
    a = float64_clamp(a, a, a);
    a = float64_minimum_number(a, a);
    a = float64_maximum_number(a, a);
    a = float64_clamp_number(a, a, a);
    a = float64_sign(a);
    a = float64_step(a, a);
    a = float64_component(uvec4(a, a), a.x);
    a = float64_with_component(uvec4(a, a), a, a.x).xz;
    a.x = float64_leading_zeros(a.x);
    a = float64_moved_up(a, a.x);
    a = float64_moved_down(a, a.x);
    a = float64_normalized(a, int(a.x)).xy;
    a = float64_parts(a).xy;
    a = float64_rounded(a.x, uvec3(a, a.x));
    a = float64_add(a, a);
    a = float64_subtract(a, a);
    a = float64_product(a, a).xz;
    a = float64_multiply(a, a);
    a = float64_divide(a, a);
    a = float64_square_root(a);
    a = float64_all_moved_down(uvec4(a, a), a.x).xz;
    a = float64_all_added(uvec4(a, a), uvec4(a, a), a.x).xz;
    a = float64_fused(a, a, a);
    a = float64_fraction_bits(a.x);
    a = float64_truncate(a);
    a = float64_whole_of_sum(a, a, a);
    a = float64_floor(a);
    a = float64_ceil(a);
    a = float64_round_even(a);
    a = float64_signed_fraction(a);
    a = float64_scale(a, int(a.x));
    a = float64_significand(a);
    a.x = uint(float64_exponent(a));
    a = float64_from_float(uintBitsToFloat(a.x));
    a.x = floatBitsToUint(float64_to_float(a));
    a.x = floatBitsToUint(float64_to_half(a));
    a = float64_from_magnitude(a.x, a);
    a = float64_from_unsigned(a);
    a = float64_from_signed(ivec2(a));
    a = float64_to_unsigned(a);
    a = float64_to_signed(a);
    a = float64_fraction(a);
    a = float64_remainder(a, a);
    a = float64_modulo(a, a);
    a = float64_inverse_square_root(a);
    a = float64_mix(a, a, a);
    a = float64_smooth_step(a, a, a);
    data = a;
}
