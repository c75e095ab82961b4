//! Results: each is written to a temporary file, and once all are written, [`commit`] renames these to their destinations. Files of other
//! programs are kept.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::{fmt, fs};

use anyhow::Context;
use clap::Args;
use spirv_if::property_sets::PropertySets;
use spirv_if::specialize::SpecializedSegments;

use super::super::usage;
use super::staging::{TempFile, folder_of, remove_abandoned};
use super::{DepfileArg, bundled, depfile, names_folder, print, text_of};

/// The destination of one result.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Destination {
    /// Standard output.
    Stdout,
    /// A file.
    File(PathBuf),
}

/// A result.
pub enum Data<'r> {
    /// A module.
    Words(Vec<u32>),
    /// A bundle, which has whole words.
    Bundle(Vec<u32>),
    /// A module in segments.
    Segments(&'r SpecializedSegments<'r>),
    /// A file beside a module.
    Text(String),
}

/// A result before [`commit`].
pub struct Staged {
    destination: Destination,
    content: Content,
    /// True if it has a name that the user did not choose, which a file of another program has.
    pub(super) replaces_foreign: bool,
    /// The names that it defines, if it is source code.
    pub(super) names: Vec<String>,
}

enum Content {
    /// The temporary file. If the destination is a symbolic link, it has the path that this leads to.
    File(TempFile),
    /// Data for a destination that cannot be renamed: standard output, a device, a pipe.
    Data(Vec<u8>),
    /// Nothing: an existing file is removed.
    Removal,
}

impl fmt::Display for Destination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Destination::Stdout => f.write_str("standard output"),
            Destination::File(path) => path.display().fmt(f),
        }
    }
}

impl Data<'_> {
    /// Returns the bytes, piece by piece.
    pub(super) fn pieces(&self) -> impl Iterator<Item = &[u8]> {
        let (whole, pieces): (Option<&[u8]>, _) = match self {
            Data::Words(words) | Data::Bundle(words) => (Some(bytemuck::cast_slice(words)), None),
            Data::Segments(segments) => (None, Some(segments.segments())),
            Data::Text(text) => (Some(text.as_bytes()), None),
        };
        whole.into_iter().chain(pieces.into_iter().flatten().map(bytemuck::cast_slice))
    }

    /// Returns the extension of files.
    pub(super) fn extension(&self) -> &'static str {
        match self {
            Data::Words(_) | Data::Segments(_) => "spv",
            Data::Bundle(_) => bundled::EXTENSION,
            Data::Text(_) => "txt",
        }
    }

    /// Returns the words of a module or a bundle.
    pub(super) fn words(&self) -> Cow<'_, [u32]> {
        match self {
            Data::Words(words) | Data::Bundle(words) => Cow::Borrowed(words),
            Data::Segments(segments) => Cow::Owned(segments.segments().flatten().copied().collect()),
            Data::Text(_) => Cow::default(),
        }
    }

    fn into_bytes(self) -> Vec<u8> {
        match self {
            Data::Text(text) => text.into_bytes(),
            _ => self.pieces().flatten().copied().collect(),
        }
    }
}

impl Destination {
    /// Returns the destination for a path on the command line: `-` is standard output, and so are its names on Unix.
    pub fn at(path: &Path) -> Destination {
        let names = ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"];
        if names.map(Path::new).contains(&path) {
            Destination::Stdout
        } else {
            Destination::File(path.to_owned())
        }
    }

    /// Returns true if it is not a file of a folder: standard output, a device, a pipe.
    pub fn is_stream(&self) -> bool {
        self.path().is_none_or(|path| {
            let is_open_file = ["/dev/fd", "/proc"].iter().any(|folder| path.starts_with(folder));
            is_open_file || fs::metadata(path).is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir())
        })
    }

    /// Returns the file beside it with its name and another extension; `None` for a stream.
    pub fn beside(&self, extension: &str) -> Option<Destination> {
        let path = self.path().filter(|_| !self.is_stream())?;
        Some(Destination::File(path.with_extension(extension)))
    }

    /// Returns the file; `None` for standard output.
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
            Destination::File(path) => stage_file(path, data)?,
            Destination::Stdout => Content::Data(data.into_bytes()),
        };
        Ok(Staged { destination: self, content, replaces_foreign: false, names: Vec::new() })
    }

    /// Stages the properties of the module that has this destination; nothing if no file can be beside it. If it has no properties, a file
    /// that this program wrote is removed: it describes a module that was there before.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn stage_properties(&self, properties: Option<&PropertySets>) -> anyhow::Result<Option<Staged>> {
        let Some(beside) = self.beside("prop") else { return Ok(None) };
        let Some(properties) = properties else {
            let is_stale =
                self.path().zip(beside.path()).is_some_and(|(module, path)| is_stale(path, module));
            let content = Content::Removal;
            let removal =
                || Staged { destination: beside, content, replaces_foreign: false, names: Vec::new() };
            return Ok(is_stale.then(removal));
        };
        let text = properties.to_text();
        let replaces_foreign = beside.path().is_some_and(|path| is_foreign(path, &text));
        Ok(Some(Staged { replaces_foreign, ..beside.stage(Data::Text(text))? }))
    }
}

