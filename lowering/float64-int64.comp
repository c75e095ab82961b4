#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require

// Doubles of IEEE 754 as integers of 64 bits: like float64.comp, for devices with such integers, and for kernels. What computes a NaN gives the canonical one.
// Shifts are by counts of 64 bits, and products by halves: not every consumer of kernels takes others.

layout(set = 0, binding = 0, std430) buffer Data { uint64_t data; };

const uint64_t SIGN = 0x8000000000000000ul;
const uint64_t INFINITY = 0x7ff0000000000000ul;
const uint64_t NAN = 0x7ff8000000000000ul;
const uint64_t ONE = 0x3ff0000000000000ul;
// The first bit of a significand, which normal numbers do not have, and the bits after it.
const uint64_t FIRST = 0x10000000000000ul;
const uint64_t FRACTION = 0xffffffffffffful;

// Choices, classes

uint64_t float64_select(const bool condition, const uint64_t a, const uint64_t b) {
    return mix(b, a, condition);
}

bool float64_is_nan(const uint64_t a) {
    return (a & ~SIGN) > INFINITY;
}

bool float64_is_infinite(const uint64_t a) {
    return (a & ~SIGN) == INFINITY;
}

bool float64_is_zero(const uint64_t a) {
    return (a & ~SIGN) == 0ul;
}

// Infinities and NaNs.
bool float64_is_special(const uint64_t a) {
    return (a & INFINITY) == INFINITY;
}

bool float64_is_finite(const uint64_t a) {
    return (a & INFINITY) != INFINITY;
}

bool float64_is_normal(const uint64_t a) {
    return (a & INFINITY) - FIRST < INFINITY - FIRST;
}

// Signs

bool float64_is_negative(const uint64_t a) {
    return a >= SIGN;
}

uint64_t float64_negate(const uint64_t a) {
    return a ^ SIGN;
}

uint64_t float64_absolute(const uint64_t a) {
    return a & ~SIGN;
}

uint64_t float64_with_sign(const uint64_t a, const uint64_t sign) {
    return a & ~SIGN | sign & SIGN;
}

// Comparisons. As integers with signs, numbers have the order of their magnitudes with signs, and both zeros are 0.

int64_t float64_key(const uint64_t a) {
    uint64_t sign = uint64_t(int64_t(a) >> 63l);
    return int64_t((a & ~SIGN ^ sign) - sign);
}

bool float64_ordered(const uint64_t a, const uint64_t b) {
    bool a_is_number = (a & ~SIGN) <= INFINITY;
    bool b_is_number = (b & ~SIGN) <= INFINITY;
    return a_is_number && b_is_number;
}

bool float64_unordered(const uint64_t a, const uint64_t b) {
    return !float64_ordered(a, b);
}

bool float64_equal(const uint64_t a, const uint64_t b) {
    bool is_equal = float64_key(a) == float64_key(b);
    bool is_ordered = float64_ordered(a, b);
    return is_ordered && is_equal;
}

bool float64_not_equal(const uint64_t a, const uint64_t b) {
    bool differs = float64_key(a) != float64_key(b);
    bool is_ordered = float64_ordered(a, b);
    return is_ordered && differs;
}

bool float64_less(const uint64_t a, const uint64_t b) {
    bool is_less = float64_key(a) < float64_key(b);
    bool is_ordered = float64_ordered(a, b);
    return is_ordered && is_less;
}

bool float64_less_equal(const uint64_t a, const uint64_t b) {
    bool is_less = float64_key(a) <= float64_key(b);
    bool is_ordered = float64_ordered(a, b);
    return is_ordered && is_less;
}

bool float64_greater(const uint64_t a, const uint64_t b) {
    return float64_less(b, a);
}

bool float64_greater_equal(const uint64_t a, const uint64_t b) {
    return float64_less_equal(b, a);
}

bool float64_unordered_equal(const uint64_t a, const uint64_t b) {
    return !float64_not_equal(a, b);
}

bool float64_unordered_not_equal(const uint64_t a, const uint64_t b) {
    return !float64_equal(a, b);
}

bool float64_unordered_less(const uint64_t a, const uint64_t b) {
    return !float64_less_equal(b, a);
}

bool float64_unordered_less_equal(const uint64_t a, const uint64_t b) {
    return !float64_less(b, a);
}

bool float64_unordered_greater(const uint64_t a, const uint64_t b) {
    return !float64_less_equal(a, b);
}

bool float64_unordered_greater_equal(const uint64_t a, const uint64_t b) {
    return !float64_less(a, b);
}

// Choices

uint64_t float64_minimum(const uint64_t a, const uint64_t b) {
    return float64_select(float64_less(b, a), b, a);
}

uint64_t float64_maximum(const uint64_t a, const uint64_t b) {
    return float64_select(float64_less(a, b), b, a);
}

uint64_t float64_clamp(const uint64_t a, const uint64_t low, const uint64_t high) {
    return float64_minimum(float64_maximum(a, low), high);
}

uint64_t float64_minimum_number(const uint64_t a, const uint64_t b) {
    return float64_select(float64_is_nan(a), b, float64_minimum(a, b));
}

