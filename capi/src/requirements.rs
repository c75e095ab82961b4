//! Requirements of the entry points of a module, with their conditions.

use std::ffi::{CString, c_char};

use spirv_if::{Condition, SpecValue};
use spirv_if_inspect::InspectOptions;
use spirv_if_inspect::{FeatureRequirement, SizeRequirement, ValueEffect};

use crate::boundary::{Out, ask, call_about, destroy, required};
use crate::error::{Error, Status};
use crate::interface::EntryPoint;
use crate::module::Module;
use crate::text::{self, Texts};

/// The requirements of the entry points of a module. They are immutable: several threads may use them at once.
pub struct Requirements {
    entry_points: Vec<EntryPoint>,
    required: Vec<Vec<Required>>,
    superfluous: Vec<CString>,
    constants: Vec<SpecConstant>,
    decided: Vec<Vec<Decided>>,
    _capabilities: Vec<Vec<u32>>,
    json: CString,
    _texts: Texts,
}

/// The kind of a requirement.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RequirementKind {
    /// A capability. `number` is its number in SPIR-V.
    Capability = 1,
    /// An extension. `name` is its name.
    Extension = 2,
    /// An aspect of SYCL that the code uses. `number` is its number.
    Aspect = 3,
    /// An aspect of SYCL that the code declares (`device_has`). `number` is its number.
    DeclaredAspect = 4,
    /// A work-group size. `size` is the number of work-items in each dimension, and `number` their product.
    WorkGroupSize = 5,
    /// A sub-group size. `number` is the number of work-items.
    SubGroupSize = 6,
}

/// A requirement of an entry point. Later versions may add members.
#[repr(C)]
pub struct Required {
    /// The kind.
    pub kind: RequirementKind,
    /// The number, whose meaning depends on the kind.
    pub number: u32,
    /// The name, such as "Float64" or "sub-group size 16".
    pub name: *const c_char,
    /// The condition of the requirement, or null if it always applies.
    pub condition: *const c_char,
    /// The number of work-items of a work-group size in each dimension.
    pub size: [u32; 3],
    /// True if the host can set another size by a specialization constant.
    pub specializable: bool,
}

/// A specialization constant that hosts can set, and the code that depends on it. Later versions may add members.
#[repr(C)]
pub struct SpecConstant {
    /// The SpecId.
    pub spec_id: u32,
    /// The result id.
    pub id: u32,
    /// The name, or null if it has none.
    pub name: *const c_char,
    /// The type, such as "bool" or "uint32".
    pub type_name: *const c_char,
    /// The default value, in the syntax of `spvif_settings_set_text`.
    pub default_value: *const c_char,
    /// The number of branches that the constant decides, alone or with others, directly or through values computed from it.
    pub branches: usize,
    /// The number of array types whose length depends on the constant.
    pub array_sizes: usize,
    /// True if the size of work-groups depends on the constant.
    pub work_group_size: bool,
    /// True if values were not tried, since that takes too much work in this module.
    pub untried: bool,
}

/// The effect of a value of a constant. Later versions may add members.
#[repr(C)]
pub struct Decided {
    /// The value of a Boolean constant. False for a number, whose value is `text`.
    pub value: bool,
    /// The number of blocks that the value removes.
    pub blocks: usize,
    /// The number of capabilities that the module no longer requires with the value.
    pub capability_count: usize,
    /// The numbers of these capabilities in SPIR-V.
    pub capabilities: *const u32,
    /// The value, in the syntax of `spvif_settings_set_text`.
    pub text: *const c_char,
}

impl Requirements {
    fn new(module: &spirv_if::Module) -> Result<Requirements, Error> {
        let inspection = spirv_if_inspect::inspect(module, &InspectOptions::default())?;
        let json = text::c_string(inspection.to_json()?);
        let superfluous = inspection.superfluous().into_iter().map(text::c_string).collect();
        let mut texts = Texts::default();
        let (mut entry_points, mut required) = (Vec::new(), Vec::new());
        for entry_point in inspection.entry_points() {
            entry_points.push(EntryPoint {
                name: texts.keep(&entry_point.name),
                stage: entry_point.stage.as_ref().map_or(std::ptr::null(), |stage| texts.keep(stage)),
                condition: condition(entry_point.condition.as_ref(), &mut texts),
            });
            required.push(Required::all(&entry_point, &mut texts));
        }
        let (mut constants, mut decided, mut lists) = (Vec::new(), Vec::new(), Vec::new());
        for constant in inspection.spec_constants() {
            constants.push(SpecConstant {
                spec_id: constant.spec_id.number(),
                id: constant.id.number(),
                name: constant.name.as_ref().map_or(std::ptr::null(), |name| texts.keep(name)),
                type_name: texts.keep(&constant.type_name),
                default_value: texts
                    .keep(constant.default.map(|value| value.to_string()).unwrap_or_default()),
                branches: constant.branches,
                array_sizes: constant.array_sizes,
                work_group_size: constant.work_group_size,
                untried: constant.untried,
            });
            let effect = |effect: &ValueEffect| {
                let numbers: Vec<u32> =
                    effect.removed_capabilities.iter().map(|capability| capability.number()).collect();
                let (capability_count, capabilities) = (numbers.len(), numbers.as_ptr());
                lists.push(numbers);
                let value = effect.value == SpecValue::Bool(true);
                let text = texts.keep(effect.value.to_string());
                Decided { value, blocks: effect.removed_blocks, capability_count, capabilities, text }
            };
            decided.push(constant.values.iter().map(effect).collect());
        }
        Ok(Requirements {
            entry_points,
            required,
            superfluous,
            constants,
            decided,
            _capabilities: lists,
            json,
            _texts: texts,
        })
    }
}

