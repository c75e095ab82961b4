//! The capabilities that a module declares, and those that they imply.

use std::collections::HashMap;
use std::sync::LazyLock;

use spirv::Capability;

use crate::device::capabilities;
use crate::loader::Module;

/// True if a module is one of kernels: it declares Kernel, or a capability that implies it.
pub fn is_of_kernels(module: &Module) -> bool {
    closure(module.capabilities().map(|declared| declared.capability()))
        .contains(&(Capability::Kernel as u32))
}

/// A capability with all that it implies; nothing, if no table has it. Worked out once for all that the grammar has.
pub fn closure_of(number: u32) -> &'static [u32] {
    static CLOSURES: LazyLock<HashMap<u32, Vec<u32>>> = LazyLock::new(|| {
        let numbers = capabilities::names().filter_map(capabilities::number);
        numbers.map(|number| (number, closure(std::iter::once(number)))).collect()
    });
    CLOSURES.get(&number).map_or(&[], Vec::as_slice)
}

/// Capabilities with all that they imply (specification, 3.2.30 "Capability").
pub fn closure(capabilities: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut all: Vec<u32> = Vec::new();
    for number in capabilities {
        if !all.contains(&number) {
            all.push(number);
        }
    }
    let mut at = 0;
    while let Some(&number) = all.get(at) {
        for implied in capabilities::implied(number) {
            if !all.contains(&implied) {
                all.push(implied);
            }
        }
        at += 1;
    }
    all
}
