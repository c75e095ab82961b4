//! The device requirements of images: exactly those of their kernels.

use spirv_if::engine::analysis::{Analyses, DeviceRequirement, WorkGroupSize};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use spirv_if_sycl::engine::{SplitImage, SplitInput, SplitPlan, Traits, split};
use spirv_if_sycl::split::{SplitMode, SplitOptions};

use super::corpus::{Fixture, fixtures};
use crate::inspection::model::RequirementKind;
use crate::inspection::{EntryPointReport, with_context};

use spirv_if::engine::device::aspects;
use spirv_if::engine::loader::Module;
use spirv_if::engine::metadata::property_sets::{DEVICE_REQUIREMENTS, DeviceRequirements};
use spirv_if::engine::transform::split::SplitRoot;
use spirv_if::property_sets::PropertySets;

/// Returns the report of `inspect` on each entry point and exported function.
fn inspected(analyses: &Analyses) -> Vec<EntryPointReport> {
    let inspected = with_context(analyses, &PropertySets::default(), |context| context.inspected(None, true));
    let mut inspected = inspected.unwrap();
    inspected.entry_points.extend(inspected.exported_functions);
    inspected.entry_points
}

/// Returns the aspects that are used or declared under no condition.
fn aspects(entry_point: &EntryPointReport) -> BTreeSet<u32> {
    let used = entry_point.aspects.iter().filter(|required| required.when.is_none());
    let used = used.map(|required| required.name.to_string());
    let declared = entry_point.declared_aspects.iter().flatten().filter(|aspect| aspect.when.is_none());
    let declared = declared.map(|aspect| aspect.name.to_string());
    used.chain(declared).filter_map(|name| aspects::number(&name)).collect()
}

/// The images of a fixture in a mode, each with its plan, and the roots that these number.
struct Images {
    roots: Vec<SplitRoot>,
    images: Vec<(SplitPlan, SplitImage)>,
}

/// Passes on every fixture that can be split, with its images in every mode.
fn splits(mut visit: impl FnMut(&'static Fixture, SplitMode, &Images)) {
    for fixture in fixtures() {
        for mode in [SplitMode::Kernel, SplitMode::Source, SplitMode::Off, SplitMode::Auto] {
            let analyses = fixture.plain.analyses().with_annotations(Cow::default()).keeping_properties(true);
            let input = SplitInput { source: "module", ..SplitInput::default() };
            let split = split(analyses, Cow::default(), input, SplitOptions::new().mode(mode));
            let Ok(split) = split else { continue };
            let images = split.plans().iter().map(|plan| (plan.clone(), split.image(plan).unwrap()));
            visit(fixture, mode, &Images { roots: split.roots().to_vec(), images: images.collect() });
        }
    }
}

#[test]
fn images_require_what_their_kernels_do() {
    let (mut compared, mut beside) = (0, 0);
    let mut reports = BTreeMap::new();
    splits(|fixture, mode, split| {
        let name = &fixture.name;
        let inspected = reports.entry(name).or_insert_with(|| inspected(fixture.plain.analyses()));
        for (plan, image) in &split.images {
            let Traits::Any(all) = &plan.traits else { panic!() };
            let sized = |need: &&DeviceRequirement| !matches!(need, DeviceRequirement::Aspect(_));
            let set = image.properties.get(DEVICE_REQUIREMENTS).unwrap();
            let requirements = DeviceRequirements::from_set(set).unwrap();
            for &number in &plan.roots {
                let root = &split.roots[number];
                let model = root.execution_model(fixture.plain.module());
                let report =
                    inspected.iter().find(|report| report.name == root.name && report.stage == model);
                let Some(report) = report else { continue };
                let listed: BTreeSet<u32> = requirements.aspects.iter().copied().collect();
                assert_eq!(listed, aspects(report), "{name} {mode:?} {}", root.name);
                let fixed = report.work_group_size.filter(|size| !size.specializable);
                let size = |dimensions| WorkGroupSize { dimensions, of_property: None };
                let sizes = fixed.map(|fixed| DeviceRequirement::WorkGroupSize(size(fixed.size))).into_iter();
                let sizes =
                    sizes.chain(report.sub_group_size.map(|size| DeviceRequirement::SubGroupSize(size.size)));
                let called = report.called_sub_group_sizes.iter().filter(|called| called.when.is_none());
                let called: Vec<DeviceRequirement> =
                    called.map(|called| DeviceRequirement::SubGroupSize(called.size)).collect();
                beside += usize::from(!called.is_empty());
                let in_mode = |need: &DeviceRequirement| match *need {
                    DeviceRequirement::WorkGroupSize(any_mode) => {
                        DeviceRequirement::WorkGroupSize(size(any_mode.dimensions))
                    }
                    need => need,
                };
                let all: BTreeSet<DeviceRequirement> = all.always.iter().filter(sized).map(in_mode).collect();
                assert_eq!(
                    all,
                    sizes.chain(called).collect::<BTreeSet<DeviceRequirement>>(),
                    "{name} {}",
                    root.name
                );
                compared += 1;
            }
        }
    });
    assert!(compared > 200 && (1..10).contains(&beside), "{compared} {beside}");
}

/// Checks that the findings of `inspect` on an entry point are the same in the image as in the module.
#[test]
fn entry_points_need_the_same_in_their_images() {
    let mut compared = 0;
    let mut reports = BTreeMap::new();
    let mut seen = BTreeSet::new();
    splits(|fixture, mode, split| {
        let name = &fixture.name;
        let before = reports.entry(name).or_insert_with(|| inspected(fixture.plain.analyses()));
        // Several modes have images in common.
        for (_, image) in split.images.iter().filter(|(_, image)| seen.insert((name, image.words.clone()))) {
            let module = Module::from_words(&image.words[..]).unwrap();
            for after in inspected(&Analyses::new(&module, Cow::default())) {
                let same =
                    |report: &&EntryPointReport| report.name == after.name && report.stage == after.stage;
                let Some(earlier) = before.iter().find(same) else { continue };
                let needs = |point: &EntryPointReport| {
                    // Declarations may differ: of equally good ones, one stays.
                    let names =
                        point.requirements.iter().filter(|any| any.kind == RequirementKind::Capability);
                    let names = names.map(|any| (any.any_of.to_vec(), any.when.clone()));
                    let aspects = point.aspects.iter().map(|one| (one.name.to_string(), one.when.clone()));
                    (names.collect::<BTreeSet<_>>(), aspects.collect::<Vec<_>>())
                };
                assert_eq!(needs(&after), needs(earlier), "{name} {mode:?} {}", earlier.name);
                compared += 1;
            }
        }
    });
    assert!(compared > 200, "{compared}");
}