uint64_t float64_maximum_number(const uint64_t a, const uint64_t b) {
    return float64_select(float64_is_nan(a), b, float64_maximum(a, b));
}

uint64_t float64_clamp_number(const uint64_t a, const uint64_t low, const uint64_t high) {
    return float64_minimum_number(float64_maximum_number(a, low), high);
}

uint64_t float64_minimum_magnitude(const uint64_t a, const uint64_t b) {
    uint64_t first = float64_select(float64_less(a & ~SIGN, b & ~SIGN), a, float64_minimum_number(a, b));
    return float64_select(float64_less(b & ~SIGN, a & ~SIGN), b, first);
}

uint64_t float64_maximum_magnitude(const uint64_t a, const uint64_t b) {
    uint64_t first = float64_select(float64_less(b & ~SIGN, a & ~SIGN), a, float64_maximum_number(a, b));
    return float64_select(float64_less(a & ~SIGN, b & ~SIGN), b, first);
}

uint64_t float64_sign(const uint64_t a) {
    uint64_t one = a & SIGN | ONE;
    bool is_nothing = float64_is_zero(a) != float64_is_nan(a);
    return float64_select(is_nothing, 0ul, one);
}

// Like float64_sign, with the sign of a zero.
uint64_t float64_sign_or_zero(const uint64_t a) {
    uint64_t number = float64_select(float64_is_zero(a), a, a & SIGN | ONE);
    return float64_select(float64_is_nan(a), 0ul, number);
}

uint64_t float64_step(const uint64_t edge, const uint64_t a) {
    return float64_select(float64_less(a, edge), 0ul, ONE);
}

// Shifts

// The number of zeros above the first bit that is set; 63 for 0.
uint float64_leading_zeros(const uint64_t a) {
    uint64_t rest = a;
    uint64_t count = rest < 0x100000000ul ? 32ul : 0ul;
    rest <<= count;
    uint64_t step = rest < 0x1000000000000ul ? 16ul : 0ul;
    rest <<= step;
    count += step;
    step = rest < 0x100000000000000ul ? 8ul : 0ul;
    rest <<= step;
    count += step;
    step = rest < 0x1000000000000000ul ? 4ul : 0ul;
    rest <<= step;
    count += step;
    step = rest < 0x4000000000000000ul ? 2ul : 0ul;
    rest <<= step;
    count += step;
    return uint(count) + (rest < SIGN ? 1u : 0u);
}

// By any number of bits. The lowest bit of the result says if any set bit is lost.
uint64_t float64_moved_down(const uint64_t a, const uint count) {
    uint64_t bits = uint64_t(count & 63u);
    uint64_t lost = a & (1ul << bits) - 1ul;
    uint64_t moved = a >> bits | (lost != 0ul ? 1ul : 0ul);
    uint64_t all = a != 0ul ? 1ul : 0ul;
    return count > 63u ? all : moved;
}

// Numbers in parts: the exponent as normal numbers have it, and the significand of 53 bits.

uint float64_field(const uint64_t a) {
    return uint(a >> 52ul) & 0x7ffu;
}

int float64_exponent_of(const uint64_t a) {
    uint field = float64_field(a);
    int below = 12 - int(float64_leading_zeros(a & FRACTION));
    return field == 0u ? below : int(field);
}

uint64_t float64_bits_of(const uint64_t a, const int exponent) {
    uint64_t bits = a & FRACTION;
    uint64_t below = uint64_t(1 - exponent & 63);
    return float64_field(a) == 0u ? bits << below : bits | FIRST;
}

// Rounds a number whose significand has its first bit at the top. The lowest bits may say that there are more.
uint64_t float64_rounded(const uint64_t sign, const uint64_t significand, const int exponent) {
    uint below = exponent < 1 ? uint(1 - exponent) : 0u;
    uint64_t bits = float64_moved_down(significand, below);
    uint64_t kept = bits >> 11ul;
    // A tie rounds up if what is kept is odd.
    uint64_t up = (bits & 0x7fful) + (kept & 1ul) > 0x400ul ? 1ul : 0ul;
    // The first bit of what is kept adds one to the exponent, and so does a carry.
    uint64_t field = uint64_t(exponent - 1 & 0x7ff) << 52ul;
    uint64_t number = kept + up + (exponent < 1 ? 0ul : field);
    return sign | (exponent > 2046 ? INFINITY : number);
}

// Like float64_rounded, for any significand that is not zero.
uint64_t float64_normalized(const uint64_t sign, const uint64_t significand, const int exponent) {
    uint zeros = float64_leading_zeros(significand);
    return float64_rounded(sign, significand << uint64_t(zeros), exponent - int(zeros));
}

// Arithmetic

