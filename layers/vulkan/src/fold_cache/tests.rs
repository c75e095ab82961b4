use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};

use super::*;

/// A folder that is removed with this.
struct TestFolder(PathBuf);

impl TestFolder {
    fn new(name: &str) -> TestFolder {
        let folder = std::env::temp_dir().join(format!("spirv-if-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        TestFolder(folder)
    }

    fn open(&self, max_bytes: u64) -> FoldCache {
        FoldCache::open(&self.0, max_bytes, ProcessIdentity::current()).unwrap()
    }

    /// The names of all files.
    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.0).unwrap();
        let mut names: Vec<_> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort_unstable();
        names
    }
}

impl Drop for TestFolder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

const ONE: FoldKey = FoldKey([1; DIGEST]);
const OTHER: FoldKey = FoldKey([0xab; DIGEST]);

#[test]
fn another_process_finds_what_was_stored() {
    let folder = TestFolder::new("stored");
    let cache = folder.open(1 << 20);
    assert_eq!(cache.load(&ONE), None);
    cache.store(&ONE, &[0x0723_0203, 7]).unwrap();
    cache.store(&ONE, &[0x0723_0203, 8]).unwrap();
    cache.store(&OTHER, &[]).unwrap();
    for cache in [cache, folder.open(1)] {
        assert_eq!(cache.load(&ONE), Some(vec![0x0723_0203, 8]));
        assert_eq!(cache.load(&OTHER), Some(Vec::new()));
    }
    assert_eq!(folder.names(), ["01".repeat(32), "ab".repeat(32)]);
}

#[test]
fn files_and_folders_are_private() {
    let folder = TestFolder::new("private");
    let inner = folder.0.join("inner");
    let open = || FoldCache::open(&inner, 1 << 20, ProcessIdentity::current());
    open().unwrap().store(&ONE, &[1]).unwrap();
    let mode = |path: &Path| fs::metadata(path).unwrap().mode() & 0o777;
    assert_eq!((mode(&folder.0), mode(&inner)), (0o700, 0o700));
    assert_eq!(mode(&inner.join("01".repeat(32))), 0o600);
    for open_to_others in [0o750, 0o705, 0o770, 0o707] {
        fs::set_permissions(&inner, fs::Permissions::from_mode(open_to_others)).unwrap();
        let problem = open().unwrap_err();
        let expected = format!(
            "{}: others can read or write the folder: make it private, as by chmod 700",
            inner.display()
        );
        assert_eq!(problem, expected);
    }
}

#[test]
fn other_users_and_elevated_processes_have_no_cache() {
    let folder = TestFolder::new("elevated");
    let process = ProcessIdentity::current();
    let elevated = ProcessIdentity { is_secure: true, ..process };
    let problem = FoldCache::open(&folder.0, 1, elevated).unwrap_err();
    assert!(problem.ends_with(": the process has other privileges than its user"), "{problem}");
    assert!(!folder.0.exists());
    folder.open(1);
    let stranger = ProcessIdentity { users: [process.users[0] + 1; 2], ..process };
    let problem = FoldCache::open(&folder.0, 1, stranger).unwrap_err();
    assert!(problem.ends_with(": the folder belongs to another user"), "{problem}");
    let file = folder.0.join("file");
    fs::write(&file, "").unwrap();
    assert!(FoldCache::open(&file, 1, process).unwrap_err().starts_with(file.to_str().unwrap()));
}

