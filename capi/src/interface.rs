//! Interface of a module to its host and to other stages, as data: of the whole module, or the part that a result no longer has.

use std::ffi::c_char;

use spirv_if::module::DescriptorType;

use crate::boundary::{Out, ask, call_about, destroy, required};
use crate::device::Device;
use crate::error::{Error, Status};
use crate::module::Module;
use crate::prepared::Prepared;
use crate::result::ModuleResult;
use crate::settings::Settings;
use crate::text::{self, Texts};

/// The interface of a module: everything that hosts and other stages refer to. It is immutable: several threads may use it at
/// once.
pub struct Interface {
    entry_points: Vec<EntryPoint>,
    bindings: Vec<Binding>,
    locations: Vec<Location>,
    push_constants: Vec<PushConstants>,
    spec_ids: Vec<u32>,
    _texts: Texts,
}

/// An entry point, or an exported function that nothing in its module calls. Later versions may add members.
#[repr(C)]
pub struct EntryPoint {
    /// The name for the host. For an exported function, its linkage name.
    pub name: *const c_char,
    /// The execution model, such as "GLCompute", or null for an exported function.
    pub stage: *const c_char,
    /// The condition under which the entry point exists, or null if it always does.
    pub condition: *const c_char,
}

/// The binding of a descriptor. Later versions may add members.
#[repr(C)]
pub struct Binding {
    /// The number of the descriptor set.
    pub set: u32,
    /// The number in the set.
    pub binding: u32,
    /// The name of the variable, or null if it has none.
    pub name: *const c_char,
    /// The type of the descriptors, a VkDescriptorType. `UINT32_MAX` if Vulkan has no descriptor for the variable.
    pub descriptor_type: u32,
    /// The name of that type, such as "VK_DESCRIPTOR_TYPE_STORAGE_BUFFER", or null if it has none.
    pub type_name: *const c_char,
    /// The number of descriptors, with the default values of specialization constants. 0 for an array without a length.
    pub count: u32,
    /// The stages that use the binding, as VkShaderStageFlags.
    pub stages: u32,
}

/// The location of a variable. Later versions may add members.
#[repr(C)]
pub struct Location {
    /// The storage class of the variable, such as "Input".
    pub storage_class: *const c_char,
    /// The number of the location.
    pub location: u32,
    /// The first component.
    pub component: u32,
    /// The name of the variable, or null if it has none.
    pub name: *const c_char,
}

/// A block of push constants. Later versions may add members.
#[repr(C)]
pub struct PushConstants {
    /// The number of members.
    pub members: usize,
    /// The name of the variable, or null if it has none.
    pub name: *const c_char,
    /// The offset of the first byte, for VkPushConstantRange.
    pub offset: u32,
    /// The number of bytes from the offset on, for VkPushConstantRange, with the default values of specialization constants. 0 if
    /// the members have no offsets.
    pub size: u32,
    /// The stages that use the block, as VkShaderStageFlags.
    pub stages: u32,
}

impl Interface {
    fn new(interface: &spirv_if::module::Interface) -> Interface {
        let mut texts = Texts::default();
        let named = |name: &Option<String>, texts: &mut Texts| {
            name.as_ref().map_or(std::ptr::null(), |name| texts.keep(name))
        };
        let entry_points = interface.entry_points.iter().map(|entry_point| EntryPoint {
            name: texts.keep(&entry_point.name),
            stage: texts.keep(&entry_point.stage),
            condition: std::ptr::null(),
        });
        let entry_points = entry_points.collect();
        let bindings = interface.bindings.iter().map(|binding| Binding {
            set: binding.set,
            binding: binding.binding,
            name: named(&binding.name, &mut texts),
            descriptor_type: binding.descriptor_type.map_or(u32::MAX, DescriptorType::number),
            type_name: binding.descriptor_type.map_or(std::ptr::null(), |type_| texts.keep(type_)),
            count: binding.count.unwrap_or(0),
            stages: binding.stage_flags(),
        });
        let bindings = bindings.collect();
        let locations = interface.locations.iter().map(|location| Location {
            storage_class: texts.keep(&location.storage_class),
            location: location.location,
            component: location.component,
            name: named(&location.name, &mut texts),
        });
        let locations = locations.collect();
        let push_constants = interface.push_constants.iter().map(|block| PushConstants {
            members: block.members,
            name: named(&block.name, &mut texts),
            offset: block.offset,
            size: block.size,
            stages: block.stage_flags(),
        });
        let push_constants = push_constants.collect();
        let spec_ids = interface.spec_ids.iter().map(|spec_id| spec_id.number()).collect();
        Interface { entry_points, bindings, locations, push_constants, spec_ids, _texts: texts }
    }
}

