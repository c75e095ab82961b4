//! `spirv-if completions` and `spirv-if man`.

use std::path::PathBuf;

use anyhow::Context;
use clap::{Args, Command, CommandFactory};
use clap_complete::Shell;
use clap_mangen::Man;

use super::io::{self, Data, DepfileArg, Destination};
use super::log::Log;
use super::{CommandLine, complete};

/// Print completions for a shell
///
/// The script asks the program, which completes commands, options, and the names of
/// devices, aspects, capabilities and of the specialization constants of the modules on
/// the command line. Write it to the file in which the shell looks for completions:
///
///   bash:        ~/.local/share/bash-completion/completions/spirv-if
///   elvish:      appended to ~/.config/elvish/rc.elv
///   fish:        ~/.config/fish/completions/spirv-if.fish
///   powershell:  appended to the file that $PROFILE names
///   zsh:         a file _spirv-if in a folder of $fpath
///
/// Examples:
///
///     spirv-if completions bash \
///         >~/.local/share/bash-completion/completions/spirv-if
///
/// Exit status: 0 done, 1 error, 2 wrong usage.
#[derive(Args, Debug)]
#[command(verbatim_doc_comment)]
pub struct Completions {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

/// Write the man pages
///
/// There is one for the program, spirv-if.1, and one for each command, such as
/// spirv-if-pack.1.
///
/// Examples:
///
///     spirv-if man ~/.local/share/man/man1
///     man spirv-if-pack
///
/// Exit status: 0 done, 1 error, 2 wrong usage.
#[derive(Args, Debug)]
#[command(verbatim_doc_comment)]
pub struct ManPages {
    /// The folder, which is created if it does not exist
    folder: PathBuf,
}

impl Completions {
    pub fn run(self, _: &mut Log) -> anyhow::Result<()> {
        io::print(&complete::script(self.shell)?)
    }
}

impl ManPages {
    pub fn run(self, _: &mut Log) -> anyhow::Result<()> {
        let mut program = CommandLine::command().disable_help_subcommand(true);
        program.build();
        let mut pages = Vec::new();
        add_pages(&program, &mut pages)?;
        std::fs::create_dir_all(&self.folder).with_context(|| self.folder.display().to_string())?;
        let stage = |(name, page)| Destination::File(self.folder.join(name)).stage(Data::Text(page));
        io::commit(pages.into_iter().map(stage).collect::<Result<_, _>>()?, &DepfileArg::default())
    }
}

/// Adds the pages of a command and of its subcommands: the name of each file, and its text.
fn add_pages(command: &Command, pages: &mut Vec<(String, String)>) -> anyhow::Result<()> {
    // A page has the help of options that the short help leaves out.
    let page = Man::new(command.clone().mut_args(|arg| arg.hide_short_help(false)));
    let mut text = Vec::new();
    page.render(&mut text)?;
    pages.push((page.get_filename(), with_examples(&String::from_utf8(text)?)));
    for subcommand in command.get_subcommands().filter(|subcommand| !subcommand.is_hide_set()) {
        add_pages(subcommand, pages)?;
    }
    Ok(())
}

/// Keeps the indented lines of examples unchanged, and fills the other lines.
fn with_examples(page: &str) -> String {
    let mut text = String::new();
    let mut is_example = false;
    for line in page.lines() {
        if line.starts_with("    ") != is_example {
            is_example = !is_example;
            text += if is_example { ".nf\n" } else { ".fi\n" };
        }
        text += line;
        text.push('\n');
    }
    text
}
