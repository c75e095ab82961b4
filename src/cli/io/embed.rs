//! Modules as source code, to be compiled into a program.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use spirv_if::PropertySets;

use super::super::usage;
use super::output::Place;
use super::{Data, Destination, Staged};

/// The number of words on a line.
const PER_LINE: usize = 8;

/// The form in which modules are written.
#[derive(Args, Debug, Default)]
pub struct EmbedArgs {
    /// Write source code with the module in it, in place of the module
    ///
    /// In a folder, MODULE.h, MODULE.rs or MODULE.S stand for MODULE.spv.
    #[arg(long, value_enum, value_name = "LANGUAGE", hide_short_help = true)]
    embed: Option<Language>,
    /// The name of the words in the source code; by default the name of the file
    #[arg(long, value_name = "NAME", requires = "embed", hide_short_help = true)]
    embed_name: Option<String>,
}

/// A language in which modules are written as source code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Language {
    /// A header for C and C++: `static const uint32_t NAME[COUNT]`, and `NAME_size`, in bytes
    C,
    /// A file for `include!`: `pub static NAME: [u32; COUNT]`
    Rust,
    /// A source for the assembler of C compilers, which includes the module, written beside it: `extern const uint32_t NAME[];` and
    /// `extern const uint32_t NAME_size;`, in bytes
    Incbin,
}

impl Language {
    fn extension(self) -> &'static str {
        match self {
            Language::C => "h",
            Language::Rust => "rs",
            Language::Incbin => "S",
        }
    }

    /// The source code with a module that is written to a file, beside that file.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn beside(self, module: &Path, words: &[u32]) -> anyhow::Result<Staged> {
        let path = module.with_extension(self.extension());
        let text = self.source(&identifier(Some(&path), self), words, module)?;
        Destination::File(path).stage(Data::Text(text))
    }

    /// The source code with a module, which an assembler includes from a file.
    fn source(self, name: &str, words: &[u32], module: &Path) -> anyhow::Result<String> {
        match self {
            Language::C => Ok(c_header(name, words)),
            Language::Rust => Ok(rust_source(name, words)),
            Language::Incbin => assembly(name, module),
        }
    }
}

