//! Conditional callers: functions whose name or property makes calls of them conditional.

use crate::analysis::conditions::names::{CarriedCondition, ConditionName, ON_DEVICE_CONDITIONALLY, ON_HOST};
use crate::analysis::debug::names::Names;
use crate::analysis::sycl::properties::{SyclProperties, SyclProperty};
use crate::loader::{Function, Module};

/// Returns the conditional callers of a module, by their names or properties, each with the condition in its name.
pub fn callers<'m>(
    module: &'m Module,
    names: &Names,
    properties: &SyclProperties,
) -> Vec<(&'m Function, CarriedCondition)> {
    let is_true = |property: &SyclProperty| property.values != ["false"];
    let [on_host, on_device] = [ON_HOST, ON_DEVICE_CONDITIONALLY].map(|name| {
        let mut marked = properties.of_functions(module, name);
        marked.retain(|_, properties| properties.iter().any(is_true));
        marked
    });
    let named = |function: &'m Function| {
        let id = function.id;
        let any = |name: &str| Some(ConditionName::read_any(name));
        let carried = match (on_host.contains_key(&id), on_device.contains_key(&id)) {
            (true, _) => CarriedCondition::Never,
            (false, true) => carried(names, id, any).unwrap_or(CarriedCondition::Nothing),
            (false, false) => carried(names, id, ConditionName::read)?,
        };
        Some((function, carried))
    };
    module.functions().iter().filter_map(named).collect()
}

/// Returns the condition in the names of a function: in its linkage name rather than its OpName, if both have one. `None` if it is not a
/// conditional caller.
fn carried(
    names: &Names,
    function: u32,
    read: impl Fn(&str) -> Option<ConditionName>,
) -> Option<CarriedCondition> {
    let linkage = names.linkage(function).and_then(|linkage| read(&linkage.name));
    let name = names.name(function).and_then(|name| read(&name));
    let mut both = [linkage, name].into_iter().flatten().map(|name| name.carried);
    let first = both.next()?;
    Some(if first == CarriedCondition::Nothing { both.next().unwrap_or(first) } else { first })
}
