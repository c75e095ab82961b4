//! Files without a name of their own until a run succeeds.
//!
//! They stand in a hidden folder in the folder of the results, so that they can be moved to their names in one step, and none of them is
//! open meanwhile. A run that is killed leaves its folder; since it held a lock on that, the next run in the same place sees that nobody
//! works there, and removes it.

use std::collections::BTreeMap;
use std::fs::{self, File, Permissions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};

use tempfile::TempDir;

/// The start of the names of hidden folders.
const PREFIX: &str = ".spirv-if-unfinished-";

/// The hidden folders in use, by the folders that they are in.
static IN_USE: Mutex<BTreeMap<PathBuf, Weak<Hidden>>> = Mutex::new(BTreeMap::new());

/// A hidden folder. It is removed with all files that are left in it.
struct Hidden {
    folder: TempDir,
    /// Files so far.
    count: AtomicUsize,
    /// Held as long as the folder is there, so released after it is removed.
    _lock: Option<Lock>,
}

/// A file in a hidden folder.
pub struct Unnamed {
    path: PathBuf,
    folder: Arc<Hidden>,
}

impl Unnamed {
    /// Writes a file that can be moved to names in this folder.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(folder: &Path, bytes: &[u8], permissions: Option<Permissions>) -> io::Result<Unnamed> {
        let folder = Hidden::of(folder)?;
        let number = folder.count.fetch_add(1, Ordering::Relaxed);
        let path = folder.folder.path().join(number.to_string());
        let mut file = File::create_new(&path)?;
        file.write_all(bytes)?;
        if let Some(permissions) = permissions {
            file.set_permissions(permissions)?;
        }
        Ok(Unnamed { path, folder })
    }

    /// Gives it this name, in place of a file that has it.
    ///
    /// # Errors
    /// If the system refuses it.
    pub fn persist(self, path: &Path) -> io::Result<()> {
        let renamed = fs::rename(&self.path, path);
        drop(self.folder);
        renamed
    }
}

impl Hidden {
    /// The hidden folder of this process in a folder.
    fn of(folder: &Path) -> io::Result<Arc<Hidden>> {
        let mut in_use = IN_USE.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(hidden) = in_use.get(folder).and_then(Weak::upgrade) {
            return Ok(hidden);
        }
        remove_abandoned(folder);
        let hidden = Arc::new(Hidden::new(folder)?);
        in_use.insert(folder.to_owned(), Arc::downgrade(&hidden));
        Ok(hidden)
    }

    fn new(folder: &Path) -> io::Result<Hidden> {
        loop {
            let hidden = builder().tempdir_in(folder).map_err(without_name)?;
            // Another run may take it for abandoned before it is locked.
            match Lock::try_on(hidden.path()) {
                Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::NotFound) => {}
                _ if !hidden.path().exists() => {}
                lock => return Ok(Hidden { folder: hidden, count: AtomicUsize::new(0), _lock: lock.ok() }),
            }
        }
    }
}

impl Drop for Hidden {
    fn drop(&mut self) {
        // Most are empty, of which one call to the system makes sure.
        if fs::remove_dir(self.folder.path()).is_ok() {
            self.folder.disable_cleanup(true);
        }
    }
}

fn builder() -> tempfile::Builder<'static, 'static> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(PREFIX);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(Permissions::from_mode(0o700));
    }
    builder
}

/// The error without the name of the hidden folder.
fn without_name(error: io::Error) -> io::Error {
    let message = error.to_string();
    let cause = message.split(" at path ").next().unwrap_or(&message);
    io::Error::new(error.kind(), cause)
}

/// Removes the hidden folders of runs that were killed. What cannot be removed stays: it is in nobody's way.
fn remove_abandoned(folder: &Path) {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let hidden = entries.filter(|entry| entry.file_name().as_encoded_bytes().starts_with(PREFIX.as_bytes()));
    for entry in hidden.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir())) {
        let path = entry.path();
        let Ok(_lock) = Lock::try_on(&path) else { continue };
        for file in fs::read_dir(&path).into_iter().flatten().flatten() {
            if file.file_name().as_encoded_bytes().iter().all(u8::is_ascii_digit) {
                let _ = fs::remove_file(file.path());
            }
        }
        let _ = fs::remove_dir(&path);
    }
}

/// A lock on a folder, which ends with its process at the latest.
struct Lock {
    _folder: File,
}

impl Lock {
    /// Takes the lock, unless another process has it.
    #[cfg(unix)]
    fn try_on(folder: &Path) -> io::Result<Lock> {
        let folder = File::open(folder)?;
        rustix::fs::flock(&folder, rustix::fs::FlockOperation::NonBlockingLockExclusive)?;
        Ok(Lock { _folder: folder })
    }

    /// Other systems have no such locks.
    #[cfg(not(unix))]
    fn try_on(_folder: &Path) -> io::Result<Lock> {
        Err(ErrorKind::Unsupported.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(unix)]
    fn what_a_killed_run_left_is_removed_by_the_next() {
        let folder = tempfile::tempdir().unwrap();
        let hidden = |name: &str| folder.path().join(format!("{PREFIX}{name}"));
        for name in ["killed", "running", "foreign"] {
            fs::create_dir(hidden(name)).unwrap();
            fs::write(hidden(name).join("17"), "").unwrap();
        }
        fs::write(hidden("foreign").join("notes"), "").unwrap();
        fs::write(hidden("file"), "").unwrap();
        let running = Lock::try_on(&hidden("running")).unwrap();
        let unnamed = Unnamed::write(folder.path(), b"new", None).unwrap();
        assert!(!hidden("killed").exists());
        assert!(hidden("running").join("17").exists() && hidden("foreign").join("notes").exists());
        assert!(hidden("file").exists());
        // Nor does another process take this one's.
        assert!(Lock::try_on(unnamed.folder.folder.path()).is_err());
        unnamed.persist(&folder.path().join("new")).unwrap();
        drop(running);
        remove_abandoned(folder.path());
        let left: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().path()).collect();
        assert_eq!(left.len(), 3, "{left:?}");
        assert_eq!(fs::read(folder.path().join("new")).unwrap(), b"new");
    }

    #[test]
    fn files_of_one_folder_share_a_hidden_folder_and_none_is_open() {
        let folder = tempfile::tempdir().unwrap();
        let write = |bytes: &[u8]| Unnamed::write(folder.path(), bytes, None).unwrap();
        let all: Vec<Unnamed> = (0..2000_u32).map(|number| write(&number.to_le_bytes())).collect();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        drop(all);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
