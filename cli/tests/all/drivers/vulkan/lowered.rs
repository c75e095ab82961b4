//! Operations on 64-bit integers and doubles, natively and without them, on devices with only the features that each module requires: equal bits, which are those of
//! the host.

use ash::vk;
use spirv_if::Module;
use spirv_if::module::Version;
use spirv_if::specialize::UnsetPolicy;
use spirv_if_inspect::VulkanRequirements;

use super::VulkanResult;
use super::runner::{CompiledShader, Failure, ShaderJob, Vulkan};
use super::uses::LayeredVulkan;
use crate::common::{assemble, root, share};
use crate::lowered::operations::{Operation, PAIRS, operations};
use crate::lowered::storage::{self, SourceMemory};
use crate::lowered::{EDGES, are_equal, bfloat16, doubles, float16, lowered, narrow, operands};
use crate::random::Random;

/// The number of groups of 64 invocations.
const GROUPS: usize = 16;

/// Runs each operation on 64-bit integers; returns the number of results.
pub fn runs() -> VulkanResult<String> {
    let groups = if share().is_none() { 16 * GROUPS } else { GROUPS };
    runs_of(&operations(), &operands(groups * 64 * PAIRS, 2), groups)
}

/// Runs each operation on doubles, as words and as integers; returns the number of results.
pub fn runs_of_doubles() -> VulkanResult<String> {
    let groups = if share().is_none() { 4 * GROUPS } else { GROUPS / 4 };
    let pairs = doubles::operands(groups * 64 * PAIRS, 2);
    runs_of(&doubles::operations(), &pairs, groups)?;
    runs_of(&doubles::operations_on_integers(), &pairs, groups)
}

/// Runs each operation on integers of 8 bits with all pairs, and on those of 16 bits with all first operands; returns the number of results.
pub fn runs_of_narrow_integers() -> VulkanResult<String> {
    runs_of(&narrow::operations::<8>(), &narrow::operands(8), GROUPS)?;
    runs_of(&narrow::operations::<16>(), &narrow::operands(16), GROUPS)
}

/// Runs each operation on halves and bfloat16 with all first operands; returns the number of operations.
pub fn runs_of_halves() -> VulkanResult<String> {
    let operations = float16::operations();
    runs_of(&operations, &float16::operands(), GROUPS)?;
    let bfloat16 = bfloat16::operations();
    runs_of(&bfloat16, &bfloat16::operands(), GROUPS)?;
    Ok(format!("permitted results: {} operations", operations.len() + bfloat16.len()))
}

fn runs_of(operations: &[Operation], pairs: &[[u64; 2]], groups: usize) -> VulkanResult<String> {
    let vulkan = Vulkan::open()?;
    let buffers = vec![words_of(pairs.as_flattened()), vec![0; 2 * pairs.len()]];
    let job = ShaderJob { buffers, groups: [groups as u32, 1, 1], ..ShaderJob::default() };
    let mut failures = Vec::new();
    for operation in operations.iter().filter(|operation| !operation.is_for_interpreter) {
        let words = assemble(&operation.text(), "spv1.3");
        let lowered = lowered(&words, operation.features, UnsetPolicy::Default)?.words;
        let expected: Vec<u64> = pairs.iter().map(|&[a, b]| (operation.host)(a, b)).collect();
        let run = |words: &[u32]| {
            vulkan.run(words, words, &job).map_err(|failure| format!("{}: {failure}", operation.name))
        };
        for (title, words) in [("lowered", &lowered), ("native", &words)] {
            if title == "native" && !operation.is_native {
                continue;
            }
            let after = run(words)?;
            let after =
                after[1].as_chunks().0.iter().map(|&[low, high]| u64::from(low) | u64::from(high) << 32);
            let wrong = after.zip(&expected).enumerate().find(|&(at, (after, &expected))| {
                !are_equal(title == "lowered", operation, pairs[at], after, expected)
            });
            failures.extend(wrong.map(|(at, (after, expected))| {
                let name = operation.name;
                format!("{name}, {title}: {:x?} is {after:x} instead of {expected:x}", pairs[at])
            }));
        }
    }
    match failures.is_empty() {
        true => Ok(format!("equal bits: {} operations", operations.len())),
        false => Err(failures.join("\n").into()),
    }
}

/// A shader of a data test: the name, the version of SPIR-V, the words of each buffer and the push constants, of which the first two are a number but
/// for narrow integers.
type LoweredShader = (&'static str, &'static str, [usize; 2], usize);

