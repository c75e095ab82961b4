//! Reading modules and writing results.
//!
//! The outputs of a run appear together or not at all. Each is written to a temporary file in the folder where it will
//! stand; once all are there, [`commit`] renames them.

use std::collections::HashSet;
use std::ffi::OsString;
use std::fmt;
use std::fs::{self, File};
use std::io::{self, BufWriter, ErrorKind, IsTerminal, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;
use rayon::iter::{ParallelBridge, ParallelIterator};
use spirv_if::{Module, PropertySets};
use tempfile::NamedTempFile;

use super::bytes::Bytes;
use super::depfile::{self, DepfileArg};
use super::log::Log;
use super::{Failure, exit_status, usage};

/// The modules to read.
#[derive(Args, Debug)]
pub struct Inputs {
    /// SPIR-V modules of either byte order; `-` is standard input
    #[arg(value_name = "MODULE", required = true)]
    modules: Vec<PathBuf>,
}

/// The destination of results.
#[derive(Args, Debug)]
pub struct Output {
    /// The file to write, a folder for the results of many modules, or `-` for standard output
    ///
    /// Nothing is written unless the whole run succeeds, and a file is replaced in one step, so it may be the input.
    #[arg(short, long, value_name = "PATH")]
    output: PathBuf,
    #[command(flatten)]
    depfile: DepfileArg,
}

/// A module to read.
#[derive(Clone, Copy, Debug)]
pub struct Input<'a>(&'a Path);

/// The destination of one result.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Destination {
    /// Standard output.
    Stdout,
    /// A file.
    File(PathBuf),
}

/// The destination of all results.
#[derive(Clone, Debug)]
pub enum Place {
    /// There is one result, and it goes here.
    One(Destination),
    /// Each result goes to a file of its own in this folder.
    Folder(PathBuf),
}

/// A result.
pub enum Data {
    /// A module.
    Words(Vec<u32>),
    /// A file beside a module.
    Text(String),
}

/// A result before [`commit`].
pub struct Staged {
    destination: Destination,
    content: Content,
}

enum Content {
    /// The temporary file, and the file that it will replace: not the destination where that is a symbolic link.
    File(NamedTempFile, PathBuf),
    /// Data for a destination that cannot be renamed: standard output, a device, a pipe.
    Data(Data),
}

impl Inputs {
    /// The inputs, in the order of the command line.
    ///
    /// # Errors
    /// If standard input should be read twice.
    pub fn list(&self) -> anyhow::Result<Vec<Input<'_>>> {
        list(&self.modules)
    }

    /// Works on every input, on several at the same time, and returns the results in the order of the inputs. Messages about an input, with
    /// its error, are logged under its name.
    ///
    /// # Errors
    /// If the work on any input fails, [`Failure::Logged`].
    pub fn for_each<R: Send>(
        &self,
        log: &mut Log,
        work: impl Fn(&Input, Module, &mut Log) -> anyhow::Result<R> + Sync,
    ) -> anyhow::Result<Vec<R>> {
        let inputs = self.list()?;
        each(&inputs, &inputs, log, |input, _, log| {
            let bytes = input.read()?;
            work(input, bytes.module()?.with_name(input.to_string()), log)
        })
    }
}

/// Works on an item of each input, as [`Inputs::for_each`] does.
///
/// # Errors
/// If the work on any input fails, [`Failure::Logged`].
pub fn each<I: Send, R: Send>(
    inputs: &[Input],
    items: impl IntoIterator<Item = I, IntoIter: Send>,
    log: &mut Log,
    work: impl Fn(&Input, I, &mut Log) -> anyhow::Result<R> + Sync,
) -> anyhow::Result<Vec<R>> {
    let shared = &*log;
    let outcomes = in_parallel(inputs.iter().zip(items), |(input, item)| {
        let mut log = shared.about(input);
        let result = work(input, item, &mut log).map_err(|error| {
            log.error(&error);
            exit_status(&error)
        });
        (log, result)
    });
    let mut results = Vec::with_capacity(outcomes.len());
    let mut worst: Option<u8> = None;
    for (its_log, result) in outcomes {
        log.append(its_log);
        match result {
            Ok(result) => results.push(result),
            // The lower, the worse.
            Err(status) => worst = Some(worst.map_or(status, |worst| worst.min(status))),
        }
    }
    worst.map_or(Ok(results), |status| Err(Failure::Logged(status).into()))
}

