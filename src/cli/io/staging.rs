//! Files without a name of their own until a run succeeds.
//!
//! The first few are in no folder at all, where the system has such files. The others stand in a hidden folder in the folder of the
//! results, so that they can be moved to their names in one step, and none of them is open meanwhile. A run that is killed leaves its folder;
//! since it held a lock on that, the next run that needs one in the same place sees that nobody works there, and removes it.

use std::collections::BTreeMap;
use std::fs::{self, File, Permissions};
use std::io::{self, BufWriter, ErrorKind, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};

use tempfile::TempDir;

use super::Data;

/// The start of the names of hidden folders.
const PREFIX: &str = ".spirv-if-unfinished-";

/// Files in no folder are open meanwhile, so there are at most so many.
const MOST_OPEN: usize = 16;

/// The bytes of short pieces that are written together.
const ROOM: usize = 1 << 16;

/// The files in no folder.
static COUNT: AtomicUsize = AtomicUsize::new(0);

/// The hidden folders in use, by the folders that they are in.
static IN_USE: Mutex<BTreeMap<PathBuf, Weak<Hidden>>> = Mutex::new(BTreeMap::new());

/// A hidden folder. It is removed with all files that are left in it.
pub struct Hidden {
    folder: TempDir,
    /// Files so far.
    count: AtomicUsize,
    /// Held as long as the folder is there, so released after it is removed.
    _lock: Option<Lock>,
}

/// A file without a name.
pub enum Unnamed {
    /// In no folder.
    Nowhere(Nowhere),
    /// In a hidden folder.
    Hidden(PathBuf, Arc<Hidden>),
}

impl Unnamed {
    /// Writes a file that can be moved to names in this folder.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(folder: &Path, data: &Data, permissions: Option<Permissions>) -> io::Result<Unnamed> {
        match Nowhere::new(folder) {
            Some(nowhere) => {
                fill(&nowhere.0, data, permissions)?;
                Ok(Unnamed::Nowhere(nowhere))
            }
            None => Unnamed::hidden(folder, data, permissions),
        }
    }

    fn hidden(folder: &Path, data: &Data, permissions: Option<Permissions>) -> io::Result<Unnamed> {
        let folder = Hidden::of(folder)?;
        let number = folder.count.fetch_add(1, Ordering::Relaxed);
        let path = folder.folder.path().join(number.to_string());
        fill(&File::create_new(&path)?, data, permissions)?;
        Ok(Unnamed::Hidden(path, folder))
    }

    /// Gives it this name, in place of a file that has it.
    ///
    /// # Errors
    /// If the system refuses it.
    pub fn persist(self, path: &Path) -> io::Result<Moved> {
        match self {
            Unnamed::Nowhere(nowhere) => match nowhere.named(path) {
                Ok(before) => Ok(Moved { path: path.to_owned(), before, _folder: None }),
                // What the system cannot name is written once more.
                Err(_) => {
                    let (data, permissions) = nowhere.content()?;
                    Unnamed::hidden(folder_of(path), &data, Some(permissions))?.persist(path)
                }
            },
            Unnamed::Hidden(own, folder) => {
                let before = rename(own, path)?;
                Ok(Moved { path: path.to_owned(), before, _folder: Some(folder) })
            }
        }
    }
}

/// A file that has got its name. The one that had the name before is kept as long as this is.
pub struct Moved {
    path: PathBuf,
    before: Before,
    /// What the file before may be in.
    _folder: Option<Arc<Hidden>>,
}

/// What had a name before.
enum Before {
    Nothing,
    /// A file, which is here now.
    File(PathBuf),
    /// A file that is lost, since the system cannot exchange two.
    Lost,
}

impl Moved {
    /// Takes the name back, and gives it to the file that had it before. If it cannot, the name that is taken for good.
    pub fn undo(mut self) -> Result<(), PathBuf> {
        let undone = match std::mem::replace(&mut self.before, Before::Nothing) {
            Before::Nothing => fs::remove_file(&self.path),
            Before::File(before) => fs::rename(before, &self.path),
            Before::Lost => Err(ErrorKind::Unsupported.into()),
        };
        undone.map_err(|_| std::mem::take(&mut self.path))
    }
}

