//! Modules as source code, to be compiled into a program.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use spirv_if::property_sets::PropertySets;
use spirv_if::specialize::SpecializedSegments;

use super::super::usage;
use super::bundled::EXTENSION;
use super::output::OutputPlace;
use super::spec_names::spec_names;
use super::{Data, Destination, Staged, ValidateArg};

/// The number of words on a line.
const PER_LINE: usize = 8;

/// The names that no module can have, by language.
const RESERVED: &str = include_str!("../../reserved-names.csv");

/// The form in which modules are written, and the check before.
#[derive(Args, Debug, Default)]
pub struct WriteArgs {
    /// Write source code with the module in it, in place of the module
    ///
    /// In a folder, MODULE.h, MODULE.rs or MODULE.S is written instead of MODULE.spv.
    #[arg(long, value_enum, value_name = "LANGUAGE", hide_short_help = true)]
    embed: Option<EmbedLanguage>,
    /// The name of the words in the source code. By default it is made of the file's name: other characters become `_`, a keyword gets `_`,
    /// and a name that C reserves gets the prefix `spv`
    #[arg(long, value_name = "NAME", requires = "embed", hide_short_help = true)]
    embed_name: Option<String>,
    #[command(flatten)]
    validate: ValidateArg,
}

/// A language in which modules are written as source code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum EmbedLanguage {
    /// A header for C and C++: `static const uint32_t NAME[COUNT]`, `NAME_size`, in bytes, and `NAME_spec_CONSTANT`, the SpecId of each
    /// specialization constant with a name
    C,
    /// A file for `include!`: `pub static NAME: [u32; COUNT]`, and `NAME_SPEC_CONSTANT`
    Rust,
    /// A source for the assembler of C compilers, which includes the module, written beside it, and a header for both: `extern const uint32_t NAME[];`,
    /// `extern const uint32_t NAME_size;`, in bytes, and `NAME_spec_CONSTANT`. A compiler that runs in another folder than this program needs the folder of this run as `-I FOLDER`
    Incbin,
}

impl EmbedLanguage {
    fn extension(self) -> &'static str {
        match self {
            EmbedLanguage::C => "h",
            EmbedLanguage::Rust => "rs",
            EmbedLanguage::Incbin => "S",
        }
    }

    /// Returns the source code with a module that is written to a file, beside that file.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn beside(self, module: &Path, words: &[u32]) -> anyhow::Result<Vec<Staged>> {
        let path = module.with_extension(self.extension());
        let name = identifier(Some(&path), self);
        self.stage(Destination::File(path), &name, words, module)
    }

    /// Stages the source code with a module, which an assembler includes from a file. Its header comes first.
    fn stage(
        self,
        destination: Destination,
        name: &str,
        words: &[u32],
        module: &Path,
    ) -> anyhow::Result<Vec<Staged>> {
        let constants = spec_names(words, if self == EmbedLanguage::Rust { upper_letter } else { letter });
        let (source, header) = match self {
            EmbedLanguage::C => (c_header(name, words, &constants), None),
            EmbedLanguage::Rust => (rust_source(name, words, &constants), None),
            EmbedLanguage::Incbin => (assembly(name, module)?, Some(incbin_header(name, &constants))),
        };
        let mut all = Vec::new();
        if let (Some(header), Some(beside)) = (header, destination.beside("h")) {
            let replaces_foreign = beside.path().is_some_and(is_foreign_header);
            let mut header = beside.stage(Data::Text(header))?;
            header.replaces_foreign = replaces_foreign;
            all.push(header);
        }
        let mut source = destination.stage(Data::Text(source))?;
        source.names = self.defines(name, &constants);
        all.push(source);
        Ok(all)
    }

    /// Returns the names that source code with a module of this name defines for a whole program. Files in Rust can be in modules of their own.
    fn defines(self, name: &str, constants: &BTreeMap<String, u32>) -> Vec<String> {
        let (words, size) = (name.to_owned(), format!("{name}_size"));
        let all = match self {
            EmbedLanguage::C | EmbedLanguage::Incbin => vec![words, size, guard(name)],
            EmbedLanguage::Rust => return Vec::new(),
        };
        all.into_iter().chain(constants.keys().map(|constant| macro_name(name, constant))).collect()
    }

    /// Returns true for a name that the language has a meaning for.
    fn is_taken(self, name: &str) -> bool {
        let language = match self {
            EmbedLanguage::C | EmbedLanguage::Incbin => "c",
            EmbedLanguage::Rust => "rust",
        };
        let mut rows = RESERVED.lines().map(|row| row.split(','));
        rows.any(|mut row| row.next() == Some(language) && row.next() == Some(name))
    }

    /// Returns the reason for which a module cannot have a name, if there is one.
    fn refusal(self, name: &str) -> Option<&'static str> {
        let is_letter = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
        let is_plain = name.chars().all(is_letter) && !name.starts_with(|first: char| first.is_ascii_digit());
        let is_reserved = |rest: &str| {
            rest.is_empty() || rest.starts_with(|next: char| next == '_' || next.is_ascii_uppercase())
        };
        match (self, self.is_taken(name)) {
            _ if !is_plain || name.is_empty() => {
                Some("is not a name in source code: use letters, digits and underscores")
            }
            (EmbedLanguage::Rust, true) => Some("is a keyword of Rust: choose another name"),
            (_, true) => Some("has a meaning in C or C++: choose another name"),
            (EmbedLanguage::C | EmbedLanguage::Incbin, false)
                if name.strip_prefix('_').is_some_and(is_reserved) =>
            {
                Some("is reserved in C and C++: begin with a letter")
            }
            _ => None,
        }
    }
}

