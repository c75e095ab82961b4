//! Writing bundles.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::{fmt, io};

use rayon::prelude::*;
use spirv_if::ready::{ReadyError, ReadyShader, ReadyVariant};
use spirv_if::specialize::{FeaturesToLower, SpecConstant};
use spirv_if::{Condition, Module, PackOptions, Prepared, Settings, pack};

use crate::checksum::checksum;
use crate::codec::{LayoutCounts, Layouts, Streams, is_codable};
use crate::error::BundleError;
use crate::index::{
    BLOCK_SIZE, CONSTANT_SIZE, Encoding, HEADER_SIZE, MAGIC, MODULE_SIZE, READY_HEADER_SIZE, SHADER_SIZE,
    VARIANT_SIZE,
};
use crate::ready::{ReadyData, ReadyTables};
use crate::zstandard::{BlockCompressor, train};
use crate::{FIRST_VERSION, MAX_CONTENT, VERSION};

/// The maximum size of a dictionary. Larger dictionaries save little, and every first access decompresses one.
const MAX_DICTIONARY: usize = 256 << 10;
/// The bytes of content for each byte of dictionary.
const CONTENT_PER_DICTIONARY: usize = 32;
/// The number of sample bytes for each byte of a dictionary. More samples take longer, and gain little.
const SAMPLES_PER_DICTIONARY: usize = 16;

/// A variant of a shader that is added to a bundle.
#[derive(Clone, Debug)]
#[must_use]
pub struct ShaderVariant<'m> {
    words: Cow<'m, [u32]>,
    condition: String,
    constants: Vec<(String, String)>,
    /// Constants with the values that the host may give them.
    choices: Vec<(String, Vec<String>)>,
}

impl<'m> ShaderVariant<'m> {
    /// Creates the variant for all remaining devices, from the words of its module. Files have them in little-endian order.
    pub fn new(words: impl Into<Cow<'m, [u32]>>) -> ShaderVariant<'m> {
        let (constants, choices) = (Vec::new(), Vec::new());
        ShaderVariant { words: words.into(), condition: String::new(), constants, choices }
    }

    /// Sets the condition on devices, in the syntax of `spec-extensions/conditions.md`.
    pub fn condition(mut self, condition: impl Into<String>) -> ShaderVariant<'m> {
        self.condition = condition.into();
        self
    }

    /// Fixes a specialization constant, by its SpecId or its name. [`Bundle::get_for`](crate::Bundle::get_for) applies it.
    pub fn constant(mut self, constant: impl Into<String>, value: impl Into<String>) -> ShaderVariant<'m> {
        self.constants.push((constant.into(), value.into()));
        self
    }

    /// Lists the values that the host may give a specialization constant. In a ready shader, each value is a question.
    /// Other shaders leave the constant to the host.
    pub fn constant_values(
        mut self,
        constant: impl Into<String>,
        values: impl IntoIterator<Item = impl Into<String>>,
    ) -> ShaderVariant<'m> {
        self.choices.push((constant.into(), values.into_iter().map(Into::into).collect()));
        self
    }
}

/// Note about a shader that cannot be ready.
#[derive(Debug)]
#[non_exhaustive]
pub struct NotReady {
    /// The name of the shader.
    pub name: String,
    /// The reason.
    pub reason: ReadyError,
}

impl fmt::Display for NotReady {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is stored with its conditions: {}", self.name, self.reason)
    }
}

/// Writer of a bundle. Equal inputs result in equal bytes.
#[derive(Clone, Debug, Default)]
pub struct BundleBuilder<'m> {
    shaders: BTreeMap<String, ShaderContent<'m>>,
    is_solid: bool,
    is_uncompressed: bool,
}

/// The content of a shader: its variants, or one with its pool.
#[derive(Clone, Debug)]
struct ShaderContent<'m> {
    variants: Vec<ShaderVariant<'m>>,
    ready: Option<Box<ReadyData>>,
}