impl Staged {
    /// Returns the destination.
    pub fn destination(&self) -> &Destination {
        &self.destination
    }

    /// Returns true if the destination will have content.
    pub fn is_written(&self) -> bool {
        !matches!(self.content, Content::Removal)
    }
}

fn stage_file(path: &Path, data: Data) -> anyhow::Result<Content> {
    let of_path = || path.display().to_string();
    if names_folder(path) {
        return Err(is_folder(path));
    }
    let existing = match fs::metadata(path) {
        Ok(_) if Destination::File(path.to_owned()).is_stream() => {
            return Ok(Content::Data(data.into_bytes()));
        }
        Ok(metadata) => Some(metadata.permissions()),
        Err(error) if error.kind() == ErrorKind::NotFound => None,
        Err(error) => return Err(error).with_context(of_path),
    };
    // A symbolic link is kept: its target is replaced.
    let path = match existing {
        Some(_) => fs::canonicalize(path).with_context(of_path)?,
        None => path.to_owned(),
    };
    let folder = folder_of(&path);
    if !folder.is_dir() {
        return Err(anyhow::anyhow!("the folder {} does not exist", folder.display()));
    }
    Ok(Content::File(TempFile::new(path, &data, existing).with_context(of_path)?))
}

/// Writes all results to their destinations, with the dependencies if requested. Each file has its old or its new content at any time. Files get
/// their names in the order of the results: a table or map comes after the files that it names, and the dependencies come last.
///
/// # Errors
/// If two results would be one file, or a folder has the name of one: then all files are as they were. If the system refuses a name, or a
/// stream cannot be written, the error names the files that were written.
pub fn commit(mut results: Vec<Staged>, depfile: &DepfileArg) -> anyhow::Result<()> {
    results.extend(depfile.stage(&results)?);
    check_files(&results)?;
    check_names(&results)?;
    check_folders(&results)?;
    let files: Vec<&Path> = results.iter().filter_map(Staged::temp_file).map(TempFile::path).collect();
    remove_abandoned(&files);
    // A removed file may have the same target as a result by another path. Streams may block for any time.
    results.sort_by_key(|result| result.content.rank());
    let mut written = Vec::with_capacity(results.len());
    for result in results {
        let file = result.written_file();
        result.put().map_err(|error| with_written(error, &written))?;
        written.extend(file);
    }
    Ok(())
}

/// Refuses a folder at the path of a result that was created since the result was staged.
fn check_folders(results: &[Staged]) -> anyhow::Result<()> {
    match results.iter().filter_map(Staged::temp_file).find(|file| file.path().is_dir()) {
        Some(file) => Err(is_folder(file.path())),
        None => Ok(()),
    }
}

fn is_folder(path: &Path) -> anyhow::Error {
    anyhow::anyhow!("{} is the name of a folder: name a file", path.display())
}

/// Refuses two results for one file. A single result needs no call of the system.
fn check_files(results: &[Staged]) -> anyhow::Result<()> {
    let written = || results.iter().filter(|result| result.is_written()).map(|result| &result.destination);
    if written().nth(1).is_none() {
        return Ok(());
    }
    let (mut seen, mut folders) = (HashSet::new(), HashMap::new());
    for destination in written() {
        let file = destination.path().map(|path| by_real_folder(path, &mut folders));
        let stream = file.is_none().then_some(destination);
        if !seen.insert((file, stream)) {
            return Err(usage(format!(
                "two results would be written to {destination}: give them different names, or write them separately"
            )));
        }
    }
    Ok(())
}

