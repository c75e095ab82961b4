//! Files without a name of their own until a run succeeds.
//!
//! The first few are in no folder at all, where the system has such files. The others stand in a hidden folder in the folder of the
//! results, so that they can be moved to their names in one step, and none of them is open meanwhile. There, too, stand the files that
//! they replace, until all results have their names. A run that is killed leaves its folder; since it held a lock on that, the next run that
//! needs one in the same place sees that nobody works there, and removes it.

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
        let path = folder.next();
        fill(&File::create_new(&path)?, data, permissions)?;
        Ok(Unnamed::Hidden(path, folder))
    }

    /// Gives it this name, in place of a file that has it, which is kept.
    ///
    /// # Errors
    /// If the system refuses it. Then the other has its name.
    pub fn persist(self, path: &Path) -> io::Result<Moved> {
        let path = path.to_owned();
        match self {
            Unnamed::Nowhere(nowhere) => match link(&nowhere.0, &path) {
                Ok(()) => Ok(Moved { path, before: None, _folder: None }),
                Err(_) => nowhere.hidden(folder_of(&path))?.persist(&path),
            },
            Unnamed::Hidden(own, folder) => {
                let before = rename(own, &path, &folder)?;
                Ok(Moved { path, before, _folder: Some(folder) })
            }
        }
    }

    /// Gives it this name, in place of a file that has it, for good.
    ///
    /// # Errors
    /// If the system refuses it. Then the other has its name.
    pub fn persist_last(self, path: &Path) -> io::Result<()> {
        match self {
            Unnamed::Nowhere(nowhere) if nowhere.named(path).is_ok() => Ok(()),
            unnamed => unnamed.persist(path).map(drop),
        }
    }
}

/// A file that has got its name, or one that has lost it. What had the name before is kept as long as this is.
pub struct Moved {
    path: PathBuf,
    /// The file that had the name, which is here now.
    before: Option<PathBuf>,
    /// What that file is in.
    _folder: Option<Arc<Hidden>>,
}

impl Moved {
    /// Takes a file away from its name.
    ///
    /// # Errors
    /// If the system refuses it, or there is none.
    pub fn away(path: &Path) -> io::Result<Moved> {
        let folder = Hidden::of(folder_of(path))?;
        let before = folder.next();
        fs::rename(path, &before)?;
        Ok(Moved { path: path.to_owned(), before: Some(before), _folder: Some(folder) })
    }

    /// Takes the name back, and gives it to the file that had it before. If it cannot, the name that is taken for good.
    pub fn undo(mut self) -> Result<(), PathBuf> {
        let undone = match self.before.take() {
            None => fs::remove_file(&self.path),
            Some(before) => fs::rename(before, &self.path),
        };
        undone.map_err(|_| std::mem::take(&mut self.path))
    }
}

impl Drop for Moved {
    fn drop(&mut self) {
        if let Some(before) = &self.before {
            // The result is there, even if this file stays.
            let _ = fs::remove_file(before);
        }
    }
}

/// Renames a file in one step, in place of another that has the name, and tells where that is then. Where the system has that, the two change
/// places; else the other gets a second name in a hidden folder before, or, where files cannot have two, that alone. Where one is renamed over
/// the other, ext4 waits until it is on the disk, so that a crash of the system loses neither; files that are written in place, as compilers'
/// are, have no such promise.
fn rename(own: PathBuf, path: &Path, hidden: &Hidden) -> io::Result<Option<PathBuf>> {
    if !is_file(path) {
        return fs::rename(own, path).map(|()| None);
    }
    match exchange(&own, path) {
        Ok(()) => Ok(Some(own)),
        Err(_) => rename_over(&own, path, hidden.next()).map(Some),
    }
}

/// Renames a file over another that has the name, which has another name then.
fn rename_over(own: &Path, path: &Path, before: PathBuf) -> io::Result<PathBuf> {
    fs::hard_link(path, &before).or_else(|_| fs::rename(path, &before))?;
    if let Err(error) = fs::rename(own, path) {
        fs::rename(&before, path)?;
        return Err(error);
    }
    Ok(before)
}