impl<'m> BundleBuilder<'m> {
    /// Starts an empty bundle.
    pub fn new() -> BundleBuilder<'m> {
        BundleBuilder::default()
    }

    /// Returns the number of shaders.
    pub fn len(&self) -> usize {
        self.shaders.len()
    }

    /// Returns true if the bundle has no shaders.
    pub fn is_empty(&self) -> bool {
        self.shaders.is_empty()
    }

    /// Compresses modules together, if true. The file is smaller, and reading one module decompresses all before it.
    pub fn solid(&mut self, solid: bool) -> &mut BundleBuilder<'m> {
        self.is_solid = solid;
        self
    }

    /// Stores modules uncompressed, if true, so that reading them is a copy.
    pub fn uncompressed(&mut self, uncompressed: bool) -> &mut BundleBuilder<'m> {
        self.is_uncompressed = uncompressed;
        self
    }

    /// Adds a shader. Each device gets the first variant whose condition holds.
    ///
    /// # Errors
    /// If the name exists or is not one line, there are no variants, a condition is malformed, or a variant without a condition is not the
    /// last.
    pub fn add(
        &mut self,
        name: impl Into<String>,
        variants: impl IntoIterator<Item = ShaderVariant<'m>>,
    ) -> Result<&mut BundleBuilder<'m>, BundleError> {
        let name = name.into();
        let variants: Vec<_> = variants.into_iter().collect();
        self.check(&name, &variants)?;
        self.shaders.insert(name, ShaderContent { variants, ready: None });
        Ok(self)
    }

    /// Adds a shader with its plain module for every device. `settings` has the changes to these modules. With [`Settings::lower`], devices
    /// without a feature have their lowered twin among them, as [`PackOptions::lower`] makes it. A shader that
    /// cannot be ready, or has more modules than `max_results`, is added as by [`add`](BundleBuilder::add). A note then
    /// gives the reason.
    ///
    /// # Errors
    /// See [`add`](BundleBuilder::add), and if a module cannot be loaded, or does not have a constant.
    pub fn add_ready(
        &mut self,
        name: impl Into<String>,
        variants: impl IntoIterator<Item = ShaderVariant<'m>>,
        settings: &Settings,
        max_results: usize,
    ) -> Result<Option<NotReady>, BundleError> {
        let name = name.into();
        let variants: Vec<_> = variants.into_iter().collect();
        self.check(&name, &variants)?;
        let (variants, settings) = match settings.features_to_lower() {
            Some(features) => (with_twins(variants, features)?, &settings.clone().lower(None)),
            None => (variants, settings),
        };
        let (content, note) = match ready_shader(&variants, settings, max_results)? {
            Ok(shader) => (ShaderContent::from_ready(variants, &shader), None),
            Err(reason) => {
                (ShaderContent { variants, ready: None }, Some(NotReady { name: name.clone(), reason }))
            }
        };
        self.shaders.insert(name, content);
        Ok(note)
    }

    /// Checks a shader that is added.
    fn check(&self, name: &str, variants: &[ShaderVariant]) -> Result<(), BundleError> {
        let name = name.to_owned();
        if name.is_empty() || name.contains(char::is_control) {
            return Err(BundleError::InvalidName(name));
        }
        if self.shaders.contains_key(&name) {
            return Err(BundleError::DuplicateName(name));
        }
        let Some((_, others)) = variants.split_last() else { return Err(BundleError::NoVariants(name)) };
        if others.iter().any(|variant| variant.condition.is_empty()) {
            return Err(BundleError::ElseNotLast(name));
        }
        for variant in variants.iter().filter(|variant| !variant.condition.is_empty()) {
            Condition::parse(&variant.condition)?;
        }
        Ok(())
    }

    /// Returns the bytes of the bundle.
    ///
    /// # Errors
    /// If something is too large for a bundle.
    pub fn to_bytes(&self) -> Result<Vec<u8>, BundleError> {
        let modules = UniqueModules::new(self.shaders.values().flat_map(|shader| &shader.variants));
        let mut writer = Writer { is_uncompressed: self.is_uncompressed, ..Writer::default() };
        self.write_shaders(&modules, &mut writer)?;
        if self.is_uncompressed {
            let (blocks, layouts) = (modules.stored()?, LayoutCounts::default().layouts());
            let stored: Vec<Vec<u8>> = blocks.iter().map(|block| block.content.clone()).collect();
            return writer.write(&blocks, &stored, &layouts, None);
        }
        let layouts = modules.layouts();
        let blocks = if self.is_solid { modules.together(&layouts)? } else { modules.alone(&layouts)? };
        let dictionary = if self.is_solid { None } else { dictionary(&blocks) };
        let compressor = BlockCompressor::new(dictionary.as_deref());
        let compress = |block: &Block| compressor.compress(&block.content);
        let stored = blocks.par_iter().map(compress).collect::<io::Result<Vec<_>>>()?;
        writer.write(&blocks, &stored, &layouts, dictionary.as_deref())
    }

    fn write_shaders(&self, modules: &UniqueModules, writer: &mut Writer) -> Result<(), BundleError> {
        let mut ready = Vec::new();
        for (name, ShaderContent { variants, ready: of_shader }) in &self.shaders {
            let name = writer.text(name)?;
            ready.extend(of_shader.as_deref().map(|data| (writer.shaders.len() as u32, data)));
            let first_variant = writer.variants.len() as u32;
            writer.shaders.push([name[0], name[1], first_variant]);
            for variant in variants {
                let condition = writer.text(&variant.condition)?;
                let module = modules.number(&variant.words);
                let first_constant = writer.constants.len() as u32;
                writer.variants.push([condition[0], condition[1], module, first_constant]);
                for (constant, value) in &variant.constants {
                    let ([name_at, name_len], [at, len]) = (writer.text(constant)?, writer.text(value)?);
                    writer.constants.push([name_at, name_len, at, len]);
                }
            }
        }
        if !ready.is_empty() || self.is_uncompressed {
            writer.ready = Some(ReadyTables::new(&ready, &mut |text| writer.texts.add(text))?);
        }
        Ok(())
    }
}