/// Shaders of data tests.
pub const SHADERS: [LoweredShader; 12] = [
    ("lower-shader", "spv1.3", [32, 12], 2),
    ("lower-integers", "spv1.3", [32, 24], 2),
    ("lower-vectors", "spv1.3", [3072, 2816], 16),
    ("lower-vectors-copied", "spv1.5", [3072, 2816], 16),
    ("lower-vectors-wgsl", "spv1.3", [1536; 2], 0),
    ("lower-vectors-slang", "spv1.3", [1536; 2], 0),
    ("lower-vectors-address", "spv1.5", [1536, 1792], 2),
    ("lower-storage-address", "spv1.5", [256, 1088], 4),
    ("lower-vectors-uniform", "spv1.3", [3072, 776], 0),
    ("lower-vectors-uniform-copied", "spv1.5", [3072, 776], 0),
    ("lower-vectors-uniform-wgsl", "spv1.3", [1536; 2], 0),
    ("lower-vectors-uniform-slang", "spv1.3", [1280, 40], 0),
];

/// Runs a whole shader with random buffers, natively and lowered.
pub fn shader((name, version, lengths, pushed): LoweredShader) -> VulkanResult<String> {
    let vulkan = Vulkan::open()?;
    let mut random = Random::new(3);
    let path = root().join(format!("cli/tests/cases/specialize/{name}.spvasm"));
    let words = assemble(&std::fs::read_to_string(path)?, version);
    let features = match name {
        "lower-shader" => "Int64",
        "lower-integers" => "Int16,Int8",
        "lower-storage-address" => storage::FEATURES,
        _ => "Int64,Float64",
    };
    let lowered = lowered(&words, features, UnsetPolicy::Default)?.words;
    let is_uniform = name.contains("uniform");
    let mut compiled = None;
    for run in 0..16 {
        let buffer = |length: usize| contents(&mut random, length);
        let [buffers @ .., mut push_constants] = [lengths[0], lengths[1], pushed].map(buffer);
        if let [first, second, ..] = &mut push_constants[..]
            && name != "lower-integers"
        {
            (*first, *second) = (run % 8, 0);
        }
        // The second buffer is the input.
        let uniforms = if is_uniform { vec![1] } else { Vec::new() };
        let job = ShaderJob {
            buffers: buffers.to_vec(),
            push_constants,
            uniforms,
            pushes_address: name.ends_with("address"),
            groups: [1, 1, 1],
            ..ShaderJob::default()
        };
        let [native, lowered] = run_both(&vulkan, &mut compiled, [&words, &lowered], &job)
            .map_err(|failure| format!("{name}, {failure}"))?;
        if native == job.buffers || native != lowered {
            return Err(format!("{name}: {:x?}: {lowered:x?} instead of {native:x?}", job.buffers).into());
        }
    }
    Ok("equal bits".to_owned())
}

/// Runs a shader natively and lowered; both are compiled for the first job.
fn run_both(
    vulkan: &Vulkan,
    compiled: &mut Option<[CompiledShader; 2]>,
    [native, lowered]: [&[u32]; 2],
    job: &ShaderJob,
) -> Result<[Vec<Vec<u32>>; 2], String> {
    let of = |title: &str, failure: Failure| format!("{title}: {failure}");
    let compile = |words: &[u32]| vulkan.compile(words, words, job);
    let [native, lowered] = match compiled {
        Some(compiled) => compiled,
        None => compiled.insert([
            compile(native).map_err(|failure| of("native", failure))?,
            compile(lowered).map_err(|failure| of("lowered", failure))?,
        ]),
    };
    let native = native.run(job).map_err(|failure| of("native", failure))?;
    Ok([native, lowered.run(job).map_err(|failure| of("lowered", failure))?])
}

