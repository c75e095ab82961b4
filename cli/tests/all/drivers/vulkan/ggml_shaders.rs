//! Shaders that nobody here wrote: ggml's, which scripts/setup.sh ggml brings. They branch on specialization constants. The benchmark of
//! pipelines (`benches/pipelines`) runs them as well.

use super::runner::ShaderJob;
use crate::random::words;

/// A shader with its input.
pub struct Shader {
    pub name: &'static str,
    /// Values of its specialization constants.
    pub settings: &'static [&'static [(u32, u32)]],
    /// Input from the host, independent of the constants.
    pub job: fn() -> ShaderJob,
    /// True if constants decide branches, not only sizes.
    pub branches: bool,
}

/// Matrix multiplication of tiles of 64 by 64 numbers with 128 invocations, the left matrix quantized as the last constant says.
macro_rules! tiles {
    ($kind:literal) => {
        &[
            (0, 128),
            (1, 64),
            (2, 64),
            (3, 32),
            (4, 32),
            (5, 32),
            (6, 2),
            (7, 4),
            (8, 2),
            (9, 1),
            (10, 32),
            (11, 1),
            (12, $kind),
        ]
    };
}

pub const SHADERS: &[Shader] = &[
    Shader {
        name: "upscale",
        // Nearest, bilinear, bicubic, and bilinear with antialiasing.
        settings: &[&[(0, 0)], &[(0, 1)], &[(0, 2)], &[(0, 513)]],
        job: || {
            let (from, to) = ([16, 12, 2, 1], [24, 6, 2, 1]);
            let scale = |at: usize| (to[at] as f32 / from[at] as f32).to_bits();
            let strides = strides(from);
            let mut push_constants = vec![to.iter().product(), 0, 0, from[0], from[1]];
            push_constants.extend([strides, to, [0, 1, 2, 3].map(scale)].concat());
            push_constants.push(0.5f32.to_bits());
            ShaderJob {
                buffers: vec![floats(from.iter().product()), vec![0; to.iter().product::<u32>() as usize]],
                push_constants,
                groups: [1, 1, 1],
                ..ShaderJob::default()
            }
        },
        branches: true,
    },
    Shader {
        name: "rms_norm",
        settings: &[&[(0, 0), (1, 1)], &[(0, 1), (1, 1)], &[(0, 1), (1, 0)]],
        job: || {
            let (left, right) = ([600, 3, 2, 1], [150, 1, 2, 1]);
            let mut push_constants = vec![left.iter().product()];
            for shape in [left, right, left] {
                push_constants.extend([shape, strides(shape)].concat());
            }
            push_constants.extend([0, 1e-5f32.to_bits(), 0, 0]);
            // The right one is read past its end unless it is repeated.
            ShaderJob {
                buffers: vec![floats(3600), floats(3600), vec![0; 3600]],
                push_constants,
                groups: [3, 2, 1],
                ..ShaderJob::default()
            }
        },
        branches: true,
    },
    Shader {
        name: "soft_max",
        settings: &[&[(0, 32)], &[(0, 128)]],
        job: || {
            // Two heads of 4 rows of 100 numbers each, with a mask, a slope for each head and sinks.
            let (scale, bias, slopes) =
                (0.3f32.to_bits(), 0.5f32.to_bits(), [0.7f32.to_bits(), 0.9f32.to_bits()]);
            let mut push_constants = vec![100, 100, 100, 4, 2, 1, 1, 100, 400, 400, scale, bias];
            push_constants.extend(slopes);
            push_constants.extend([1, 8, 1]);
            ShaderJob {
                buffers: vec![floats(800), floats(400), floats(2), vec![0; 800]],
                push_constants,
                groups: [8, 1, 1],
                ..ShaderJob::default()
            }
        },
        branches: false,
    },
    Shader {
        name: "argsort",
        settings: &[&[(0, 64), (1, 6)], &[(0, 128), (1, 7)], &[(0, 256), (1, 8)]],
        job: || ShaderJob {
            buffers: vec![floats(6 * 50), vec![], vec![0; 6 * 50]],
            push_constants: vec![50, 64, 6, 6, 1, 0, 0, 0, 0],
            groups: [1, 6, 1],
            ..ShaderJob::default()
        },
        branches: false,
    },
    Shader {
        name: "mul_mat_vec_f32",
        settings: &[&[(0, 32), (1, 1), (2, 1)], &[(0, 64), (1, 2), (2, 1)], &[(0, 16), (1, 2), (2, 2)]],
        job: || mat_vec(floats(16 * 256)),
        branches: false,
    },
    Shader {
        name: "mul_mat_vec_q4_0",
        settings: &[&[(0, 32), (1, 1), (2, 1)], &[(0, 16), (1, 2), (2, 2)]],
        job: || mat_vec(blocks(16 * 256 / 32 * 18)),
        branches: true,
    },
    Shader {
        name: "matmul_quant",
        // Q4_0, Q5_1, Q8_0, Q2_K and Q6_K.
        settings: &[tiles!(2), tiles!(7), tiles!(8), tiles!(10), tiles!(14)],
        job: || {
            let (rows, columns, depth) = (64, 128, 256);
            let mut push_constants = vec![rows, columns, depth, depth, depth, rows];
            push_constants.extend([rows * depth, columns * depth, columns * rows]);
            push_constants.extend([0, 1, depth, 1, 1, 1, 1]);
            ShaderJob {
                // No quantization takes more than 34 bytes for 32 numbers.
                buffers: vec![
                    blocks(rows * depth / 32 * 34),
                    floats(columns * depth),
                    vec![0; (rows * columns) as usize],
                ],
                push_constants,
                groups: [1, 2, 1],
                ..ShaderJob::default()
            }
        },
        branches: true,
    },
];

