//! The conditions reported by inspect are those under which pack declares features.

use std::collections::BTreeMap;

use spirv::Capability;

use super::inspected;
use crate::inspection;
use crate::inspection::model::Necessity;
use crate::inspection::{Inspected, RequirementCause, WhySubject};
use crate::tests::corpus::{Fixture, fixtures};
use spirv_if::engine::analysis::closure;
use spirv_if::engine::device::DeviceNames;
use spirv_if::pack::Dialect;
use spirv_if::property_sets::PropertySets;

/// Returns the conditional requirements of the only entry point: capabilities and extensions.
fn conditional(inspected: &Inspected) -> BTreeMap<String, String> {
    let [entry_point] = &inspected.entry_points[..] else { panic!("one entry point") };
    let all = entry_point.capabilities.iter().chain(&entry_point.extensions);
    all.filter_map(|feature| Some((feature.name.to_string(), feature.when.as_ref()?.to_string()))).collect()
}

/// Returns the conditional declarations, except those implied by another one under the same condition.
fn without_implied(declared: &BTreeMap<String, String>) -> BTreeMap<String, String> {
    let implies = |one: &str, other: &str| {
        let number = |name: &str| name.parse::<Capability>().ok();
        let (Some(one), Some(other)) = (number(one), number(other)) else { return false };
        one != other && closure(std::iter::once(one as u32)).contains(&(other as u32))
    };
    let stays = |(name, when): &(&String, &String)| {
        !declared.iter().any(|(other, also)| also == *when && implies(other, name))
    };
    declared.iter().filter(stays).map(|(name, when)| (name.clone(), when.clone())).collect()
}

/// Returns the fixtures with one entry point and no exports, whose whole module belongs to the entry point.
fn of_one_entry_point() -> Vec<&'static Fixture> {
    let fixtures = fixtures().iter().filter(|fixture| fixture.name.starts_with("glsl/"));
    let selected: Vec<_> =
        fixtures.filter(|fixture| inspected(fixture.plain.analyses()).entry_points.len() == 1).collect();
    assert!(selected.len() >= 5);
    selected
}

#[test]
fn conditions_are_those_of_pack() {
    let mut compared = 0;
    for fixture in of_one_entry_point() {
        let packed = &fixture.packed(Dialect::SpecConditional).unwrap().packed;
        let declared: BTreeMap<String, String> = packed
            .summary
            .conditional
            .iter()
            .map(|(name, when)| (name.clone(), when.display(&DeviceNames).to_string()))
            .collect();
        compared += declared.len();
        let inspected = inspected(fixture.plain.analyses());
        assert_eq!(conditional(&inspected), without_implied(&declared), "{}", fixture.name);
    }
    assert!(compared >= 5, "{compared}");
}

#[test]
fn a_packed_module_says_the_same_by_its_properties() {
    for fixture in of_one_entry_point() {
        let packed = fixture.packed(Dialect::SpecConditional).unwrap();
        let find = |properties: &PropertySets| {
            inspection::with_context(packed.result.analyses(), properties, |context| {
                context.inspected(None, true)
            })
            .unwrap()
        };
        let name = &fixture.name;
        let inspected = inspected(fixture.plain.analyses());
        assert_eq!(conditional(&find(&packed.properties)), conditional(&inspected), "{name}");
        let unknown = conditional(&find(&PropertySets::default()));
        assert!(unknown.values().all(|when| when.contains("SpecId(")), "{name}: {unknown:?}");
    }
}

/// Returns true if a module declares a capability or an extension, conditionally or not.
fn declares(inspected: &Inspected, name: &str) -> bool {
    inspected.capabilities.iter().chain(&inspected.extensions).any(|declared| declared.name == name)
}

#[test]
fn what_only_conditional_calls_need_goes_with_them() {
    let mut gone = Vec::new();
    for fixture in fixtures() {
        let (name, analyses) = (&fixture.name, fixture.plain.analyses());
        let packed = fixture.packed(Dialect::SpecConditional).unwrap();
        let (before, after) = (inspected(analyses), inspected(packed.result.analyses()));
        for declared in before.capabilities.iter().chain(&before.extensions) {
            let question = WhySubject::parse(&declared.name).unwrap();
            let why = inspection::with_context(analyses, &PropertySets::default(), |context| {
                context.why(&question)
            });
            let causes: Vec<RequirementCause> = why.unwrap().into_iter().flat_map(|why| why.causes).collect();
            let title = format!("{name}: {}", declared.name);
            // In a module with conditional calls, every needed declaration has a cause.
            if declared.need == Necessity::Needed && before.conditional_calls > 0 {
                assert!(!causes.is_empty(), "{title}");
            }
            if !causes.is_empty() && causes.iter().all(|cause| cause.until_packed) {
                assert!(!declares(&after, &declared.name), "{title}");
                // The call is named. It is the last instruction; the last call, if its callee has the
                // requirement; or a step of the path, for an entry point.
                let names_it = |cause: &RequirementCause| {
                    if cause.calls.iter().any(|step| step.function.contains("call_if_on_host")) {
                        return true;
                    }
                    let last = cause.calls.last().unwrap().function.clone();
                    [cause.instruction.opcode.replace("OpFunctionCall ", ""), last]
                        .iter()
                        .any(|name| name.starts_with("call_if_on_device_conditionally"))
                };
                assert!(causes.iter().all(names_it), "{title}: {causes:?}");
                gone.push(title);
            }
        }
    }
    let of_import = ["GenericPointer", "FunctionPointersINTEL", "SPV_INTEL_function_pointers"];
    let mut expected = of_import.map(|name| format!("opencl/import.spv: {name}")).to_vec();
    expected.extend(["O0", "O2"].map(|level| format!("program/sides-{level}.spv: Float64")));
    assert_eq!(gone, expected);
}

#[test]
fn device_constants_need_no_properties() {
    let fixtures = of_one_entry_point();
    let fixture = fixtures.iter().find(|fixture| fixture.name.contains("reduce")).unwrap();
    let packed = fixture.packed(Dialect::FunctionVariants).unwrap();
    let when: Vec<String> = conditional(&inspected(packed.result.analyses())).into_values().collect();
    assert_eq!(when, ["cap(Float16)", "cap(Float16)"]);
}