/// Paths of the command line as inputs.
///
/// # Errors
/// If standard input should be read twice.
pub fn list(paths: &[PathBuf]) -> anyhow::Result<Vec<Input<'_>>> {
    let inputs: Vec<Input> = paths.iter().map(|path| Input(path)).collect();
    match inputs.iter().filter(|input| input.is_stdin()).count() {
        0 | 1 => Ok(inputs),
        _ => Err(usage("standard input (`-`) can be read only once")),
    }
}

impl Input<'_> {
    /// True if a path on the command line refers to it.
    pub fn is_at(&self, path: &Path) -> bool {
        self.0 == path
    }

    fn is_stdin(&self) -> bool {
        self.0 == Path::new("-")
    }

    /// The name of a result in a folder: that of the input, with a word before the extension where there are several.
    pub fn file_name(&self, word: Option<&str>) -> PathBuf {
        let path = if self.is_stdin() { Path::new("stdin.spv") } else { self.0 };
        let name = Path::new(path.file_name().unwrap_or(path.as_os_str()));
        let Some(word) = word else { return name.to_owned() };
        let mut extension = OsString::from(word);
        if let Some(own) = name.extension() {
            extension.push(".");
            extension.push(own);
        }
        name.with_extension(extension)
    }

    /// The file beside it with its name and another extension, if there is one.
    pub fn beside(&self, extension: &str) -> Option<PathBuf> {
        Some(self.0.with_extension(extension)).filter(|path| !self.is_stdin() && path.is_file())
    }

    /// Reads all of it, into memory once.
    pub fn read(&self) -> anyhow::Result<Bytes> {
        if self.is_stdin() {
            return Ok(Bytes::read(io::stdin().lock(), 0)?);
        }
        depfile::record(self.0);
        Ok(Bytes::read_file(&File::open(self.0)?)?)
    }
}

impl fmt::Display for Input<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_stdin() { f.write_str("standard input") } else { self.0.display().fmt(f) }
    }
}

impl Output {
    /// The destination of this many results. Creates the folder if it does not exist.
    ///
    /// # Errors
    /// If many results would go to one place, or a module to a terminal.
    pub fn place(&self, results: usize) -> anyhow::Result<Place> {
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
            return Ok(Place::One(Destination::Stdout));
        }
        let last = path.as_os_str().as_encoded_bytes().last();
        let ends_in_separator = last.is_some_and(|&last| std::path::is_separator(last.into()));
        if results == 1 && !ends_in_separator && !path.is_dir() {
            return Ok(Place::One(Destination::File(path.clone())));
        }
        if path.exists() && !path.is_dir() {
            return Err(usage(format!("{} is a file: name a folder for {results} results", path.display())));
        }
        fs::create_dir_all(path).with_context(|| path.display().to_string())?;
        Ok(Place::Folder(path.clone()))
    }

    /// The beginning of the names of results, by input, where their number is not known. Creates the folder if it does not exist.
    ///
    /// # Errors
    /// If the results would go to one place.
    pub fn stems(&self, inputs: &[Input]) -> anyhow::Result<Vec<PathBuf>> {
        if Destination::at(&self.output) == Destination::Stdout {
            return Err(usage(
                "images cannot be written to standard output: name a folder with -o, or the beginning of their names",
            ));
        }
        let stem = |path: PathBuf| match path.extension() {
            Some(extension) if extension == "spv" => path.with_extension(""),
            _ => path,
        };
        Ok(match self.place(inputs.len())? {
            Place::One(Destination::File(path)) => vec![stem(path)],
            place => {
                let files = inputs.iter().map(|input| place.of(input.file_name(None)));
                files.filter_map(|file| file.path().map(|path| stem(path.to_owned()))).collect()
            }
        })
    }

    /// Moves all results to their destinations, with the dependencies if requested.
    ///
    /// # Errors
    /// See [`commit`].
    pub fn commit(&self, results: Vec<Staged>) -> anyhow::Result<()> {
        commit(results, &self.depfile)
    }
}