impl Required {
    fn all(entry_point: &spirv_if_inspect::EntryPoint, texts: &mut Texts) -> Vec<Required> {
        use RequirementKind as Kind;
        let mut all = Vec::new();
        let mut add = |kind, number, name: &dyn ToString, when: Option<&Condition>| {
            let (name, condition) = (texts.keep(name.to_string()), condition(when, texts));
            all.push(Required { kind, number, name, condition, size: [0; 3], specializable: false });
            all.len() - 1
        };
        for FeatureRequirement { feature: capability, condition, .. } in &entry_point.capabilities {
            add(Kind::Capability, capability.number(), capability, condition.as_ref());
        }
        for FeatureRequirement { feature: name, condition, .. } in &entry_point.extensions {
            add(Kind::Extension, 0, name, condition.as_ref());
        }
        for FeatureRequirement { feature: aspect, condition, .. } in &entry_point.aspects {
            add(Kind::Aspect, aspect.number(), aspect, condition.as_ref());
        }
        for FeatureRequirement { feature: aspect, condition, .. } in &entry_point.declared_aspects {
            add(Kind::DeclaredAspect, aspect.number(), aspect, condition.as_ref());
        }
        if let Some(SizeRequirement { size, is_specializable: specializable, .. }) =
            entry_point.sub_group_size
        {
            let at = add(Kind::SubGroupSize, size, &format!("sub-group size {size}"), None);
            all[at].specializable = specializable;
        }
        if let Some(SizeRequirement { size, is_specializable: specializable, .. }) =
            entry_point.work_group_size
        {
            let [x, y, z] = size;
            all.push(Required {
                kind: Kind::WorkGroupSize,
                number: x.saturating_mul(y).saturating_mul(z),
                name: texts.keep(format!("work-group size {x} x {y} x {z}")),
                condition: std::ptr::null(),
                size,
                specializable,
            });
        }
        all
    }
}

fn condition(when: Option<&Condition>, texts: &mut Texts) -> *const c_char {
    when.map_or(std::ptr::null(), |when| texts.keep(when))
}

/// Finds the requirements of the entry points of a module, with their conditions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_requirements_create(
    module: *const Module,
    requirements: *mut *mut Requirements,
    error: *mut *mut Error,
) -> Status {
    // SAFETY: the C caller follows the contract in the header.
    unsafe {
        call_about(module, error, || {
            let out = Out::new(requirements)?;
            out.set(Requirements::new(&required(module, "module")?.module)?);
            Ok(())
        })
    }
}

/// Returns entry point `index`, or null after the last. The data is valid as long as the requirements, as is all data that the
/// following functions return.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_requirements_entry_point(
    requirements: *const Requirements,
    index: usize,
) -> *const EntryPoint {
    // SAFETY: as above.
    unsafe {
        ask(requirements, std::ptr::null(), |requirements| text::item(&requirements.entry_points, index))
    }
}

/// Returns requirement `index` of entry point `entry_point`, or null after the last. Both count from 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_requirements_required(
    requirements: *const Requirements,
    entry_point: usize,
    index: usize,
) -> *const Required {
    // SAFETY: as above.
    unsafe {
        ask(requirements, std::ptr::null(), |requirements| {
            text::item(requirements.required.get(entry_point).map_or(&[], Vec::as_slice), index)
        })
    }
}

/// Returns the name of superfluous declaration `index`, or null after the last. It is a capability or extension that the module
/// declares and does not require.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_requirements_superfluous(
    requirements: *const Requirements,
    index: usize,
) -> *const c_char {
    // SAFETY: as above.
    unsafe { ask(requirements, std::ptr::null(), |requirements| text::at(&requirements.superfluous, index)) }
}

/// Returns specialization constant `index`, or null after the last. The constants are sorted by SpecId.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_requirements_spec_constant(
    requirements: *const Requirements,
    index: usize,
) -> *const SpecConstant {
    // SAFETY: as above.
    unsafe { ask(requirements, std::ptr::null(), |requirements| text::item(&requirements.constants, index)) }
}

/// Returns the effect of value `index` of specialization constant `spec_constant`, or null after the last. A Boolean constant has
/// two values. For a number, the values are the default and those that the module compares the number with, if they decide other
/// branches. A number has none if no value removes anything.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_requirements_decided(
    requirements: *const Requirements,
    spec_constant: usize,
    index: usize,
) -> *const Decided {
    // SAFETY: as above.
    unsafe {
        ask(requirements, std::ptr::null(), |requirements| {
            text::item(requirements.decided.get(spec_constant).map_or(&[], Vec::as_slice), index)
        })
    }
}

/// Returns all findings on the module as JSON (spec-extensions/inspect.md, "Module").
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_requirements_json(requirements: *const Requirements) -> *const c_char {
    // SAFETY: as above.
    unsafe { ask(requirements, c"".as_ptr(), |requirements| requirements.json.as_ptr()) }
}

/// Frees requirements, with all data that they returned. Does nothing for null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_requirements_destroy(requirements: *mut Requirements) {
    // SAFETY: as above.
    unsafe { destroy(requirements) }
}
