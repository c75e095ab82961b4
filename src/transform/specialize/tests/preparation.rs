//! What is prepared once for all conditions, against finding it anew for each.

use std::collections::{BTreeSet, HashSet};

use spirv::Op;

use crate::analysis::conditional::preparation::{Preparation, of_calls};
use crate::analysis::conditions::multi_target::MultiTarget;
use crate::loader::Instruction;
use crate::tests::corpus::{self, PackedFixture};
use crate::transform::pack::Dialect;

const DIALECTS: [Dialect; 2] = [Dialect::SpecConditional, Dialect::FunctionVariants];

/// The packed fixtures, with their names.
fn packed() -> impl Iterator<Item = (String, &'static PackedFixture)> {
    let each = |fixture: &'static corpus::Fixture| {
        DIALECTS.into_iter().filter_map(move |dialect| {
            Some((format!("{} {dialect:?}", fixture.name), fixture.packed(dialect)?))
        })
    };
    corpus::fixtures().iter().filter(|fixture| !fixture.name.starts_with("stages/")).flat_map(each)
}

/// The sets of conditions that are tried: each alone, each left out, none, and all.
fn sets(conditions: &[u32]) -> Vec<BTreeSet<u32>> {
    let all: BTreeSet<u32> = conditions.iter().copied().collect();
    let without = |condition: u32| all.iter().copied().filter(|&own| own != condition).collect();
    let mut sets = vec![BTreeSet::new(), all.clone()];
    for &condition in conditions {
        sets.push(BTreeSet::from([condition]));
        sets.push(without(condition));
    }
    sets
}

#[test]
fn preparation_is_what_is_found_without_the_same_calls() {
    let mut found = 0;
    for (name, made) in packed() {
        let module = made.result.module();
        let multi_target = MultiTarget::find(module).unwrap();
        let preparation = Preparation::of(module, &multi_target);
        for removed in sets(multi_target.all_conditions()) {
            let mut prepared = Vec::new();
            let is_false = |condition: u32| removed.contains(&condition);
            preparation.without(is_false, |_| false, &mut prepared);
            prepared.sort_unstable();
            let mut expected = Vec::new();
            for function in module.functions() {
                let is_removed = |inst: &Instruction| {
                    let condition = inst.result_id().and_then(|id| multi_target.condition(id));
                    inst.is(Op::FunctionCall) && condition.is_some_and(|own| removed.contains(&own))
                };
                let calls = module.body(function).filter(is_removed).map(|inst| inst.offset());
                expected.extend(of_calls(module, function, &calls.collect::<HashSet<u32>>()));
            }
            assert_eq!(prepared, expected, "{name}: {removed:?}");
            found += prepared.len();
        }
    }
    assert!(found > 1000, "{found}");
}
