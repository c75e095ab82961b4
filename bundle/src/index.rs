//! The header and the tables of a bundle (`spec-extensions/bundle.md`, "Header" and "Tables"). All of them are checked when a bundle is
//! opened, so that later accesses find only numbers that fit. Those of ready shaders are in `ready.rs`.

use std::ops::Range;

use crate::codec::{HEADER_WORDS, Layouts};
use crate::error::{BundleError, Damage};
use crate::ready::ReadyIndex;
use crate::{FIRST_VERSION, MAX_CONTENT, VERSION};

/// The first bytes of a bundle.
pub const MAGIC: [u8; 4] = *b"SPVB";
/// The size of the header in the first version.
pub const HEADER_SIZE: usize = 64;
/// The size of the header in the second version.
pub const READY_HEADER_SIZE: usize = 96;

/// The sizes of the records of tables.
pub const SHADER_SIZE: usize = 12;
pub const VARIANT_SIZE: usize = 16;
pub const CONSTANT_SIZE: usize = 16;
pub const MODULE_SIZE: usize = 8;
pub const BLOCK_SIZE: usize = 28;

/// The coding of the content of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// The words of the modules.
    Raw = 0,
    /// Streams of coded instructions.
    Coded = 1,
    /// The words of the modules, without compression.
    Stored = 2,
}

/// A shader: its name and its first variant.
#[derive(Clone, Debug)]
pub struct ShaderRecord {
    pub name: Range<usize>,
    pub first_variant: usize,
}

/// A variant: its condition (empty for all remaining devices), its module, and its first constant.
#[derive(Clone, Debug)]
pub struct VariantRecord {
    pub condition: Range<usize>,
    pub module: usize,
    pub first_constant: usize,
}

/// A module: its block and its number of words.
#[derive(Clone, Copy, Debug)]
pub struct ModuleRecord {
    pub block: usize,
    pub words: usize,
}

/// A block: compressed bytes in the file.
#[derive(Clone, Debug)]
pub struct BlockRecord {
    pub stored: Range<usize>,
    /// The size of its content.
    pub content: usize,
    pub encoding: Encoding,
    pub checksum: u32,
}

/// The dictionary of a bundle.
#[derive(Clone, Debug)]
pub struct DictionaryRecord {
    pub stored: Range<usize>,
    pub content: usize,
    pub checksum: u32,
}

/// The places of the tables in the bytes of a bundle.
#[derive(Clone, Debug)]
pub struct Index {
    shaders: Range<usize>,
    variants: Range<usize>,
    constants: Range<usize>,
    modules: Range<usize>,
    blocks: Range<usize>,
    text: Range<usize>,
    pub layouts: Layouts,
    pub dictionary: Option<DictionaryRecord>,
    /// The tables of ready shaders; empty in the first version.
    pub ready: ReadyIndex,
}

/// Returns true if bytes have a checksum. Builds for fuzzing do not compare it, so that they reach what comes after.
pub fn has_checksum(bytes: &[u8], checksum: u32) -> bool {
    cfg!(fuzzing) || crate::checksum::checksum(bytes) == checksum
}

/// Returns the number at a place, which must exist.
pub fn number(bytes: &[u8], at: usize) -> usize {
    bytes[at..].first_chunk().map_or(0, |number| u32::from_le_bytes(*number)) as usize
}

/// Returns the record of a number in a table.
pub fn record<'b>(bytes: &'b [u8], table: &Range<usize>, size: usize, number: usize) -> &'b [u8] {
    &bytes[table.start + number * size..][..size]
}

