//! The bytes of a file in memory.

use std::fs::File;
use std::io::{self, ErrorKind, Read, Seek};

use memmap2::MmapMut;
use spirv_if::{Error, Module};

/// The minimum size of files that are read into huge pages: reading them spends most of its time on getting memory.
const LARGE: usize = 4 << 20;
/// The size of most huge pages.
const HUGE_PAGE: usize = 2 << 20;

/// Maximum size of a file, in bytes.
const MAX_SIZE: u64 = 4 << 30;
/// Maximum size of a stream, in bytes: of a pipe, or a device that never ends.
const MAX_STREAM_SIZE: usize = 1 << 30;
/// The number of bytes that distinguish a module from other files.
const START: usize = 4096;
/// The start of executables and libraries that may have images.
const ELF: &[u8] = b"\x7fELF";

/// The expected content of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InputKind {
    /// A module. Another file is read only until that is certain.
    Module,
    /// A module, or an executable or library that has the images of a program.
    Program,
    /// Anything that may have modules inside.
    Anything,
}

/// The bytes of a module, which lie as words so that the loader need not copy them.
pub struct Bytes {
    memory: Memory,
    len: usize,
}

enum Memory {
    Words(Vec<u32>),
    Pages(MmapMut),
}

impl Bytes {
    /// Creates bytes from the words of a module.
    pub fn from_words(words: Vec<u32>) -> Bytes {
        Bytes { len: size_of_val(&words[..]), memory: Memory::Words(words) }
    }

    /// Reads a file.
    ///
    /// # Errors
    /// If it is too large, or the system cannot read it.
    pub fn read_file(mut file: &File, expected: InputKind) -> io::Result<Bytes> {
        let len = file.metadata()?.len();
        let size = usize::try_from(len).unwrap_or(usize::MAX);
        if size < LARGE {
            return Bytes::read(file, size, expected);
        }
        if expected != InputKind::Anything {
            let start = Bytes::read(file.take(START as u64), START, expected)?;
            if expected.excludes(start.as_slice()) {
                return Ok(start);
            }
            file.rewind()?;
        }
        if len > MAX_SIZE {
            return Err(too_large(format!("it has {len} bytes, and at most {MAX_SIZE} are read")));
        }
        Bytes::read_pages(file, size)
    }

    /// Reads a file of this size into huge pages.
    fn read_pages(mut file: &File, size: usize) -> io::Result<Bytes> {
        // Memory of this size starts where a huge page can.
        let mut pages = MmapMut::map_anon(size.next_multiple_of(HUGE_PAGE))?;
        // A rest is in small ones, unless it fills nearly all of a huge page.
        #[cfg(target_os = "linux")]
        {
            let in_huge = (size + HUGE_PAGE / 8) / HUGE_PAGE * HUGE_PAGE;
            let _ = pages.advise_range(memmap2::Advice::HugePage, 0, in_huge); // small ones do as well
        }
        file.read_exact(&mut pages[..size])?;
        Ok(Bytes { memory: Memory::Pages(pages), len: size })
    }

    /// Reads to the end; `size` is how many bytes there probably are.
    ///
    /// # Errors
    /// If it is too large, or the system cannot read it.
    pub fn read(mut source: impl Read, size: usize, expected: InputKind) -> io::Result<Bytes> {
        const MIN_WORDS: usize = 1 << 12;
        // One word more than expected, so that the end is seen without growing.
        let mut words = vec![0; (size / 4 + 1).max(MIN_WORDS)];
        let most = size.max(MAX_STREAM_SIZE);
        let (mut len, mut looked) = (0, expected == InputKind::Anything);
        loop {
            let room = &mut bytemuck::cast_slice_mut::<u32, u8>(&mut words)[len..];
            match source.read(room) {
                Ok(0) => {
                    words.truncate(len.div_ceil(4));
                    words.shrink_to_fit();
                    return Ok(Bytes { memory: Memory::Words(words), len });
                }
                Ok(count) if count > most - len => {
                    return Err(too_large(format!("it has no end after {most} bytes, and no more are read")));
                }
                Ok(count) => len += count,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
            if !looked && len >= START {
                looked = true;
                let start = &bytemuck::cast_slice(&words)[..len];
                if expected.excludes(start) {
                    words.truncate(len.div_ceil(4));
                    return Ok(Bytes { memory: Memory::Words(words), len });
                }
            }
            if len == words.len() * 4 {
                // One word more than the most, so that too many are seen.
                words.resize((words.len() * 2).min(most / 4 + 1), 0);
            }
        }
    }

    /// Returns the module in these bytes.
    ///
    /// # Errors
    /// See [`Module::from_bytes`].
    pub fn module(&self) -> Result<Module<'_>, Error> {
        Module::from_bytes(self.as_slice())
    }

    /// Returns the bytes themselves.
    pub fn as_slice(&self) -> &[u8] {
        match &self.memory {
            Memory::Words(words) => &bytemuck::cast_slice(words)[..self.len],
            Memory::Pages(pages) => &pages[..self.len],
        }
    }
}

impl InputKind {
    /// Returns true if no file of this kind starts with these bytes.
    fn excludes(self, start: &[u8]) -> bool {
        match self {
            InputKind::Module => are_no_module(start),
            InputKind::Program => are_no_module(start) && !start.starts_with(ELF),
            InputKind::Anything => false,
        }
    }
}

/// Returns true if bytes do not start as a module does.
fn are_no_module(bytes: &[u8]) -> bool {
    let start = &bytes[..bytes.len().min(size_of::<u32>())];
    matches!(Module::from_bytes(start), Err(Error::Load(error)) if error.is_of_other_format())
}

fn too_large(message: String) -> io::Error {
    io::Error::new(ErrorKind::FileTooLarge, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reader that returns a few bytes at a time, like a pipe.
    struct Slowly<'a>(&'a [u8]);

    impl Read for Slowly<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let count = buffer.len().min(self.0.len()).min(1001);
            let (now, later) = self.0.split_at(count);
            buffer[..count].copy_from_slice(now);
            self.0 = later;
            Ok(count)
        }
    }

    #[test]
    fn all_is_read_whatever_was_expected() {
        let data: Vec<u8> = (0..100_000_u32).map(|byte| byte as u8).collect();
        for (len, expected) in
            [(0, 0), (7, 4), (16_384, 0), (99_999, 0), (100_000, 100_000), (100_000, 50_000)]
        {
            let bytes = Bytes::read(Slowly(&data[..len]), expected, InputKind::Anything).unwrap();
            assert_eq!(bytes.as_slice(), &data[..len]);
            let Memory::Words(words) = &bytes.memory else { panic!("in pages") };
            assert_eq!(words.len(), len.div_ceil(4));
        }
    }

    #[test]
    fn large_files_are_read_whole() {
        use std::io::{Seek, Write};
        for rest in [12_345, HUGE_PAGE - 12_345] {
            let data: Vec<u8> = (0..LARGE + rest).map(|at| (at >> 3) as u8 ^ at as u8).collect();
            let mut file = tempfile::tempfile().unwrap();
            file.write_all(&data).unwrap();
            file.rewind().unwrap();
            let bytes = Bytes::read_file(&file, InputKind::Anything).unwrap();
            assert!(bytes.as_slice() == &data[..]);
        }
    }
}
