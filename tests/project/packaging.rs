//! The Conan recipe exports what cargo builds its packages from.

use std::collections::BTreeSet;

use crate::sources::root;

/// Returns the folders and files of the checkout in a list of the manifest, such as `layers` for `"layers/vulkan"`.
fn listed<'m>(manifest: &'m str, list: &str) -> BTreeSet<&'m str> {
    let (_, rest) = manifest.split_once(&format!("\n{list} = [")).unwrap();
    let (entries, _) = rest.split_once(']').unwrap();
    let paths = entries.split('"').skip(1).step_by(2).filter(|path| !path.starts_with('!'));
    paths.map(|path| path.trim_start_matches('/').split('/').next().unwrap()).collect()
}

#[test]
fn the_conan_recipe_exports_every_package_and_what_the_library_includes() {
    let manifest = std::fs::read_to_string(root().join("Cargo.toml")).unwrap();
    let recipe = std::fs::read_to_string(root().join("packaging/conan/conanfile.py")).unwrap();
    let (members, included) = (listed(&manifest, "members"), listed(&manifest, "include"));
    assert!(members.contains("layers") && included.contains("lowering"), "{members:?} {included:?}");
    let is_exported = |name: &&&str| {
        recipe.contains(&format!("    \"{name}/*\",\n")) || recipe.contains(&format!("    \"{name}\",\n"))
    };
    let missing: Vec<_> = members.union(&included).filter(|name| !is_exported(name)).collect();
    assert!(missing.is_empty(), "packaging/conan/conanfile.py exports nothing of {missing:?}");
}
