//! Kernels with constructs that drivers reject: `--adapt` makes modules of them that the driver runs, with the same results to the bit.
//!
//! Each kernel is run as it is, which the driver may refuse; adapted for the driver's device; and adapted for a device that accepts nothing but
//! what kernels cannot do without.

use spirv_if::device::DeviceConfig;
use spirv_if::{Device, Module, Prepared, Settings};

use super::driver::{self, KernelJob};
use crate::common::{assemble_named, validate};
use crate::drivers::{ACCEPTS, DriverCase};

const ITEMS: usize = 32;
const GROUP: usize = 8;

/// A device that accepts nothing else, with a driver that has defects.
const PLAIN: &str = "plain: {environments: [], driver: rusticl 26.2.6, spirv-versions: ['1.0', '1.1', '1.2', '1.3', '1.4'], exact-spirv-versions: true, \
    capabilities: [Kernel, Addresses, Linkage, Int8, Int64, GroupNonUniform, GroupNonUniformShuffle], exact-capabilities: true, \
    extensions: [], exact-extensions: true, aspects: []}";

/// The extension of OpenCL that adds shuffles in Khronos' spelling.
const SHUFFLES: &str = "cl_khr_subgroup_shuffle ";

/// Like [`PLAIN`], but of the first version alone.
const OLD: &str = "old: {environments: [], spirv-versions: ['1.0'], exact-spirv-versions: true, \
    capabilities: [Kernel, Addresses, Linkage, Int8, Int64], exact-capabilities: true, extensions: [], exact-extensions: true, \
    aspects: []}";

/// Squares a number and adds one, between what a case adds.
const FRAME: &str = "OpCapability Kernel
OpCapability Addresses
OpCapability Int64
CAPABILITIES
SETS
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %run \"run\" %gid
MODES
OpDecorate %gid BuiltIn GlobalInvocationId
OpDecorate %gid Constant
DECORATIONS
%void = OpTypeVoid
%bool = OpTypeBool
%uint = OpTypeInt 32 0
%ulong = OpTypeInt 64 0
%float = OpTypeFloat 32
%v3 = OpTypeVector %ulong 3
%pv3 = OpTypePointer Input %v3
%p = OpTypePointer CrossWorkgroup %float
%fn = OpTypeFunction %void %p %p
%true = OpConstantTrue %bool
%u0 = OpConstant %uint 0
%u1 = OpConstant %uint 1
%one = OpConstant %float 1
GLOBALS
%gid = OpVariable %pv3 Input
%run = OpFunction %void CONTROL %fn
%in = OpFunctionParameter %p
%out = OpFunctionParameter %p
%first = OpLabel
%ids = OpLoad %v3 %gid Aligned 32
%id = OpCompositeExtract %ulong %ids 0
%narrow = OpUConvert %uint %id
%from = OpInBoundsPtrAccessChain %p %in %id
%to = OpInBoundsPtrAccessChain %p %out %id
%v = OpLoad %float %from Aligned|LOAD 4
%square = OpFMul %float %v %v
%r = OpFAdd %float %square %one
CODE
OpBranch %head
%head = OpLabel
%count = OpPhi %uint %u0 %first %next %body
%more = OpULessThan %bool %count %u1
OpLoopMerge %last %body LOOP
OpBranchConditional %more %body %last
%body = OpLabel
BODY
%next = OpIAdd %uint %count %u1
OpBranch %head
%last = OpLabel
OpStore %to RESULT Aligned|STORE 4
OpReturn
OpFunctionEnd
";