/// Packs variants with lowered twins for devices without features.
fn with_twins<'m>(
    mut variants: Vec<ShaderVariant<'m>>,
    features: &FeaturesToLower,
) -> Result<Vec<ShaderVariant<'m>>, BundleError> {
    let options = PackOptions::new().lower(features.clone());
    for variant in &mut variants {
        let packed = pack(&Module::from_words(&variant.words[..])?, &options)?;
        if !packed.summary.twins.is_empty() {
            variant.words = Cow::Owned(packed.words);
        }
    }
    Ok(variants)
}

/// Finds all results of a shader.
fn ready_shader(
    variants: &[ShaderVariant],
    settings: &Settings,
    max_results: usize,
) -> Result<Result<ReadyShader, ReadyError>, BundleError> {
    let modules = variants.iter().map(|variant| Module::from_words(&variant.words[..]));
    let modules = modules.collect::<Result<Vec<_>, _>>()?;
    let prepared = modules.iter().map(Prepared::new).collect::<Result<Vec<_>, _>>()?;
    let mut all = Vec::with_capacity(variants.len());
    for (variant, prepared) in variants.iter().zip(&prepared) {
        let mut settings = settings.clone();
        for (constant, value) in &variant.constants {
            let constant: SpecConstant = constant.parse()?;
            let value = prepared.parse_value(&constant, value)?;
            settings = settings.set(constant, value);
        }
        let mut next = ReadyVariant::new(prepared, settings);
        if !variant.condition.is_empty() {
            next = next.condition(Condition::parse(&variant.condition)?);
        }
        for (constant, values) in &variant.choices {
            next = next.constant(constant, values)?;
        }
        all.push(next);
    }
    Ok(ReadyShader::new(&all, max_results))
}

impl<'m> ShaderContent<'m> {
    /// Makes the content of a shader from its results. If they cannot be stored together, the shader keeps its
    /// variants.
    fn from_ready(variants: Vec<ShaderVariant<'m>>, shader: &ReadyShader) -> ShaderContent<'m> {
        match ReadyData::new(shader) {
            Some(data) => ShaderContent {
                variants: vec![ShaderVariant::new(data.pool.clone())],
                ready: Some(Box::new(data)),
            },
            None => ShaderContent { variants, ready: None },
        }
    }
}

/// The modules of a bundle, each once: those that can be coded, then the others.
struct UniqueModules<'m> {
    modules: Vec<&'m [u32]>,
    /// The number of modules that can be coded.
    codable: usize,
    numbers: HashMap<&'m [u32], u32>,
}

/// The content of a block before it is compressed.
struct Block {
    content: Vec<u8>,
    /// The number of words of each module.
    modules: Vec<u32>,
    encoding: Encoding,
}