uint64_t float64_add(const uint64_t a, const uint64_t b) {
    bool is_swapped = (a & ~SIGN) < (b & ~SIGN);
    uint64_t large = float64_select(is_swapped, b, a);
    uint64_t small = float64_select(is_swapped, a, b);
    uint large_field = float64_field(large);
    uint small_field = float64_field(small);
    bool differs = (large ^ small) >= SIGN;
    if (large_field == 0x7ffu) {
        bool are_opposite = small_field == 0x7ffu && differs;
        bool is_nan = float64_is_nan(large);
        return float64_select(is_nan || are_opposite, NAN, large);
    }
    // Significands with a free bit above, and bits for rounding below.
    uint64_t x = (large & FRACTION | (large_field == 0u ? 0ul : FIRST)) << 10ul;
    uint64_t y = (small & FRACTION | (small_field == 0u ? 0ul : FIRST)) << 10ul;
    uint large_exponent = large_field == 0u ? 1u : large_field;
    uint small_exponent = small_field == 0u ? 1u : small_field;
    y = float64_moved_down(y, large_exponent - small_exponent);
    uint64_t sum = x + float64_select(differs, ~y + 1ul, y);
    if (sum == 0ul) {
        return large & small & SIGN;
    }
    return float64_normalized(large & SIGN, sum, int(large_exponent) + 1);
}

uint64_t float64_subtract(const uint64_t a, const uint64_t b) {
    return float64_add(a, b ^ SIGN);
}

// The upper half of a product.
uint64_t float64_product_high(const uint64_t a, const uint64_t b) {
    uint64_t mask = 0xfffffffful;
    uint64_t a_low = a & mask;
    uint64_t a_high = a >> 32ul;
    uint64_t b_low = b & mask;
    uint64_t b_high = b >> 32ul;
    uint64_t first = a_low * b_high;
    uint64_t second = a_high * b_low;
    uint64_t middle = (a_low * b_low >> 32ul) + (first & mask) + (second & mask);
    return a_high * b_high + (first >> 32ul) + (second >> 32ul) + (middle >> 32ul);
}

uint64_t float64_multiply(const uint64_t a, const uint64_t b) {
    uint64_t sign = (a ^ b) & SIGN;
    bool has_zero = float64_is_zero(a) || float64_is_zero(b);
    if (float64_is_special(a) || float64_is_special(b)) {
        return float64_unordered(a, b) || has_zero ? NAN : sign | INFINITY;
    }
    if (has_zero) {
        return sign;
    }
    int a_exponent = float64_exponent_of(a);
    int b_exponent = float64_exponent_of(b);
    uint64_t x = float64_bits_of(a, a_exponent) << 11ul;
    uint64_t y = float64_bits_of(b, b_exponent) << 11ul;
    uint64_t more = x * y != 0ul ? 1ul : 0ul;
    return float64_normalized(sign, float64_product_high(x, y) | more, a_exponent + b_exponent - 1022);
}

// One bit at a time.
uint64_t float64_divide(const uint64_t a, const uint64_t b) {
    uint64_t sign = (a ^ b) & SIGN;
    bool is_zero = float64_is_zero(a);
    bool by_zero = float64_is_zero(b);
    bool is_infinite = float64_is_infinite(a);
    bool by_infinity = float64_is_infinite(b);
    if (float64_unordered(a, b) || is_zero && by_zero || is_infinite && by_infinity) {
        return NAN;
    }
    if (is_infinite || by_zero) {
        return sign | INFINITY;
    }
    if (is_zero || by_infinity) {
        return sign;
    }
    int exponent = float64_exponent_of(a);
    int by_exponent = float64_exponent_of(b);
    uint64_t rest = float64_bits_of(a, exponent);
    uint64_t divisor = float64_bits_of(b, by_exponent);
    uint64_t quotient = 0ul;
    for (uint count = 0u; count < 56u; count++) {
        bool fits = rest >= divisor;
        quotient = quotient << 1ul | (fits ? 1ul : 0ul);
        rest = rest - (fits ? divisor : 0ul) << 1ul;
    }
    quotient = quotient << 8ul | (rest != 0ul ? 1ul : 0ul);
    return float64_normalized(sign, quotient, exponent - by_exponent + 1023);
}

// One bit at a time, for which two of the number are needed.
uint64_t float64_square_root(const uint64_t a) {
    if (float64_is_zero(a) || a == INFINITY) {
        return a;
    }
    if (float64_is_nan(a) || a >= SIGN) {
        return NAN;
    }
    int biased = float64_exponent_of(a);
    int exponent = biased - 1023;
    // The first two bits are before the point.
    uint64_t bits = float64_bits_of(a, biased) << ((exponent & 1) == 0 ? 10ul : 11ul);
    uint64_t rest = 0ul;
    uint64_t root = 0ul;
    for (uint count = 0u; count < 55u; count++) {
        rest = rest << 2ul | bits >> 62ul;
        bits <<= 2ul;
        uint64_t trial = root << 2ul | 1ul;
        bool fits = rest >= trial;
        root = root << 1ul | (fits ? 1ul : 0ul);
        rest -= fits ? trial : 0ul;
    }
    root = root << 9ul | (rest != 0ul ? 1ul : 0ul);
    return float64_rounded(0ul, root, (exponent >> 1) + 1023);
}

