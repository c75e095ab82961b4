//! Bundles as users see them.

use std::borrow::Cow;
use std::collections::BTreeSet;
#[cfg(feature = "mmap")]
use std::fs::File;
use std::ops::Range;
use std::path::Path;
use std::sync::OnceLock;

#[cfg(feature = "mmap")]
use memmap2::Mmap;

use crate::codec::BlockDecoder;
use crate::error::{BundleError, Damage};
use crate::index::{Encoding, Index, ModuleRecord, has_checksum};
use crate::ready::Ready;
use crate::zstandard::{Decompressor, Dictionary};

/// A bundle of shaders.
///
/// Opening reads and checks the index, and decompresses nothing. Reading a module takes at most twelve times [`MAX_CONTENT`](crate::MAX_CONTENT) of
/// memory, whatever the file says, and usually three times the module. A bundle can be shared between threads.
pub struct Bundle<'b> {
    data: Data<'b>,
    pub(crate) index: Index,
    /// The dictionary, once a block required it.
    dictionary: OnceLock<Option<Dictionary>>,
}

/// The bytes of a bundle.
enum Data<'b> {
    #[cfg(feature = "mmap")]
    Mapped(Mmap),
    Memory(Cow<'b, [u8]>),
}

impl Data<'_> {
    fn as_slice(&self) -> &[u8] {
        match self {
            #[cfg(feature = "mmap")]
            Data::Mapped(pages) => pages,
            Data::Memory(bytes) => bytes,
        }
    }
}

/// The kind of memory, without its content.
impl std::fmt::Debug for Bundle<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Bundle").field("shaders", &self.len()).finish_non_exhaustive()
    }
}