/// Constants of pointers to elements of a table, which are 0 but for some that are 1, and numbers computed from them.
const POINTERS: &str = "%char = OpTypeInt 8 0
%zero = OpConstant %float 0
%l4 = OpConstant %ulong 4
%l8 = OpConstant %ulong 8
%u2 = OpConstant %uint 2
%floats = OpTypeArray %float %l4
%pa = OpTypePointer UniformConstant %floats
%pu = OpTypePointer UniformConstant %float
%p8 = OpTypePointer UniformConstant %char
%pf = OpTypePointer Function %pu
%values = OpConstantComposite %floats %zero %one %one %one
%table = OpVariable %pa UniformConstant %values
%second = OpSpecConstantOp %pu InBoundsPtrAccessChain %table %u0 %u1
%third = OpSpecConstantOp %pu PtrAccessChain %second %u1
%bytes = OpSpecConstantOp %p8 Bitcast %table
%eighth = OpSpecConstantOp %p8 InBoundsPtrAccessChain %bytes %l8
%fourth = OpSpecConstantOp %pu Bitcast %eighth
%element = OpSpecConstantOp %pu AccessChain %table %u2
%address = OpSpecConstantOp %ulong ConvertPtrToU %element
%following = OpSpecConstantOp %ulong IAdd %address %l4
%unused = OpSpecConstantOp %pu ConvertUToPtr %l8";

/// A kernel with a construct of the table.
struct AdaptedKernel {
    name: &'static str,
    /// The version of SPIR-V.
    version: &'static str,
    /// The text for places of the frame.
    parts: &'static [(&'static str, &'static str)],
    /// The index of the item whose input an item takes.
    source: fn(usize) -> usize,
}

const fn kernel(name: &'static str, parts: &'static [(&'static str, &'static str)]) -> AdaptedKernel {
    AdaptedKernel { name, version: "1.4", parts, source: |at| at }
}

