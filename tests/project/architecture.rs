//! The folders of `src` are layers, as ARCHITECTURE.md draws them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use proc_macro2::{Delimiter, TokenStream, TokenTree};

use crate::sources;

/// A path of modules or items from the root of the crate.
type ItemPath = Vec<String>;

/// A file of `src` that is not a test, and what it refers to.
struct File {
    /// The folder within `src`; empty for the files beside them.
    folder: String,
    /// The paths that stand in it, from the root of the crate.
    refers_to: BTreeSet<ItemPath>,
    /// The names that it gives to what is defined elsewhere (`pub use`).
    exports: BTreeMap<String, ItemPath>,
}

/// The files by the path of their module.
struct Sources(BTreeMap<ItemPath, File>);

impl Sources {
    fn read() -> Sources {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let texts = collect(&root);
        // Folders are modules too, also where their parent lists what is in them.
        let within =
            |module: &ItemPath| (1..=module.len()).map(|depth| module[..depth].to_vec()).collect::<Vec<_>>();
        let modules: BTreeSet<ItemPath> = texts.keys().flat_map(within).collect();
        let read = |(module, (folder, text)): (ItemPath, (String, String))| {
            let tokens: TokenStream = text.parse().unwrap_or_else(|error| panic!("{module:?}: {error}"));
            let mut reader = Reader { module: module.clone(), modules: &modules, file: File::new(folder) };
            reader.tokens(tokens);
            (module, reader.file)
        };
        Sources(texts.into_iter().map(read).collect())
    }

    /// The module that defines what a path names, through the names that modules give to what others define.
    fn definition(&self, path: &[String]) -> Option<&ItemPath> {
        let mut path = path.to_vec();
        for _ in 0..16 {
            let at = (0..=path.len()).rev().find(|&at| self.0.contains_key(&path[..at]))?;
            let (module, file) = self.0.get_key_value(&path[..at])?;
            match path.get(at).and_then(|name| file.exports.get(name)) {
                Some(elsewhere) => path = elsewhere.iter().chain(&path[at + 1..]).cloned().collect(),
                None => return Some(module),
            }
        }
        None
    }

    /// Returns the other modules that each module refers to.
    fn references(&self) -> BTreeMap<&ItemPath, BTreeSet<&ItemPath>> {
        let of = |(module, file): (&'_ ItemPath, &File)| -> BTreeSet<&ItemPath> {
            let defined = file.refers_to.iter().filter_map(|path| self.definition(path));
            defined.filter(|defined| *defined != module).collect()
        };
        self.0.iter().map(|(module, file)| (module, of((module, file)))).collect()
    }

    fn folder(&self, module: &ItemPath) -> &str {
        &self.0[module].folder
    }
}

impl File {
    fn new(folder: String) -> File {
        File { folder, refers_to: BTreeSet::new(), exports: BTreeMap::new() }
    }
}

/// Collects the text of the files that are not tests, each with its folder.
fn collect(root: &Path) -> BTreeMap<ItemPath, (String, String)> {
    let mut texts = BTreeMap::new();
    for path in sources::files(root.to_owned()) {
        let within = path.strip_prefix(root).unwrap().with_extension("");
        let mut module: ItemPath = within.iter().map(|part| part.to_str().unwrap().to_owned()).collect();
        let is_test = module.iter().any(|part| part == "tests" || part == "test_support");
        if is_test || path.extension().is_none_or(|extension| extension != "rs") {
            continue;
        }
        let folder = module[..module.len() - 1].join("/");
        if module.last().is_some_and(|stem| stem == "mod" || stem == "lib") {
            module.pop();
        }
        texts.insert(module, (folder, fs::read_to_string(&path).unwrap()));
    }
    texts
}

/// Reads the tokens of a file.
struct Reader<'a> {
    /// The module that the tokens stand in.
    module: ItemPath,
    modules: &'a BTreeSet<ItemPath>,
    file: File,
}