impl<'b> Bundle<'b> {
    /// Opens a file, and maps it into memory. It must not change while the bundle exists. Without the feature `mmap`, it is read as a whole.
    ///
    /// # Errors
    /// If the system cannot read it, or it is not a bundle.
    pub fn open(path: impl AsRef<Path>) -> Result<Bundle<'static>, BundleError> {
        #[cfg(not(feature = "mmap"))]
        let data = Data::Memory(std::fs::read(path)?.into());
        #[cfg(feature = "mmap")]
        let data = {
            let file = File::open(path)?;
            // SAFETY: The file must not change while it is mapped, as the documentation says. Every other program that maps files depends on
            // it, and nothing here depends on two reads of a byte being equal.
            #[allow(unsafe_code, reason = "mapping a file into memory")]
            let pages = unsafe { Mmap::map(&file)? };
            Data::Mapped(pages)
        };
        Bundle::new(data)
    }

    /// Opens the bytes of a bundle.
    ///
    /// # Errors
    /// If they are not a bundle.
    pub fn from_bytes(bytes: impl Into<Cow<'b, [u8]>>) -> Result<Bundle<'b>, BundleError> {
        Bundle::new(Data::Memory(bytes.into()))
    }

    fn new(data: Data<'b>) -> Result<Bundle<'b>, BundleError> {
        let index = Index::read(data.as_slice())?;
        Ok(Bundle { data, index, dictionary: OnceLock::new() })
    }

    /// Returns a text of the index, which was checked when the bundle was opened.
    pub(crate) fn text(&self, place: Range<usize>) -> &str {
        std::str::from_utf8(&self.as_bytes()[place]).unwrap_or_default()
    }

    /// Returns the bytes of the bundle.
    pub fn as_bytes(&self) -> &[u8] {
        self.data.as_slice()
    }

    /// Returns the number of shaders.
    pub fn len(&self) -> usize {
        self.index.shader_count()
    }

    /// Returns true if the bundle has no shaders.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the size of the file, in bytes.
    pub fn size(&self) -> usize {
        self.as_bytes().len()
    }

    /// Returns true if a module is decompressed with others (`--solid`).
    pub fn is_solid(&self) -> bool {
        self.index.block_count() < self.index.module_count()
    }

    /// Returns the shaders, sorted by name.
    pub fn shaders(&self) -> Shaders<'_> {
        Shaders { bundle: self, numbers: 0..self.len() }
    }

    /// Returns the shader of a name.
    ///
    /// # Errors
    /// [`BundleError::NoShader`] if there is none.
    pub fn shader(&self, name: &str) -> Result<Shader<'_>, BundleError> {
        let (mut start, mut end) = (0, self.len());
        while start < end {
            let middle = start + (end - start) / 2;
            let shader = Shader { bundle: self, number: middle };
            match shader.name().cmp(name) {
                std::cmp::Ordering::Less => start = middle + 1,
                std::cmp::Ordering::Equal => return Ok(shader),
                std::cmp::Ordering::Greater => end = middle,
            }
        }
        Err(BundleError::NoShader(name.to_owned()))
    }

    /// Returns the words of a shader with one variant, as they were added, or with one module for all devices.
    ///
    /// # Errors
    /// If there is no such shader, it has several variants, or the bundle is damaged.
    pub fn get(&self, name: &str) -> Result<Vec<u32>, BundleError> {
        let shader = self.shader(name)?;
        match shader.variants().len() {
            1 => shader.variant(0)?.words(),
            0 => match shader.ready().filter(Ready::is_for_all) {
                Some(ready) => ready.result(0)?.words(),
                None => Err(BundleError::Ready(name.to_owned())),
            },
            count => Err(BundleError::SeveralVariants { name: name.to_owned(), count }),
        }
    }

    /// Returns the number of modules. Equal variants share one.
    pub fn module_count(&self) -> usize {
        self.index.module_count()
    }

    /// Returns the number of words of a module.
    fn words_of(&self, module: usize) -> usize {
        self.index.module(self.as_bytes(), module).words
    }

    /// Returns the words of a module.
    pub(crate) fn module(&self, module: usize) -> Result<Vec<u32>, BundleError> {
        let ModuleRecord { block, words } = self.index.module(self.as_bytes(), module);
        let mut content = Vec::new();
        self.block(block, &mut self.decompressor()?, &mut content)?;
        let modules = self.index.modules_of(self.as_bytes(), block);
        self.reader(block, &content, modules)?.words_at(module, words)
    }

    /// Calls a function with the number and the words of each module, in order, except those of ready shaders. Each block is decompressed once.
    ///
    /// # Errors
    /// If the bundle is damaged, or the function fails.
    pub fn for_each_module<E: From<BundleError>>(
        &self,
        mut visit: impl FnMut(usize, &[u32]) -> Result<(), E>,
    ) -> Result<(), E> {
        let (mut content, mut words) = (Vec::new(), Vec::new());
        let mut decompressor = self.decompressor()?;
        let pools = self.pools();
        for block in 0..self.index.block_count() {
            self.block(block, &mut decompressor, &mut content)?;
            let modules = self.index.modules_of(self.as_bytes(), block);
            let mut reader = self.reader(block, &content, modules.clone())?;
            for module in modules {
                reader.next(&mut words)?;
                if pools.contains(&module) {
                    continue;
                }
                visit(module, &words)?;
            }
        }
        Ok(())
    }

    /// Returns the modules that have the instructions of ready shaders, and no variants.
    fn pools(&self) -> BTreeSet<usize> {
        let mut pools: BTreeSet<usize> =
            self.shaders().filter_map(|shader| shader.ready()).map(|ready| ready.pool()).collect();
        if !pools.is_empty() {
            for variant in self.shaders().flat_map(|shader| shader.variants()) {
                pools.remove(&variant.module());
            }
        }
        pools
    }

    /// Replaces content by that of a block, after its checksum was compared.
    fn block(
        &self,
        number: usize,
        decompressor: &mut Decompressor,
        content: &mut Vec<u8>,
    ) -> Result<(), BundleError> {
        let damage = Damage::Block(number);
        let block = self.index.block(self.as_bytes(), number).ok_or(damage)?;
        let stored = &self.as_bytes()[block.stored];
        if block.encoding == Encoding::Stored {
            // The checksum was compared when the bundle was opened.
            content.clear();
            content.try_reserve_exact(stored.len()).map_err(|_| damage)?;
            content.extend(stored);
            return Ok(());
        }
        if !has_checksum(stored, block.checksum) {
            return Err(damage.into());
        }
        Ok(decompressor.decompress(stored, block.content, content).ok_or(damage)?)
    }

    /// Returns a decompressor of blocks.
    fn decompressor(&self) -> Result<Decompressor<'_>, BundleError> {
        Ok(Decompressor::new(self.dictionary()?).ok_or(Damage::Dictionary)?)
    }

    /// Returns the dictionary, if the bundle has one.
    fn dictionary(&self) -> Result<Option<&Dictionary>, BundleError> {
        let Some(record) = &self.index.dictionary else { return Ok(None) };
        let dictionary = self.dictionary.get_or_init(|| {
            let stored = &self.as_bytes()[record.stored.clone()];
            let is_whole = has_checksum(stored, record.checksum);
            let mut content = Vec::new();
            let mut decompressor = Decompressor::new(None).filter(|_| is_whole)?;
            decompressor.decompress(stored, record.content, &mut content)?;
            Dictionary::new(&content)
        });
        dictionary.as_ref().map(Some).ok_or_else(|| Damage::Dictionary.into())
    }

    /// Returns a reader of the modules in the content of a block.
    fn reader<'c>(
        &'c self,
        block: usize,
        content: &'c [u8],
        modules: Range<usize>,
    ) -> Result<BlockReader<'c>, BundleError> {
        let damage = Damage::Block(block);
        let encoding = self.index.block(self.as_bytes(), block).ok_or(damage)?.encoding;
        let content = match encoding {
            Encoding::Raw | Encoding::Stored => BlockContent::Raw(content),
            Encoding::Coded => {
                BlockContent::Coded(BlockDecoder::new(content, &self.index.layouts).ok_or(damage)?)
            }
        };
        Ok(BlockReader { bundle: self, damage, modules, content })
    }
}

