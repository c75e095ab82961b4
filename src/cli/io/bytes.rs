//! The bytes of a file in memory.

use std::fs::File;
use std::io::{self, ErrorKind, Read};
#[cfg(unix)]
use std::os::unix::fs::FileExt;

use memmap2::MmapMut;
use spirv_if::{Error, Module};

use super::in_parallel;

/// From this size on, what a file costs to read is above all the memory that it takes: it comes in huge pages, and in parts that are
/// read at the same time.
const LARGE: usize = 4 << 20;
/// The number of bytes that a thread reads at once.
const PART: usize = 2 << 20;

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
    /// Reads all of a file.
    pub fn read_file(file: &File) -> io::Result<Bytes> {
        let size = usize::try_from(file.metadata()?.len()).unwrap_or(0);
        if size < LARGE { Bytes::read(file, size) } else { Bytes::read_parts(file, size) }
    }

    /// Reads parts of a file at the same time.
    #[cfg(unix)]
    fn read_parts(file: &File, size: usize) -> io::Result<Bytes> {
        let mut pages = MmapMut::map_anon(size)?;
        #[cfg(target_os = "linux")]
        let _ = pages.advise(memmap2::Advice::HugePage); // small ones do as well
        let parts = pages.chunks_mut(PART).enumerate();
        let results = in_parallel(parts, |(at, part)| file.read_exact_at(part, (at * PART) as u64));
        results.into_iter().collect::<io::Result<()>>()?;
        Ok(Bytes { memory: Memory::Pages(pages), len: size })
    }

    #[cfg(not(unix))]
    fn read_parts(file: &File, size: usize) -> io::Result<Bytes> {
        Bytes::read(file, size)
    }

    /// Reads to the end; `expected` is how many bytes there probably are.
    pub fn read(mut source: impl Read, expected: usize) -> io::Result<Bytes> {
        const LEAST_WORDS: usize = 1 << 12;
        // One word more than expected, so that the end is seen without growing.
        let mut words = vec![0; (expected / 4 + 1).max(LEAST_WORDS)];
        let mut len = 0;
        loop {
            let room = &mut bytemuck::cast_slice_mut::<u32, u8>(&mut words)[len..];
            match source.read(room) {
                Ok(0) => {
                    words.truncate(len.div_ceil(4));
                    words.shrink_to_fit();
                    return Ok(Bytes { memory: Memory::Words(words), len });
                }
                Ok(count) => len += count,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
            if len == words.len() * 4 {
                words.resize(words.len() * 2, 0);
            }
        }
    }

    /// The module in these bytes.
    ///
    /// # Errors
    /// See [`Module::from_bytes`].
    pub fn module(&self) -> Result<Module<'_>, Error> {
        Module::from_bytes(self.as_slice())
    }

    /// The bytes themselves.
    pub fn as_slice(&self) -> &[u8] {
        match &self.memory {
            Memory::Words(words) => &bytemuck::cast_slice(words)[..self.len],
            Memory::Pages(pages) => &pages[..self.len],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives a few bytes at a time, as a pipe does.
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
            let bytes = Bytes::read(Slowly(&data[..len]), expected).unwrap();
            assert_eq!(bytes.as_slice(), &data[..len]);
            let Memory::Words(words) = &bytes.memory else { panic!("in pages") };
            assert_eq!(words.len(), len.div_ceil(4));
        }
    }

    #[test]
    fn a_large_file_is_read_in_parts() {
        use std::io::Write;
        let data: Vec<u8> = (0..LARGE as u32 + 12_345).map(|at| (at >> 3) as u8 ^ at as u8).collect();
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(&data).unwrap();
        let bytes = Bytes::read_file(&file).unwrap();
        assert!(bytes.as_slice() == &data[..]);
    }
}
