//! The cache on disk of folded modules: one file each, in a folder that only its user can read and write.
//!
//! Several processes use a folder at once, without locks: a file gets its name when it is complete. A file that is damaged counts as missing. If files
//! take more room than they may, those that were used longest ago are removed.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

use sha2::{Digest, Sha256};

use crate::privileges::ProcessIdentity;

/// Size of a digest in bytes.
pub const DIGEST: usize = 32;
/// The part of its room that a cache fills again after files were removed.
const KEPT_PART: f64 = 0.75;
/// The part of its room that a process writes before it looks at what others wrote.
const UNSEEN_PART: u64 = 16;
/// The extension of files that are not complete.
const PART: &str = "part";
/// The time in which a file is complete, unless its process ended before.
const WRITING: Duration = Duration::from_secs(3600);

/// Key of a folded module: a digest of all that decides it. It is cryptographic, since an application may pass modules that others chose.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FoldKey(pub [u8; DIGEST]);

/// The cache in a folder.
#[derive(Debug)]
pub struct FoldCache {
    folder: PathBuf,
    max_bytes: u64,
    /// The bytes that this process wrote since it last looked at the folder; all of them before it has looked.
    unseen: AtomicU64,
}

/// A file of the cache.
struct CacheFile {
    path: PathBuf,
    bytes: u64,
    used: SystemTime,
}

impl FoldCache {
    /// Opens the cache in a folder, which is created if it is missing.
    ///
    /// # Errors
    /// If the process has other privileges than its user, or the folder cannot be used or is not private. The reason names the folder.
    pub fn open(folder: &Path, max_bytes: u64, process: ProcessIdentity) -> Result<FoldCache, String> {
        let problem = |reason: &dyn std::fmt::Display| format!("{}: {reason}", folder.display());
        if process.is_elevated() {
            return Err(problem(&"the process has other privileges than its user"));
        }
        create_private(folder).map_err(|error| problem(&error))?;
        check_private(folder, process).map_err(|reason| problem(&reason))?;
        // The process may change its working directory.
        let folder = folder.canonicalize().map_err(|error| problem(&error))?;
        Ok(FoldCache { folder, max_bytes, unseen: AtomicU64::new(u64::MAX) })
    }

    /// Returns a module that was stored before.
    pub fn load(&self, key: &FoldKey) -> Option<Vec<u32>> {
        let path = self.path(key);
        // Other things than files could block.
        let is_file = fs::symlink_metadata(&path).is_ok_and(|about| about.is_file());
        let bytes = is_file.then(|| fs::read(&path).ok()).flatten()?;
        let (digest, body) = bytes.split_first_chunk::<DIGEST>()?;
        let (words, rest) = body.as_chunks::<4>();
        if *digest != checksum(key, body) || !rest.is_empty() {
            return None;
        }
        // The time of the last use; without it the file only is removed earlier.
        let _ = File::open(&path).and_then(|file| file.set_modified(SystemTime::now()));
        Some(words.iter().map(|&word| u32::from_le_bytes(word)).collect())
    }

    /// Stores a module, and removes others if the cache is full.
    ///
    /// # Errors
    /// If the file cannot be written. The cache is as it was then.
    pub fn store(&self, key: &FoldKey, words: &[u32]) -> io::Result<()> {
        let body: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let size = (DIGEST + body.len()) as u64;
        if size > self.max_bytes {
            return Ok(());
        }
        self.make_room(size)?;
        let temporary = self.folder.join(temporary_name());
        let write = || {
            let mut file = create_private_file(&temporary)?;
            file.write_all(&checksum(key, &body))?;
            file.write_all(&body)?;
            fs::rename(&temporary, self.path(key))
        };
        write().inspect_err(|_| {
            let _ = fs::remove_file(&temporary);
        })
    }

    fn path(&self, key: &FoldKey) -> PathBuf {
        let digits: String = key.0.iter().map(|byte| format!("{byte:02x}")).collect();
        self.folder.join(digits)
    }

    /// Removes the files that were used longest ago, if there is no room for as many bytes.
    fn make_room(&self, bytes: u64) -> io::Result<()> {
        let unseen = self.unseen.load(Ordering::Relaxed).saturating_add(bytes);
        if unseen <= self.max_bytes / UNSEEN_PART {
            self.unseen.store(unseen, Ordering::Relaxed);
            return Ok(());
        }
        let mut files = self.files()?;
        let mut all: u64 = files.iter().map(|file| file.bytes).sum();
        // What is written until the next look has room, too.
        if all + bytes + self.max_bytes / UNSEEN_PART > self.max_bytes {
            let kept = (self.max_bytes as f64 * KEPT_PART) as u64;
            files.sort_unstable_by_key(|file| file.used);
            for file in files {
                if all + bytes <= kept {
                    break;
                }
                // Another process may have removed it.
                let _ = fs::remove_file(&file.path);
                all -= file.bytes;
            }
        }
        self.unseen.store(bytes, Ordering::Relaxed);
        Ok(())
    }

    /// Lists all files, also those that other processes did not finish, except those that they may be writing.
    fn files(&self) -> io::Result<Vec<CacheFile>> {
        let mut files = Vec::new();
        for entry in fs::read_dir(&self.folder)? {
            let path = entry?.path();
            // Another process may have removed it.
            let Ok(about) = fs::symlink_metadata(&path) else { continue };
            if about.is_file() {
                let used = about.modified().unwrap_or(SystemTime::UNIX_EPOCH);
                let is_part = path.extension().is_some_and(|extension| extension == PART);
                if is_part && used.elapsed().is_ok_and(|age| age < WRITING) {
                    continue;
                }
                files.push(CacheFile { path, bytes: about.len(), used });
            }
        }
        Ok(files)
    }
}

/// Returns the checksum of a file with a key.
fn checksum(key: &FoldKey, body: &[u8]) -> [u8; DIGEST] {
    Sha256::new().chain_update(key.0).chain_update(body).finalize().into()
}

/// Returns the name of a file that is not complete. Processes in containers may have the same number, but not at the same time.
fn temporary_name() -> String {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    let time = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_nanos();
    format!("{}-{time}-{}.{PART}", std::process::id(), NUMBER.fetch_add(1, Ordering::Relaxed))
}

#[cfg(unix)]
fn create_private(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)
}

#[cfg(not(unix))]
fn create_private(_: &Path) -> io::Result<()> {
    Err(io::Error::new(io::ErrorKind::Unsupported, "private folders are only known on Unix"))
}

#[cfg(unix)]
fn create_private_file(path: &Path) -> io::Result<File> {
    use std::os::unix::fs::OpenOptionsExt;
    OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)
}

#[cfg(not(unix))]
fn create_private_file(path: &Path) -> io::Result<File> {
    OpenOptions::new().write(true).create_new(true).open(path)
}

/// Checks that only the user of the process can read and write a folder.
#[cfg(unix)]
fn check_private(folder: &Path, process: ProcessIdentity) -> Result<(), String> {
    use std::os::unix::fs::MetadataExt;
    let about = fs::metadata(folder).map_err(|error| error.to_string())?;
    if about.uid() != process.users[1] {
        return Err("the folder belongs to another user".to_owned());
    }
    if about.mode() & 0o077 != 0 {
        return Err("others can read or write the folder: make it private, as by chmod 700".to_owned());
    }
    Ok(())
}

#[cfg(not(unix))]
fn check_private(_: &Path, _: ProcessIdentity) -> Result<(), String> {
    Ok(())
}

#[cfg(unix)]
#[cfg(test)]
mod tests;
