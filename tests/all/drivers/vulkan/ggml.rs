//! Shaders that nobody here wrote: ggml's, which scripts/setup-ggml.sh brings. They branch on specialization constants. Frozen by
//! `specialize`, each must do the same as with the constants set through Vulkan, bit for bit.

use spirv::{Decoration, Op};
use spirv_if::{Device, Module, Prepared, Settings};

use super::kernels::words;
use super::runner::{Job, Vulkan};
use crate::common::{root, validate, words_of};
use crate::drivers::routes::instructions;

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

/// A shader, and what it is run with.
pub struct Shader {
    pub name: &'static str,
    /// Values of its specialization constants.
    settings: &'static [&'static [(u32, u32)]],
    /// What the host gives it, whatever the constants are.
    job: fn() -> Job,
    /// Whether constants decide branches, not only sizes.
    branches: bool,
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
            Job {
                buffers: vec![floats(from.iter().product()), vec![0; to.iter().product::<u32>() as usize]],
                push_constants,
                groups: [1, 1, 1],
                ..Job::default()
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
            // The right one is read past its end where it is said not to be repeated.
            Job {
                buffers: vec![floats(3600), floats(3600), vec![0; 3600]],
                push_constants,
                groups: [3, 2, 1],
                ..Job::default()
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
            Job {
                buffers: vec![floats(800), floats(400), floats(2), vec![0; 800]],
                push_constants,
                groups: [8, 1, 1],
                ..Job::default()
            }
        },
        branches: false,
    },
    Shader {
        name: "argsort",
        settings: &[&[(0, 64), (1, 6)], &[(0, 128), (1, 7)], &[(0, 256), (1, 8)]],
        job: || Job {
            buffers: vec![floats(6 * 50), vec![], vec![0; 6 * 50]],
            push_constants: vec![50, 64, 6, 6, 1, 0, 0, 0, 0],
            groups: [1, 6, 1],
            ..Job::default()
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
        branches: false,
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
            Job {
                // No quantization takes more than 34 bytes for 32 numbers.
                buffers: vec![
                    blocks(rows * depth / 32 * 34),
                    floats(columns * depth),
                    vec![0; (rows * columns) as usize],
                ],
                push_constants,
                groups: [1, 2, 1],
                ..Job::default()
            }
        },
        branches: true,
    },
];

/// 16 rows of 256 numbers, by up to three vectors.
fn mat_vec(matrix: Vec<u32>) -> Job {
    Job {
        // The last two are for what is fused with it, which is nothing.
        buffers: vec![matrix, floats(3 * 256), vec![0; 3 * 16], vec![], vec![]],
        push_constants: vec![256, 256, 256, 16, 16 * 256, 256, 16, 0, 0, 1, 1, 1, 1],
        groups: [16, 1, 1],
        ..Job::default()
    }
}

/// How far apart the elements of a tensor of this shape are.
fn strides(shape: [u32; 4]) -> [u32; 4] {
    [1, shape[0], shape[0] * shape[1], shape[0] * shape[1] * shape[2]]
}

/// Floats between -1 and 1.
fn floats(count: u32) -> Vec<u32> {
    words(count as usize, |random| (random as i32 as f32 / i32::MAX as f32).to_bits())
}

/// Bytes of quantized blocks. Wherever half floats are in them, they are below 2.
fn blocks(bytes: u32) -> Vec<u32> {
    words(bytes as usize / 4, |random| random & 0xbfff_bfff)
}

/// Runs a shader with all of its settings, both ways.
pub fn runs(shader: &Shader) -> Result<String> {
    let vulkan = Vulkan::open()?;
    let path = root().join("target/ggml").join(shader.name).with_extension("spv");
    let bytes = std::fs::read(&path)
        .map_err(|error| format!("{}: {error}; run scripts/setup-ggml.sh", path.display()))?;
    let words = words_of(&bytes);
    let module = Module::from_words(&words[..])?;
    let prepared = Prepared::new(&module)?;
    let mut results: Vec<Vec<Vec<u32>>> = Vec::new();
    for setting in shader.settings {
        let on = |message: String| format!("{setting:?}: {message}");
        let job = (shader.job)();
        let bytes = |(id, value): &(u32, u32)| (*id, value.to_ne_bytes().to_vec());
        let through_api = Job { constants: setting.iter().map(bytes).collect(), ..job.clone() };
        let by_api = vulkan.run(&words, &words, &through_api).map_err(|failure| on(failure.to_string()))?;
        let frozen = freeze(&prepared, setting, shader.branches).map_err(|error| on(error.to_string()))?;
        let after = vulkan.run(&frozen, &frozen, &job).map_err(|failure| on(format!("frozen: {failure}")))?;
        if let Some(difference) = difference(&by_api.concat(), &after.concat()) {
            return Err(on(difference).into());
        }
        make_sense(&job, &after).map_err(on)?;
        results.push(after);
    }
    results.sort();
    results.dedup();
    Ok(format!("{} settings, {} different results", shader.settings.len(), results.len()))
}

/// In how many words two runs differ, and by how much they do if these are floats.
fn difference(by_api: &[u32], frozen: &[u32]) -> Option<String> {
    let floats = |(one, other): (&u32, &u32)| (f32::from_bits(*one), f32::from_bits(*other));
    let differ: Vec<_> = by_api.iter().zip(frozen).filter(|(one, other)| one != other).map(floats).collect();
    let (one, other) = differ.first()?;
    let most = differ.iter().map(|(one, other)| (one - other).abs()).fold(0.0, f32::max);
    let count = differ.len();
    Some(format!(
        "{count} words differ, the first of them {one} by the API and {other} frozen, and by {most} at most"
    ))
}

/// The module with constants of these values: none of them is left, nor anything that they decide.
fn freeze(prepared: &Prepared, setting: &[(u32, u32)], branches: bool) -> Result<Vec<u32>> {
    let set = |settings: Settings, &(id, value): &(u32, u32)| settings.set(id, value);
    let settings = setting.iter().fold(Settings::new(), set).trim();
    let frozen = prepared.specialize(&Device::default(), &settings)?;
    if (frozen.report.branches > 0) != branches {
        return Err(format!("{} branches are decided", frozen.report.branches).into());
    }
    validate(&frozen.words, "vulkan1.2")?;
    let is_spec_id = |&(opcode, operands): &(u32, &[u32])| {
        opcode == Op::Decorate as u32 && operands[1] == Decoration::SpecId as u32
    };
    if let Some((_, operands)) = instructions(&frozen.words).find(is_spec_id) {
        return Err(format!("SpecId {} is left", operands[2]).into());
    }
    Ok(frozen.words)
}

/// Whether something was computed: what was written is neither all the same nor, as floats, infinite or no number.
fn make_sense(job: &Job, after: &[Vec<u32>]) -> std::result::Result<(), String> {
    let written: Vec<u32> = (job.buffers.iter().zip(after))
        .filter(|(before, after)| before != after)
        .flat_map(|(_, after)| after.clone())
        .collect();
    let mut different = written.clone();
    different.sort_unstable();
    different.dedup();
    if different.len() < 10 {
        return Err(format!("only {} different results: {written:?}", different.len()));
    }
    let senseless = written.iter().find(|word| !f32::from_bits(**word).is_finite());
    senseless.map_or(Ok(()), |word| Err(format!("{} among the results", f32::from_bits(*word))))
}