// Moves 128 bits down, of which x has the lower ones. The lowest bit of the result says if any set bit is lost.
u64vec2 float64_all_moved_down(const u64vec2 a, const uint count) {
    uint64_t bits = uint64_t(count & 63u);
    uint64_t lost = a.x & (1ul << bits) - 1ul;
    uint64_t low = a.x >> bits | a.y << 1ul << 63ul - bits | (lost != 0ul ? 1ul : 0ul);
    uint64_t upper = float64_moved_down(a.y, count & 63u) | (a.x != 0ul ? 1ul : 0ul);
    uint64_t all = (a.x | a.y) != 0ul ? 1ul : 0ul;
    uint64_t far = count > 127u ? all : upper;
    return u64vec2(count > 63u ? far : low, count > 63u ? 0ul : a.y >> bits);
}

// a * b + c, rounded once.
uint64_t float64_fused(const uint64_t a, const uint64_t b, const uint64_t c) {
    uint64_t sign = (a ^ b) & SIGN;
    bool differs = (sign ^ c) >= SIGN;
    bool has_zero = float64_is_zero(a) || float64_is_zero(b);
    bool is_infinite = float64_is_infinite(a) || float64_is_infinite(b);
    if (float64_unordered(a, b) || float64_is_nan(c) || is_infinite && has_zero) {
        return NAN;
    }
    if (is_infinite) {
        return float64_is_infinite(c) && differs ? NAN : sign | INFINITY;
    }
    if (float64_is_infinite(c)) {
        return c;
    }
    if (has_zero) {
        return float64_add(sign, c);
    }
    int a_exponent = float64_exponent_of(a);
    int b_exponent = float64_exponent_of(b);
    int product_exponent = a_exponent + b_exponent - 1022;
    int added_exponent = float64_is_zero(c) ? product_exponent : float64_exponent_of(c);
    uint64_t x = float64_bits_of(a, a_exponent) << 11ul;
    uint64_t y = float64_bits_of(b, b_exponent) << 11ul;
    uint64_t z = float64_is_zero(c) ? 0ul : float64_bits_of(c, added_exponent) << 10ul;
    // Both have a free bit above.
    int distance = product_exponent - added_exponent;
    u64vec2 product = float64_all_moved_down(u64vec2(x * y, float64_product_high(x, y)), 1u + (distance < 0 ? uint(-distance) : 0u));
    u64vec2 added = float64_all_moved_down(u64vec2(0ul, z), distance > 0 ? uint(distance) : 0u);
    int exponent = (distance > 0 ? product_exponent : added_exponent) + 1;
    uint64_t low = differs ? product.x - added.x : product.x + added.x;
    bool carries = differs ? product.x < added.x : low < added.x;
    uint64_t carry = carries ? 1ul : 0ul;
    uint64_t high = differs ? product.y - added.y - carry : product.y + added.y + carry;
    if (high >= SIGN && differs) {
        low = ~low + 1ul;
        high = ~high + (low == 0ul ? 1ul : 0ul);
        sign ^= SIGN;
    }
    if (high == 0ul) {
        high = low;
        low = 0ul;
        exponent -= 64;
    }
    if (high == 0ul) {
        return 0ul;
    }
    uint zeros = float64_leading_zeros(high);
    uint64_t count = uint64_t(zeros);
    uint64_t bits = high << count | low >> 1ul >> 63ul - count | (low << count != 0ul ? 1ul : 0ul);
    return float64_rounded(sign, bits, exponent - int(zeros));
}

// Rounding to integers

// The bits of a fraction, whose exponent is one of numbers from 1 to 2^52.
uint64_t float64_fraction_bits(const uint field) {
    return (1ul << uint64_t(1075u - field & 63u)) - 1ul;
}

uint64_t float64_truncate(const uint64_t a) {
    uint field = float64_field(a);
    uint64_t kept = field < 1023u ? a & SIGN : a & ~float64_fraction_bits(field);
    uint64_t whole = float64_is_nan(a) ? NAN : a;
    return field > 1074u ? whole : kept;
}

uint64_t float64_floor(const uint64_t a) {
    uint field = float64_field(a);
    if (field > 1074u || a < SIGN) {
        return float64_truncate(a);
    }
    if (field < 1023u) {
        return float64_is_zero(a) ? a : SIGN | ONE;
    }
    uint64_t fraction = float64_fraction_bits(field);
    return a + fraction & ~fraction;
}

uint64_t float64_ceil(const uint64_t a) {
    uint64_t floor = float64_floor(a ^ SIGN);
    return float64_is_nan(a) ? NAN : floor ^ SIGN;
}

uint64_t float64_round_even(const uint64_t a) {
    uint field = float64_field(a);
    if (field > 1074u) {
        return float64_truncate(a);
    }
    if (field < 1023u) {
        return a & SIGN | ((a & ~SIGN) > 0x3fe0000000000000ul ? ONE : 0ul);
    }
    uint64_t fraction = float64_fraction_bits(field);
    // Just below a half, and the lowest bit that is kept: the first bit of 1 is in the exponent.
    uint64_t odd = (a & fraction + 1ul) != 0ul ? 1ul : 0ul;
    return a + (fraction >> 1ul) + odd & ~fraction;
}

