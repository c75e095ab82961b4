use std::collections::BTreeSet;

use spirv_if::specialize::{SpecValue, UnsetPolicy};
use spirv_if::{Device, Module, Prepared, Settings};

use super::*;
use crate::test_support::assemble;
use crate::{InspectOptions, inspect};

type FakeAnswer = Result<CompiledModule, CompileFailure>;

/// A compiler that answers by a function, and counts.
struct FakeCompiler<F> {
    answer: F,
    takes_constants: bool,
    count: usize,
}

impl<F: FnMut(&CompileRequest) -> FakeAnswer> FakeCompiler<F> {
    fn new(answer: F) -> FakeCompiler<F> {
        FakeCompiler { answer, takes_constants: true, count: 0 }
    }
}

impl<F: FnMut(&CompileRequest) -> FakeAnswer> VariantCompiler for FakeCompiler<F> {
    fn driver(&self) -> &str {
        "a driver"
    }

    fn takes_constants(&self) -> bool {
        self.takes_constants
    }

    fn compile(&mut self, request: &CompileRequest) -> FakeAnswer {
        self.count += 1;
        (self.answer)(request)
    }
}

/// A module with this many instructions, for which compiling takes this many milliseconds.
fn compiled(instructions: usize, milliseconds: u64) -> CompiledModule {
    let statistic = |name, number| Statistic::new(name, StatisticValue::Integer(number));
    let statistics = vec![
        statistic("Instructions", instructions as i64),
        statistic("Driver pipeline hash", milliseconds as i64),
    ];
    CompiledModule::new(
        milliseconds * 1_000_000,
        vec![ExecutableStatistics::new("main", "compute", statistics)],
    )
}

fn measured(
    file: &str,
    compiler: &mut dyn VariantCompiler,
    options: &MeasureOptions,
) -> Result<ModuleStatistics, spirv_if::Error> {
    let bytes = std::fs::read(format!("../fixtures/{file}")).unwrap();
    let module = Module::from_bytes(&bytes).unwrap();
    let constants = inspect(&module, &InspectOptions::new()).unwrap().spec_constants();
    measure(&module, &constants, compiler, options, &|| ())
}

#[test]
fn every_value_is_compiled_in_both_ways() {
    let mut asked: Vec<(bool, usize, BTreeSet<u32>)> = Vec::new();
    let mut compiler = FakeCompiler::new(|request: &CompileRequest| {
        let is_whole = request.layout == request.words;
        let sizes = request.constants.iter().map(|constant| constant.bytes.len());
        let spec_ids = request.constants.iter().map(|constant| constant.spec_id).collect();
        asked.push((is_whole, sizes.sum(), spec_ids));
        Ok(compiled(request.words.len(), 1))
    });
    let options = MeasureOptions::new().skip_advice(true);
    let statistics = measured("spec/precision.spv", &mut compiler, &options).unwrap();
    assert_eq!((statistics.driver.as_str(), statistics.compiled), ("a driver", compiler.count));
    assert_eq!(statistics.cost, CostKind::Statistic(StatisticKind::Instructions));
    let values: Vec<String> = statistics
        .variants
        .iter()
        .map(|variant| format!("{}={}", variant.set.spec_id, variant.set.value))
        .collect();
    assert_eq!(values.join(" "), "0=false 0=true 1=false 1=true 2=0 2=1 2=2 3=4294967296 3=4294967295 5=-3");
    for variant in &statistics.variants {
        let size = variant.cut.compiled().unwrap().figures().get(StatisticKind::Instructions).unwrap();
        assert_eq!(size.number() as usize * 4, variant.size);
        assert!(variant.by_driver.is_some());
    }
    // The default values need no further compilation beside that of the module as it is.
    let whole = asked.iter().filter(|(is_whole, ..)| *is_whole);
    let whole: Vec<(usize, usize)> = whole.map(|(_, size, ids)| (*size, ids.len())).collect();
    assert_eq!(whole, [(0, 0), (4, 1), (4, 1), (4, 1), (4, 1), (8, 1)]);
}

#[test]
fn a_compiler_without_constants_gets_none() {
    let mut compiler = FakeCompiler::new(|request: &CompileRequest| {
        assert!(request.constants.is_empty());
        Ok(compiled(request.words.len(), 1))
    });
    compiler.takes_constants = false;
    let statistics = measured("spec/precision.spv", &mut compiler, &MeasureOptions::new()).unwrap();
    assert!(statistics.variants.iter().all(|variant| variant.by_driver.is_none()));
}