/// Finds the interface of a module.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_interface_create(
    module: *const Module,
    object: *mut *mut Interface,
    error: *mut *mut Error,
) -> Status {
    // SAFETY: the C caller follows the contract in the header.
    unsafe {
        call_about(module, error, || {
            let out = Out::new(object)?;
            out.set(Interface::new(&spirv_if::module::Interface::new(&required(module, "module")?.module)));
            Ok(())
        })
    }
}

/// Finds the part of the module's interface that a result of `spvif_specialize` no longer has. A pipeline layout that was made
/// for the module may still refer to it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_removed_interface(
    prepared: *const Prepared,
    result: *const ModuleResult,
    object: *mut *mut Interface,
    error: *mut *mut Error,
) -> Status {
    // SAFETY: as above.
    unsafe {
        call_about(prepared, error, || {
            let out = Out::new(object)?;
            let prepared = &required(prepared, "prepared")?.prepared;
            let removed = prepared.removed_interface(required(result, "result")?.specialized()?)?;
            out.set(Interface::new(&removed));
            Ok(())
        })
    }
}

/// Like `spvif_removed_interface`, but for the result that `spvif_specialize` makes for a device and settings. It does not write
/// that module: a program calls it when it found the result in a cache. `device` and `settings` may be null, as for
/// `spvif_specialize`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_removed_interface_for(
    prepared: *const Prepared,
    device: *const Device,
    settings: *const Settings,
    object: *mut *mut Interface,
    error: *mut *mut Error,
) -> Status {
    // SAFETY: as above.
    unsafe {
        call_about(prepared, error, || {
            let out = Out::new(object)?;
            let removed = required(prepared, "prepared")?.specializing(
                device.as_ref(),
                settings.as_ref(),
                spirv_if::Prepared::removed_interface_for,
            )?;
            out.set(Interface::new(&removed));
            Ok(())
        })
    }
}

/// Returns entry point `index` with its execution model, or null after the last. The data is valid as long as the interface, as
/// is all data that the following functions return.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_interface_entry_point(
    object: *const Interface,
    index: usize,
) -> *const EntryPoint {
    // SAFETY: as above.
    unsafe { ask(object, std::ptr::null(), |interface| text::item(&interface.entry_points, index)) }
}

/// Returns binding `index`, or null after the last.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_interface_binding(object: *const Interface, index: usize) -> *const Binding {
    // SAFETY: as above.
    unsafe { ask(object, std::ptr::null(), |interface| text::item(&interface.bindings, index)) }
}

/// Returns location `index`, or null after the last.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_interface_location(object: *const Interface, index: usize) -> *const Location {
    // SAFETY: as above.
    unsafe { ask(object, std::ptr::null(), |interface| text::item(&interface.locations, index)) }
}

/// Returns block of push constants `index`, or null after the last.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_interface_push_constants(
    object: *const Interface,
    index: usize,
) -> *const PushConstants {
    // SAFETY: as above.
    unsafe { ask(object, std::ptr::null(), |interface| text::item(&interface.push_constants, index)) }
}

/// Returns a pointer to SpecId `index`, or null after the last.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_interface_spec_id(object: *const Interface, index: usize) -> *const u32 {
    // SAFETY: as above.
    unsafe { ask(object, std::ptr::null(), |interface| text::item(&interface.spec_ids, index)) }
}

/// Frees an interface, with all data that it returned. Does nothing for null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_interface_destroy(object: *mut Interface) {
    // SAFETY: as above.
    unsafe { destroy(object) }
}