impl<'m> UniqueModules<'m> {
    fn new(variants: impl Iterator<Item = &'m ShaderVariant<'m>>) -> UniqueModules<'m> {
        let mut numbers = HashMap::new();
        let (mut modules, mut raw) = (Vec::new(), Vec::new());
        for variant in variants {
            let words = &*variant.words;
            if numbers.insert(words, 0).is_none() {
                if is_codable(words) { &mut modules } else { &mut raw }.push(words);
            }
        }
        let codable = modules.len();
        modules.append(&mut raw);
        numbers.extend(modules.iter().copied().zip(0..));
        UniqueModules { modules, codable, numbers }
    }

    fn number(&self, words: &[u32]) -> u32 {
        self.numbers.get(words).copied().unwrap_or_default()
    }

    fn layouts(&self) -> Layouts {
        let mut counts = LayoutCounts::default();
        self.modules[..self.codable].iter().for_each(|words| counts.add(words));
        counts.layouts()
    }

    /// Returns the streams of the modules that can be coded.
    fn streams(&self, layouts: &Layouts) -> Vec<Streams> {
        let encode = |words: &&[u32]| {
            let mut streams = Streams::default();
            streams.add(words, layouts);
            streams
        };
        self.modules[..self.codable].par_iter().map(encode).collect()
    }

    /// Returns a block for each module.
    fn alone(&self, layouts: &Layouts) -> Result<Vec<Block>, BundleError> {
        let coded = self.streams(layouts).into_iter().zip(&self.modules);
        let coded = coded.map(|(streams, words)| Block::coded(&streams, vec![words.len() as u32]));
        let raw = self.modules[self.codable..].iter().map(|words| Block::raw(&[words]));
        coded.chain(raw).collect()
    }

    /// Returns a block for each module, without compression.
    fn stored(&self) -> Result<Vec<Block>, BundleError> {
        let stored = |words: &&[u32]| Ok(Block { encoding: Encoding::Stored, ..Block::raw(&[words])? });
        self.modules.iter().map(stored).collect()
    }

    /// Returns blocks of as many modules as their content may have.
    fn together(&self, layouts: &Layouts) -> Result<Vec<Block>, BundleError> {
        let mut blocks = Vec::new();
        let (mut streams, mut counts) = (Streams::default(), Vec::new());
        for (next, words) in self.streams(layouts).iter().zip(&self.modules) {
            if !counts.is_empty() && streams.size() + next.size() > MAX_CONTENT {
                blocks.push(Block::coded(&streams, std::mem::take(&mut counts))?);
                streams = Streams::default();
            }
            streams.append(next);
            counts.push(words.len() as u32);
        }
        if !counts.is_empty() {
            blocks.push(Block::coded(&streams, counts)?);
        }
        let mut rest = &self.modules[self.codable..];
        while !rest.is_empty() {
            let mut size = 0;
            let fits = |words: &&&[u32]| {
                size += 4 * words.len();
                size <= MAX_CONTENT
            };
            let (modules, after) = rest.split_at(rest.iter().take_while(fits).count().max(1));
            blocks.push(Block::raw(modules)?);
            rest = after;
        }
        Ok(blocks)
    }
}

impl Block {
    fn coded(streams: &Streams, modules: Vec<u32>) -> Result<Block, BundleError> {
        Block { content: streams.content(), modules, encoding: Encoding::Coded }.checked()
    }

    fn raw(modules: &[&[u32]]) -> Result<Block, BundleError> {
        let content = modules.iter().flat_map(|words| words.iter()).flat_map(|word| word.to_le_bytes());
        let counts = modules.iter().map(|words| words.len() as u32).collect();
        Block { content: content.collect(), modules: counts, encoding: Encoding::Raw }.checked()
    }

    fn checked(self) -> Result<Block, BundleError> {
        match self.content.len() <= MAX_CONTENT {
            true => Ok(self),
            false => Err(BundleError::TooLarge("a module")),
        }
    }
}

/// Makes the dictionary that blocks share; `None` if the samples are too small for one.
fn dictionary(blocks: &[Block]) -> Option<Vec<u8>> {
    let total: usize = blocks.iter().map(|block| block.content.len()).sum();
    let size = MAX_DICTIONARY.min(total / CONTENT_PER_DICTIONARY);
    let step = (total / (size * SAMPLES_PER_DICTIONARY).max(1)).max(1);
    let samples: Vec<&[u8]> = blocks.iter().step_by(step).map(|block| &*block.content).collect();
    train(&samples, size)
}

/// The tables of a bundle.
#[derive(Default)]
struct Writer {
    shaders: Vec<[u32; 3]>,
    variants: Vec<[u32; 4]>,
    constants: Vec<[u32; 4]>,
    texts: Texts,
    is_uncompressed: bool,
    /// The tables of the second version, if it is written.
    ready: Option<ReadyTables>,
}

/// The text of a bundle, with the places of the added parts.
#[derive(Default)]
struct Texts {
    bytes: Vec<u8>,
    places: HashMap<String, [u32; 2]>,
}

impl Texts {
    /// Returns the offset and the size of a text, which is added once.
    fn add(&mut self, text: &str) -> Result<[u32; 2], BundleError> {
        if let Some(&place) = self.places.get(text) {
            return Ok(place);
        }
        let too_large = |_| BundleError::TooLarge("the text of names and conditions");
        let at = u32::try_from(self.bytes.len()).map_err(too_large)?;
        self.bytes.extend(text.as_bytes());
        u32::try_from(self.bytes.len()).map_err(too_large)?;
        let place = [at, text.len() as u32];
        self.places.insert(text.to_owned(), place);
        Ok(place)
    }
}