/// Returns the path of a file by the real path of its folder, if the folder exists, since one file may have several
/// paths. Many results are in few folders.
fn by_real_folder<'p>(path: &'p Path, folders: &mut HashMap<&'p Path, PathBuf>) -> PathBuf {
    let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else { return path.to_owned() };
    let real = || {
        let named = if folder == Path::new("") { Path::new(".") } else { folder };
        named.canonicalize().unwrap_or_else(|_| named.to_owned())
    };
    folders.entry(folder).or_insert_with(real).join(name)
}

/// Returns an error that left some files replaced.
fn with_written(error: anyhow::Error, written: &[PathBuf]) -> anyhow::Error {
    let written: Vec<String> = written.iter().map(|path| path.display().to_string()).collect();
    match written.is_empty() {
        true => error,
        false => error.context(format!("these files were written all the same: {}", written.join(", "))),
    }
}

/// Refuses source code of one folder in which a name is defined twice for a whole program: the second would silently be none, or not compile.
fn check_names(results: &[Staged]) -> anyhow::Result<()> {
    let mut defined: HashMap<(Option<&Path>, &str), &Destination> = HashMap::new();
    for Staged { destination, names, .. } in results {
        for name in names {
            let folder = destination.path().and_then(Path::parent);
            if let Some(other) = defined.insert((folder, name), destination) {
                return Err(usage(format!(
                    "{other} and {destination} would both define `{name}`: give them names that differ in letters and digits, or write them separately, with --embed-name"
                )));
            }
        }
    }
    Ok(())
}

impl Staged {
    fn temp_file(&self) -> Option<&TempFile> {
        match &self.content {
            Content::File(file) => Some(file),
            _ => None,
        }
    }

    /// Returns the path of the written file, or `None` for a stream.
    fn written_file(&self) -> Option<PathBuf> {
        self.temp_file().and(self.destination.path()).map(Path::to_owned)
    }

    /// Gives a file its name, removes a file, or writes to a stream.
    fn put(self) -> anyhow::Result<()> {
        let done = match (self.content, self.destination.path()) {
            (Content::File(file), _) => file.rename(),
            (Content::Data(data), None) => return print(&data),
            (Content::Data(data), Some(path)) => fs::write(path, &data),
            (Content::Removal, Some(path)) => match fs::remove_file(path) {
                // `a.spv` and `a.bin` have one file of properties.
                Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
                removed => removed,
            },
            (Content::Removal, None) => Ok(()),
        };
        done.with_context(|| self.destination.to_string())
    }
}

impl Content {
    /// Returns the order in which results get their paths.
    fn rank(&self) -> u8 {
        match self {
            Content::Removal => 0,
            Content::File(_) => 1,
            Content::Data(_) => 2,
        }
    }
}

/// The treatment of files that this program did not write.
#[derive(Args, Debug, Default)]
pub struct ForceArg {
    /// Replace a file of properties beside a result (OUT.prop for OUT.spv) even if another program wrote it, and inputs in the folder of results
    #[arg(long, hide_short_help = true)]
    force: bool,
}

impl ForceArg {
    /// Refuses results that the user did not name, if they would replace a file of another program.
    ///
    /// # Errors
    /// As wrong usage, with what to do.
    pub fn check(&self, results: &[Staged]) -> anyhow::Result<()> {
        match results.iter().find(|result| result.replaces_foreign && !is_input(result)) {
            Some(result) if !self.force => Err(usage(format!(
                "{} exists, and this program did not write it: move it away, choose another name with -o, or replace it with --force",
                result.destination()
            ))),
            _ => Ok(()),
        }
    }

    /// Refuses results whose names the user did not choose if they would replace inputs.
    ///
    /// # Errors
    /// As wrong usage, with what to do.
    pub fn spare_inputs(&self, results: &[Staged], advice: &str) -> anyhow::Result<()> {
        match results.iter().find(|result| is_input(result)) {
            Some(result) if !self.force => Err(usage(format!(
                "{} is an input and would be overwritten: {advice}, or replace it with --force",
                result.destination()
            ))),
            _ => Ok(()),
        }
    }
}

fn is_input(result: &Staged) -> bool {
    result.destination().path().is_some_and(depfile::was_read)
}