/// Compares with all combinations.
#[test]
fn the_search_finds_what_all_combinations_have() {
    for file in ["spec/precision.spv", "spec/flow.spv", "flags/flags.spv"] {
        let mut compiler = FakeCompiler::new(|request: &CompileRequest| Ok(compiled(request.words.len(), 1)));
        let statistics = measured(file, &mut compiler, &MeasureOptions::new()).unwrap();
        let advice = statistics.advice.unwrap();
        let cost =
            |found: &Option<FoundCombination>| found.as_ref().unwrap().outcome.cost(statistics.cost).unwrap();
        let mut all: Vec<Settings> = vec![Settings::new().trim(true).unset(UnsetPolicy::Keep)];
        let spec_ids: BTreeSet<u32> = statistics.variants.iter().map(|variant| variant.set.spec_id).collect();
        for spec_id in spec_ids {
            let of_constant = statistics.variants.iter().filter(|variant| variant.set.spec_id == spec_id);
            let values: Vec<SpecValue> = of_constant.map(|variant| variant.set.value).collect();
            let with =
                |settings: Settings| values.iter().map(move |value| settings.clone().set(spec_id, *value));
            all = all.into_iter().flat_map(with).collect();
        }
        assert_eq!(all.len() as u64, statistics.combinations);
        let bytes = std::fs::read(format!("../fixtures/{file}")).unwrap();
        let module = Module::from_bytes(&bytes).unwrap();
        let prepared = Prepared::new(&module).unwrap();
        let size =
            |settings: &Settings| prepared.specialize(&Device::default(), settings).unwrap().words.len();
        let sizes: BTreeSet<usize> = all.iter().map(size).collect();
        let found = (cost(&advice.cheapest) as usize, cost(&advice.dearest) as usize);
        assert_eq!(found, (*sizes.first().unwrap(), *sizes.last().unwrap()), "{file}");
    }
}

/// Two fields of a constant are each compared with a value, so that no value alone has both branches. They are 0 by default, or the opposite.
#[test]
fn flags_are_tried_together() {
    let module = |default: u32| {
        format!(
            "OpCapability Shader
             OpMemoryModel Logical GLSL450
             OpEntryPoint GLCompute %main \"main\"
             OpExecutionMode %main LocalSize 1 1 1
             OpDecorate %flags SpecId 7
             OpDecorate %block Block
             OpMemberDecorate %block 0 Offset 0
             OpDecorate %buffer DescriptorSet 0
             OpDecorate %buffer Binding 0
             %void = OpTypeVoid
             %main_type = OpTypeFunction %void
             %bool = OpTypeBool
             %uint = OpTypeInt 32 0
             %block = OpTypeStruct %uint
             %buffer_type = OpTypePointer StorageBuffer %block
             %buffer = OpVariable %buffer_type StorageBuffer
             %pointer = OpTypePointer StorageBuffer %uint
             %zero = OpConstant %uint 0
             %twelve = OpConstant %uint 12
             %four = OpConstant %uint 4
             %high_value = OpConstant %uint 256
             %high_field = OpConstant %uint 768
             %flags = OpSpecConstant %uint {default}
             %main = OpFunction %void None %main_type
             %start = OpLabel
             %way = OpAccessChain %pointer %buffer %zero
             %low = OpBitwiseAnd %uint %flags %twelve
             %is_low = OpIEqual %bool %low %four
             OpSelectionMerge %next None
             OpBranchConditional %is_low %first %next
             %first = OpLabel
             OpStore %way %zero
             OpBranch %next
             %next = OpLabel
             %high = OpBitwiseAnd %uint %flags %high_field
             %is_high = OpIEqual %bool %high %high_value
             OpSelectionMerge %end None
             OpBranchConditional %is_high %second %end
             %second = OpLabel
             OpStore %way %four
             OpBranch %end
             %end = OpLabel
             OpReturn
             OpFunctionEnd"
        )
    };
    let found = |default: u32| {
        let words = assemble(&module(default), "spv1.3");
        let module = Module::from_words(&words[..]).unwrap();
        let constants = inspect(&module, &InspectOptions::new()).unwrap().spec_constants();
        // The stores that run.
        let mut compiler = FakeCompiler::new(|request: &CompileRequest| {
            if request.words == request.layout {
                let given = request.constants.first().map(|given| given.bytes[..].try_into().unwrap());
                let flags = given.map_or(default, u32::from_ne_bytes);
                return Ok(compiled(10 + usize::from(flags & 12 == 4) + usize::from(flags & 768 == 256), 1));
            }
            let left = Module::from_words(request.words).unwrap();
            let main = &left.inner.functions()[0];
            let stores = left.inner.body(main).filter(|inst| inst.is(spirv::Op::Store)).count();
            Ok(compiled(10 + stores, 1))
        });
        let statistics = measure(&module, &constants, &mut compiler, &MeasureOptions::new(), &|| ()).unwrap();
        let advice = statistics.advice.unwrap();
        let values = |found: Option<FoundCombination>| -> Vec<String> {
            found.unwrap().values.iter().map(|set| set.value.to_string()).collect()
        };
        (values(advice.cheapest), values(advice.dearest))
    };
    assert_eq!(found(0), (Vec::new(), vec!["260".to_owned()]));
    // Without its bits one by one, nothing is left either.
    assert_eq!(found(260), (vec!["0".to_owned()], Vec::new()));
}