// A tie rounds away from zero.
uint64_t float64_round_away(const uint64_t a) {
    uint field = float64_field(a);
    if (field > 1074u) {
        return float64_truncate(a);
    }
    if (field < 1023u) {
        return a & SIGN | (field == 1022u ? ONE : 0ul);
    }
    uint64_t fraction = float64_fraction_bits(field);
    return a + (fraction + 1ul >> 1ul) & ~fraction;
}

// The part that truncation cuts off, with the sign of the number.
uint64_t float64_signed_fraction(const uint64_t a) {
    uint64_t rest = float64_subtract(a, float64_truncate(a));
    uint64_t fraction = float64_is_special(a) ? 0ul : rest & ~SIGN;
    return float64_is_nan(a) ? NAN : a & SIGN | fraction;
}

// The distance to the floor, which is less than 1.
uint64_t float64_fraction_below_one(const uint64_t a) {
    if (float64_is_nan(a)) {
        return NAN;
    }
    if (float64_is_infinite(a) || float64_is_zero(a)) {
        return a & SIGN;
    }
    uint64_t fraction = float64_subtract(a, float64_floor(a));
    return fraction >= ONE ? ONE - 1ul : fraction;
}

// Exponents

uint64_t float64_scale(const uint64_t a, const int exponent) {
    if (float64_is_special(a) || float64_is_zero(a)) {
        return float64_is_nan(a) ? NAN : a;
    }
    int own = float64_exponent_of(a);
    int limited = exponent > 4000 ? 4000 : (exponent < -4000 ? -4000 : exponent);
    return float64_rounded(a & SIGN, float64_bits_of(a, own) << 11ul, own + limited);
}

// A significand of at least one half and less than 1, and the exponent to it.
uint64_t float64_significand(const uint64_t a) {
    if (float64_is_special(a) || float64_is_zero(a)) {
        return float64_is_nan(a) ? NAN : a;
    }
    return a & SIGN | float64_bits_of(a, float64_exponent_of(a)) & FRACTION | 0x3fe0000000000000ul;
}

int float64_exponent(const uint64_t a) {
    if (float64_is_special(a) || float64_is_zero(a)) {
        return 0;
    }
    return float64_exponent_of(a) - 1022;
}

// The exponent to a significand from 1 to 2; the limits of integers for infinities, NaNs and zero.
int float64_integer_exponent(const uint64_t a) {
    int exponent = float64_exponent_of(a) - 1023;
    int zero = -0x7fffffff - 1;
    return float64_is_special(a) ? 0x7fffffff : (float64_is_zero(a) ? zero : exponent);
}

// Conversions

uint64_t float64_from_float(const float a) {
    uint bits = floatBitsToUint(a);
    uint64_t sign = uint64_t(bits >> 31u) << 63ul;
    uint field = bits >> 23u & 0xffu;
    uint64_t fraction = uint64_t(bits & 0x7fffffu) << 29ul;
    if (field == 0xffu) {
        return fraction != 0ul ? NAN : sign | INFINITY;
    }
    if (field == 0u) {
        return fraction == 0ul ? sign : float64_normalized(sign, fraction << 11ul, 897);
    }
    return sign | (uint64_t(field + 896u) << 52ul) + fraction;
}

float float64_to_float(const uint64_t a) {
    int exponent = int(float64_field(a)) - 896;
    uint64_t bits = a & FRACTION | FIRST;
    // From 26 bits on, all that is left rounds to 0.
    uint below = exponent < 1 ? (exponent < -24 ? 26u : uint(1 - exponent)) : 0u;
    bits = float64_moved_down(bits, below + 21u);
    uint kept = uint(bits >> 8ul);
    uint up = uint(bits & 0xfful) + (kept & 1u) > 0x80u ? 1u : 0u;
    uint field = exponent < 1 ? 0u : uint(exponent - 1) << 23u;
    uint finite = exponent > 254 ? 0x7f800000u : field + kept + up;
    uint sign = uint(a >> 63ul) << 31u;
    return uintBitsToFloat(float64_is_nan(a) ? 0x7fc00000u : sign | finite);
}

// Rounds once to a number that a float of 16 bits has.
float float64_to_half(const uint64_t a) {
    uint field = float64_field(a);
    uint64_t magnitude = a & ~SIGN;
    // Numbers below 2^-14 have fewer bits, and those below 2^-24 none.
    uint missing = field < 1009u ? 1009u - field : 0u;
    uint64_t count = uint64_t(42u + (missing > 10u ? 10u : missing));
    uint64_t fraction = (1ul << count) - 1ul;
    uint64_t odd = missing > 9u ? 1ul : magnitude >> count & 1ul;
    uint64_t rounded = magnitude + (fraction >> 1ul) + odd & ~fraction;
    uint64_t small = magnitude > 0x3e60000000000000ul ? 0x3e70000000000000ul : 0ul;
    uint64_t finite = missing > 10u ? small : rounded;
    uint64_t number = finite > 0x40effffffffffffful ? INFINITY : finite;
    return float64_to_float(a & SIGN | (float64_is_special(a) ? magnitude : number));
}

