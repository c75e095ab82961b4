//! Sizes that entry points require and a device does not have.

use spirv::Op;
use spirv_if::analysis::Sizes;
use spirv_if::device::Device;
use spirv_if::loader::Module;

use crate::cli::device::label;
use crate::cli::log::Log;

/// Warns of entry points that a device cannot run. That is no reason to refuse the module: it may have others.
pub fn warn(module: &Module, devices: &[&Device], log: &mut Log) {
    let is_told =
        |device: &&Device| device.max_work_group_size.is_some() || !device.sub_group_sizes.is_empty();
    if !devices.iter().any(is_told) {
        return;
    }
    let sizes = Sizes::read(module);
    for inst in module.annotations() {
        let (function, name) = match inst.op() {
            Some(Op::EntryPoint) => (inst.word(2), inst.string(3)),
            Some(Op::ConditionalEntryPointINTEL) => (inst.word(3), inst.string(4)),
            _ => continue,
        };
        let Some(sizes) = sizes.get(&function) else { continue };
        for device in devices {
            let on = label(device);
            if let (Some(size), Some(limit)) = (sizes.fixed_work_items(), device.max_work_group_size)
                && size > limit.into()
            {
                log.warning(format!(
                    "`{name}` does not run on {on}: it requires work-groups of {size} work-items, and {limit} are the most"
                ));
            }
            // None are listed where none are known.
            let listed = &device.sub_group_sizes;
            if let Some(size) =
                sizes.fixed_sub_group().filter(|size| !listed.is_empty() && !listed.contains(size))
            {
                let listed: Vec<String> = listed.iter().map(u32::to_string).collect();
                log.warning(format!(
                    "`{name}` does not run on {on}: it requires sub-groups of {size} work-items, and they have {}",
                    listed.join(" or ")
                ));
            }
        }
    }
}
