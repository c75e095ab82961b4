//! The known features of a device, as text.

use super::TextStyle;
use spirv_if::device::Device;
use spirv_if::engine::collections::sort;
use spirv_if::engine::device::registry::List;
use spirv_if::engine::device::{DeviceFacts, NumberTable, architectures};

/// Returns the known features of a device, in lines: those under every API, then those under one only.
pub fn text(device: &Device, style: &TextStyle) -> String {
    let mut text = format!("{}\n", device.name);
    let mut add = |title: &str, items: &[String]| {
        if !items.is_empty() {
            style.fill(&mut text, &format!("  {title:<13} "), items, " ");
        }
    };
    identity(device).iter().for_each(|(title, items)| add(title, items));
    add("providers", &device.shown_features());
    facts(&device.facts).iter().for_each(|(title, items)| add(title, items));
    for (api, of_api) in device.facts_of_apis() {
        let features = of_api.provider_features.iter().filter(|(_, has)| *has);
        let features: Vec<String> = features.map(|(name, _)| name.to_string()).collect();
        for (title, items) in [("providers", features)].into_iter().chain(facts(&of_api)) {
            let of_api = [format!("{api}:")].into_iter().chain(items.iter().cloned()).collect::<Vec<_>>();
            add(title, if items.is_empty() { &[] } else { &of_api });
        }
    }
    if device.may_support_more {
        add("note", &["newer devices of this name may have more".to_owned()]);
    }
    text
}

/// Returns the rows about the identity of the device.
fn identity(device: &Device) -> [(&'static str, Vec<String>); 7] {
    let architecture = device.architecture.and_then(architectures::by_value);
    let aliases = architecture.map(|architecture| architectures::aliases(architecture.name));
    let aliases = aliases.into_iter().flatten().filter(|alias| *alias != device.name);
    let number = |architecture: &architectures::Architecture| {
        format!("{} (number {})", architecture.name, architecture.value)
    };
    let features = device.target.map(|target| NumberTable::Registry(List::Features { target }));
    let features = features.map(|table| names(table, device.features.iter().flatten()));
    let target = device.target.map(|target| names(NumberTable::Registry(List::Targets), [&target]));
    [
        ("architecture", architecture.map(number).or_else(|| unknown(device)).into_iter().collect()),
        ("other names", aliases.chain(device.names_of_products()).map(str::to_owned).collect()),
        ("products", listed(device.products())),
        ("registry", registry(device).into_iter().collect()),
        ("driver", device.driver.iter().map(ToString::to_string).collect()),
        ("target", target.unwrap_or_default()),
        ("features", features.unwrap_or_default()),
    ]
}

/// Returns the rows about the features of the device.
fn facts(facts: &DeviceFacts) -> [(&'static str, Vec<String>); 6] {
    let sizes = facts.max_work_group_size.iter();
    let versions = facts.spirv_versions.iter().flatten();
    [
        ("sub-groups", facts.sub_group_sizes.iter().map(u32::to_string).collect()),
        ("work-group", sizes.map(|size| format!("up to {size} work-items")).collect()),
        ("aspects", names(NumberTable::Aspects, facts.aspects.iter().flatten())),
        ("capabilities", names(NumberTable::Capabilities, facts.capabilities.iter().flatten())),
        ("extensions", facts.extensions.iter().flatten().map(ToString::to_string).collect()),
        ("SPIR-V", versions.map(ToString::to_string).collect()),
    ]
}

/// Returns names of several words, with commas after all but the last.
fn listed<'n>(names: impl Iterator<Item = &'n str>) -> Vec<String> {
    let mut items: Vec<String> = names.map(|name| format!("{name},")).collect();
    if let Some(last) = items.last_mut() {
        last.pop();
    }
    items
}

/// Returns the known category and family of a device with an unknown architecture.
fn unknown(device: &Device) -> Option<String> {
    let families = device.category.map(|category| NumberTable::Registry(List::Families { category }));
    let category =
        device.category.and_then(|category| NumberTable::Registry(List::Categories).name(category));
    let family = device.family.zip(families).and_then(|(family, table)| table.name(family));
    let known: Vec<&str> = category.into_iter().chain(family).collect();
    device.unknown_architecture.then(|| ["unknown"].into_iter().chain(known).collect::<Vec<_>>().join(", "))
}

/// Returns the names of numbers. Numbers without names are unchanged.
fn names<'a>(table: NumberTable, numbers: impl IntoIterator<Item = &'a u32>) -> Vec<String> {
    let name = |number: &u32| table.name(*number).map_or_else(|| number.to_string(), str::to_owned);
    let mut names: Vec<String> = numbers.into_iter().map(name).collect();
    sort(&mut names);
    names
}

/// Returns category, family and architecture in the device registry, by name and number.
fn registry(device: &Device) -> Option<String> {
    let (category, family, architecture) = (device.category?, device.family?, device.registry_architecture?);
    let name = |list, number| NumberTable::Registry(list).name(number).unwrap_or("-");
    Some(format!(
        "{category} {family} {architecture} ({}, {}, {})",
        name(List::Categories, category),
        name(List::Families { category }, family),
        name(List::Architectures { category, family }, architecture),
    ))
}