/// The rows of the left matrix, the columns of the right one, and the numbers in each.
pub const HALF_PRODUCT_SHAPE: [u32; 3] = [32, 64, 96];

/// Multiplication of matrices of halves, whose sums are halves.
pub const HALF_PRODUCT: Shader = Shader {
    name: "matmul_half",
    // Vectors are loaded, or each number.
    settings: &[
        &[(0, 128), (1, 32), (2, 32), (4, 16), (5, 16), (6, 1), (7, 2), (8, 2), (9, 1), (10, 32), (11, 1)],
        &[(0, 128), (1, 32), (2, 32), (4, 16), (5, 16), (6, 1), (7, 2), (8, 2), (9, 1), (10, 32), (11, 0)],
    ],
    job: || {
        let [rows, columns, depth] = HALF_PRODUCT_SHAPE;
        let mut push_constants = vec![rows, columns, depth, depth, depth, rows];
        push_constants.extend([rows * depth, columns * depth, columns * rows]);
        push_constants.extend([0, 1, depth, 1, 1, 1, 1]);
        ShaderJob {
            buffers: vec![halves(rows * depth), halves(columns * depth), vec![0; (rows * columns) as usize]],
            push_constants,
            groups: [1, 2, 1],
            ..ShaderJob::default()
        }
    },
    branches: true,
};

/// 16 rows of 256 numbers, by up to three vectors.
fn mat_vec(matrix: Vec<u32>) -> ShaderJob {
    ShaderJob {
        // The last two are for fused operations, which it does not have.
        buffers: vec![matrix, floats(3 * 256), vec![0; 3 * 16], vec![], vec![]],
        push_constants: vec![256, 256, 256, 16, 16 * 256, 256, 16, 0, 0, 1, 1, 1, 1],
        groups: [16, 1, 1],
        ..ShaderJob::default()
    }
}

/// Returns the distances between the elements of a tensor of this shape.
fn strides(shape: [u32; 4]) -> [u32; 4] {
    [1, shape[0], shape[0] * shape[1], shape[0] * shape[1] * shape[2]]
}

/// Floats between -1 and 1.
fn floats(count: u32) -> Vec<u32> {
    words(count as usize, |random| (random as i32 as f32 / i32::MAX as f32).to_bits())
}

/// Halves of magnitudes from 2^-4 to 1, so that doubles have their products and sums.
fn halves(count: u32) -> Vec<u32> {
    words(count as usize / 2, |random| random & 0x8fff_8fff | 0x2800_2800)
}

/// Bytes of quantized blocks. Wherever half floats are in them, they are below 2.
fn blocks(bytes: u32) -> Vec<u32> {
    words(bytes as usize / 4, |random| random & 0xbfff_bfff)
}