/// Runs random shaders with numbers of 8 and 16 bits in memory, natively, and with words there on a device without their features. All invocations store at the
/// same time.
pub fn storage() -> VulkanResult<String> {
    let vulkan = Vulkan::open()?;
    let mut random = Random::new(81);
    let shaders = if share().is_none() { 400 } else { 40 };
    for number in 0..shaders {
        let shader = match number % 5 {
            0 => storage::random_shader_of(&mut random, SourceMemory::Address, number % 2 == 0, false),
            _ => storage::random_shader(&mut random, number % 2 == 0, false),
        };
        let words = assemble(&shader.text, "spv1.3");
        let lowered = lowered(&words, storage::FEATURES, UnsetPolicy::Keep)?.words;
        let mut compiled = None;
        for _ in 0..4 {
            let in_words = |bytes: Vec<u8>| -> Vec<u32> {
                bytes.as_chunks().0.iter().map(|&word| u32::from_le_bytes(word)).collect()
            };
            let mut buffers = shader.contents(&mut random).map(in_words).to_vec();
            let mut job = ShaderJob { groups: [1, 1, 1], ..ShaderJob::default() };
            match shader.source {
                SourceMemory::StorageBuffer => {}
                SourceMemory::UniformBlock => job.uniforms = vec![1],
                SourceMemory::PushConstants => {
                    job.push_constants = std::mem::replace(&mut buffers[1], vec![0])
                }
                SourceMemory::Address => {
                    (job.push_constants, job.pushes_address) = (vec![0; 2], true);
                    let source = std::mem::replace(&mut buffers[1], vec![0]);
                    buffers.push(source);
                }
            }
            job.buffers = buffers;
            let [mut native, lowered] = run_both(&vulkan, &mut compiled, [&words, &lowered], &job)
                .map_err(|failure| format!("{}\n{failure}", shader.text))?;
            for result in native[3].chunks_mut(storage::NUMBERS) {
                shader.lengths.iter().for_each(|&at| result[at] = shader.length);
            }
            if native != lowered {
                let all = native.iter().flatten().zip(lowered.iter().flatten()).enumerate();
                let wrong: Vec<_> = all.filter(|(_, (native, lowered))| native != lowered).collect();
                let sizes: Vec<usize> = job.buffers.iter().map(Vec::len).collect();
                return Err(format!("{}\nbuffers of {sizes:?} words: {wrong:x?}", shader.text).into());
            }
        }
    }
    Ok("equal bits".to_owned())
}

/// Converts all halves to floats, and floats to halves in both roundings, with bits alone: the results are those of the host.
pub fn half_bits() -> VulkanResult<String> {
    let vulkan = Vulkan::open()?;
    let lowered = lowered(&assemble(HALVES, "spv1.3"), storage::FEATURES, UnsetPolicy::Keep)?.words;
    let mut random = Random::new(82);
    let numbers: Vec<u32> = (0..1 << 16u32)
        .map(|half: u32| match half % 4 {
            // Numbers at which rounding changes are between halves.
            0 => storage::float_of_half(half as u16)
                .to_bits()
                .wrapping_add(random.below(3) as u32)
                .wrapping_sub(1),
            1 => (storage::float_of_half(half as u16).to_bits() | 0x1000)
                .wrapping_add(random.below(3) as u32)
                .wrapping_sub(1),
            2 => random.next() as u32 & 0x807f_ffff | (96 + random.below(52) as u32) << 23,
            _ => random.next() as u32,
        })
        .collect();
    let halves: Vec<u32> = (0..1 << 15u32).map(|pair: u32| (2 * pair) | ((2 * pair + 1) << 16)).collect();
    let empty = vec![0; halves.len()];
    let buffers = vec![vec![0; numbers.len()], halves, numbers.clone(), empty.clone(), empty];
    let job = ShaderJob { buffers, groups: [1024, 1, 1], ..ShaderJob::default() };
    let after = vulkan.run(&lowered, &lowered, &job).map_err(|failure| failure.to_string())?;
    let half = |words: &[u32], at: usize| (words[at / 2] >> (16 * (at % 2))) as u16;
    for (at, &number) in numbers.iter().enumerate() {
        let (float, number) = (f32::from_bits(after[0][at]), f32::from_bits(number));
        let expected = storage::float_of_half(at as u16);
        if float.to_bits() != expected.to_bits() && !(float.is_nan() && expected.is_nan()) {
            return Err(format!("half {at:x} is {float} instead of {expected}").into());
        }
        for (buffer, is_nearest) in [(3, true), (4, false)] {
            let half = half(&after[buffer], at);
            let expected = storage::half_of_float(number, is_nearest);
            let is_nan = number.is_nan() && half & 0x7fff > 0x7c00;
            if half != expected && !is_nan {
                return Err(format!(
                    "{number:e} ({:x}) is {half:x} instead of {expected:x}",
                    number.to_bits()
                )
                .into());
            }
        }
    }
    Ok("equal bits".to_owned())
}

