//! Add-on images of all fixtures.

use std::collections::{BTreeMap, BTreeSet};

use crate::split::{AddOnImage, AddOnRole, Jit, SplitMode, SplitOptions, split};
use crate::test_support::Batch;
use crate::tests::corpus::annotations;
use crate::tests::corpus::fixtures;
use spirv_if::Module;
use spirv_if::engine::analysis::Names;
use spirv_if::engine::analysis::conditions::multi_target::MultiTarget;
use spirv_if::engine::loader;
use spirv_if::engine::metadata::property_sets::{ADD_ON_IMAGE, ADD_ON_IMAGES, AddOnImages, AddOnRecord};

/// Visits the images of all fixtures that can be split, in two modes.
fn families(mut visit: impl FnMut(&str, SplitMode, &Module, &[AddOnImage])) {
    let mut pairs = 0;
    for fixture in fixtures() {
        let module = Module::from_words(fixture.words()).unwrap();
        let module = match annotations(&fixture.name) {
            Some(annotations) => module.with_annotations(&annotations).unwrap(),
            None => module,
        };
        for mode in [SplitMode::Kernel, SplitMode::Off] {
            let options = SplitOptions::new().mode(mode).jit(Jit::AddOn);
            let Ok(split) = split(&module, &options) else { continue };
            let images = split.add_on().unwrap_or_else(|error| panic!("{}: {error}", fixture.name));
            pairs += images.iter().filter(|image| matches!(image.role, AddOnRole::Real(_))).count();
            visit(&format!("{} {mode:?}", fixture.name), mode, &module, &images);
        }
    }
    assert!(pairs > 200, "{pairs}");
}

#[test]
fn images_are_valid_and_define_what_others_import() {
    let mut written = Batch::default();
    families(|name, mode, module, images| {
        are_plain(name, mode, images, &mut written);
        are_complete(name, module, images);
    });
    written.assert_valid();
}

fn are_plain(name: &str, mode: SplitMode, images: &[AddOnImage], written: &mut Batch) {
    let mut seen = BTreeSet::new();
    for image in images {
        let module = loader::Module::from_words(&image.image.words[..]).unwrap();
        let multi_target = MultiTarget::find(&module).unwrap();
        assert!(multi_target.is_empty(), "{name} {:?}", image.role);
        // Actions by themselves are the same in both modes.
        if seen.insert(&image.image.words) && (mode == SplitMode::Off || image.role == AddOnRole::Main) {
            written.add(format!("{name} {:?}", image.role), &image.image.words, "spv1.6");
        }
    }
}

/// Returns the linkage names of a module: exported and imported ones, without built-in variables and conditional callers.
fn linked(words: &[u32]) -> [Vec<String>; 2] {
    let module = loader::Module::from_words(words).unwrap();
    let names = Names::new(&module);
    let mut linked_names = [Vec::new(), Vec::new()];
    for (_, linkage) in names.linked() {
        linked_names[usize::from(linkage.import)].push(linkage.name.into_owned());
    }
    linked_names
}

fn are_complete(name: &str, module: &Module, images: &[AddOnImage]) {
    let of_program = linked(module.words()).concat();
    let mut by_pair: BTreeMap<&str, Vec<&AddOnImage>> = BTreeMap::new();
    for image in images {
        let record = image.image.properties.get(ADD_ON_IMAGE).map(|set| AddOnRecord::from_set(set).unwrap());
        match (&image.role, record) {
            (AddOnRole::Main, None) => {}
            (AddOnRole::Real(id), Some(AddOnRecord { id: own_id, real: true }))
            | (AddOnRole::Stub(id), Some(AddOnRecord { id: own_id, real: false })) => {
                assert_eq!(*id, own_id, "{name}");
                by_pair.entry(id).or_default().push(image);
            }
            (role, record) => panic!("{name} {role:?}: {record:?}"),
        }
    }
    let mut used = BTreeSet::new();
    for image in images {
        let Some(set) = image.image.properties.get(ADD_ON_IMAGES) else { continue };
        for (id, _) in AddOnImages::from_set(set).unwrap().pairs {
            let pair = &by_pair[&*id];
            assert_eq!(pair.len(), 2, "{name} {id}");
            assert_eq!(pair[0].image.symbols, pair[1].image.symbols, "{name} {id}");
            assert!(used.insert(id.clone()), "{name}: two images call {id}");
            let imported = &linked(&image.image.words)[1];
            assert!(pair[0].image.symbols.iter().all(|symbol| imported.contains(symbol)), "{name} {id}");
        }
    }
    assert_eq!(used.len(), by_pair.len(), "{name}: a pair that nothing calls");
    // Of a pair, either is linked: what one of them exports for others is its symbols, and the state that it shares.
    let exported: Vec<Vec<String>> =
        images.iter().map(|image| linked(&image.image.words)[0].clone()).collect();
    for image in images {
        let defining = |symbol: &String| {
            let others = images.iter().zip(&exported).filter(|(_, exported)| exported.contains(symbol));
            others.map(|(other, _)| other.role.clone()).collect::<Vec<_>>()
        };
        for symbol in &linked(&image.image.words)[1] {
            match &defining(symbol)[..] {
                [] => {
                    assert!(of_program.contains(symbol), "{name} {:?}: nothing defines {symbol}", image.role)
                }
                [_] => {}
                [AddOnRole::Real(one), AddOnRole::Stub(other)] if one == other => {}
                several => panic!("{name} {:?}: {several:?} define {symbol}", image.role),
            }
        }
    }
}