impl Writer {
    fn text(&mut self, text: &str) -> Result<[u32; 2], BundleError> {
        self.texts.add(text)
    }

    /// Returns the bytes of the bundle.
    fn write(
        mut self,
        blocks: &[Block],
        stored: &[Vec<u8>],
        layouts: &Layouts,
        dictionary: Option<&[u8]>,
    ) -> Result<Vec<u8>, BundleError> {
        let layouts = layouts.to_bytes();
        let stored_dictionary = match dictionary {
            Some(content) => BlockCompressor::new(None).compress(content)?,
            None => Vec::new(),
        };
        let module_count: usize = blocks.iter().map(|block| block.modules.len()).sum();
        let counts =
            [self.shaders.len(), self.variants.len(), self.constants.len(), module_count, blocks.len()];
        if counts.iter().any(|&count| u32::try_from(count).is_err()) {
            return Err(BundleError::TooLarge("the number of shaders"));
        }
        let mut tables: Vec<u8> = Vec::new();
        let mut push = |number: u32| tables.extend(number.to_le_bytes());
        self.shaders.iter().flatten().copied().for_each(&mut push);
        self.variants.iter().flatten().copied().for_each(&mut push);
        self.constants.iter().flatten().copied().for_each(&mut push);
        for (number, block) in blocks.iter().enumerate() {
            block.modules.iter().for_each(|&words| [number as u32, words].into_iter().for_each(&mut push));
        }
        let text = &mut self.texts.bytes;
        let mut of_ready = self.ready.as_ref().map_or(Vec::new(), |ready| ready.bytes.clone());
        if !self.is_uncompressed && !of_ready.is_empty() {
            let compressed = BlockCompressor::new(None).compress(&of_ready)?;
            if compressed.len() < of_ready.len() {
                of_ready = compressed;
            }
        }
        let header_size = if self.ready.is_some() { READY_HEADER_SIZE } else { HEADER_SIZE };
        // A file of whole words can be embedded like a module.
        let stored_size: usize = stored.iter().map(Vec::len).sum();
        let unaligned = of_ready.len() + text.len() + layouts.len() + stored_dictionary.len() + stored_size;
        text.resize(text.len() + unaligned.next_multiple_of(4) - unaligned, 0);
        let sizes = [SHADER_SIZE, VARIANT_SIZE, CONSTANT_SIZE, MODULE_SIZE, BLOCK_SIZE];
        let records: usize = counts.iter().zip(sizes).map(|(count, size)| count * size).sum();
        let tables_size = records + of_ready.len() + text.len() + layouts.len();
        let mut offset = header_size + tables_size + stored_dictionary.len();
        let mut first_module = 0;
        for (block, stored) in blocks.iter().zip(stored) {
            let [low, high] = [offset as u32, (offset as u64 >> 32) as u32];
            let [stored_size, content] = [stored.len() as u32, block.content.len() as u32];
            let stored_checksum = checksum(stored);
            let record =
                [low, high, stored_size, content, first_module, block.encoding as u32, stored_checksum];
            record.into_iter().for_each(&mut push);
            offset += stored.len();
            first_module += block.modules.len() as u32;
        }
        tables.extend(&of_ready);
        tables.extend(&*text);
        tables.extend(&layouts);
        let mut file = Vec::with_capacity(offset);
        file.extend(MAGIC);
        let mut push = |number: u32| file.extend(number.to_le_bytes());
        push(if self.ready.is_some() { VERSION } else { FIRST_VERSION });
        [offset as u32, (offset as u64 >> 32) as u32].into_iter().for_each(&mut push);
        counts.iter().for_each(|&count| push(count as u32));
        push(text.len() as u32);
        push(layouts.len() as u32);
        push(stored_dictionary.len() as u32);
        push(dictionary.map_or(0, <[u8]>::len) as u32);
        push(checksum(&stored_dictionary));
        push(checksum(&tables));
        if let Some(ready) = &self.ready {
            ready.counts.iter().for_each(|&count| push(count as u32));
            push(of_ready.len() as u32);
        }
        let header_checksum = checksum(&file);
        file.extend(header_checksum.to_le_bytes());
        file.extend(tables);
        file.extend(stored_dictionary);
        stored.iter().for_each(|stored| file.extend(stored));
        Ok(file)
    }
}