/// Each invocation converts a half and a float.
const HALVES: &str = "OpCapability Shader
OpCapability StorageBuffer16BitAccess
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main \"main\" %gid
OpExecutionMode %main LocalSize 64 1 1
OpDecorate %gid BuiltIn GlobalInvocationId
OpDecorate %floats ArrayStride 4
OpDecorate %Floats Block
OpMemberDecorate %Floats 0 Offset 0
OpDecorate %halves ArrayStride 2
OpDecorate %Halves Block
OpMemberDecorate %Halves 0 Offset 0
OpDecorate %to_float DescriptorSet 0
OpDecorate %to_float Binding 0
OpDecorate %half_in DescriptorSet 0
OpDecorate %half_in Binding 1
OpDecorate %float_in DescriptorSet 0
OpDecorate %float_in Binding 2
OpDecorate %to_half DescriptorSet 0
OpDecorate %to_half Binding 3
OpDecorate %to_zero DescriptorSet 0
OpDecorate %to_zero Binding 4
OpDecorate %cut FPRoundingMode RTZ
OpDecorate %near FPRoundingMode RTE
%void = OpTypeVoid
%fn = OpTypeFunction %void
%uint = OpTypeInt 32 0
%half = OpTypeFloat 16
%float = OpTypeFloat 32
%uint3 = OpTypeVector %uint 3
%c0 = OpConstant %uint 0
%puint3 = OpTypePointer Input %uint3
%puint = OpTypePointer Input %uint
%gid = OpVariable %puint3 Input
%floats = OpTypeRuntimeArray %float
%Floats = OpTypeStruct %floats
%halves = OpTypeRuntimeArray %half
%Halves = OpTypeStruct %halves
%pFloats = OpTypePointer StorageBuffer %Floats
%pHalves = OpTypePointer StorageBuffer %Halves
%pfloat = OpTypePointer StorageBuffer %float
%phalf = OpTypePointer StorageBuffer %half
%to_float = OpVariable %pFloats StorageBuffer
%half_in = OpVariable %pHalves StorageBuffer
%float_in = OpVariable %pFloats StorageBuffer
%to_half = OpVariable %pHalves StorageBuffer
%to_zero = OpVariable %pHalves StorageBuffer
%main = OpFunction %void None %fn
%start = OpLabel
%gx = OpAccessChain %puint %gid %c0
%i = OpLoad %uint %gx
%p0 = OpAccessChain %phalf %half_in %c0 %i
%h = OpLoad %half %p0
%f = OpFConvert %float %h
%p1 = OpAccessChain %pfloat %to_float %c0 %i
OpStore %p1 %f
%p2 = OpAccessChain %pfloat %float_in %c0 %i
%g = OpLoad %float %p2
%near = OpFConvert %half %g
%p3 = OpAccessChain %phalf %to_half %c0 %i
OpStore %p3 %near
%cut = OpFConvert %half %g
%p4 = OpAccessChain %phalf %to_zero %c0 %i
OpStore %p4 %cut
OpReturn
OpFunctionEnd
";

/// Returns random numbers of 64 bits, some of them at which something changes, as words.
fn contents(random: &mut Random, length: usize) -> Vec<u32> {
    let mut number = || match random.chance(25) {
        true => *random.pick(&EDGES),
        false => random.next(),
    };
    words_of(&std::iter::repeat_with(&mut number).take(length / 2).collect::<Vec<u64>>())
}

fn words_of(numbers: &[u64]) -> Vec<u32> {
    numbers.iter().flat_map(|&number| [number as u32, (number >> 32) as u32]).collect()
}

/// The pipelines are created with another layout.
const LAYOUT: &str = "VUID-VkComputePipelineCreateInfo-layout-07990";

/// Checks that Khronos' layer complains about an operation on a device without its numbers, and about none once they are lowered.
pub fn layer() -> VulkanResult<String> {
    let api = vk::API_VERSION_1_3;
    let vulkan = LayeredVulkan::open(api, false)?;
    let version = Version::new(1, vk::api_version_minor(api) as u8);
    // Drivers have no room for a device for each operation.
    let mut devices: Vec<(VulkanRequirements, ash::Device)> = Vec::new();
    let all = [
        ("Int64", operations()),
        ("Float64", doubles::operations()),
        ("Int16", narrow::operations::<16>()),
        ("Int8", narrow::operations::<8>()),
        ("Float16", float16::operations()),
    ];
    for (feature, all) in all {
        for operation in all.iter().filter(|operation| operation.is_native) {
            let words = assemble(&operation.text(), "spv1.3");
            let lowered = lowered(&words, feature, UnsetPolicy::Default)?.words;
            let required = VulkanRequirements::new(
                &Module::from_words(&lowered[..])?,
                version,
                Some(&vulkan.described(None)?),
            )?;
            let at = devices.iter().position(|(known, _)| *known == required).unwrap_or(devices.len());
            if at == devices.len() {
                let device = vulkan.device(&required, None)?;
                devices.push((required, device));
            }
            let device = &devices[at].1;
            let before = vulkan.errors_on(device, &words, "GLCompute")?;
            if !before.iter().any(|error| error.contains(feature)) {
                return Err(format!("{}: the layer accepts it as it is: {before:?}", operation.name).into());
            }
            let mut after = vulkan.errors_on(device, &lowered, "GLCompute")?;
            after.retain(|error| !error.contains(LAYOUT));
            if !after.is_empty() {
                return Err(format!("{}: {after:?}", operation.name).into());
            }
        }
    }
    Ok("silent".to_owned())
}
