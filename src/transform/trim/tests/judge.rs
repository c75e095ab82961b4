//! One module: the declarations that spirv-val requires, and the results of `trim` and spirv-opt.

use std::collections::{BTreeMap, BTreeSet};

use super::oracle::Oracle;
use super::subject::{ModuleDeclaration, TrimSubject};
use crate::device::capabilities;
use crate::loader::Module;
use crate::transform::trim::trim;
use crate::writer;

/// Built-ins that spirv-val accepts without their capabilities, because Vulkan has features for them.
const FOR_API: [&str; 2] = ["ClipDistance", "CullDistance"];

/// The result of one way of trimming.
pub struct Trimming {
    /// The removed declarations.
    pub removed: BTreeSet<ModuleDeclaration>,
    /// The removed declarations that spirv-val requires, with its messages.
    pub wrong: BTreeMap<ModuleDeclaration, String>,
    /// The declarations that can still be removed from its result.
    pub missed: BTreeSet<ModuleDeclaration>,
    /// The declarations that can still be removed, but that an API may require.
    pub for_api: BTreeSet<ModuleDeclaration>,
    /// The message of spirv-val if the result is not valid.
    pub broken: Option<String>,
}

/// The findings about a module.
pub struct Judged {
    /// The environment in which it is valid and checked.
    pub environments: Vec<String>,
    /// All declarations, with the message of spirv-val without each, if it is required.
    pub declared: BTreeMap<ModuleDeclaration, Option<String>>,
    /// The result of `trim`.
    pub ours: Trimming,
    /// The result of spirv-opt.
    pub optimizer: Trimming,
}

/// Checks one module. The error is the reason to skip it.
pub fn judge(oracle: &Oracle, bytes: &[u8]) -> Result<Judged, String> {
    let module = Module::from_bytes(bytes).map_err(|error| format!("not loaded: {error}"))?;
    let subject = TrimSubject::new(&module);
    let environments = oracle.environments(&subject)?;
    let declared = subject.declared().into_iter().map(|declared| {
        let rest = subject.without(|other| *other == declared);
        let needed = oracle.validate_all(&rest, &environments).err();
        (declared, needed)
    });
    let declared: BTreeMap<_, _> = declared.collect();

    let trimmed = trim(&module);
    let result = TrimSubject::load(&writer::apply(&module, &trimmed.edits).unwrap()).unwrap();
    let removed = removed(&declared, &result);
    let capabilities = trimmed.capabilities.into_iter().map(ModuleDeclaration::Capability);
    let extensions = trimmed.extensions.into_iter().map(ModuleDeclaration::Extension);
    let reported: BTreeSet<_> = capabilities.chain(extensions).collect();
    assert_eq!(reported, removed, "trim reports what it removes");
    let ours = trimming(oracle, &subject, &environments, &declared, removed, &result);

    let removed = oracle.optimizer_removes(&subject);
    let result = TrimSubject::load(&subject.without(|declared| removed.contains(declared))).unwrap();
    let optimizer = trimming(oracle, &subject, &environments, &declared, removed, &result);
    Ok(Judged { environments, declared, ours, optimizer })
}

/// Returns the declarations that are removed.
fn removed(
    declared: &BTreeMap<ModuleDeclaration, Option<String>>,
    result: &TrimSubject,
) -> BTreeSet<ModuleDeclaration> {
    let left = result.declared();
    declared.keys().filter(|declared| !left.contains(declared)).cloned().collect()
}

fn trimming(
    oracle: &Oracle,
    subject: &TrimSubject,
    environments: &[String],
    declared: &BTreeMap<ModuleDeclaration, Option<String>>,
    removed: BTreeSet<ModuleDeclaration>,
    result: &TrimSubject,
) -> Trimming {
    let is_capability = |other: &ModuleDeclaration| matches!(other, ModuleDeclaration::Capability(_));
    let wrong = removed.iter().filter_map(|declaration| match declaration {
        ModuleDeclaration::Capability(_) => Some((declaration.clone(), declared[declaration].clone()?)),
        // A declaration that only a removed capability requires is no longer required.
        ModuleDeclaration::Extension(_) => {
            let rest = subject
                .without(|other| other == declaration || is_capability(other) && removed.contains(other));
            declared[declaration]
                .as_ref()
                .and(oracle.validate_all(&rest, environments).err())
                .map(|why| (declaration.clone(), why))
        }
    });
    let wrong = wrong.collect();
    let broken = oracle.validate_all(&result.words, environments).err();
    let (mut missed, mut for_api) = (BTreeSet::new(), BTreeSet::new());
    // A broken module cannot be checked.
    for left in result.declared().into_iter().filter(|_| broken.is_none()) {
        let rest = result.without(|other| *other == left);
        if oracle.validate_all(&rest, environments).is_ok() {
            let side = if is_for_api(&left, result) { &mut for_api } else { &mut missed };
            side.insert(left);
        }
    }
    Trimming { removed, wrong, missed, for_api, broken }
}

/// Returns true if an API may require a declaration that SPIR-V does not: the source of a rule then names a feature of Vulkan behind a semicolon. An
/// extension is kept for a capability that another one implies: spirv-val requires it only if that is declared itself.
fn is_for_api(declared: &ModuleDeclaration, module: &TrimSubject) -> bool {
    let number = match declared {
        ModuleDeclaration::Capability(number) => number,
        ModuleDeclaration::Extension(name) => return module.implies_something_of(name),
    };
    let Some(name) = capabilities::name(*number) else { return false };
    let rules = include_str!("../../../../spec-extensions/capability-rules.csv");
    let mut rows =
        rules.lines().filter(|line| !line.starts_with('#')).map(|line| line.split(',').collect::<Vec<_>>());
    let of_feature = |source: &str| {
        let feature = source.rsplit("; ").next().filter(|_| source.contains("; "));
        feature.is_some_and(|feature| feature.starts_with(char::is_lowercase))
    };
    FOR_API.contains(&name)
        || rows.any(|row| row[1].split(' ').any(|capability| capability == name) && of_feature(row[3]))
}