impl EmbedArgs {
    /// Checks that results at this place can have the form.
    ///
    /// # Errors
    /// As wrong usage.
    pub fn check(&self, place: &Place) -> anyhow::Result<()> {
        let Some(language) = self.embed else { return Ok(()) };
        if let Some(name) = &self.embed_name {
            let is_letter = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
            if !name.chars().all(is_letter)
                || name.starts_with(|first: char| first.is_ascii_digit())
                || name.is_empty()
            {
                return Err(usage(format!(
                    "`{name}` is no name in source code: use letters, digits and underscores"
                )));
            }
        }
        match place {
            Place::Folder(_) if self.embed_name.is_some() => {
                Err(usage("--embed-name is for one result: with several, each is named for its file"))
            }
            Place::One(Destination::Stdout) if language == Language::Incbin => {
                Err(usage("--embed incbin writes two files: name one with -o"))
            }
            Place::One(Destination::File(path)) if path.extension().is_some_and(|end| end == "spv") => {
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
        self.check(&Place::Folder(PathBuf::new()))
    }

    /// The destination of the result that has this name in a folder.
    pub fn of(&self, place: &Place, name: impl Into<PathBuf>) -> Destination {
        place.of(self.renamed(name.into()))
    }

    /// The name of a result, by that of its module.
    pub fn renamed(&self, module: PathBuf) -> PathBuf {
        match self.embed {
            Some(language) => module.with_extension(language.extension()),
            None => module,
        }
    }

    /// Stages a module as [`EmbedArgs::stage`], with its properties in a file beside it ([`Destination::stage_properties`]).
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn stage_with(
        &self,
        destination: Destination,
        module: Data,
        properties: Option<&PropertySets>,
    ) -> anyhow::Result<Vec<Staged>> {
        let beside = destination.stage_properties(properties)?;
        let mut staged = self.stage(destination, module)?;
        staged.extend(beside);
        Ok(staged)
    }

    /// Stages a module in the form, with the module beside it where that includes one.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn stage(&self, destination: Destination, module: Data) -> anyhow::Result<Vec<Staged>> {
        let Some(language) = self.embed else { return Ok(vec![destination.stage(module)?]) };
        let name = match (&self.embed_name, destination.path()) {
            (Some(name), _) => name.clone(),
            (None, path) => identifier(path, language),
        };
        if language != Language::Incbin {
            let text = language.source(&name, &module.words(), Path::new(""))?;
            return Ok(vec![destination.stage(Data::Text(text))?]);
        }
        let Some((path, beside)) = destination.path().zip(destination.beside("spv")) else {
            return Err(usage("--embed incbin writes two files: name one with -o"));
        };
        let text = language.source(&name, &module.words(), &path.with_extension("spv"))?;
        let module = beside.stage(module)?;
        Ok(vec![destination.stage(Data::Text(text))?, module])
    }
}

/// The name of a file as a name in source code.
fn identifier(path: Option<&Path>, language: Language) -> String {
    let stem = path.and_then(Path::file_stem).map_or_else(|| "module".into(), |stem| stem.to_string_lossy());
    let letter = |letter: char| if letter.is_ascii_alphanumeric() { letter } else { '_' };
    let mut name: String = stem.chars().map(letter).collect();
    if name.starts_with(|first: char| first.is_ascii_digit()) {
        name.insert(0, '_');
    }
    if language == Language::Rust { name.to_ascii_uppercase() } else { name }
}

fn c_header(name: &str, words: &[u32]) -> String {
    let guard = format!("{}_H", name.to_ascii_uppercase());
    let mut text = format!(
        "/* A SPIR-V module, written by spirv-if. */\n#ifndef {guard}\n#define {guard}\n\n#include <stdint.h>\n\nstatic const uint32_t {name}[{}] = {{\n",
        words.len()
    );
    list(&mut text, words);
    text + &format!(
        "}};\n/* In bytes. */\n#define {name}_size ((uint32_t)sizeof {name})\n\n#endif /* {guard} */\n"
    )
}

fn rust_source(name: &str, words: &[u32]) -> String {
    let mut text = format!(
        "// A SPIR-V module, written by spirv-if.\n/// The words of the module.\npub static {name}: [u32; {}] = [\n",
        words.len()
    );
    list(&mut text, words);
    text + "];\n"
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

/// The module is included by the path that the command line gives it, from where that was given.
fn assembly(name: &str, module: &Path) -> anyhow::Result<String> {
    let path = module.to_str().filter(|path| !path.contains(['"', '\n', '\r']));
    let path =
        path.ok_or_else(|| anyhow::anyhow!("{}: an assembler cannot name this file", module.display()))?;
    let path = path.replace('\\', "\\\\");
    Ok(format!(
        "/* A SPIR-V module, written by spirv-if. In C:\n *\n *   extern const uint32_t {name}[];\n *   extern const uint32_t {name}_size; (in bytes)\n */\n\
#if defined(__APPLE__)\n#define SYMBOL(name) _##name\n    .const_data\n#elif defined(_WIN32)\n#define SYMBOL(name) name\n    .section .rdata, \"dr\"\n\
#else\n#define SYMBOL(name) name\n    .section .rodata\n#endif\n\
    .balign 16\n    .globl SYMBOL({name})\nSYMBOL({name}):\n    .incbin \"{path}\"\n1:\n\
    .balign 4\n    .globl SYMBOL({name}_size)\nSYMBOL({name}_size):\n    .long 1b - SYMBOL({name})\n\
#if defined(__ELF__)\n    .type {name}, %object\n    .size {name}, 1b - {name}\n    .type {name}_size, %object\n    .size {name}_size, 4\n\
    .section .note.GNU-stack, \"\", %progbits\n#endif\n"
    ))
}