impl Index {
    /// Reads and checks the header and the tables.
    pub fn read(bytes: &[u8]) -> Result<Index, BundleError> {
        if !bytes.starts_with(&MAGIC) {
            return Err(BundleError::NotABundle);
        }
        let version = number(bytes.get(..8).ok_or(Damage::Size)?, 4) as u32;
        let header_size = match version {
            FIRST_VERSION => HEADER_SIZE,
            VERSION => READY_HEADER_SIZE,
            _ => return Err(BundleError::Version(version)),
        };
        let header = bytes.get(..header_size).ok_or(Damage::Size)?;
        let end = header_size - 4;
        if !has_checksum(&header[..end], number(header, end) as u32) {
            return Err(Damage::Header.into());
        }
        let size = number(header, 8) as u64 | (number(header, 12) as u64) << 32;
        if size != bytes.len() as u64 {
            return Err(Damage::Size.into());
        }
        let mut at = header_size;
        let mut section = |count: usize, size: usize| {
            let end = count.checked_mul(size).and_then(|size| at.checked_add(size));
            let range = at..end.filter(|&end| end <= bytes.len())?;
            at = range.end;
            Some(range)
        };
        let mut table = |at: usize, size: usize| section(number(header, at), size).ok_or(Damage::Header);
        let shaders = table(16, SHADER_SIZE)?;
        let variants = table(20, VARIANT_SIZE)?;
        let constants = table(24, CONSTANT_SIZE)?;
        let modules = table(28, MODULE_SIZE)?;
        let blocks = table(32, BLOCK_SIZE)?;
        let of_ready = if version == FIRST_VERSION { 0..0 } else { table(88, 1)? };
        let text = table(36, 1)?;
        let layouts = table(40, 1)?;
        let dictionary = table(44, 1)?;
        if !has_checksum(&bytes[header_size..layouts.end], number(header, 56) as u32) {
            return Err(Damage::Index.into());
        }
        let ready = match version {
            FIRST_VERSION => ReadyIndex::default(),
            _ => ReadyIndex::new(header, &bytes[of_ready.clone()], of_ready)?,
        };
        let content = number(header, 48);
        if content > MAX_CONTENT || (content == 0) != dictionary.is_empty() {
            return Err(Damage::Header.into());
        }
        let start_of_blocks = dictionary.end;
        let dictionary = (content != 0).then_some(DictionaryRecord {
            stored: dictionary,
            content,
            checksum: number(header, 52) as u32,
        });
        let layouts = Layouts::read(&bytes[layouts]).ok_or(Damage::Layouts)?;
        let index = Index { shaders, variants, constants, modules, blocks, text, layouts, dictionary, ready };
        index.check(bytes, start_of_blocks).ok_or(Damage::Index)?;
        index.ready.check(bytes, &index).ok_or(Damage::Index)?;
        index.check_stored_blocks(bytes, version)?;
        Ok(index)
    }

    /// Checks all records; `None` if a number does not fit.
    fn check(&self, bytes: &[u8], start_of_blocks: usize) -> Option<()> {
        let text = &bytes[self.text.clone()];
        let holds = |holds: bool| holds.then_some(());
        let is_text = |range: &Range<usize>| self.is_text(bytes, range);
        holds(text.len() <= u32::MAX as usize)?;
        let mut before: Option<ShaderRecord> = None;
        for number in 0..self.shader_count() {
            let shader = self.shader(bytes, number);
            holds(is_text(&shader.name) && shader.first_variant < self.variant_count())?;
            match &before {
                Some(before) => {
                    holds(bytes[before.name.clone()] < bytes[shader.name.clone()])?;
                    holds(before.first_variant < shader.first_variant)?;
                }
                None => holds(shader.first_variant == 0)?,
            }
            before = Some(shader);
        }
        holds((self.shader_count() == 0) == (self.variant_count() == 0))?;
        let mut first_constant = 0;
        for number in 0..self.variant_count() {
            let variant = self.variant(bytes, number);
            holds(is_text(&variant.condition) && variant.module < self.module_count())?;
            holds(first_constant <= variant.first_constant)?;
            holds(variant.first_constant <= self.constant_count())?;
            holds(number != 0 || variant.first_constant == 0)?;
            first_constant = variant.first_constant;
        }
        for number in 0..self.constant_count() {
            holds(self.constant(bytes, number).iter().all(is_text))?;
        }
        let (mut next_module, mut block_end) = (0, start_of_blocks);
        for number in 0..self.block_count() {
            let block = self.block(bytes, number)?;
            let modules = self.modules_of(bytes, number);
            holds(modules.start == next_module && modules.end > modules.start)?;
            holds(block_end <= block.stored.start && block.stored.end <= bytes.len())?;
            block_end = block.stored.end;
            holds(block.content <= MAX_CONTENT)?;
            next_module = modules.end;
            let mut words: usize = 0;
            for module in modules {
                let module = self.module(bytes, module);
                words = words.checked_add(module.words)?;
                let is_long = block.encoding != Encoding::Coded || module.words >= HEADER_WORDS;
                holds(module.block == number && is_long)?;
            }
            // A coded word has a byte at least.
            holds(match block.encoding {
                Encoding::Raw | Encoding::Stored => words.checked_mul(4) == Some(block.content),
                Encoding::Coded => words <= block.content,
            })?;
        }
        holds(next_module == self.module_count())
    }