impl Drop for Moved {
    fn drop(&mut self) {
        if let Before::File(before) = &self.before {
            // The result is there, even if this file stays.
            let _ = fs::remove_file(before);
        }
    }
}

/// Renames a file in one step, in place of another that has the name. Where the system has that, the two change places, and the other is still there.
/// Where one is renamed over the other, ext4 waits until it is on the disk, so that a crash of the system loses neither; files that are written in
/// place, as compilers' are, have no such promise.
fn rename(own: PathBuf, path: &Path) -> io::Result<Before> {
    let is_file = fs::symlink_metadata(path).is_ok_and(|metadata| !metadata.is_dir());
    if is_file && exchange(&own, path).is_ok() {
        return Ok(Before::File(own));
    }
    fs::rename(own, path)?;
    Ok(if is_file { Before::Lost } else { Before::Nothing })
}

/// The folder of a file.
pub fn folder_of(file: &Path) -> &Path {
    match file.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}

fn fill(file: &File, data: &Data, permissions: Option<Permissions>) -> io::Result<()> {
    let mut writer = BufWriter::with_capacity(ROOM, file);
    data.pieces().try_for_each(|piece| writer.write_all(piece))?;
    writer.flush()?;
    permissions.map_or(Ok(()), |permissions| file.set_permissions(permissions))
}

/// A file in no folder. Linux has them (`O_TMPFILE` in open(2)), though not on every file system. Nothing has to be made and removed around them,
/// which takes ten times as long as to write a small file.
pub struct Nowhere(File);

impl Nowhere {
    /// A new one, which can have a name in this folder. `None` if the system has no such files there, or there are many.
    fn new(folder: &Path) -> Option<Nowhere> {
        if COUNT.load(Ordering::Relaxed) >= MOST_OPEN {
            return None;
        }
        let file = open(folder).ok()?;
        COUNT.fetch_add(1, Ordering::Relaxed);
        Some(Nowhere(file))
    }

    /// Gives it this name, in place of a file that has it.
    ///
    /// # Errors
    /// If the system refuses it.
    fn named(&self, path: &Path) -> io::Result<Before> {
        match link(&self.0, path) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => self.replace(path),
            linked => linked.map(|()| Before::Nothing),
        }
    }

    /// A file with a name is replaced in one step by one that has a name, too.
    fn replace(&self, path: &Path) -> io::Result<Before> {
        static REPLACED: AtomicUsize = AtomicUsize::new(0);
        let number = REPLACED.fetch_add(1, Ordering::Relaxed);
        let hidden = path.with_file_name(format!("{PREFIX}{}-{number}", std::process::id()));
        link(&self.0, &hidden)?;
        rename(hidden.clone(), path).inspect_err(|_| drop(fs::remove_file(&hidden)))
    }

    /// What it holds, and its permissions.
    ///
    /// # Errors
    /// If it cannot be read.
    fn content(&self) -> io::Result<(Data<'static>, Permissions)> {
        let mut bytes = Vec::new();
        (&self.0).rewind()?;
        (&self.0).read_to_end(&mut bytes)?;
        Ok((Data::Bytes(bytes), self.0.metadata()?.permissions()))
    }
}

impl Drop for Nowhere {
    fn drop(&mut self) {
        COUNT.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(target_os = "linux")]
fn open(folder: &Path) -> io::Result<File> {
    use rustix::fs::{Mode, OFlags};

    let flags = OFlags::TMPFILE | OFlags::RDWR | OFlags::CLOEXEC;
    // As all new files: what the user's mask takes away is not there.
    Ok(rustix::fs::open(folder, flags, Mode::from_raw_mode(0o666))?.into())
}

#[cfg(target_os = "linux")]
fn link(file: &File, path: &Path) -> io::Result<()> {
    use std::os::fd::AsRawFd;

    use rustix::fs::{AtFlags, CWD};

    let own = format!("/proc/self/fd/{}", file.as_raw_fd());
    Ok(rustix::fs::linkat(CWD, own, CWD, path, AtFlags::SYMLINK_FOLLOW)?)
}

/// Two files change places.
#[cfg(target_os = "linux")]
fn exchange(one: &Path, other: &Path) -> io::Result<()> {
    use rustix::fs::{CWD, RenameFlags};

    Ok(rustix::fs::renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE)?)
}