// A float that every mode rounds to the same half: what is lost makes it odd. It is neither subnormal nor, of a finite number, infinite.
float float64_to_odd_float(const uint64_t a) {
    uint field = float64_field(a);
    uint more = (a & 0x1ffffffful) != 0ul ? 1u : 0u;
    uint finite = field - 896u << 23u | uint((a & FRACTION) >> 29ul) | more;
    finite = field < 923u ? 27u << 23u : (field > 1150u ? 0x7f7fffffu : finite);
    uint number = float64_is_infinite(a) ? 0x7f800000u : (float64_is_zero(a) ? 0u : finite);
    uint sign = uint(a >> 63ul) << 31u;
    return uintBitsToFloat(float64_is_nan(a) ? 0x7fc00000u : number | sign);
}

// From and to integers of 64 bits; those to integers round toward zero.

uint64_t float64_from_unsigned(const uint64_t a) {
    if (a == 0ul) {
        return 0ul;
    }
    return float64_normalized(0ul, a, 1023 + 63);
}

uint64_t float64_from_signed(const int64_t a) {
    uint64_t sign = uint64_t(a >> 63l);
    uint64_t number = float64_from_unsigned((uint64_t(a) ^ sign) - sign);
    return number | sign & SIGN;
}

uint64_t float64_to_unsigned(const uint64_t a) {
    uint field = float64_field(a);
    uint64_t bits = a & FRACTION | FIRST;
    uint64_t down = bits >> uint64_t(1075u - field & 63u);
    uint64_t up = bits << uint64_t(field - 1075u & 63u);
    return field < 1023u ? 0ul : (field < 1075u ? down : up);
}

int64_t float64_to_signed(const uint64_t a) {
    uint64_t sign = uint64_t(int64_t(a) >> 63l);
    return int64_t((float64_to_unsigned(a) ^ sign) - sign);
}

// To integers of fewer bits, of which numbers out of range give the nearest one, and a NaN 0.

uint64_t float64_to_unsigned_saturated(const uint64_t a, const uint width) {
    bool is_large = float64_field(a) >= 1023u + width;
    uint64_t number = is_large ? 0xfffffffffffffffful >> uint64_t(64u - width) : float64_to_unsigned(a);
    return float64_is_nan(a) || a >= SIGN ? 0ul : number;
}

int64_t float64_to_signed_saturated(const uint64_t a, const uint width) {
    bool is_large = float64_field(a) >= 1022u + width;
    uint64_t limit = 1ul << uint64_t(width - 1u);
    uint64_t large = a >= SIGN ? ~limit + 1ul : limit - 1ul;
    uint64_t number = is_large ? large : uint64_t(float64_to_signed(a));
    return int64_t(float64_is_nan(a) ? 0ul : number);
}

// Remainders, which are exact

// Of the quotient that is cut off.
uint64_t float64_remainder(const uint64_t a, const uint64_t b) {
    if (float64_unordered(a, b) || float64_is_infinite(a) || float64_is_zero(b)) {
        return NAN;
    }
    if ((a & ~SIGN) < (b & ~SIGN)) {
        return a;
    }
    int exponent = float64_exponent_of(a);
    int by_exponent = float64_exponent_of(b);
    uint64_t rest = float64_bits_of(a, exponent);
    uint64_t divisor = float64_bits_of(b, by_exponent);
    for (int distance = exponent - by_exponent; distance > 0 && rest != 0ul; distance--) {
        rest -= rest >= divisor ? divisor : 0ul;
        rest <<= 1ul;
    }
    rest -= rest >= divisor ? divisor : 0ul;
    return rest == 0ul ? a & SIGN : float64_normalized(a & SIGN, rest << 11ul, by_exponent);
}

// Of the floor of the quotient. The last sum rounds.
uint64_t float64_modulo(const uint64_t a, const uint64_t b) {
    uint64_t rest = float64_remainder(a, b);
    if (float64_is_zero(rest)) {
        return b & SIGN;
    }
    bool has_other_sign = (rest ^ b) >= SIGN;
    return has_other_sign ? float64_add(rest, b) : rest;
}

// Of the integer next to the quotient, the even one of two.
uint64_t float64_nearest_remainder(const uint64_t a, const uint64_t b) {
    if (float64_unordered(a, b) || float64_is_infinite(a) || float64_is_zero(b)) {
        return NAN;
    }
    uint64_t divisor = b & ~SIGN;
    uint64_t twice = float64_field(b) == 0u ? divisor << 1ul : divisor + FIRST;
    uint64_t rest = a & ~SIGN;
    if (float64_field(b) < 2046u) {
        rest = float64_remainder(rest, twice);
    }
    // It is more than half of the divisor if it is more than what is missing.
    if (float64_less(float64_subtract(divisor, rest), rest)) {
        rest = float64_subtract(rest, divisor);
        if (float64_less_equal(float64_subtract(divisor, rest), rest)) {
            rest = float64_subtract(rest, divisor);
        }
    }
    return rest ^ a & SIGN;
}

