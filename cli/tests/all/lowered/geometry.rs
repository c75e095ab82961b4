//! OpenCL's functions of vectors on the host: the formulas that kernels get, and that their errors are within OpenCL's bounds.

use super::doubles::{bits, operands, parts, scaled};

/// Returns the length without overflow.
pub fn length(vector: &[f64]) -> f64 {
    let greatest = greatest(vector);
    let scaled_down: Vec<f64> = vector.iter().map(|&number| scaled(number, -parts(greatest).1)).collect();
    scaled(fused_length(&scaled_down), parts(greatest).1)
}

/// Returns the magnitude that is the greatest; NaN for a NaN.
fn greatest(vector: &[f64]) -> f64 {
    f64::from_bits(vector.iter().map(|number| number.abs().to_bits()).max().unwrap())
}

fn fused_length(vector: &[f64]) -> f64 {
    vector[1..].iter().fold(vector[0] * vector[0], |sum, number| number.mul_add(*number, sum)).sqrt()
}

pub fn hypotenuse(a: f64, b: f64) -> f64 {
    if a.is_infinite() || b.is_infinite() { f64::INFINITY } else { length(&[b, a]) }
}

pub fn distance<const N: usize>(a: &[f64; N], b: &[f64; N]) -> f64 {
    length(&std::array::from_fn::<f64, N, _>(|at| a[at] - b[at]))
}

pub fn normalized<const N: usize>(vector: [f64; N]) -> [f64; N] {
    let greatest = greatest(&vector);
    let direction = vector.map(|number| match greatest.is_infinite() {
        true => f64::from(number.is_infinite()).copysign(number),
        false => scaled(number, -parts(greatest).1),
    });
    let length = fused_length(&direction);
    direction.map(|number| if length == 0.0 { number } else { number / length })
}

pub fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [(1, 2), (2, 0), (0, 1)].map(|(next, other)| a[next] * b[other] - b[next] * a[other])
}

/// The sum of two numbers: what is beyond the first one's last bit.
#[derive(Clone, Copy)]
struct DoubleDouble(f64, f64);

impl DoubleDouble {
    fn square(a: f64) -> DoubleDouble {
        DoubleDouble(a * a, a.mul_add(a, -(a * a)))
    }

    fn plus(self, other: DoubleDouble) -> DoubleDouble {
        let sum = self.0 + other.0;
        let part = sum - self.0;
        let rest = (self.0 - (sum - part)) + (other.0 - part) + self.1 + other.1;
        DoubleDouble(sum + rest, rest - (sum + rest - sum))
    }
}

/// Returns the error of a length, in units of its last place. Squares neither overflow nor vanish.
fn error_of(result: f64, vector: &[f64]) -> f64 {
    let sum = vector.iter().map(|&number| DoubleDouble::square(number)).reduce(DoubleDouble::plus).unwrap();
    let square = DoubleDouble::square(result);
    let difference = (sum.0 - square.0) + (sum.1 - square.1);
    (difference / (2.0 * result) / (result.next_up() - result)).abs()
}

/// Checks that lengths are within OpenCL's bounds, and independent of the size of numbers.
pub fn errors_are_within_bounds() {
    let mut greatest = [0f64; 5];
    let near_one = |bits: u64| f64::from_bits(bits & !(0x7ff << 52) | (1023 - (bits >> 52) % 6) << 52);
    for numbers in operands(2_000_000, 6).chunks_exact(2) {
        let vector = [numbers[0][0], numbers[0][1], numbers[1][0], numbers[1][1]].map(near_one);
        for count in 2..=4 {
            let result = length(&vector[..count]);
            greatest[count] = greatest[count].max(error_of(result, &vector[..count]));
            let size = (numbers[0][0] >> 52 & 0x7ff) as i32 - 1023;
            let other: Vec<f64> =
                vector[..count].iter().map(|&number| scaled(number, size.min(1020))).collect();
            let is_exact = size > -1000;
            assert!(!is_exact || bits(length(&other)) == bits(scaled(result, size.min(1020))), "{other:x?}");
        }
        let [x, y] = normalized([vector[0], vector[1]]);
        let length = DoubleDouble::square(x).plus(DoubleDouble::square(y));
        assert!((length.0 - 1.0 + length.1).abs() < 3.0 * f64::EPSILON, "{vector:?}");
    }
    for count in 2..=4 {
        let bound = 0.5 * count as f64 + 0.25;
        assert!((0.6..bound).contains(&greatest[count]), "{greatest:?}");
    }
}
