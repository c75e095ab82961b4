//! Pairs of translation units from compilers.

use std::collections::BTreeSet;

use spirv::Op;

use super::support::{Surface, fixture, link_fixtures, surface};
use crate::loader::Module;
use crate::test_support::assert_valid;

/// Pairs that can be linked, and the environment in which spirv-val checks them.
pub const PAIRS: [([&str; 2], &str); 13] = [
    (["link/user-O0", "link/library-O0"], "spv1.2"),
    (["link/user-O2", "link/library-O2"], "spv1.2"),
    (["link/user-llvm-spirv", "link/library-llvm-spirv"], "spv1.2"),
    (["link/user-O0", "link/library-O2"], "spv1.2"),
    (["link/user-llvm-spirv", "link/library-O0"], "spv1.2"),
    (["link/inline-one", "link/inline-two"], "spv1.2"),
    (["link/inline-one-exported", "link/inline-two-exported"], "spv1.2"),
    (["link/traced-one-ocl-100", "link/traced-two-ocl-100"], "spv1.2"),
    (["link/stage-vert", "link/stage-frag"], "vulkan1.1"),
    (["link/stage-vert", "link/stage-frag-1.5"], "vulkan1.2"),
    (["frontends/opencl-c", "stages/kernels"], "spv1.2"),
    (["frontends/opencl-cpp", "opencl/wrapper-O0"], "spv1.4"),
    (["stages/wgsl", "link/stage-frag-1.5"], "spv1.5"),
];

fn names(surface: &Surface, kind: &str) -> BTreeSet<String> {
    surface.linkage.get(kind).cloned().unwrap_or_default()
}

/// Checks that exports stay exported, that imports become exports or stay imports, and that all entry points exist, in
/// both orders of the modules.
#[test]
#[ignore = "needs SPIRV-Tools; scripts/test.sh runs it"]
fn pairs_are_linked_to_valid_modules() {
    for ([first, second], environment) in PAIRS {
        for order in [[first, second], [second, first]] {
            let linked = link_fixtures(&order);
            assert_valid(linked.module.words(), environment);
            let words = order.map(fixture);
            let [one, other, both] = [&words[0], &words[1], linked.module.words()].map(surface);
            assert_eq!(both.entry_points, &one.entry_points | &other.entry_points, "{order:?}");
            let all = |kind| &names(&one, kind) | &names(&other, kind);
            let defined = &all("Export") | &all("LinkOnceODR");
            assert_eq!(&names(&both, "Export") | &names(&both, "LinkOnceODR"), defined, "{order:?}");
            assert_eq!(names(&both, "Import"), &all("Import") - &defined, "{order:?}");
        }
    }
}

/// Checks that the map of ids leads from each instruction to one with the same opcode, and from each function to its
/// module.
#[test]
fn ids_and_sources_are_reported() {
    for (pair, _) in PAIRS {
        let linked = link_fixtures(&pair);
        let result = linked.module.clone();
        let mut seen = 0;
        for (name, ids) in pair.iter().zip(&linked.ids) {
            let words = fixture(name);
            let module = Module::from_words(&words[..]).unwrap();
            assert_eq!(ids.len(), module.bound() as usize);
            for (old, &new) in (0..).zip(ids).filter(|(_, new)| **new != 0) {
                if let Some(inst) = module.definition(old) {
                    assert_eq!(
                        result.definition(new).map(|inst| inst.opcode()),
                        Some(inst.opcode()),
                        "{name} %{old}"
                    );
                    seen += 1;
                }
            }
        }
        assert!(seen > 10);
        let mut sources: Vec<u32> = linked.sources.iter().map(|source| source.0).collect();
        let mut functions: Vec<u32> = result.functions().iter().map(|function| function.id).collect();
        for list in [&mut sources, &mut functions] {
            list.sort_unstable();
        }
        assert_eq!(sources, functions, "{pair:?}");
        for (id, input) in linked.sources {
            assert!(linked.ids[input].contains(&id), "{pair:?}: %{id}");
        }
    }
}