// The lowest seven bits of that integer, with the sign of the quotient.
int float64_nearest_quotient(const uint64_t a, const uint64_t b) {
    int exponent = float64_exponent_of(a);
    int by_exponent = float64_exponent_of(b);
    bool has_none = float64_is_special(a) || float64_is_special(b) || float64_is_zero(a) || float64_is_zero(b);
    if (has_none || exponent < by_exponent - 1) {
        return 0;
    }
    uint64_t rest = float64_bits_of(a, exponent);
    uint64_t divisor = float64_bits_of(b, by_exponent);
    uint quotient = 0u;
    for (int distance = exponent - by_exponent; distance >= 0; distance--) {
        bool fits = rest >= divisor;
        quotient = quotient << 1u | (fits ? 1u : 0u);
        rest = rest - (fits ? divisor : 0ul) << 1ul;
    }
    // The rest is twice what is left. A tie rounds up if the quotient is odd.
    uint up = rest + uint64_t(quotient & 1u) > divisor ? 1u : 0u;
    int number = int(quotient + up & 0x7fu);
    return (a ^ b) >= SIGN ? -number : number;
}

// Neighbours, other bits

uint64_t float64_next(const uint64_t a, const uint64_t b) {
    if (float64_unordered(a, b)) {
        return NAN;
    }
    if (float64_equal(a, b)) {
        return b;
    }
    bool is_less = float64_less(a, b);
    uint64_t next = is_less == a < SIGN ? a + 1ul : a - 1ul;
    return float64_is_zero(a) ? b & SIGN | 1ul : next;
}

uint64_t float64_with_payload(const uint64_t payload) {
    return NAN | payload & FRACTION;
}

uint64_t float64_exponent_as_number(const uint64_t a) {
    if (float64_is_special(a)) {
        return float64_is_nan(a) ? NAN : INFINITY;
    }
    return float64_is_zero(a) ? SIGN | INFINITY : float64_from_signed(int64_t(float64_exponent_of(a) - 1023));
}

uint64_t float64_positive_difference(const uint64_t a, const uint64_t b) {
    if (float64_unordered_greater(a, b)) {
        return float64_subtract(a, b);
    }
    return 0ul;
}

// Lengths of vectors, which are of components that the greatest magnitude of them scales: squares neither overflow nor vanish.

// That of a NaN is the greatest.
uint64_t float64_greater_magnitude(const uint64_t a, const uint64_t b) {
    return (a & ~SIGN) < (b & ~SIGN) ? b & ~SIGN : a & ~SIGN;
}

uint64_t float64_scaled_down(const uint64_t a, const uint64_t by) {
    return float64_scale(a, -float64_exponent(by));
}

uint64_t float64_scaled_up(const uint64_t a, const uint64_t by) {
    return float64_scale(a, float64_exponent(by));
}

// Like float64_scaled_down, but beside an infinite component, finite ones are zeros.
uint64_t float64_direction(const uint64_t a, const uint64_t greatest) {
    if (greatest == INFINITY) {
        return a & SIGN | (float64_is_infinite(a) ? ONE : 0ul);
    }
    return float64_scaled_down(a, greatest);
}

uint64_t float64_over_length(const uint64_t a, const uint64_t length) {
    if (float64_is_zero(length)) {
        return a;
    }
    return float64_divide(a, length);
}

uint64_t float64_hypotenuse(const uint64_t a, const uint64_t b) {
    if (float64_is_infinite(a) || float64_is_infinite(b)) {
        return INFINITY;
    }
    uint64_t greater = float64_greater_magnitude(a, b);
    uint64_t x = float64_scaled_down(a, greater);
    uint64_t y = float64_scaled_down(b, greater);
    uint64_t length = float64_square_root(float64_fused(x, x, float64_multiply(y, y)));
    return float64_scaled_up(length, greater);
}

// Functions that the specification derives from a formula: each operation of it rounds.

uint64_t float64_fraction(const uint64_t a) {
    return float64_subtract(a, float64_floor(a));
}

uint64_t float64_inverse_square_root(const uint64_t a) {
    return float64_divide(ONE, float64_square_root(a));
}

uint64_t float64_multiply_add(const uint64_t a, const uint64_t b, const uint64_t c) {
    return float64_add(float64_multiply(a, b), c);
}

uint64_t float64_mix(const uint64_t a, const uint64_t b, const uint64_t share) {
    return float64_add(float64_multiply(a, float64_subtract(ONE, share)), float64_multiply(b, share));
}

// Like float64_mix, as OpenCL has it.
uint64_t float64_mix_of_difference(const uint64_t a, const uint64_t b, const uint64_t share) {
    return float64_add(a, float64_multiply(float64_subtract(b, a), share));
}

uint64_t float64_smooth_step(const uint64_t low, const uint64_t high, const uint64_t a) {
    uint64_t share = float64_divide(float64_subtract(a, low), float64_subtract(high, low));
    share = float64_clamp(share, 0ul, ONE);
    uint64_t rest = float64_subtract(0x4008000000000000ul, float64_add(share, share));
    return float64_multiply(float64_multiply(share, share), rest);
}