const KERNELS: &[AdaptedKernel] = &[
    kernel(
        "expect_assume",
        &[
            ("CAPABILITIES", "OpCapability ExpectAssumeKHR\nOpExtension \"SPV_KHR_expect_assume\""),
            (
                "CODE",
                "%expected = OpExpectKHR %uint %narrow %u1\n%is = OpIEqual %bool %expected %narrow\nOpAssumeTrueKHR %is",
            ),
        ],
    ),
    kernel(
        "alias_scopes",
        &[
            (
                "CAPABILITIES",
                "OpCapability MemoryAccessAliasingINTEL\nOpExtension \"SPV_INTEL_memory_access_aliasing\"",
            ),
            (
                "DECORATIONS",
                "%domain = OpAliasDomainDeclINTEL\n%scope = OpAliasScopeDeclINTEL %domain\n%list = OpAliasScopeListDeclINTEL %scope\nOpDecorateId %square AliasScopeINTEL %list\nOpDecorateId %square NoAliasINTEL %list",
            ),
            ("LOAD 4", "AliasScopeINTELMask 4 %list"),
            ("STORE 4", "NoAliasINTELMask 4 %list"),
        ],
    ),
    kernel(
        "fpga_loops",
        &[
            (
                "CAPABILITIES",
                "OpCapability FPGALoopControlsALTERA\nOpExtension \"SPV_ALTERA_fpga_loop_controls\"",
            ),
            (
                "LOOP",
                "DontUnroll|DependencyLength|MaxConcurrencyALTERA|PipelineEnableALTERA|NoFusionALTERA 1 2 1",
            ),
        ],
    ),
    kernel(
        "fpga_loops_intel",
        &[
            (
                "CAPABILITIES",
                "OpCapability FPGALoopControlsALTERA\nOpExtension \"SPV_INTEL_fpga_loop_controls\"",
            ),
            (
                "LOOP",
                "InitiationIntervalALTERA|LoopCoalesceALTERA|MaxInterleavingALTERA|SpeculatedIterationsALTERA|MaxReinvocationDelayALTERA 1 1 1 0 1",
            ),
        ],
    ),
    kernel(
        "unstructured_loops",
        &[
            (
                "CAPABILITIES",
                "OpCapability UnstructuredLoopControlsINTEL\nOpCapability FPGALoopControlsALTERA\nOpExtension \"SPV_INTEL_unstructured_loop_controls\"\nOpExtension \"SPV_INTEL_fpga_loop_controls\"",
            ),
            ("OpLoopMerge %last %body LOOP", "OpLoopControlINTEL 131072 2"),
        ],
    ),
    kernel(
        "optnone",
        &[
            ("CAPABILITIES", "OpCapability OptNoneEXT\nOpExtension \"SPV_INTEL_optnone\""),
            ("CONTROL", "OptNoneEXT"),
        ],
    ),
    kernel(
        "fast_math_intel",
        &[
            ("CAPABILITIES", "OpCapability FPFastMathModeINTEL\nOpExtension \"SPV_INTEL_fp_fast_math_mode\""),
            (
                "DECORATIONS",
                "OpDecorate %square FPFastMathMode AllowContract\nOpDecorate %r FPFastMathMode NotNaN|AllowReassoc",
            ),
        ],
    ),
    kernel(
        "float_controls2",
        &[
            ("CAPABILITIES", "OpCapability FloatControls2\nOpExtension \"SPV_KHR_float_controls2\""),
            ("MODES", "OpExecutionModeId %run FPFastMathDefault %float %u0"),
            ("DECORATIONS", "OpDecorate %square FPFastMathMode AllowContract|AllowReassoc|AllowTransform"),
        ],
    ),
    kernel(
        "kernel_attributes",
        &[
            (
                "CAPABILITIES",
                "OpCapability KernelAttributesINTEL\nOpCapability FPGAKernelAttributesINTEL\nOpExtension \"SPV_INTEL_kernel_attributes\"",
            ),
            (
                "MODES",
                "OpExecutionMode %run MaxWorkgroupSizeINTEL 8 1 1\nOpExecutionMode %run MaxWorkDimINTEL 1\nOpExecutionMode %run NoGlobalOffsetINTEL\nOpExecutionMode %run NumSIMDWorkitemsINTEL 1\nOpExecutionMode %run SchedulerTargetFmaxMhzINTEL 100",
            ),
        ],
    ),
    kernel(
        "maximum_registers",
        &[
            ("CAPABILITIES", "OpCapability RegisterLimitsINTEL\nOpExtension \"SPV_INTEL_maximum_registers\""),
            ("MODES", "OpExecutionMode %run MaximumRegistersINTEL 128"),
        ],
    ),
    kernel(
        "cache_controls",
        &[
            ("CAPABILITIES", "OpCapability CacheControlsINTEL\nOpExtension \"SPV_INTEL_cache_controls\""),
            (
                "DECORATIONS",
                "OpDecorate %from CacheControlLoadINTEL 0 StreamingINTEL\nOpDecorate %to CacheControlStoreINTEL 0 WriteThroughINTEL",
            ),
        ],
    ),
    AdaptedKernel {
        version: "1.0",
        ..kernel(
            "integer_wrap",
            &[
                ("CAPABILITIES", "OpExtension \"SPV_KHR_no_integer_wrap_decoration\""),
                ("DECORATIONS", "OpDecorate %next NoSignedWrap\nOpDecorate %next NoUnsignedWrap"),
            ],
        )
    },
    kernel(
        "non_semantic",
        &[
            ("CAPABILITIES", "OpExtension \"SPV_KHR_non_semantic_info\""),
            ("SETS", "%set = OpExtInstImport \"NonSemantic.Anything\""),
            ("CODE", "%nothing = OpExtInst %void %set 1 %v"),
        ],
    ),
    kernel(
        "loops_of_versions",
        &[(
            "LOOP",
            "DependencyInfinite|MinIterations|MaxIterations|IterationMultiple|PeelCount|PartialCount 1 8 1 1 2",
        )],
    ),
    kernel(
        "promises_of_versions",
        &[
            ("MODES", "OpExecutionModeId %run LocalSizeHintId %u8 %u1 %u1"),
            (
                "DECORATIONS",
                "OpDecorate %in MaxByteOffset 128\nOpDecorateId %out MaxByteOffsetId %u128\nOpDecorateId %out AlignmentId %u4",
            ),
            ("GLOBALS", "%u4 = OpConstant %uint 4\n%u8 = OpConstant %uint 8\n%u128 = OpConstant %uint 128"),
        ],
    ),
    AdaptedKernel {
        version: "1.0",
        ..kernel(
            "pointer_elements",
            &[
                ("CAPABILITIES", "OpCapability Int8"),
                ("DECORATIONS", "OpDecorate %table Constant\nOpDecorate %third Alignment 4"),
                ("GLOBALS", POINTERS),
                ("%first = OpLabel", "%first = OpLabel\n%held = OpVariable %pf Function %second"),
                (
                    "CODE",
                    "%e2 = OpLoad %pu %held Aligned 8\n%f2 = OpLoad %float %e2 Aligned 4\n%f3 = OpLoad %float %third Aligned 4\n%f4 = OpCopyObject %pu %fourth\n%f5 = OpLoad %float %f4 Aligned 4\n%by2 = OpFMul %float %r %f2\n%by3 = OpFMul %float %by2 %f3\n%scaled = OpFMul %float %by3 %f5",
                ),
                ("RESULT", "%scaled"),
            ],
        )
    },
    AdaptedKernel {
        version: "1.2",
        ..kernel(
            "pointer_numbers",
            &[
                ("CAPABILITIES", "OpCapability Int8"),
                ("DECORATIONS", "OpDecorate %table Constant"),
                ("GLOBALS", POINTERS),
                (
                    "CODE",
                    "%back = OpConvertUToPtr %pu %following\n%loaded = OpLoad %float %back Aligned 4\n%scaled = OpFMul %float %r %loaded",
                ),
                ("RESULT", "%scaled"),
            ],
        )
    },
    AdaptedKernel {
        version: "1.0",
        source: |at| at ^ 1,
        ..kernel(
            "shuffle_xor",
            &[
                ("CAPABILITIES", "OpCapability SubgroupShuffleINTEL\nOpExtension \"SPV_INTEL_subgroups\""),
                ("CODE", "%other = OpSubgroupShuffleXorINTEL %float %r %u1"),
                ("RESULT", "%other"),
            ],
        )
    },
    AdaptedKernel {
        version: "1.0",
        source: |at| at ^ 1,
        ..kernel(
            "shuffle",
            &[
                ("CAPABILITIES", "OpCapability SubgroupShuffleINTEL\nOpExtension \"SPV_INTEL_subgroups\""),
                ("\"run\" %gid", "\"run\" %gid %lane"),
                ("DECORATIONS", "OpDecorate %lane BuiltIn SubgroupLocalInvocationId"),
                ("GLOBALS", "%puint = OpTypePointer Input %uint\n%lane = OpVariable %puint Input"),
                (
                    "CODE",
                    "%own = OpLoad %uint %lane\n%partner = OpBitwiseXor %uint %own %u1\n%other = OpSubgroupShuffleINTEL %float %r %partner",
                ),
                ("RESULT", "%other"),
            ],
        )
    },
];