impl Reader<'_> {
    fn tokens(&mut self, tokens: TokenStream) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let mut at = 0;
        while let Some(token) = tokens.get(at) {
            at += 1;
            match token {
                TokenTree::Ident(word) if word == "use" => {
                    let end = tokens[at..].iter().position(|token| is(token, ';')).unwrap_or(0) + at;
                    let is_public = at >= 2 && is_visibility(&tokens[..at - 1]);
                    self.used(&tokens[at..end], &[], is_public);
                    at = end;
                }
                TokenTree::Ident(word) if word == "mod" => {
                    // Tests within a file refer to what they like.
                    if let (Some(TokenTree::Ident(name)), Some(TokenTree::Group(body))) =
                        (tokens.get(at), tokens.get(at + 1))
                    {
                        if name != "tests" {
                            self.module.push(name.to_string());
                            self.tokens(body.stream());
                            self.module.pop();
                        }
                        at += 2;
                    }
                }
                TokenTree::Ident(word) if *word == "crate" || *word == "super" => {
                    let mut path = vec![word.to_string()];
                    while let [first, second, TokenTree::Ident(name), ..] = &tokens[at..]
                        && is(first, ':')
                        && is(second, ':')
                    {
                        path.push(name.to_string());
                        at += 3;
                    }
                    // By itself it says who may see something.
                    if path.len() > 1 {
                        self.refers(&path);
                    }
                }
                TokenTree::Group(group) => self.tokens(group.stream()),
                _ => {}
            }
        }
    }

    /// Reads what a `use` names, after the names in `before`.
    fn used(&mut self, tree: &[TokenTree], before: &[String], is_public: bool) {
        for tree in tree.split(|token| is(token, ',')) {
            let mut path = before.to_vec();
            let mut alias = None;
            for (at, token) in tree.iter().enumerate() {
                match token {
                    TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => {
                        let inner: Vec<TokenTree> = group.stream().into_iter().collect();
                        self.used(&inner, &path, is_public);
                        path.clear();
                    }
                    TokenTree::Ident(word) if word == "as" => {
                        alias = tree.get(at + 1).map(ToString::to_string);
                        break;
                    }
                    TokenTree::Ident(word) => path.push(word.to_string()),
                    _ => {}
                }
            }
            if path.len() > 1 && path.last().is_some_and(|last| last == "self") {
                path.pop();
            }
            let Some(last) = path.last().cloned() else { continue };
            match (is_public, self.absolute(&path)) {
                (true, Some(absolute)) => drop(self.file.exports.insert(alias.unwrap_or(last), absolute)),
                _ => self.refers(&path),
            }
        }
    }

    fn refers(&mut self, path: &[String]) {
        self.file.refers_to.extend(self.absolute(path));
    }

    /// A path from the root of the crate; `None` for one of another crate, or of an item in scope.
    fn absolute(&self, path: &[String]) -> Option<ItemPath> {
        let first = path.first()?;
        let from = match first.as_str() {
            "crate" => Vec::new(),
            "self" => self.module.clone(),
            "super" => {
                let up = path.iter().take_while(|name| *name == "super").count();
                let base = &self.module[..self.module.len().checked_sub(up)?];
                return Some(base.iter().chain(&path[up..]).cloned().collect());
            }
            _ => {
                let child: ItemPath = self.module.iter().chain([first]).cloned().collect();
                return self
                    .modules
                    .contains(&child)
                    .then(|| self.module.iter().chain(path).cloned().collect());
            }
        };
        Some(from.iter().chain(&path[1..]).cloned().collect())
    }
}

fn is(token: &TokenTree, letter: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == letter)
}

/// Returns true if tokens end in `pub`, or in `pub(...)`.
fn is_visibility(tokens: &[TokenTree]) -> bool {
    let is_pub = |token: &TokenTree| matches!(token, TokenTree::Ident(word) if word == "pub");
    match tokens {
        [.., before, TokenTree::Group(_)] => is_pub(before),
        [.., last] => is_pub(last),
        [] => false,
    }
}

/// The part of a folder that the drawing names: the first folder, and the second of `analysis`.
fn drawn(folder: &str) -> String {
    let depth = if folder.starts_with("analysis/") { 2 } else { 1 };
    folder.split('/').take(depth).collect::<Vec<_>>().join("/")
}

/// The drawing: by folder, the folders that it uses, from the lines `folder -> folder, folder` of ARCHITECTURE.md, in their order.
fn drawing() -> Vec<(String, BTreeSet<String>)> {
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("ARCHITECTURE.md")).unwrap();
    let lines = text.lines().filter_map(|line| line.split_once("->"));
    let names = |text: &str| text.split_whitespace().map(str::to_owned).collect();
    lines.map(|(folder, uses)| (folder.trim().to_owned(), names(uses))).collect()
}

