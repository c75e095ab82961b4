//! The maximum number of clones of one function, for every call that packs.

use crate::split::{AddOnRole, Jit, PostLink, SplitOptions, add_on, split};
use crate::test_support::{assemble, assert_valid};
use spirv_if::device::{DeviceConfig, Target};
use spirv_if::link::{LinkOptions, link};
use spirv_if::module::Annotations;
use spirv_if::specialize::UnsetPolicy;
use spirv_if::{Device, Error, Module, PackOptions, Prepared, Settings, pack};

/// Returns a shader with four constants, which guard blocks that require Float64. It calls a function that annotations make conditional.
fn shader() -> Vec<u32> {
    let (mut decorations, mut constants, mut blocks) = (String::new(), String::new(), String::new());
    for at in 0..4 {
        decorations += &format!("OpDecorate %c{at} SpecId {at}\n");
        constants += &format!("%c{at} = OpSpecConstantFalse %bool\n");
        blocks += &format!(
            "OpSelectionMerge %merge{at} None
            OpBranchConditional %c{at} %then{at} %merge{at}
            %then{at} = OpLabel
            %x{at} = OpFAdd %double %one %one
            OpBranch %merge{at}
            %merge{at} = OpLabel\n"
        );
    }
    let text = format!(
        "OpCapability Shader
        OpCapability Float64
        OpMemoryModel Logical GLSL450
        OpEntryPoint GLCompute %main \"main\"
        OpExecutionMode %main LocalSize 1 1 1
        OpName %main \"main\"
        OpName %twice \"twice\"
        {decorations}
        %void = OpTypeVoid
        %bool = OpTypeBool
        %double = OpTypeFloat 64
        %one = OpConstant %double 1
        {constants}
        %type = OpTypeFunction %void
        %main = OpFunction %void None %type
        %label = OpLabel
        %call = OpFunctionCall %void %twice
        {blocks}
        OpReturn
        OpFunctionEnd
        %twice = OpFunction %void None %type
        %in_twice = OpLabel
        %y = OpFMul %double %one %one
        OpReturn
        OpFunctionEnd"
    );
    assemble(&text, "spv1.5")
}

/// Decisions of the host, which no device knows.
const ANNOTATIONS: &str = "
spec-constants: { 0: host(a), 1: host(b), 2: host(c), 3: host(d) }
functions: { twice: { when: host(a) } }
";

/// Calls `work` with the module: first with the default limit of clones, then with enough clones.
fn limited(work: impl Fn(&Module, Option<usize>) -> Result<Vec<Vec<u32>>, Error>) -> Vec<Vec<u32>> {
    let words = shader();
    let annotations = Annotations::from_yaml("clones.yaml", ANNOTATIONS).unwrap();
    let module = Module::from_words(&words[..]).unwrap().with_annotations(&annotations).unwrap();
    for count in [None, Some(15)] {
        let error = work(&module, count).unwrap_err().to_string();
        let limit = format!("no more than {} are allowed", count.unwrap_or(8));
        assert!(error.contains("main would need 16 clones") && error.contains(&limit), "{error}");
        assert!(error.contains("`max_clones`"), "{error}");
    }
    let results = work(&module, Some(16)).unwrap();
    results.iter().for_each(|words| assert_valid(words, "spv1.6"));
    results
}

/// Returns the options of splitting for such a number of clones.
fn split_options(count: Option<usize>, jit: Jit) -> SplitOptions {
    let options = SplitOptions::new().jit(jit);
    count.map_or(options.clone(), |count| options.max_clones(count))
}

fn pvc() -> Device {
    Device::embedded("intel_gpu_bmg_g21").unwrap()
}

#[test]
fn of_packing() {
    limited(|module, count| {
        let options = PackOptions::new();
        let options = count.map_or(options.clone(), |count| options.max_clones(count));
        Ok(vec![pack(module, &options)?.words])
    });
}

#[test]
fn of_images_that_are_packed() {
    let results =
        limited(|module, count| Ok(vec![split(module, &split_options(count, Jit::Pack))?.image(0)?.words]));
    assert_eq!(results.len(), 1);
}

#[test]
fn of_add_on_images() {
    let results = limited(|module, count| {
        let images = add_on(module, &split_options(count, Jit::AddOn))?;
        assert_eq!(images[0].role, AddOnRole::Main);
        Ok(images.into_iter().map(|image| image.image.words).collect())
    });
    assert!(results.len() > 2 * 16, "{}: two images for each clone", results.len());
}

#[test]
fn of_programs_for_a_device() {
    limited(|module, count| {
        let annotations = Annotations::from_yaml("clones.yaml", ANNOTATIONS).unwrap();
        let linked =
            link(std::slice::from_ref(module), &LinkOptions::new())?.module.with_annotations(&annotations)?;
        let program = PostLink::new(&linked)?;
        let targets = Target::named(["intel_gpu_pvc"], &DeviceConfig::embedded()?)?;
        let group: Vec<&Target> = targets.iter().collect();
        program.split(&group, &split_options(count, Jit::Declare), |split| Ok(vec![split.image(0)?.words]))?
    });
}

#[test]
fn of_specializing_what_is_not_packed() {
    let settings = |count: Option<usize>| {
        let settings = Settings::new().unset(UnsetPolicy::Keep);
        count.map_or(settings.clone(), |count| settings.max_clones(count))
    };
    let results = limited(|module, count| {
        let result = Prepared::new(module)?.specialize(&pvc(), &settings(count))?;
        assert!(result.properties.is_some(), "it is packed");
        Ok(vec![result.words])
    });
    // One that calls share: no result is for another number of clones.
    let words = shader();
    let annotations = Annotations::from_yaml("clones.yaml", ANNOTATIONS).unwrap();
    let module = Module::from_words(&words[..]).unwrap().with_annotations(&annotations).unwrap();
    let prepared = Prepared::new(&module).unwrap();
    for count in [Some(16), None, Some(17), Some(8), Some(16)] {
        match prepared.specialize(&pvc(), &settings(count)) {
            Ok(result) => assert!(count > Some(15) && result.words == results[0]),
            Err(error) => assert!(count < Some(16), "{error}"),
        }
    }
    let keys = [None, Some(15), Some(16)].map(|count| prepared.cache_key(&pvc(), &settings(count)));
    assert!(keys[0] != keys[1] && keys[1] != keys[2] && keys[0] != keys[2]);
    assert_eq!(keys[0], prepared.cache_key(&pvc(), &settings(Some(8))), "what is so by default");
}

/// Nothing is cloned if the device decides the constants.
#[test]
fn of_decided_constants() {
    let words = shader();
    let annotations = Annotations::from_yaml("clones.yaml", ANNOTATIONS).unwrap();
    let module = Module::from_words(&words[..]).unwrap().with_annotations(&annotations).unwrap();
    let settings =
        ["a", "b", "c", "d"].iter().fold(Settings::new(), |settings, name| settings.set(*name, true));
    Prepared::new(&module).unwrap().specialize(&pvc(), &settings.max_clones(1)).unwrap();
}