/// Returns the modules in assembly.
pub fn texts() -> impl Iterator<Item = String> {
    KERNELS.iter().map(AdaptedKernel::text)
}

pub fn cases() -> Vec<DriverCase> {
    let all = KERNELS.iter().flat_map(|kernel| {
        let name = |what: &str| format!("adapted::{}::{what}", kernel.name);
        [
            DriverCase::free(name("as_it_is"), move || as_it_is(kernel)),
            DriverCase::new(name("for_this_device"), move || {
                let device =
                    spirv_if_probe::from_opencl(driver::device()?.id()).map_err(|error| error.to_string())?;
                adapted(kernel, &device)
            }),
            DriverCase::new(name("for_a_plain_device"), move || adapted(kernel, &described(PLAIN))),
            DriverCase::new(name("for_an_old_device"), move || adapted(kernel, &described(OLD))),
        ]
    });
    all.collect()
}

fn described(entry: &str) -> Device {
    let name = entry.split(':').next().unwrap();
    DeviceConfig::from_yaml(name, entry).unwrap().get(name).unwrap().clone()
}

impl AdaptedKernel {
    fn words(&self) -> Vec<u32> {
        assemble_named(&self.text(), &format!("spv{}", self.version)).0
    }

    /// Returns the module in assembly.
    fn text(&self) -> String {
        let mut text = FRAME.to_owned();
        for (place, part) in self.parts {
            assert!(text.contains(place), "{place}");
            text = text.replace(place, part);
        }
        let rest = [
            ("CAPABILITIES\n", ""),
            ("SETS\n", ""),
            ("MODES\n", ""),
            ("DECORATIONS\n", ""),
            ("GLOBALS\n", ""),
            ("CODE\n", ""),
            ("BODY\n", ""),
            ("CONTROL", "None"),
            ("LOOP", "None"),
            ("|LOAD", ""),
            ("|STORE", ""),
            ("RESULT", "%r"),
        ];
        for (place, nothing) in rest {
            text = text.replace(place, nothing);
        }
        text
    }