/// Each of the switches of a shader, all of which are on by default in the bits of one constant, is tried alone, and all others without it.
#[test]
fn flags_are_switched_off_one_by_one() {
    const ALL: u64 = 0xff_ffff;
    let mut compiler = FakeCompiler::new(|request: &CompileRequest| Ok(compiled(request.words.len(), 1)));
    let options = MeasureOptions::new().skip_advice(true);
    let statistics = measured("ubershaders/post.spv", &mut compiler, &options).unwrap();
    let values: BTreeSet<u64> =
        statistics.variants.iter().map(|variant| variant.set.value.to_string().parse().unwrap()).collect();
    let alone = |bit: &u32| values.contains(&(1 << bit));
    assert!((0..24).filter(alone).count() > 16, "{values:?}");
    assert!((0..24).all(|bit| alone(&bit) == values.contains(&(ALL ^ 1 << bit))), "{values:?}");
}

#[test]
fn constants_without_effect_need_one_variant() {
    let of = |answer: fn(&CompileRequest) -> FakeAnswer| {
        let mut compiler = FakeCompiler::new(answer);
        measured("flags/flags.spv", &mut compiler, &MeasureOptions::new()).unwrap().advice.unwrap()
    };
    // The driver's hash of the module differs and does not count.
    let equal = of(|request| Ok(compiled(7, request.words.len() as u64)));
    assert_eq!(equal.without_effect, [0, 1]);
    assert!(
        equal.text.contains("One variant is enough for all values of 0 (flags), 1 (mode): "),
        "{}",
        equal.text
    );
    let different = of(|request| Ok(compiled(request.words.len(), 1)));
    assert!(different.without_effect.is_empty(), "{different:?}");
}

#[test]
fn constants_to_set_before_are_few() {
    // What is cut compiles faster; setting one constant is worth as much as all.
    let mut compiler = FakeCompiler::new(|request: &CompileRequest| {
        let is_whole = request.words == request.layout;
        Ok(compiled(10, if is_whole { 40 } else { 10 }))
    });
    let statistics = measured("flags/flags.spv", &mut compiler, &MeasureOptions::new()).unwrap();
    let advice = statistics.advice.unwrap();
    assert_eq!(
        (advice.fix.len(), advice.fixed_time_ns, advice.all_fixed_time_ns),
        (1, 10_000_000, 10_000_000)
    );
    assert!(advice.not_worth_cutting.is_empty());
    // What is cut compiles slower.
    let mut compiler = FakeCompiler::new(|request: &CompileRequest| {
        let is_whole = request.words == request.layout;
        Ok(compiled(10, if is_whole { 10 } else { 40 }))
    });
    let statistics = measured("flags/flags.spv", &mut compiler, &MeasureOptions::new()).unwrap();
    let advice = statistics.advice.unwrap();
    assert!(advice.fix.is_empty() && advice.text.starts_with("No constant saves time"), "{advice:?}");
    assert_eq!(advice.not_worth_cutting.len(), statistics.variants.len());
}

#[test]
fn failures_are_results() {
    let mut compiler = FakeCompiler::new(|_: &CompileRequest| Err(CompileFailure::Hung(3)));
    let statistics = measured("flags/flags.spv", &mut compiler, &MeasureOptions::new()).unwrap();
    let failed = CompileOutcome::Failed(CompileFailure::Hung(3));
    assert!(statistics.advice.is_none() && statistics.as_is == failed && !statistics.variants.is_empty());
    assert!(statistics.variants.iter().all(|variant| variant.cut == failed));
    let json = serde_json::to_string(&failed).unwrap();
    assert_eq!(json, r#"{"failure":{"kind":"hung","message":3}}"#);
}

#[test]
fn values_of_the_caller() {
    let mut compiler = FakeCompiler::new(|request: &CompileRequest| Ok(compiled(request.words.len(), 1)));
    let values = |constant: &str, value: SpecValue| MeasureOptions::new().values(constant, [value]);
    let options = values("mode", SpecValue::I64(77));
    let statistics = measured("flags/flags.spv", &mut compiler, &options).unwrap();
    let of_mode = statistics.variants.iter().filter(|variant| variant.set.spec_id == 1);
    assert_eq!(of_mode.map(|variant| variant.set.value.to_string()).collect::<Vec<_>>(), ["0", "77"]);
    let error = |options| measured("flags/flags.spv", &mut compiler, &options).unwrap_err().to_string();
    let mut error = error;
    assert_eq!(error(values("mode", SpecValue::Bool(true))), "mode of type int32 cannot be true");
    assert!(error(values("nobody", SpecValue::U32(1))).contains("`spirv-if inspect -v` lists"));
}