impl fmt::Display for Destination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Destination::Stdout => f.write_str("standard output"),
            Destination::File(path) => path.display().fmt(f),
        }
    }
}

impl Place {
    /// The destination of the result that has this name in a folder.
    pub fn of(&self, name: impl AsRef<Path>) -> Destination {
        match self {
            Place::One(destination) => destination.clone(),
            Place::Folder(folder) => Destination::File(folder.join(name)),
        }
    }
}

impl Data {
    fn bytes(&self) -> &[u8] {
        match self {
            Data::Words(words) => bytemuck::cast_slice(words),
            Data::Text(text) => text.as_bytes(),
        }
    }
}

impl Destination {
    /// The destination for a path on the command line: `-` is standard output.
    pub fn at(path: &Path) -> Destination {
        if path == Path::new("-") { Destination::Stdout } else { Destination::File(path.to_owned()) }
    }

    /// The file beside it with its name and another extension; `None` for standard output.
    pub fn beside(&self, extension: &str) -> Option<Destination> {
        match self {
            Destination::Stdout => None,
            Destination::File(path) => Some(Destination::File(path.with_extension(extension))),
        }
    }

    /// The file; `None` for standard output.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Destination::Stdout => None,
            Destination::File(path) => Some(path),
        }
    }

    /// Writes a result to a temporary file until [`commit`].
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn stage(self, data: Data) -> anyhow::Result<Staged> {
        let content = match &self {
            Destination::File(path) => stage_file(path, data).with_context(|| path.display().to_string())?,
            Destination::Stdout => Content::Data(data),
        };
        Ok(Staged { destination: self, content })
    }
}

impl Staged {
    /// The destination.
    pub fn destination(&self) -> &Destination {
        &self.destination
    }
}

fn stage_file(path: &Path, data: Data) -> io::Result<Content> {
    let existing = match fs::metadata(path) {
        Ok(metadata) if metadata.is_dir() => return Err(ErrorKind::IsADirectory.into()),
        Ok(metadata) if !metadata.is_file() => return Ok(Content::Data(data)),
        Ok(metadata) => Some(metadata.permissions()),
        Err(error) if error.kind() == ErrorKind::NotFound => None,
        Err(error) => return Err(error),
    };
    // A symbolic link stays one: what it leads to is replaced.
    let path = if existing.is_some() { fs::canonicalize(path)? } else { path.to_owned() };
    let folder = match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    let mut file = new_file().tempfile_in(folder).map_err(without_name)?;
    file.write_all(data.bytes())?;
    if let Some(permissions) = existing {
        file.as_file().set_permissions(permissions)?;
    }
    Ok(Content::File(file, path))
}

/// The error without the name of the temporary file.
fn without_name(error: io::Error) -> io::Error {
    let message = error.to_string();
    let cause = message.split(" at path ").next().unwrap_or(&message);
    io::Error::new(error.kind(), cause)
}

/// A builder of temporary files with the permissions of any new file.
fn new_file() -> tempfile::Builder<'static, 'static> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".spirv-if-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    builder
}

/// Refuses results whose names the user did not choose if they would replace inputs.
///
/// # Errors
/// As wrong usage, with what to do.
pub fn spare_inputs(results: &[Staged], advice: &str) -> anyhow::Result<()> {
    match results.iter().find(|result| result.destination.path().is_some_and(depfile::was_read)) {
        Some(Staged { destination, .. }) => {
            Err(usage(format!("{destination} is an input and would be overwritten: {advice}")))
        }
        None => Ok(()),
    }
}

