//! Comparison with spirv-link of SPIRV-Tools on the same modules.

use super::fixtures::PAIRS;
use super::support::{fixture, link_fixtures, surface};
use crate::test_support::{bytes_of, is_valid, run, tool, words_of};

/// Returns the result of spirv-link for two modules, or its message.
fn spirv_link(pair: [&str; 2]) -> Result<Vec<u32>, String> {
    let tool = tool("SPIRV_LINK", "spirv-link");
    let folder = tempfile::tempdir().unwrap();
    let paths = pair.map(|name| {
        let path = folder.path().join(name.replace('/', "-"));
        std::fs::write(&path, bytes_of(&fixture(name))).unwrap();
        path.display().to_string()
    });
    let out = folder.path().join("out").display().to_string();
    let options = ["--create-library", "--allow-partial-linkage", "--use-highest-version", "-o", &out];
    let arguments: Vec<&str> = options.into_iter().chain(paths.iter().map(String::as_str)).collect();
    run(&tool, &arguments, &[]).map(|_| words_of(&std::fs::read(&out).unwrap()))
}

/// Checks that the result has the same entry points, exports, imports, types and code as that of spirv-link for the
/// same input.
#[test]
#[ignore = "needs SPIRV-Tools; scripts/test.sh runs it"]
fn spirv_link_makes_the_same() {
    let (mut same, mut refused, mut invalid) = (0, Vec::new(), Vec::new());
    for (pair, environment) in PAIRS {
        let Ok(theirs) = spirv_link(pair) else {
            refused.push(pair);
            continue;
        };
        if !is_valid(&theirs, environment) {
            invalid.push(pair);
        }
        // It keeps all definitions of one name that may be dropped, and all imports of one.
        if pair[0].contains("inline") || pair[0].contains("traced") {
            continue;
        }
        let linked = link_fixtures(&pair);
        let (mut ours, mut theirs) = (surface(linked.module.words()), lenient(&theirs));
        if pair[0].contains("stage-") {
            // It makes one of structures that differ in their names, and loses debug information of one of them.
            for surface in [&mut ours, &mut theirs] {
                surface.code.remove("OpExtInst");
                surface.types.remove("OpTypeStruct");
                surface.types.remove("OpTypePointer");
            }
        }
        assert_eq!(ours, theirs, "{pair:?}");
        same += 1;
    }
    assert!(same >= 5, "{same}");
    // If these change, a newer spirv-link does better: then compare these as well.
    assert_eq!(
        refused,
        [
            ["link/user-O2", "link/library-O2"],
            ["link/user-llvm-spirv", "link/library-llvm-spirv"],
            ["link/user-O0", "link/library-O2"],
            ["link/user-llvm-spirv", "link/library-O0"],
            ["link/inline-one-exported", "link/inline-two-exported"],
        ],
        "it wants pointers to be the same, and takes no two definitions that are",
    );
    assert_eq!(
        invalid,
        [
            ["link/user-O0", "link/library-O0"],
            ["link/traced-one-ocl-100", "link/traced-two-ocl-100"],
            ["link/stage-vert", "link/stage-frag"],
        ],
        "it writes declarations behind definitions, and drops strings and constants that debug information names",
    );
}

/// Merges the imports of one name.
fn lenient(words: &[u32]) -> super::support::Surface {
    let lines = super::support::disassemble(words);
    let mut seen = std::collections::HashSet::new();
    let repeated = lines.iter().filter(|line| {
        let mut parts = line.splitn(3, ' ');
        line.contains("LinkageAttributes") && !seen.insert(parts.nth(2).unwrap().to_string())
    });
    let repeated: Vec<&str> = repeated.map(String::as_str).collect();
    let without: Vec<&str> =
        lines.iter().map(String::as_str).filter(|line| !repeated.contains(line)).collect();
    let assembler = tool("SPIRV_AS", "spirv-as");
    let text = without.join("\n");
    let bytes = run(&assembler, &["--preserve-numeric-ids", "-o", "-", "-"], text.as_bytes()).unwrap();
    surface(&words_of(&bytes))
}