/// Reads the modules of a block in order.
struct BlockReader<'c> {
    bundle: &'c Bundle<'c>,
    damage: Damage,
    /// The modules that follow.
    modules: Range<usize>,
    content: BlockContent<'c>,
}

#[allow(clippy::large_enum_variant, reason = "a block has one reader")]
enum BlockContent<'c> {
    Raw(&'c [u8]),
    Coded(BlockDecoder<'c>),
}

impl BlockReader<'_> {
    /// Replaces words by those of the next module.
    fn next(&mut self, words: &mut Vec<u32>) -> Result<(), BundleError> {
        let count = self.modules.next().map(|module| self.bundle.words_of(module)).ok_or(self.damage)?;
        let is_last = self.modules.is_empty();
        let read = match &mut self.content {
            BlockContent::Coded(decoder) => {
                let read = decoder.next(count, words);
                read.filter(|()| !is_last || decoder.is_at_end())
            }
            BlockContent::Raw(bytes) => bytes.split_at_checked(4 * count).map(|(module, rest)| {
                *bytes = rest;
                words.clear();
                words.extend(module.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word)));
            }),
        };
        Ok(read.ok_or(self.damage)?)
    }

    /// Returns the words of a module, which has this number of words.
    fn words_at(mut self, module: usize, count: usize) -> Result<Vec<u32>, BundleError> {
        let mut words = Vec::new();
        while self.modules.start <= module {
            self.next(&mut words)?;
        }
        debug_assert_eq!(words.len(), count);
        words.shrink_to_fit();
        Ok(words)
    }
}

/// The shaders of a bundle, sorted by name.
#[derive(Clone, Debug)]
pub struct Shaders<'a> {
    bundle: &'a Bundle<'a>,
    numbers: Range<usize>,
}

impl<'a> Iterator for Shaders<'a> {
    type Item = Shader<'a>;

    fn next(&mut self) -> Option<Shader<'a>> {
        self.numbers.next().map(|number| Shader { bundle: self.bundle, number })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.numbers.size_hint()
    }
}