/// Moves all results to their destinations, with the dependencies if requested.
///
/// # Errors
/// If two results would be one file, which leaves everything as it was, and where a file cannot be replaced.
pub fn commit(mut results: Vec<Staged>, depfile: &DepfileArg) -> anyhow::Result<()> {
    results.extend(depfile.stage(&results)?);
    let mut seen = HashSet::new();
    for Staged { destination, .. } in &results {
        if !seen.insert(destination) {
            return Err(usage(format!(
                "two results would be written to {destination}: give them different names, or write them separately"
            )));
        }
    }
    for Staged { destination, content } in results {
        match (content, destination) {
            (Content::File(file, path), _) => {
                file.persist(&path)
                    .map_err(|error| error.error)
                    .with_context(|| path.display().to_string())?;
            }
            (Content::Data(data), Destination::Stdout) => print(data.bytes())?,
            (Content::Data(data), Destination::File(path)) => {
                fs::write(&path, data.bytes()).with_context(|| path.display().to_string())?;
            }
        }
    }
    Ok(())
}

/// Reads a file of text.
pub fn read_text(path: &Path) -> anyhow::Result<String> {
    depfile::record(path);
    fs::read_to_string(path).with_context(|| path.display().to_string())
}

/// Reads a file of property sets.
pub fn read_properties(path: &Path) -> anyhow::Result<PropertySets> {
    Ok(PropertySets::parse(&path.display().to_string(), &read_text(path)?)?)
}

/// Writes to standard output. A reader that has seen enough is no error.
pub fn print(bytes: &[u8]) -> anyhow::Result<()> {
    print_with(|out| out.write_all(bytes))
}

/// Writes to standard output, piece by piece. A reader that has seen enough is no error.
pub fn print_with(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> anyhow::Result<()> {
    let mut stdout = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    match write(&mut stdout).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(error).context("standard output"),
        _ => Ok(()),
    }
}

/// Writes text with styles to standard output, in colour if that is a terminal. A reader that has seen enough is no error.
pub fn print_styled(text: &str) -> anyhow::Result<()> {
    let mut stdout = anstream::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(error).context("standard output"),
        _ => Ok(()),
    }
}

/// The results of `work` on each item, in their order, from as many threads as the machine runs at once. The items are found
/// while work is done on those before them.
pub fn in_parallel<I: Iterator<Item: Send> + Send, R: Send>(
    items: I,
    work: impl Fn(I::Item) -> R + Sync,
) -> Vec<R> {
    // One item needs no other thread.
    if items.size_hint().1.is_some_and(|most| most <= 1) {
        return items.map(work).collect();
    }
    let numbered = items.enumerate().par_bridge();
    let mut results: Vec<(usize, R)> = numbered.map(|(index, item)| (index, work(item))).collect();
    results.sort_unstable_by_key(|(index, _)| *index);
    results.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_the_order_of_the_items() {
        let items: Vec<u64> = (0..200).collect();
        let results = in_parallel(items.iter(), |item| {
            std::thread::sleep(std::time::Duration::from_micros(200 - item));
            item * 2
        });
        assert_eq!(results, items.iter().map(|item| item * 2).collect::<Vec<_>>());
    }

    #[test]
    fn results_appear_together_and_failures_leave_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let names = || fs::read_dir(folder.path()).unwrap().count();
        let old = folder.path().join("old");
        fs::write(&old, "old").unwrap();
        let stage =
            |name: &str| Destination::File(folder.path().join(name)).stage(Data::Words(vec![1])).unwrap();
        drop(vec![stage("old"), stage("new")]);
        let none = DepfileArg::default();
        assert!(commit(vec![stage("old"), stage("new"), stage("new")], &none).is_err());
        assert_eq!((names(), fs::read(&old).unwrap()), (1, b"old".to_vec()));
        commit(vec![stage("old"), stage("new")], &none).unwrap();
        assert_eq!((names(), fs::read(&old).unwrap()), (2, 1_u32.to_ne_bytes().to_vec()));
    }

    #[test]
    fn names_of_results() {
        let name = |path: &str, word| Input(Path::new(path)).file_name(word).display().to_string();
        assert_eq!(name("a/b.x.spv", None), "b.x.spv");
        assert_eq!(name("a/b.x.spv", Some("dev")), "b.x.dev.spv");
        assert_eq!(name("a/b", Some("dev")), "b.dev");
        assert_eq!(name("-", Some("dev")), "stdin.dev.spv");
    }
}