uint64_t float64_degrees(const uint64_t a) {
    return float64_multiply(0x404ca5dc1a63c1f8ul, a);
}

uint64_t float64_radians(const uint64_t a) {
    return float64_multiply(0x3f91df46a2529d39ul, a);
}

// Keeps all functions.
void main() {
    uint64_t a = data;
    a = float64_select((a == 0ul), a, a);
    a = float64_is_nan(a) ? 1ul : 0ul;
    a = float64_is_infinite(a) ? 1ul : 0ul;
    a = float64_is_zero(a) ? 1ul : 0ul;
    a = float64_is_special(a) ? 1ul : 0ul;
    a = float64_is_finite(a) ? 1ul : 0ul;
    a = float64_is_normal(a) ? 1ul : 0ul;
    a = float64_is_negative(a) ? 1ul : 0ul;
    a = float64_negate(a);
    a = float64_absolute(a);
    a = float64_with_sign(a, a);
    a = uint64_t(float64_key(a));
    a = float64_ordered(a, a) ? 1ul : 0ul;
    a = float64_unordered(a, a) ? 1ul : 0ul;
    a = float64_equal(a, a) ? 1ul : 0ul;
    a = float64_not_equal(a, a) ? 1ul : 0ul;
    a = float64_less(a, a) ? 1ul : 0ul;
    a = float64_less_equal(a, a) ? 1ul : 0ul;
    a = float64_greater(a, a) ? 1ul : 0ul;
    a = float64_greater_equal(a, a) ? 1ul : 0ul;
    a = float64_unordered_equal(a, a) ? 1ul : 0ul;
    a = float64_unordered_not_equal(a, a) ? 1ul : 0ul;
    a = float64_unordered_less(a, a) ? 1ul : 0ul;
    a = float64_unordered_less_equal(a, a) ? 1ul : 0ul;
    a = float64_unordered_greater(a, a) ? 1ul : 0ul;
    a = float64_unordered_greater_equal(a, a) ? 1ul : 0ul;
    a = float64_minimum(a, a);
    a = float64_maximum(a, a);
    a = float64_clamp(a, a, a);
    a = float64_minimum_number(a, a);
    a = float64_maximum_number(a, a);
    a = float64_clamp_number(a, a, a);
    a = float64_minimum_magnitude(a, a);
    a = float64_maximum_magnitude(a, a);
    a = float64_sign(a);
    a = float64_sign_or_zero(a);
    a = float64_step(a, a);
    a = uint64_t(float64_leading_zeros(a));
    a = float64_moved_down(a, uint(a));
    a = uint64_t(float64_field(a));
    a = uint64_t(float64_exponent_of(a));
    a = float64_bits_of(a, int(a));
    a = float64_rounded(a, a, int(a));
    a = float64_normalized(a, a, int(a));
    a = float64_add(a, a);
    a = float64_subtract(a, a);
    a = float64_product_high(a, a);
    a = float64_multiply(a, a);
    a = float64_divide(a, a);
    a = float64_square_root(a);
    a = float64_all_moved_down(u64vec2(a), uint(a)).x;
    a = float64_fused(a, a, a);
    a = float64_fraction_bits(uint(a));
    a = float64_truncate(a);
    a = float64_floor(a);
    a = float64_ceil(a);
    a = float64_round_even(a);
    a = float64_round_away(a);
    a = float64_signed_fraction(a);
    a = float64_fraction_below_one(a);
    a = float64_scale(a, int(a));
    a = float64_significand(a);
    a = uint64_t(float64_exponent(a));
    a = uint64_t(float64_integer_exponent(a));
    a = float64_from_float(uintBitsToFloat(uint(a)));
    a = uint64_t(floatBitsToUint(float64_to_float(a)));
    a = uint64_t(floatBitsToUint(float64_to_half(a)));
    a = uint64_t(floatBitsToUint(float64_to_odd_float(a)));
    a = float64_from_unsigned(a);
    a = float64_from_signed(int64_t(a));
    a = float64_to_unsigned(a);
    a = uint64_t(float64_to_signed(a));
    a = float64_to_unsigned_saturated(a, uint(a));
    a = uint64_t(float64_to_signed_saturated(a, uint(a)));
    a = float64_remainder(a, a);
    a = float64_modulo(a, a);
    a = float64_nearest_remainder(a, a);
    a = uint64_t(float64_nearest_quotient(a, a));
    a = float64_next(a, a);
    a = float64_with_payload(a);
    a = float64_exponent_as_number(a);
    a = float64_positive_difference(a, a);
    a = float64_greater_magnitude(a, a);
    a = float64_scaled_down(a, a);
    a = float64_scaled_up(a, a);
    a = float64_direction(a, a);
    a = float64_over_length(a, a);
    a = float64_hypotenuse(a, a);
    a = float64_fraction(a);
    a = float64_inverse_square_root(a);
    a = float64_multiply_add(a, a, a);
    a = float64_mix(a, a, a);
    a = float64_mix_of_difference(a, a, a);
    a = float64_smooth_step(a, a, a);
    a = float64_degrees(a);
    a = float64_radians(a);
    data = a;
}