impl ExactSizeIterator for Shaders<'_> {}

/// A shader of a bundle.
#[derive(Clone, Copy, Debug)]
pub struct Shader<'a> {
    bundle: &'a Bundle<'a>,
    number: usize,
}

impl<'a> Shader<'a> {
    /// Returns the name.
    pub fn name(&self) -> &'a str {
        self.bundle.text(self.bundle.index.shader(self.bundle.as_bytes(), self.number).name)
    }

    /// Returns the results of the shader, if it is ready: then it has no variants.
    pub fn ready(&self) -> Option<Ready<'a>> {
        Ready::new(self.bundle, self.number)
    }

    /// Returns the variants. Each device gets the first one whose condition holds. A [ready](Shader::ready) shader has none.
    pub fn variants(&self) -> Variants<'a> {
        let mut numbers = self.bundle.index.variants_of(self.bundle.as_bytes(), self.number);
        if self.ready().is_some() {
            numbers.end = numbers.start;
        }
        Variants { bundle: self.bundle, first: numbers.start, numbers }
    }

    /// Returns a variant by its number, from 0.
    ///
    /// # Errors
    /// [`BundleError::NoVariantNumber`] if there is none.
    pub fn variant(&self, number: usize) -> Result<Variant<'a>, BundleError> {
        let (mut variants, name) = (self.variants(), self.name().to_owned());
        let count = variants.len();
        variants.nth(number).ok_or(BundleError::NoVariantNumber { name, variant: number, count })
    }
}

/// The variants of a shader, in the order in which their conditions count.
#[derive(Clone, Debug)]
pub struct Variants<'a> {
    bundle: &'a Bundle<'a>,
    first: usize,
    numbers: Range<usize>,
}

impl<'a> Iterator for Variants<'a> {
    type Item = Variant<'a>;

    fn next(&mut self) -> Option<Variant<'a>> {
        let (bundle, first) = (self.bundle, self.first);
        self.numbers.next().map(|number| Variant { bundle, number_in_bundle: number, number: number - first })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.numbers.size_hint()
    }
}

impl ExactSizeIterator for Variants<'_> {}

/// A variant of a shader.
#[derive(Clone, Copy, Debug)]
pub struct Variant<'a> {
    bundle: &'a Bundle<'a>,
    /// The number among the variants of all shaders.
    number_in_bundle: usize,
    number: usize,
}

impl<'a> Variant<'a> {
    /// Returns the number of the variant among those of its shader, from 0.
    pub fn number(&self) -> usize {
        self.number
    }

    /// Returns the condition on devices; `None` if the variant is for all remaining devices.
    pub fn condition(&self) -> Option<&'a str> {
        let condition = self.bundle.index.variant(self.bundle.as_bytes(), self.number_in_bundle).condition;
        Some(self.bundle.text(condition)).filter(|condition| !condition.is_empty())
    }

    /// Returns the specialization constants to fix: the SpecId or the name of each, and its value.
    pub fn constants(&self) -> impl ExactSizeIterator<Item = (&'a str, &'a str)> + use<'a> {
        let bundle = self.bundle;
        let constants = bundle.index.constants_of(bundle.as_bytes(), self.number_in_bundle);
        constants.map(|number| {
            let [name, value] = bundle.index.constant(bundle.as_bytes(), number);
            (bundle.text(name), bundle.text(value))
        })
    }

    /// Returns the number of its module in the bundle. Equal variants share one module.
    pub fn module(&self) -> usize {
        self.bundle.index.variant(self.bundle.as_bytes(), self.number_in_bundle).module
    }

    /// Returns the size of its module, in bytes.
    pub fn size(&self) -> usize {
        4 * self.bundle.words_of(self.module())
    }

    /// Returns the words of its module, as they were added. Constants to fix have their original values.
    ///
    /// # Errors
    /// If the bundle is damaged.
    pub fn words(&self) -> Result<Vec<u32>, BundleError> {
        self.bundle.module(self.module())
    }
}