impl WriteArgs {
    /// Creates the plain form, with a check.
    pub fn plain(validate: ValidateArg) -> WriteArgs {
        WriteArgs { validate, ..WriteArgs::default() }
    }

    /// Returns the check.
    pub fn validate(&self) -> ValidateArg {
        self.validate
    }

    /// Checks that results at this place can have the form.
    ///
    /// # Errors
    /// As wrong usage.
    pub fn check(&self, place: &OutputPlace) -> anyhow::Result<()> {
        let Some(language) = self.embed else { return Ok(()) };
        if let Some((name, refusal)) =
            self.embed_name.as_ref().and_then(|name| Some((name, language.refusal(name)?)))
        {
            return Err(usage(format!("`{name}` {refusal}")));
        }
        match place {
            OutputPlace::Folder(_) if self.embed_name.is_some() => {
                Err(usage("--embed-name is for one result: with several, each is named for its file"))
            }
            OutputPlace::One(Destination::Stdout) if language == EmbedLanguage::Incbin => {
                Err(usage("--embed incbin writes three files: name one with -o"))
            }
            OutputPlace::One(Destination::File(path))
                if path.extension().is_some_and(|end| end == "spv" || end == EXTENSION) =>
            {
                Err(usage(format!(
                    "{} is the name of a module, and --embed writes source code: name it {}",
                    path.display(),
                    path.with_extension(language.extension()).display()
                )))
            }
            _ => Ok(()),
        }
    }

    /// Checks that results whose number is not known can have the form.
    ///
    /// # Errors
    /// As wrong usage.
    pub fn check_many(&self) -> anyhow::Result<()> {
        self.check(&OutputPlace::Folder(PathBuf::new()))
    }

    /// Returns the destination of the result that has this name in a folder.
    pub fn destination(&self, place: &OutputPlace, name: impl Into<PathBuf>) -> Destination {
        place.destination(self.renamed(name.into()))
    }

    /// Returns the path of a result from the path of its module.
    pub fn renamed(&self, module: PathBuf) -> PathBuf {
        match self.embed {
            Some(language) => module.with_extension(language.extension()),
            None => module,
        }
    }

    /// Stages a module as [`WriteArgs::stage`], with its properties in a file beside it ([`Destination::stage_properties`]).
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn stage_with(
        &self,
        destination: Destination,
        module: Data,
        properties: Option<&PropertySets>,
    ) -> anyhow::Result<Vec<Staged>> {
        self.check_module(&destination, &module)?;
        self.stage_checked(destination, module, properties)
    }

    /// Stages copies of a module as [`WriteArgs::stage_with`]. The module is checked once, under the name of the first.
    ///
    /// # Errors
    /// If they cannot be written, or the module is invalid.
    pub fn stage_copies(
        &self,
        destinations: impl IntoIterator<Item = Destination>,
        module: &SpecializedSegments,
    ) -> anyhow::Result<Vec<Staged>> {
        let mut staged = Vec::new();
        for (number, destination) in destinations.into_iter().enumerate() {
            let copy = Data::Segments(module);
            if number == 0 {
                self.check_module(&destination, &copy)?;
            }
            staged.extend(self.stage_checked(destination, copy, module.properties())?);
        }
        Ok(staged)
    }

