//! The destination of results on the command line.

use std::fs;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;

use super::super::usage;
use super::results::Data;
use super::{DepfileArg, Destination, ForceArg, Input, Staged, commit};

/// The destination of results.
#[derive(Args, Debug)]
pub struct Output {
    /// The file to write, a folder for the results of many modules, or `-` for standard output
    ///
    /// Nothing is written unless the whole run succeeds, and a file is replaced in one step, so it may be the input.
    #[arg(short, long, value_name = "PATH")]
    output: PathBuf,
    #[command(flatten)]
    force: ForceArg,
    #[command(flatten)]
    depfile: DepfileArg,
}

/// The destination of all results.
#[derive(Clone, Debug)]
pub enum OutputPlace {
    /// The destination of the one result.
    One(Destination),
    /// The folder in which each result has a file of its own.
    Folder(PathBuf),
}

impl Output {
    /// Returns the destination of this many results. Creates the folder if it does not exist.
    ///
    /// # Errors
    /// If many results would go to one place, or a module to a terminal.
    pub fn place(&self, results: usize) -> anyhow::Result<OutputPlace> {
        let path = &self.output;
        if Destination::at(path) == Destination::Stdout {
            if results > 1 {
                return Err(usage(format!(
                    "{results} results cannot be written to standard output: name a folder with -o"
                )));
            }
            if io::stdout().is_terminal() {
                return Err(usage(
                    "a module cannot be written to a terminal: redirect standard output, or name a file with -o",
                ));
            }
            return Ok(OutputPlace::One(Destination::Stdout));
        }
        let is_folder = names_folder(path);
        if results == 1 && !is_folder {
            return Ok(OutputPlace::One(Destination::File(path.clone())));
        }
        if path.exists() && !path.is_dir() {
            return Err(usage(format!("{} is a file: name a folder for {results} results", path.display())));
        }
        if !is_folder && path.extension().is_some() {
            return Err(usage(format!(
                "{0} is the name of one file, and there are {results} results: for a folder of this name, write -o {0}/",
                path.display()
            )));
        }
        fs::create_dir_all(path).with_context(|| path.display().to_string())?;
        Ok(OutputPlace::Folder(path.clone()))
    }

    /// Returns the beginning of the names of results, by input, if the number of results is not known. Creates the folder if it does not exist.
    ///
    /// # Errors
    /// If the results would go to one place.
    pub fn stems(&self, inputs: &[Input], count: usize) -> anyhow::Result<Vec<PathBuf>> {
        let destination = Destination::at(&self.output);
        if destination.is_stream() {
            return Err(usage(format!(
                "images cannot be written to {destination}: name a folder with -o, or the beginning of their names"
            )));
        }
        let stem = |path: PathBuf| match path.extension() {
            Some(extension) if extension == "spv" => path.with_extension(""),
            _ => path,
        };
        Ok(match self.place(count)? {
            OutputPlace::One(Destination::File(path)) => vec![stem(path)],
            place => {
                let files = inputs.iter().map(|input| place.destination(input.file_name(None)));
                files.filter_map(|file| file.path().map(|path| stem(path.to_owned()))).collect()
            }
        })
    }

    /// Refuses images that would replace inputs.
    ///
    /// # Errors
    /// As wrong usage, with what to do.
    pub fn spare_inputs(&self, images: &[Staged]) -> anyhow::Result<()> {
        self.force.spare_inputs(images, "choose other names with -o")
    }

    /// Moves all results to their destinations, with the dependencies if requested.
    ///
    /// # Errors
    /// See [`commit`]; and if a file of another program, or an input whose name the user did not repeat, would be replaced.
    pub fn commit(&self, results: Vec<Staged>) -> anyhow::Result<()> {
        self.force.check(&results)?;
        if names_folder(&self.output) {
            self.force.spare_inputs(&results, "choose another folder")?;
        }
        commit(results, &self.depfile)
    }
}

/// The file of a report that is otherwise printed.
#[derive(Args, Debug)]
pub struct ReportArg {
    /// Write the report to this file, in one step, instead of to standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl ReportArg {
    /// Returns true if an output is given.
    pub fn is_given(&self) -> bool {
        self.output.is_some()
    }

    /// Writes a report.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, text: String) -> anyhow::Result<()> {
        match &self.output {
            Some(path) => write_text(path, text),
            None => super::print(text.as_bytes()),
        }
    }
}

/// Writes a text file in one step.
///
/// # Errors
/// If it cannot be written.
pub fn write_text(path: &Path, text: String) -> anyhow::Result<()> {
    commit(vec![Destination::at(path).stage(Data::Text(text))?], &DepfileArg::default())
}

/// Returns true if a path on the command line can only be a folder: a folder exists, or the path ends with a separator.
pub fn names_folder(path: &Path) -> bool {
    let last = path.as_os_str().as_encoded_bytes().last();
    last.is_some_and(|&last| std::path::is_separator(last.into())) || path.is_dir()
}

impl OutputPlace {
    /// Returns the destination of the result that has this name in a folder.
    pub fn destination(&self, name: impl AsRef<Path>) -> Destination {
        match self {
            OutputPlace::One(destination) => destination.clone(),
            OutputPlace::Folder(folder) => Destination::File(folder.join(name)),
        }
    }
}
