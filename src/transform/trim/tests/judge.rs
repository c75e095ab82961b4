//! One module: what spirv-val needs of what it declares, and what `trim` and spirv-opt make of it.

use std::collections::{BTreeMap, BTreeSet};

use super::oracle::Oracle;
use super::subject::{Declared, Subject};
use crate::device::capabilities;
use crate::loader::Module;
use crate::transform::trim::trim;
use crate::writer;

/// Built-ins that spirv-val lets pass without their capabilities, which Vulkan has features for.
const FOR_API: [&str; 2] = ["ClipDistance", "CullDistance"];

/// What one way of trimming makes of a module.
pub struct Trimming {
    /// What it removes.
    pub removed: BTreeSet<Declared>,
    /// What it removes although spirv-val needs it, and what spirv-val says then.
    pub wrong: BTreeMap<Declared, String>,
    /// What can still be removed from its result.
    pub missed: BTreeSet<Declared>,
    /// What can still be removed too, but an API may need.
    pub for_api: BTreeSet<Declared>,
    /// What spirv-val says of the result, if it is not valid.
    pub broken: Option<String>,
}

/// What is found of a module.
pub struct Judged {
    /// Where it is valid, and what is needed is judged.
    pub environments: Vec<String>,
    /// All it declares; what spirv-val says without it, if it needs it.
    pub declared: BTreeMap<Declared, Option<String>>,
    /// What `trim` makes of it.
    pub ours: Trimming,
    /// What spirv-opt makes of it, if it is there.
    pub optimizer: Option<Trimming>,
}

/// Judges one module. An error says why it is left out.
pub fn judge(oracle: &Oracle, bytes: &[u8]) -> Result<Judged, String> {
    let module = Module::from_bytes(bytes).map_err(|error| format!("not loaded: {error}"))?;
    let subject = Subject::of(&module);
    let environments = oracle.environments(&subject)?;
    let declared = subject.declared().into_iter().map(|declared| {
        let rest = subject.without(|other| *other == declared);
        let needed = oracle.validate_all(&rest, &environments).err();
        (declared, needed)
    });
    let declared: BTreeMap<_, _> = declared.collect();

    let trimmed = trim(&module);
    let result = Subject::load(&writer::apply(&module, &trimmed.edits).unwrap()).unwrap();
    let removed = removed(&declared, &result);
    let told = trimmed.capabilities.into_iter().map(|capability| Declared::Capability(capability as u32));
    let told: BTreeSet<_> = told.chain(trimmed.extensions.into_iter().map(Declared::Extension)).collect();
    assert_eq!(told, removed, "what trim tells is what it does");
    let ours = trimming(oracle, &subject, &environments, &declared, removed, &result);

    let optimizer = oracle.optimizer_removes(&subject).map(|removed| {
        let result = Subject::load(&subject.without(|declared| removed.contains(declared))).unwrap();
        trimming(oracle, &subject, &environments, &declared, removed, &result)
    });
    Ok(Judged { environments, declared, ours, optimizer })
}

/// What is declared no more.
fn removed(declared: &BTreeMap<Declared, Option<String>>, result: &Subject) -> BTreeSet<Declared> {
    let left = result.declared();
    declared.keys().filter(|declared| !left.contains(declared)).cloned().collect()
}

fn trimming(
    oracle: &Oracle,
    subject: &Subject,
    environments: &[String],
    declared: &BTreeMap<Declared, Option<String>>,
    removed: BTreeSet<Declared>,
    result: &Subject,
) -> Trimming {
    let is_capability = |other: &Declared| matches!(other, Declared::Capability(_));
    let wrong = removed.iter().filter_map(|gone| match gone {
        Declared::Capability(_) => Some((gone.clone(), declared[gone].clone()?)),
        // What only a capability needs that is gone, too, is needed no more.
        Declared::Extension(_) => {
            let rest =
                subject.without(|other| other == gone || is_capability(other) && removed.contains(other));
            declared[gone]
                .as_ref()
                .and(oracle.validate_all(&rest, environments).err())
                .map(|why| (gone.clone(), why))
        }
    });
    let wrong = wrong.collect();
    let broken = oracle.validate_all(&result.words, environments).err();
    let (mut missed, mut for_api) = (BTreeSet::new(), BTreeSet::new());
    // Of a broken module nothing can be said.
    for left in result.declared().into_iter().filter(|_| broken.is_none()) {
        let rest = result.without(|other| *other == left);
        if oracle.validate_all(&rest, environments).is_ok() {
            let side = if is_for_api(&left, result) { &mut for_api } else { &mut missed };
            side.insert(left);
        }
    }
    Trimming { removed, wrong, missed, for_api, broken }
}

/// Whether an API may need what SPIR-V does not: the source of a rule then names a feature of Vulkan behind a semicolon. An
/// extension stays for a capability that another one implies: spirv-val asks for it only where that is declared outright.
fn is_for_api(declared: &Declared, module: &Subject) -> bool {
    let number = match declared {
        Declared::Capability(number) => number,
        Declared::Extension(name) => return module.implies_something_of(name),
    };
    let Some(name) = capabilities::name(*number) else { return false };
    let rules = include_str!("../../../../spec-extensions/capability-rules.csv");
    let mut rows =
        rules.lines().filter(|line| !line.starts_with('#')).map(|line| line.split(',').collect::<Vec<_>>());
    let of_feature = |source: &str| {
        let feature = source.rsplit("; ").next().filter(|_| source.contains("; "));
        feature.is_some_and(|feature| feature.starts_with(char::is_lowercase))
    };
    FOR_API.contains(&name) || rows.any(|row| row[1].split(' ').any(|own| own == name) && of_feature(row[3]))
}