#[cfg(not(target_os = "linux"))]
fn exchange(_one: &Path, _other: &Path) -> io::Result<()> {
    Err(ErrorKind::Unsupported.into())
}

#[cfg(not(target_os = "linux"))]
fn open(_folder: &Path) -> io::Result<File> {
    Err(ErrorKind::Unsupported.into())
}

#[cfg(not(target_os = "linux"))]
fn link(_file: &File, _path: &Path) -> io::Result<()> {
    Err(ErrorKind::Unsupported.into())
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
        let unnamed = Unnamed::hidden(folder.path(), &Data::Bytes(b"new".to_vec()), None).unwrap();
        assert!(!hidden("killed").exists());
        assert!(hidden("running").join("17").exists() && hidden("foreign").join("notes").exists());
        assert!(hidden("file").exists());
        // Nor does another process take this one's.
        let Unnamed::Hidden(_, own) = &unnamed else { panic!("it is hidden") };
        assert!(Lock::try_on(own.folder.path()).is_err());
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
        let write = |number: u32| Unnamed::hidden(folder.path(), &Data::Words(vec![number]), None).unwrap();
        let all: Vec<Unnamed> = (0..2000).map(write).collect();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        drop(all);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    /// A file in no folder, where the system has such files: there are always some left for this.
    #[cfg(target_os = "linux")]
    fn nowhere(folder: &Path, bytes: &[u8], permissions: Option<Permissions>) -> Unnamed {
        let unnamed = Unnamed::write(folder, &Data::Bytes(bytes.to_vec()), permissions).unwrap();
        assert!(matches!(unnamed, Unnamed::Nowhere(_)));
        let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
        assert!(names.into_iter().all(|name| !name.as_encoded_bytes().starts_with(PREFIX.as_bytes())));
        unnamed
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn files_in_no_folder_get_names_or_are_gone() {
        use std::os::unix::fs::PermissionsExt;

        let folder = tempfile::tempdir().unwrap();
        let (folder, name) = (folder.path(), folder.path().join("name"));
        drop(nowhere(folder, b"gone", None));
        assert_eq!(fs::read_dir(folder).unwrap().count(), 0);
        nowhere(folder, b"first", None).persist(&name).unwrap();
        let plain = folder.join("plain");
        fs::write(&plain, "").unwrap();
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode();
        assert_eq!((fs::read(&name).unwrap(), mode(&name)), (b"first".to_vec(), mode(&plain)));
        nowhere(folder, b"second", Some(Permissions::from_mode(0o640))).persist(&name).unwrap();
        assert_eq!((fs::read(&name).unwrap(), mode(&name) & 0o777), (b"second".to_vec(), 0o640));
        assert!(nowhere(folder, b"third", None).persist(&folder.join("none/name")).is_err());
        assert_eq!(fs::read_dir(folder).unwrap().count(), 2);
        // A link is replaced, not what it leads to, and a folder is not replaced.
        let (link, inner) = (folder.join("link"), folder.join("folder"));
        std::os::unix::fs::symlink(&name, &link).unwrap();
        nowhere(folder, b"third", None).persist(&link).unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_file());
        assert_eq!(
            [&name, &link].map(|path| fs::read(path).unwrap()),
            [b"second".to_vec(), b"third".to_vec()]
        );
        fs::create_dir(&inner).unwrap();
        assert!(nowhere(folder, b"third", None).persist(&inner).is_err());
        assert!(inner.is_dir());
        assert_eq!(fs::read_dir(folder).unwrap().count(), 4);
        // Another file system has no name for it: there it is written anew.
        let other = tempfile::tempdir_in("/dev/shm").unwrap();
        let name = other.path().join("name");
        nowhere(folder, b"fourth", Some(Permissions::from_mode(0o640))).persist(&name).unwrap();
        assert_eq!((fs::read(&name).unwrap(), mode(&name) & 0o777), (b"fourth".to_vec(), 0o640));
        assert_eq!(fs::read_dir(other.path()).unwrap().count(), 1);
    }
}