#[test]
fn folders_use_what_the_drawing_says() {
    let sources = Sources::read();
    let mut dependencies: BTreeMap<String, BTreeMap<String, String>> = BTreeMap::new();
    for (module, references) in sources.references() {
        let folder_of_module = drawn(sources.folder(module));
        let others = dependencies.entry(folder_of_module.clone()).or_default();
        for other in references {
            let folder = drawn(sources.folder(other));
            if folder != folder_of_module && !folder.is_empty() {
                others
                    .entry(folder)
                    .or_insert_with(|| format!("{} -> {}", module.join("/"), other.join("/")));
            }
        }
    }
    dependencies.remove("");
    let drawing = drawing();
    let mut wrong = Vec::new();
    for (folder, others) in &dependencies {
        let Some((_, drawn)) = drawing.iter().find(|(drawn, _)| drawn == folder) else {
            wrong.push(format!("{folder} is not drawn"));
            continue;
        };
        wrong.extend(others.iter().filter(|(other, _)| !drawn.contains(*other)).map(|(other, example)| {
            format!("{folder} uses {other}, which the drawing does not have: {example}")
        }));
        let unused = drawn.iter().filter(|other| !others.contains_key(*other));
        wrong.extend(unused.map(|other| format!("the drawing has {folder} -> {other}, which nothing uses")));
    }
    wrong.extend(
        drawing
            .iter()
            .filter(|(drawn, _)| !dependencies.contains_key(drawn))
            .map(|(drawn, _)| format!("{drawn} is drawn and not there")),
    );
    assert!(dependencies.len() > 15 && wrong.is_empty(), "{wrong:#?}");
}

/// A folder uses those that are drawn above it, so nothing goes round in a circle.
#[test]
fn the_drawing_has_no_cycle() {
    let mut above = BTreeSet::new();
    for (folder, uses) in drawing() {
        assert!(uses.is_subset(&above), "{folder} uses what is drawn below it: {:?}", &uses - &above);
        assert!(above.insert(folder.clone()), "{folder} is drawn twice");
    }
}

#[test]
fn no_file_is_in_a_cycle_with_one_of_another_folder() {
    let sources = Sources::read();
    let references = sources.references();
    // From each file, everything that it leads to.
    let leads_to = |from: &ItemPath| {
        let mut modules: BTreeSet<&ItemPath> = BTreeSet::new();
        let mut open: Vec<&ItemPath> = references[from].iter().copied().collect();
        while let Some(module) = open.pop() {
            if modules.insert(module) {
                open.extend(&references[module]);
            }
        }
        modules
    };
    let reached: BTreeMap<&ItemPath, BTreeSet<&ItemPath>> =
        references.keys().map(|module| (*module, leads_to(module))).collect();
    let mut cycles = BTreeSet::new();
    for (module, others) in &reached {
        for other in others.iter().filter(|other| reached[**other].contains(*module)) {
            if sources.folder(module) != sources.folder(other) {
                let mut pair = [module.join("/"), other.join("/")];
                pair.sort();
                cycles.insert(pair);
            }
        }
    }
    assert!(reached.values().map(BTreeSet::len).sum::<usize>() > 1000 && cycles.is_empty(), "{cycles:#?}");
}

/// The engine shows other packages what these name, and nothing else.
#[test]
fn the_engine_shows_what_others_use() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let words = |text: &str| -> BTreeSet<String> {
        text.split(|letter: char| !letter.is_alphanumeric() && letter != '_').map(str::to_owned).collect()
    };
    // The tests that packages share name it, too.
    let used = ["sycl", "inspect", "probe", "src/tests"].map(|folder| sources::files(root.join(folder)));
    let used: BTreeSet<String> = used
        .iter()
        .flatten()
        .filter(|path| path.extension().is_some_and(|extension| extension == "rs"))
        .flat_map(|path| words(&fs::read_to_string(path).unwrap()))
        .collect();
    let engine = fs::read_to_string(root.join("src/engine.rs")).unwrap();
    let shown = words(engine.split_once("pub mod").unwrap().1);
    let unused: Vec<&String> = shown.difference(&used).filter(|word| !word.is_empty()).collect();
    assert!(shown.len() > 100 && unused.is_empty(), "{unused:?}");
}

/// Every file and folder that the page names is there.
#[test]
fn the_files_that_are_named_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = fs::read_to_string(root.join("ARCHITECTURE.md")).unwrap();
    let named = text
        .split('`')
        .skip(1)
        .step_by(2)
        .filter(|name| name.contains('/') && !name.contains([' ', '{', ':']));
    let named: BTreeSet<&str> = named.collect();
    let missing: Vec<&&str> = named.iter().filter(|name| !root.join(name).exists()).collect();
    assert!(named.len() > 40 && missing.is_empty(), "{missing:?}");
}