#[test]
fn damaged_files_are_ignored_and_written_again() {
    let folder = TestFolder::new("damaged");
    let cache = folder.open(1 << 20);
    let path = cache.path(&ONE);
    cache.store(&ONE, &[1, 2, 3]).unwrap();
    let intact = fs::read(&path).unwrap();
    let mut damages: Vec<Vec<u8>> = (0..intact.len()).map(|end| intact[..end].to_vec()).collect();
    damages.push([&intact[..], &[0; 4]].concat());
    for place in 0..intact.len() {
        let mut damaged = intact.clone();
        damaged[place] ^= 4;
        damages.push(damaged);
    }
    for damaged in damages {
        fs::write(&path, &damaged).unwrap();
        assert_eq!(cache.load(&ONE), None, "{damaged:?}");
    }
    // The file of another key.
    fs::write(cache.path(&OTHER), &intact).unwrap();
    assert_eq!(cache.load(&OTHER), None);
    cache.store(&ONE, &[1, 2, 3]).unwrap();
    assert_eq!(cache.load(&ONE), Some(vec![1, 2, 3]));
    // What is not a file is not opened: this one would block.
    fs::remove_file(&path).unwrap();
    let status = std::process::Command::new("mkfifo").arg(&path).status().unwrap();
    assert!(status.success());
    assert_eq!(cache.load(&ONE), None);
    fs::remove_file(&path).unwrap();
    symlink("/dev/zero", &path).unwrap();
    assert_eq!(cache.load(&ONE), None);
    cache.store(&ONE, &[5]).unwrap();
    assert_eq!(cache.load(&ONE), Some(vec![5]));
}

#[test]
fn the_files_that_were_used_longest_ago_go_first() {
    let folder = TestFolder::new("full");
    // Each file has a hundred bytes.
    let cache = folder.open(1000);
    let key = |number| FoldKey([number; DIGEST]);
    let size = || {
        fs::read_dir(&folder.0).unwrap().map(|entry| entry.unwrap().metadata().unwrap().len()).sum::<u64>()
    };
    let age = |number, minutes| {
        let file = File::open(cache.path(&key(number))).unwrap();
        file.set_modified(SystemTime::now() - Duration::from_secs(60 * minutes)).unwrap();
    };
    for number in 0..9 {
        cache.store(&key(number), &[number.into(); 17]).unwrap();
        age(number, 100 - u64::from(number));
    }
    assert_eq!((size(), folder.names().len()), (900, 9));
    // The oldest one is used again, another process has left a part of a file, and one is writing.
    cache.load(&key(0)).unwrap();
    fs::write(folder.0.join("8-8-8.part"), []).unwrap();
    fs::write(folder.0.join("7-7-7.part"), [0; 100]).unwrap();
    File::open(folder.0.join("7-7-7.part")).unwrap().set_modified(SystemTime::UNIX_EPOCH).unwrap();
    cache.store(&key(9), &[9; 17]).unwrap();
    let left: Vec<u8> = (0..10).filter(|&number| cache.load(&key(number)).is_some()).collect();
    assert_eq!((left, size()), (vec![0, 4, 5, 6, 7, 8, 9], 700));
    assert!(folder.names().contains(&"8-8-8.part".to_owned()));
    // What has no room at all is not stored.
    cache.store(&key(10), &[0; 1000]).unwrap();
    assert_eq!((cache.load(&key(10)), size()), (None, 700));
}

/// Two processes, as they are for a cache, with several threads each.
#[test]
fn several_processes_use_a_folder_at_once() {
    let folder = TestFolder::new("shared");
    let caches = [folder.open(20_000), folder.open(20_000)];
    let loads = AtomicU64::new(0);
    std::thread::scope(|scope| {
        for cache in caches.iter().cycle().take(4) {
            scope.spawn(|| {
                for round in 0..200u32 {
                    let number = round % 50;
                    let words = vec![number; 100 + number as usize];
                    let key = FoldKey([number as u8; DIGEST]);
                    if let Some(loaded) = cache.load(&key) {
                        assert_eq!(loaded, words);
                        loads.fetch_add(1, Ordering::Relaxed);
                    }
                    cache.store(&key, &words).unwrap();
                }
            });
        }
    });
    assert!(loads.into_inner() > 0);
    assert!(folder.names().iter().all(|name| !name.ends_with(".part")), "{:?}", folder.names());
    let size: u64 =
        fs::read_dir(&folder.0).unwrap().map(|entry| entry.unwrap().metadata().unwrap().len()).sum();
    // Each process may write a sixteenth more before it looks.
    assert!(size <= 20_000 + 2 * 20_000 / UNSEEN_PART, "{size}");
}