    /// Checks a module that is to be written.
    fn check_module(&self, destination: &Destination, module: &Data) -> anyhow::Result<()> {
        // The words of segments are a copy of all.
        match self.validate.is_given() && matches!(module, Data::Words(_) | Data::Segments(_)) {
            true => self.validate.check(destination, &module.words()),
            false => Ok(()),
        }
    }

    fn stage_checked(
        &self,
        destination: Destination,
        module: Data,
        properties: Option<&PropertySets>,
    ) -> anyhow::Result<Vec<Staged>> {
        let beside = destination.stage_properties(properties)?;
        let mut staged = self.stage_in_form(destination, module)?;
        staged.extend(beside);
        Ok(staged)
    }

    /// Stages a module in the form. A form that includes the module gets it beside it.
    ///
    /// # Errors
    /// If it cannot be written, or is invalid.
    pub fn stage(&self, destination: Destination, module: Data) -> anyhow::Result<Vec<Staged>> {
        self.check_module(&destination, &module)?;
        self.stage_in_form(destination, module)
    }

    fn stage_in_form(&self, destination: Destination, module: Data) -> anyhow::Result<Vec<Staged>> {
        let Some(language) = self.embed else { return Ok(vec![destination.stage(module)?]) };
        let name = match (&self.embed_name, destination.path()) {
            (Some(name), _) => name.clone(),
            (None, path) => identifier(path, language),
        };
        if language != EmbedLanguage::Incbin {
            return language.stage(destination, &name, &module.words(), Path::new(""));
        }
        let Some((path, beside)) = destination.path().zip(destination.beside(module.extension())) else {
            return Err(usage("--embed incbin writes three files: name one with -o"));
        };
        let path = path.with_extension(module.extension());
        // The file that includes the other gets its name last.
        let including = language.stage(destination, &name, &module.words(), &path)?;
        Ok(std::iter::once(beside.stage(module)?).chain(including).collect())
    }
}

/// Returns the name of a file as a name in source code.
fn identifier(path: Option<&Path>, language: EmbedLanguage) -> String {
    let stem = path.and_then(Path::file_stem).map_or_else(|| "module".into(), |stem| stem.to_string_lossy());
    let mut name: String = stem.chars().map(letter).collect();
    if name.starts_with(|first: char| first.is_ascii_digit()) {
        name.insert(0, '_');
    }
    if language == EmbedLanguage::Rust {
        name.make_ascii_uppercase();
    }
    if language.is_taken(&name) {
        name.push('_');
    }
    if language.refusal(&name).is_some() {
        name.insert_str(0, "spv");
    }
    name
}

/// Returns the character in the place of another in names of source code.
fn letter(letter: char) -> char {
    if letter.is_ascii_alphanumeric() { letter } else { '_' }
}

/// Returns the character in its place in constants of Rust.
fn upper_letter(other: char) -> char {
    letter(other).to_ascii_uppercase()
}

/// Returns the macro by which a header is read once.
fn guard(name: &str) -> String {
    format!("{}_H", name.to_ascii_uppercase())
}

/// The first line of source code in C.
const FIRST_LINE: &str = "/* A SPIR-V module, written by spirv-if. */\n";

/// The first line of a header beside assembly.
const FIRST_LINE_BESIDE: &str = "/* A SPIR-V module that an assembler includes, written by spirv-if. */\n";

/// Returns true if a file exists that a header beside assembly would replace, and another program wrote it.
fn is_foreign_header(path: &Path) -> bool {
    match std::fs::read(path) {
        Ok(existing) => !existing.starts_with(FIRST_LINE_BESIDE.as_bytes()),
        Err(error) => error.kind() != ErrorKind::NotFound,
    }
}

/// Returns the name of the macro for the SpecId of a constant.
fn macro_name(name: &str, constant: &str) -> String {
    format!("{name}_spec_{constant}")
}

/// Returns the macros for the SpecIds of constants.
fn spec_macros(name: &str, constants: &BTreeMap<String, u32>) -> String {
    let mut text = String::new();
    if !constants.is_empty() {
        text.push_str("/* The SpecIds of specialization constants. */\n");
    }
    for (constant, spec_id) in constants {
        let _ = writeln!(text, "#define {} {spec_id}u", macro_name(name, constant));
    }
    text
}