/// Returns true if a file exists that a file of properties with this text would replace, and another program wrote it.
fn is_foreign(path: &Path, text: &str) -> bool {
    match text_of(path) {
        Ok(existing) => existing != text && !PropertySets::is_own_text(&existing),
        Err(error) => error.kind() != ErrorKind::NotFound,
    }
}

/// Returns true if a file of properties that this program wrote exists for a module, and the module is replaced by one
/// without properties. A file of properties that is an input stays, unless the module is an input too.
fn is_stale(path: &Path, module: &Path) -> bool {
    let is_own = text_of(path).is_ok_and(|text| PropertySets::is_own_text(&text));
    is_own && (!depfile::was_read(path) || depfile::was_read(module))
}

#[cfg(test)]
mod tests {
    use super::*;

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
        // A folder comes in the way once everything is staged.
        let late = vec![stage("old"), stage("first"), stage("new")];
        let new = folder.path().join("new");
        fs::create_dir(&new).unwrap();
        assert!(commit(late, &none).is_err());
        assert_eq!((names(), fs::read(&old).unwrap()), (2, b"old".to_vec()));
        fs::remove_dir(&new).unwrap();
        commit(vec![stage("old"), stage("new")], &none).unwrap();
        assert_eq!((names(), fs::read(&old).unwrap()), (2, 1_u32.to_ne_bytes().to_vec()));
    }

    /// Checks that a name is refused if the folder of the second result is missing: the first result has its new
    /// content, and the third one its old content.
    #[test]
    fn results_get_their_names_in_order() {
        let folder = tempfile::tempdir().unwrap();
        let [first, last] = ["first", "last"].map(|name| folder.path().join(name));
        let inner = folder.path().join("inner");
        fs::create_dir(&inner).unwrap();
        [&first, &last].into_iter().for_each(|path| fs::write(path, "old").unwrap());
        let stage = |path: &Path| Destination::at(path).stage(Data::Words(vec![1])).unwrap();
        let staged = vec![stage(&first), stage(&inner.join("second")), stage(&last)];
        fs::remove_dir_all(&inner).unwrap();
        let error = format!("{:#}", commit(staged, &DepfileArg::default()).unwrap_err());
        assert!(error.contains(&format!("written all the same: {}:", first.display())), "{error}");
        assert_eq!(fs::read(&first).unwrap(), 1_u32.to_ne_bytes());
        assert_eq!(fs::read(&last).unwrap(), b"old");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    }

    /// Checks results that share one file of properties beside them: it is removed if none of them has properties, and
    /// written if one has.
    #[test]
    fn properties_are_removed_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.prop");
        let text = "[SYCL/device requirements]\naspect=2|AAAAAAAAAAA\n";
        let properties = PropertySets::parse("a.prop", text).unwrap();
        let commit_beside = |properties: [Option<&PropertySets>; 2]| {
            fs::write(&path, text).unwrap();
            let stage = |(name, properties): (&str, Option<&PropertySets>)| {
                Destination::File(folder.path().join(name)).stage_properties(properties).unwrap()
            };
            let staged = ["a.spv", "a.bin"].into_iter().zip(properties).filter_map(stage).collect();
            commit(staged, &DepfileArg::default()).unwrap();
            path.exists()
        };
        assert!(!commit_beside([None, None]));
        assert!(commit_beside([Some(&properties), None]));
        assert!(commit_beside([None, Some(&properties)]));
        // Nothing is removed if a folder has the name of a result.
        let removal = Destination::File(folder.path().join("a.spv")).stage_properties(None).unwrap();
        let late = Destination::File(folder.path().join("late")).stage(Data::Words(vec![1])).unwrap();
        fs::create_dir(folder.path().join("late")).unwrap();
        assert!(commit(removal.into_iter().chain([late]).collect(), &DepfileArg::default()).is_err());
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
    }

    /// The error of a stream names the files that were written before it.
    #[test]
    #[cfg(target_os = "linux")]
    fn what_is_written_before_a_stream_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        fs::write(&file, "old").unwrap();
        let stage = |path: &Path| Destination::at(path).stage(Data::Words(vec![1])).unwrap();
        let staged = vec![stage(Path::new("/dev/full")), stage(&file)];
        let error = commit(staged, &DepfileArg::default()).unwrap_err();
        assert!(format!("{error:#}").contains(&format!("written all the same: {}", file.display())));
        assert_eq!(fs::read(&file).unwrap(), 1_u32.to_ne_bytes());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