/// If compilers write other pointers in the declaration than in the definition, a call in between casts them.
#[test]
fn pointers_to_something_else_are_cast() {
    for build in ["O2", "llvm-spirv"] {
        let linked = link_fixtures(&[&format!("link/user-{build}"), &format!("link/library-{build}")]);
        let apart: usize = ["user", "library"]
            .map(|name| {
                Module::from_words(fixture(&format!("link/{name}-{build}"))).unwrap().functions().len()
            })
            .iter()
            .sum();
        let module = linked.module.clone();
        // Of the functions that both name, `scale` and `unresolved` have no pointers, and are there once.
        assert!(module.functions().len() > apart - 5 && module.functions().len() <= apart - 2, "{build}");
    }
    let plain = link_fixtures(&["link/user-O0", "link/library-O0"]);
    let module = plain.module.clone();
    let apart = ["link/user-O0", "link/library-O0"]
        .map(|name| Module::from_words(fixture(name)).unwrap().functions().len());
    assert_eq!(
        module.functions().len(),
        apart[0] + apart[1] - 5,
        "every declaration but one meets its definition"
    );
}

/// Checks that a variable with another type of pointee becomes the cast address of the definition, which entry points
/// list.
#[test]
fn addresses_of_variables_are_cast() {
    for build in ["O0", "O2"] {
        let names = [format!("link/tables-user-{build}"), format!("link/tables-library-{build}")];
        for order in [[&names[0], &names[1]], [&names[1], &names[0]]] {
            let linked = link_fixtures(&order.map(String::as_str));
            assert_valid(linked.module.words(), "spv1.2");
            let module = linked.module.clone();
            let casts: Vec<_> = module.globals().filter(|inst| inst.is(Op::SpecConstantOp)).collect();
            assert_eq!(casts.len(), 2, "{order:?}");
            for cast in casts {
                assert_eq!(cast.word(3), Op::Bitcast as u32);
                let variable = module.definition_as(cast.word(4), Op::Variable).unwrap();
                assert!(variable.words().len() > 4, "it is the one with an initializer");
            }
        }
    }
}

/// Checks that a constant with the SpecId of another one is kept with a warning, and that structures with other names
/// are not merged.
#[test]
fn stages_keep_their_own() {
    let linked = link_fixtures(&["link/stage-vert", "link/stage-frag"]);
    let warnings: Vec<String> = linked.warnings.iter().map(ToString::to_string).collect();
    assert_eq!(
        warnings,
        [
            "SpecId 0 is float32 1.0 in link/stage-vert, but float32 2.0 in link/stage-frag: what the host sets for it sets both"
        ]
    );
    let names = linked.module.words().to_vec();
    let module = Module::from_words(&names[..]).unwrap();
    let named = |name: &str| {
        module.annotations().filter(|inst| inst.is(spirv::Op::Name) && inst.string(2) == name).count()
    };
    assert_eq!((named("Camera"), named("Light"), named("size")), (1, 1, 2));
}

/// A kernel that stands in a header is in every module that includes it, and once in the program.
#[test]
fn kernels_that_are_the_same_are_one() {
    let whole = fixture("program/whole");
    let of_whole = Module::from_words(&whole[..]).unwrap();
    let entry_points = |module: &Module| {
        let all = module.globals().filter(|inst| inst.is(Op::EntryPoint));
        all.map(|inst| inst.string(3).into_owned()).collect::<BTreeSet<String>>()
    };
    let modes = |module: &Module| module.globals().filter(|inst| inst.is(Op::ExecutionMode)).count();
    for pair in [["program/sums", "program/whole"], ["program/whole", "program/sums"]] {
        let linked = link_fixtures(&pair);
        assert_valid(linked.module.words(), "spv1.4");
        let module = linked.module.clone();
        assert_eq!(entry_points(&module), entry_points(&of_whole), "{pair:?}");
        assert_eq!(module.functions().len(), of_whole.functions().len(), "{pair:?}");
        assert_eq!(modes(&module), modes(&of_whole), "{pair:?}");
    }
}