    /// Checks the checksums of blocks that are not compressed: later reads only copy.
    fn check_stored_blocks(&self, bytes: &[u8], version: u32) -> Result<(), Damage> {
        for number in 0..self.block_count() {
            let block = self.block(bytes, number).filter(|block| block.encoding == Encoding::Stored);
            let Some(block) = block else { continue };
            let is_whole = version != FIRST_VERSION && block.stored.len() == block.content;
            if !is_whole || !has_checksum(&bytes[block.stored], block.checksum) {
                return Err(Damage::Block(number));
            }
        }
        Ok(())
    }

    /// Returns the number of shaders.
    pub fn shader_count(&self) -> usize {
        self.shaders.len() / SHADER_SIZE
    }

    /// Returns the number of variants of all shaders.
    pub fn variant_count(&self) -> usize {
        self.variants.len() / VARIANT_SIZE
    }

    pub fn constant_count(&self) -> usize {
        self.constants.len() / CONSTANT_SIZE
    }

    /// Returns the number of modules.
    pub fn module_count(&self) -> usize {
        self.modules.len() / MODULE_SIZE
    }

    /// Returns the number of blocks.
    pub fn block_count(&self) -> usize {
        self.blocks.len() / BLOCK_SIZE
    }

    /// Returns true if a place is in the text, and has UTF-8.
    pub fn is_text(&self, bytes: &[u8], range: &Range<usize>) -> bool {
        let is_inside = self.text.start <= range.start && range.end <= self.text.end;
        is_inside && std::str::from_utf8(&bytes[range.clone()]).is_ok()
    }

    /// Returns the place of a text that a record names by its offset and its size.
    pub fn text(&self, record: &[u8], at: usize) -> Range<usize> {
        let start = self.text.start.saturating_add(number(record, at));
        start..start.saturating_add(number(record, at + 4))
    }

    /// Returns a shader.
    pub fn shader(&self, bytes: &[u8], index: usize) -> ShaderRecord {
        let record = record(bytes, &self.shaders, SHADER_SIZE, index);
        ShaderRecord { name: self.text(record, 0), first_variant: number(record, 8) }
    }

    /// Returns the variants of a shader.
    pub fn variants_of(&self, bytes: &[u8], index: usize) -> Range<usize> {
        let end = match index + 1 < self.shader_count() {
            true => self.shader(bytes, index + 1).first_variant,
            false => self.variant_count(),
        };
        self.shader(bytes, index).first_variant..end
    }

    /// Returns a variant.
    pub fn variant(&self, bytes: &[u8], index: usize) -> VariantRecord {
        let record = record(bytes, &self.variants, VARIANT_SIZE, index);
        VariantRecord {
            condition: self.text(record, 0),
            module: number(record, 8),
            first_constant: number(record, 12),
        }
    }

    /// Returns the constants of a variant.
    pub fn constants_of(&self, bytes: &[u8], index: usize) -> Range<usize> {
        let end = match index + 1 < self.variant_count() {
            true => self.variant(bytes, index + 1).first_constant,
            false => self.constant_count(),
        };
        self.variant(bytes, index).first_constant..end
    }

    /// Returns the name and the value of a constant.
    pub fn constant(&self, bytes: &[u8], index: usize) -> [Range<usize>; 2] {
        let record = record(bytes, &self.constants, CONSTANT_SIZE, index);
        [self.text(record, 0), self.text(record, 8)]
    }

    /// Returns a module.
    pub fn module(&self, bytes: &[u8], index: usize) -> ModuleRecord {
        let record = record(bytes, &self.modules, MODULE_SIZE, index);
        ModuleRecord { block: number(record, 0), words: number(record, 4) }
    }

    /// Returns a block; `None` if its numbers do not fit.
    pub fn block(&self, bytes: &[u8], index: usize) -> Option<BlockRecord> {
        let record = record(bytes, &self.blocks, BLOCK_SIZE, index);
        let offset = number(record, 0) as u64 | (number(record, 4) as u64) << 32;
        let offset = usize::try_from(offset).ok()?;
        Some(BlockRecord {
            stored: offset..offset.checked_add(number(record, 8))?,
            content: number(record, 12),
            encoding: match number(record, 20) {
                0 => Encoding::Raw,
                1 => Encoding::Coded,
                2 => Encoding::Stored,
                _ => return None,
            },
            checksum: number(record, 24) as u32,
        })
    }

    /// Returns the modules of a block.
    pub fn modules_of(&self, bytes: &[u8], index: usize) -> Range<usize> {
        let first = |index: usize| number(record(bytes, &self.blocks, BLOCK_SIZE, index), 16);
        let end = if index + 1 < self.block_count() { first(index + 1) } else { self.module_count() };
        first(index)..end.min(self.module_count())
    }
}