fn c_header(name: &str, words: &[u32], constants: &BTreeMap<String, u32>) -> String {
    let guard = guard(name);
    let mut text = format!(
        "{FIRST_LINE}#ifndef {guard}\n#define {guard}\n\n#include <stdint.h>\n\nstatic const uint32_t {name}[{}] = {{\n",
        words.len()
    );
    list(&mut text, words);
    let macros = spec_macros(name, constants);
    text + &format!(
        "}};\n/* In bytes. */\n#define {name}_size ((uint32_t)sizeof {name})\n{macros}\n#endif /* {guard} */\n"
    )
}

/// Returns the header for words that an assembler includes.
fn incbin_header(name: &str, constants: &BTreeMap<String, u32>) -> String {
    let (guard, macros) = (guard(name), spec_macros(name, constants));
    format!(
        "{FIRST_LINE_BESIDE}#ifndef {guard}\n#define {guard}\n\n#include <stdint.h>\n\n#ifdef __cplusplus\nextern \"C\" {{\n#endif\n\
extern const uint32_t {name}[];\n/* In bytes. */\nextern const uint32_t {name}_size;\n#ifdef __cplusplus\n}}\n#endif\n{macros}\n#endif /* {guard} */\n"
    )
}

fn rust_source(name: &str, words: &[u32], constants: &BTreeMap<String, u32>) -> String {
    let mut text = format!(
        "// A SPIR-V module, written by spirv-if.\n/// The words of the module.\npub static {name}: [u32; {}] = [\n",
        words.len()
    );
    list(&mut text, words);
    text.push_str("];\n");
    for (constant, spec_id) in constants {
        let _ = writeln!(
            text,
            "/// A SpecId.\n#[allow(dead_code)]\npub const {name}_SPEC_{constant}: u32 = {spec_id};"
        );
    }
    text
}

fn list(text: &mut String, words: &[u32]) {
    text.reserve(words.len() * 12);
    for line in words.chunks(PER_LINE) {
        text.push_str("   ");
        for word in line {
            let _ = write!(text, " {word:#010x},");
        }
        text.push('\n');
    }
}

/// Writes assembly that includes the module by its path on the command line, relative to the working directory.
fn assembly(name: &str, module: &Path) -> anyhow::Result<String> {
    let path = module.to_str().filter(|path| !path.contains(['"', '\n', '\r']));
    let path =
        path.ok_or_else(|| anyhow::anyhow!("{}: an assembler cannot name this file", module.display()))?;
    let path = path.replace('\\', "\\\\");
    Ok(format!(
        "{FIRST_LINE}\
#if defined(__APPLE__)\n#define SYMBOL(name) _##name\n    .const_data\n#elif defined(_WIN32)\n#define SYMBOL(name) name\n    .section .rdata, \"dr\"\n\
#else\n#define SYMBOL(name) name\n    .section .rodata\n#endif\n\
    .balign 16\n    .globl SYMBOL({name})\nSYMBOL({name}):\n    .incbin \"{path}\"\n1:\n\
    .balign 4\n    .globl SYMBOL({name}_size)\nSYMBOL({name}_size):\n    .long 1b - SYMBOL({name})\n\
#if defined(__ELF__)\n    .type {name}, %object\n    .size {name}, 1b - {name}\n    .type {name}_size, %object\n    .size {name}_size, 4\n\
    .section .note.GNU-stack, \"\", %progbits\n#endif\n"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_any_name_has_one_in_source_code() {
        let rows: Vec<Vec<&str>> = RESERVED
            .lines()
            .filter(|row| !row.starts_with('#'))
            .map(|row| row.split(',').collect())
            .collect();
        assert_eq!(rows[0], ["language", "name", "source"]);
        for row in &rows[1..] {
            let [language, name, source] = row[..] else { panic!("{row:?}") };
            let language = match language {
                "c" => EmbedLanguage::C,
                "rust" => EmbedLanguage::Rust,
                _ => panic!("{row:?}"),
            };
            assert!(["keyword", "library", "macro"].contains(&source), "{row:?}");
            assert!(language.refusal(name).is_some(), "{row:?}");
            let name = identifier(Some(&Path::new("folder").join(name).with_extension("h")), language);
            assert_eq!(language.refusal(&name), None, "{row:?}");
        }
        let c_name = |name: &str| identifier(Some(&Path::new(name).with_extension("h")), EmbedLanguage::C);
        assert_eq!(["_Foo", "__x", "-", "_x"].map(c_name), ["spv_Foo", "spv__x", "spv_", "_x"]);
    }
}
