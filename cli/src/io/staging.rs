//! Temporary files of results.
//!
//! Each is in the folder of its result, so that a rename gives it the name in one step. A killed run leaves temporary files behind. Later runs
//! with many results remove them once they are a day old.

use std::collections::BTreeSet;
use std::fs::{self, File, Permissions};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, SystemTime};

use super::Data;

/// The start of the names of temporary files.
const PREFIX: &str = ".spirv-if-unfinished-";

/// The minimum number of results of a run that looks for abandoned files. Fewer results leave few files, and listing a large folder takes longer than
/// to write them.
const MIN_RESULTS_TO_CLEAN: usize = 16;

/// The minimum age of an abandoned temporary file, which is longer than any run.
const MIN_ABANDONED_AGE: Duration = Duration::from_secs(24 * 60 * 60);

/// The size of the buffer in which short pieces are written together.
const BUFFER_SIZE: usize = 1 << 16;

/// Temporary file with the path that it will have. It is closed, and removed unless it gets its path.
pub struct TempFile {
    /// The path that it has now.
    temporary: PathBuf,
    path: PathBuf,
}

impl TempFile {
    /// Writes a temporary file that will have this path. `permissions` are those of the file that it replaces.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn new(path: PathBuf, data: &Data, permissions: Option<Permissions>) -> io::Result<TempFile> {
        let (file, temporary) = create_in(folder_of(&path))?;
        let temp_file = TempFile { temporary, path };
        fill(&file, data, permissions)?;
        Ok(temp_file)
    }

    /// Returns the path that it will have.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Renames the file to its path, in place of an existing file.
    ///
    /// # Errors
    /// If the system refuses it. Then the other file keeps its path.
    pub fn rename(mut self) -> io::Result<()> {
        fs::rename(&self.temporary, &self.path)?;
        self.temporary.clear();
        Ok(())
    }
}

impl Drop for TempFile {
    fn drop(&mut self) {
        if self.temporary != Path::new("") {
            let _ = fs::remove_file(&self.temporary);
        }
    }
}

/// Creates a file with a new name in a folder.
fn create_in(folder: &Path) -> io::Result<(File, PathBuf)> {
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    loop {
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = folder.join(format!("{PREFIX}{}-{number}", std::process::id()));
        match File::create_new(&path) {
            // A process that was killed, or of another machine, had the same number.
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            created => return created.map(|file| (file, path)),
        }
    }
}

/// Returns the folder of a file.
pub fn folder_of(file: &Path) -> &Path {
    match file.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}

fn fill(file: &File, data: &Data, permissions: Option<Permissions>) -> io::Result<()> {
    let mut writer = BufWriter::with_capacity(BUFFER_SIZE, file);
    data.pieces().try_for_each(|piece| writer.write_all(piece))?;
    writer.flush()?;
    permissions.map_or(Ok(()), |permissions| file.set_permissions(permissions))
}

/// Removes the temporary files that killed runs left in the folders of these results, if there are many. Files that cannot be removed stay.
pub fn remove_abandoned(results: &[&Path]) {
    if results.len() < MIN_RESULTS_TO_CLEAN {
        return;
    }
    let folders: BTreeSet<&Path> = results.iter().map(|path| folder_of(path)).collect();
    let Some(latest) = SystemTime::now().checked_sub(MIN_ABANDONED_AGE) else { return };
    for entry in folders.into_iter().filter_map(|folder| fs::read_dir(folder).ok()).flatten().flatten() {
        if entry.file_name().as_encoded_bytes().starts_with(PREFIX.as_bytes())
            && entry.metadata().is_ok_and(|metadata| {
                metadata.is_file() && metadata.modified().is_ok_and(|modified| modified < latest)
            })
        {
            let _ = fs::remove_file(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn temp_file(path: &Path, text: &str) -> TempFile {
        TempFile::new(path.to_owned(), &Data::Text(text.to_owned()), None).unwrap()
    }

    fn count(folder: &Path) -> usize {
        fs::read_dir(folder).unwrap().count()
    }

    #[test]
    fn files_have_old_or_new_content_and_leave_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("name");
        drop(temp_file(&path, "dropped"));
        assert_eq!(count(folder.path()), 0);
        fs::write(&path, "old").unwrap();
        let file = temp_file(&path, "new");
        assert_eq!((fs::read(&path).unwrap(), count(folder.path())), (b"old".to_vec(), 2));
        file.rename().unwrap();
        assert_eq!((fs::read(&path).unwrap(), count(folder.path())), (b"new".to_vec(), 1));
        let inner = folder.path().join("inner");
        let file = temp_file(&inner, "new");
        fs::create_dir(&inner).unwrap();
        assert!(file.rename().is_err());
        assert!(inner.is_dir() && count(folder.path()) == 2);
    }

    #[test]
    #[cfg(unix)]
    fn permissions_are_those_of_new_or_replaced_files() {
        use std::os::unix::fs::PermissionsExt;

        let folder = tempfile::tempdir().unwrap();
        let [plain, path] = ["plain", "name"].map(|name| folder.path().join(name));
        fs::write(&plain, "").unwrap();
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        temp_file(&path, "new").rename().unwrap();
        assert_eq!(mode(&path), mode(&plain));
        let permissions = Some(Permissions::from_mode(0o640));
        TempFile::new(path.clone(), &Data::Text(String::new()), permissions).unwrap().rename().unwrap();
        assert_eq!(mode(&path), 0o640);
    }

    #[test]
    fn abandoned_files_are_removed_after_a_day() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let write = |name: &str, age: u32| {
            let file = File::create(path(name)).unwrap();
            file.set_modified(SystemTime::now() - age * MIN_ABANDONED_AGE / 2).unwrap();
        };
        let [abandoned, recent] = ["abandoned", "recent"].map(|name| format!("{PREFIX}{name}"));
        write(&abandoned, 3);
        write(&recent, 1);
        write("other", 3);
        let result = path("result");
        remove_abandoned(&[&*result; MIN_RESULTS_TO_CLEAN - 1]);
        assert!(path(&abandoned).exists());
        remove_abandoned(&[&*result; MIN_RESULTS_TO_CLEAN]);
        assert!(!path(&abandoned).exists() && path(&recent).exists() && path("other").exists());
    }
}