    fn job(&self) -> KernelJob {
        let inputs = (0..ITEMS).map(|at| (at as f32).to_bits()).collect();
        KernelJob {
            inputs: vec![inputs],
            outputs: vec![ITEMS],
            numbers: &[],
            halves: &[],
            items: ITEMS,
            group: GROUP,
            constants: Vec::new(),
        }
    }

    fn expected(&self) -> Vec<u32> {
        let result = |at: usize| {
            let value = (self.source)(at) as f32;
            (value * value + 1.0).to_bits()
        };
        (0..ITEMS).map(result).collect()
    }
}

/// Runs the kernel as it is.
fn as_it_is(kernel: &AdaptedKernel) -> Result<String, String> {
    let words = kernel.words();
    validate(&words, &format!("spv{}", kernel.version))?;
    let device = driver::device()?;
    match driver::run_anew(&device, &words, &kernel.job()) {
        Ok(read) if read == [kernel.expected()] => Ok(ACCEPTS.to_owned()),
        Ok(_) => Ok("accepts, with wrong results".to_owned()),
        Err(refusal) => Ok(format!("refuses, {}", refusal.call())),
    }
}

/// Runs the kernel after it was adapted for a device.
fn adapted(kernel: &AdaptedKernel, device: &Device) -> Result<String, String> {
    let has_shuffles = driver::device()?.extensions().is_ok_and(|all| all.contains(SHUFFLES));
    if kernel.name.starts_with("shuffle") && (!has_shuffles || device.name() == "old") {
        return Ok(format!("the device does not have {SHUFFLES}"));
    }
    let words = kernel.words();
    let module = Module::from_words(&words[..]).map_err(|error| error.to_string())?;
    let prepared = Prepared::new(&module).map_err(|error| error.to_string())?;
    let result =
        prepared.specialize(device, &Settings::new().adapt(true)).map_err(|error| error.to_string())?;
    let changes: Vec<String> = result.report.adapted.iter().map(ToString::to_string).collect();
    let is_changed = result.words != words;
    if is_changed == changes.is_empty() {
        return Err(format!("changed: {is_changed}, but the report has {changes:?}"));
    }
    validate(&result.words, "spv1.6")?;
    let driver = driver::device()?;
    match driver::run_anew(&driver, &result.words, &kernel.job()) {
        Ok(read) if read == [kernel.expected()] => Ok(changes.join(", ")),
        Ok(read) => Err(format!("wrong results: {read:?}")),
        Err(refusal) => Err(format!("{} after {changes:?}", refusal.call())),
    }
}