/// True if a name is that of something that a file can replace.
fn is_file(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|metadata| !metadata.is_dir())
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

    /// Gives it this name, in place of a file that has it, which is lost.
    ///
    /// # Errors
    /// If the system refuses it.
    fn named(&self, path: &Path) -> io::Result<()> {
        match link(&self.0, path) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists && is_file(path) => self.replace(path),
            linked => linked,
        }
    }

    /// A file with a name is replaced in one step by one that has a name, too.
    fn replace(&self, path: &Path) -> io::Result<()> {
        static REPLACED: AtomicUsize = AtomicUsize::new(0);
        let number = REPLACED.fetch_add(1, Ordering::Relaxed);
        let own = path.with_file_name(format!("{PREFIX}{}-{number}", std::process::id()));
        link(&self.0, &own)?;
        if exchange(&own, path).is_err() {
            return fs::rename(&own, path).inspect_err(|_| drop(fs::remove_file(&own)));
        }
        // The result is there, even if the other stays.
        let _ = fs::remove_file(&own);
        Ok(())
    }

    /// The same file in the hidden folder of a folder. What the system cannot name there is written once more.
    fn hidden(&self, folder: &Path) -> io::Result<Unnamed> {
        let hidden = Hidden::of(folder)?;
        let path = hidden.next();
        match link(&self.0, &path) {
            Ok(()) => Ok(Unnamed::Hidden(path, hidden)),
            Err(_) => {
                let (data, permissions) = self.content()?;
                Unnamed::hidden(folder, &data, Some(permissions))
            }
        }
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

    /// The name of the next file in it.
    fn next(&self) -> PathBuf {
        let number = self.count.fetch_add(1, Ordering::Relaxed);
        self.folder.path().join(number.to_string())
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
    fn what_is_replaced_is_hidden_until_all_have_their_names() {
        let folder = tempfile::tempdir().unwrap();
        let (folder, name) = (folder.path(), folder.path().join("name"));
        let new = |bytes: &[u8]| Unnamed::write(folder, &Data::Bytes(bytes.to_vec()), None).unwrap();
        let own_files = || {
            let entries = fs::read_dir(folder).unwrap().map(Result::unwrap);
            entries.filter(|entry| entry.file_type().unwrap().is_file()).count()
        };
        fs::write(&name, "old").unwrap();
        let moved = new(b"new").persist(&name).unwrap();
        assert_eq!((fs::read(&name).unwrap(), own_files()), (b"new".to_vec(), 1));
        let away = Moved::away(&name).unwrap();
        assert_eq!(own_files(), 0);
        away.undo().unwrap();
        assert_eq!(fs::read(&name).unwrap(), b"new");
        moved.undo().unwrap();
        assert_eq!(fs::read(&name).unwrap(), b"old");
        drop(Moved::away(&name).unwrap());
        assert_eq!(fs::read_dir(folder).unwrap().count(), 0);
        new(b"first").persist_last(&name).unwrap();
        new(b"last").persist_last(&name).unwrap();
        assert_eq!(fs::read(&name).unwrap(), b"last");
        assert_eq!(fs::read_dir(folder).unwrap().count(), 1);
    }

    /// Not all systems exchange files.
    #[test]
    fn what_is_renamed_over_has_another_name() {
        let folder = tempfile::tempdir().unwrap();
        let [own, name, before] = ["own", "name", "before"].map(|name| folder.path().join(name));
        fs::write(&name, "old").unwrap();
        assert!(rename_over(&own, &name, before.clone()).is_err());
        assert_eq!(fs::read(&name).unwrap(), b"old");
        let _ = fs::remove_file(&before);
        fs::write(&own, "new").unwrap();
        assert_eq!(rename_over(&own, &name, before.clone()).unwrap(), before);
        assert_eq!([&name, &before].map(|path| fs::read(path).unwrap()), [b"new", b"old"]);
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
