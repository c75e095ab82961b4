//! Files in no folder: they get a name when they are whole, and are gone if their process ends before.
//!
//! Linux has them (`O_TMPFILE` in open(2)), though not on every file system. Nothing has to be made and removed around them, which takes
//! ten times as long as to write a small file.

use std::fs::{self, File, Permissions};
use std::io::{self, Read, Seek};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

/// They are open meanwhile, so there are at most so many.
const MOST: usize = 16;

/// The files so far.
static COUNT: AtomicUsize = AtomicUsize::new(0);

/// A file in no folder.
pub struct Nowhere(File);

impl Nowhere {
    /// A new one, which can have a name in this folder. `None` if the system has no such files there, or there are many.
    pub fn new(folder: &Path) -> Option<Nowhere> {
        if COUNT.load(Ordering::Relaxed) >= MOST {
            return None;
        }
        let file = open(folder).ok()?;
        COUNT.fetch_add(1, Ordering::Relaxed);
        Some(Nowhere(file))
    }

    /// The file itself.
    pub fn file(&self) -> &File {
        &self.0
    }

    /// Gives it this name, in place of a file that has it.
    ///
    /// # Errors
    /// If the system refuses it.
    pub fn named(&self, path: &Path) -> io::Result<()> {
        match link(&self.0, path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => self.replace(path),
            linked => linked,
        }
    }

    /// A file with a name is replaced in one step by one that has a name, too.
    fn replace(&self, path: &Path) -> io::Result<()> {
        let hidden = format!("{}{}", super::staging::PREFIX, std::process::id());
        let hidden = path.with_file_name(hidden);
        link(&self.0, &hidden)?;
        fs::rename(&hidden, path).inspect_err(|_| drop(fs::remove_file(&hidden)))
    }

    /// What it holds, and its permissions.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn content(&self) -> io::Result<(Vec<u8>, Permissions)> {
        let mut bytes = Vec::new();
        (&self.0).rewind()?;
        (&self.0).read_to_end(&mut bytes)?;
        Ok((bytes, self.0.metadata()?.permissions()))
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

#[cfg(not(target_os = "linux"))]
fn open(_folder: &Path) -> io::Result<File> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(not(target_os = "linux"))]
fn link(_file: &File, _path: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}
