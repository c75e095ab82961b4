//! The images of a program that a file table lists, without their code.

use std::collections::{HashMap, HashSet};
use std::path::{Component, Path, PathBuf};
use std::{fmt, fs, io};

use super::{RuntimeError, linked};
use crate::tables::{FileTable, symbols_from_text};
use spirv_if::engine::collections::sort;
use spirv_if::engine::condition::Expr;
use spirv_if::engine::loader;
use spirv_if::engine::metadata::property_sets::{
    ADD_ON_IMAGE, ADD_ON_IMAGES, AddOnImages, AddOnRecord, DEVICE_REQUIREMENTS, DeviceRequirements,
    IMPORTED_SYMBOLS, ImportedSymbols, SPECIAL_CONSTANTS, SpecialConstants, exported_symbols,
};
use spirv_if::property_sets::{PropertyError, PropertySet, PropertySets};

/// Loads the bytes of a module on demand.
pub type CodeLoader = Box<dyn Fn() -> io::Result<Vec<u8>> + Send + Sync>;

/// An image of a program: the files beside its code, and a loader for the code.
pub struct ImageSource {
    /// The image's name in messages, such as the path of its code.
    pub name: String,
    /// The number of its table in the program. Ids of add-on images belong to one table.
    pub table: usize,
    /// The image's target, or `None` for any device.
    pub target: Option<String>,
    /// The image's property sets.
    pub properties: PropertySets,
    /// The image's entry points and exported functions.
    pub symbols: Vec<String>,
    /// The image's code.
    pub code: CodeLoader,
}

impl fmt::Debug for ImageSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ProgramImage").field("name", &self.name).finish_non_exhaustive()
    }
}

/// An image with parsed properties.
#[derive(Debug)]
pub struct LoadedImage {
    /// The image before its properties were read.
    pub source: ImageSource,
    /// The image's requirements on a device.
    pub requirements: DeviceRequirements,
    /// The specialization constants that represent features of the device.
    pub special: SpecialConstants,
    /// The required pairs of add-on images: the id, and the condition of the real image.
    pub add_ons: Vec<(String, Expr)>,
    /// The image's record if it is an add-on image.
    pub add_on: Option<AddOnRecord>,
    /// The imported functions and variables, each with the condition of its use.
    pub imports: Vec<(String, Expr)>,
    /// The symbols that the properties list as exported, without kernels.
    pub exports: HashSet<String>,
}

impl LoadedImage {
    /// Reads the properties of an image.
    ///
    /// # Errors
    /// If they are malformed.
    pub fn new(mut source: ImageSource) -> Result<LoadedImage, RuntimeError> {
        let error = |error| RuntimeError::Property { image: source.name.clone(), error };
        let set = |name| source.properties.get(name);
        let requirements = read(set(DEVICE_REQUIREMENTS), DeviceRequirements::from_set).map_err(error)?;
        let special = read(set(SPECIAL_CONSTANTS), SpecialConstants::from_set).map_err(error)?;
        let AddOnImages { pairs } = read(set(ADD_ON_IMAGES), AddOnImages::from_set).map_err(error)?;
        // The conditions were read with the set.
        let add_ons =
            pairs.into_iter().filter_map(|(id, series)| Some((id, Expr::from_series(&series).ok()?)));
        let add_ons = add_ons.collect();
        let add_on = set(ADD_ON_IMAGE).map(AddOnRecord::from_set).transpose().map_err(error)?;
        let imports = read(set(IMPORTED_SYMBOLS), ImportedSymbols::from_set).map_err(error)?.symbols;
        let exports: HashSet<String> = exported_symbols(&source.properties).map(str::to_owned).collect();
        let symbols: HashSet<&String> = source.symbols.iter().collect();
        let mut others: Vec<String> =
            exports.iter().filter(|name| !symbols.contains(name)).cloned().collect();
        sort(&mut others);
        source.symbols.append(&mut others);
        Ok(LoadedImage { requirements, special, add_ons, add_on, imports, exports, source })
    }

    /// Returns the image's name in messages.
    pub fn name(&self) -> &str {
        &self.source.name
    }

    /// Returns true if it imports a name.
    pub fn imports(&self, name: &str) -> bool {
        self.imports.iter().any(|(imported, _)| imported == name)
    }
}

fn read<T: Default>(
    set: Option<&PropertySet>,
    from: impl Fn(&PropertySet) -> Result<T, PropertyError>,
) -> Result<T, PropertyError> {
    set.map_or(Ok(T::default()), from)
}

/// The images of a program.
#[derive(Default)]
pub struct FoundImages {
    pub images: Vec<LoadedImage>,
    /// The errors of images in linked files whose properties cannot be read.
    pub unreadable: Vec<RuntimeError>,
}

/// Reads file tables, and their property and symbol files, or the images in executables and libraries that DPC++ linked. Reads no code.
///
/// # Errors
/// If a file cannot be read or is malformed, or is outside its table's folder and that is not allowed.
pub fn images(tables: &[&Path], allow_outside: bool) -> Result<FoundImages, RuntimeError> {
    let mut all = FoundImages::default();
    for (number, table) in tables.iter().enumerate() {
        let found = images_of(table, number, allow_outside)?;
        all.images.extend(found.images);
        all.unreadable.extend(found.unreadable);
    }
    Ok(all)
}

/// Reads one file table of a program, or one linked file.
fn images_of(table: &Path, of: usize, allow_outside: bool) -> Result<FoundImages, RuntimeError> {
    let name = table.display().to_string();
    let error = |error| RuntimeError::File { path: table.to_owned(), error };
    let bytes = fs::read(table).map_err(error)?;
    if loader::is_elf(&bytes) {
        return linked::images(table, &bytes, of);
    }
    let text_of_table =
        String::from_utf8(bytes).map_err(|text| error(io::Error::new(io::ErrorKind::InvalidData, text)))?;
    let rows = FileTable::parse(&name, &text_of_table)?;
    let column = |column, reason| {
        let error = RuntimeError::Column { table: name.clone(), column, reason };
        rows.column(column).ok_or(error)
    };
    let code = column(FileTable::CODE, "images have code")?;
    let symbols = column(FileTable::SYMBOLS, "kernels are found by the symbol files, without reading code")?;
    let properties = column(FileTable::PROPERTIES, "images are selected by their properties")?;
    let target = rows.column(FileTable::TARGET);
    let mut folders = FolderCache::within(table.parent().unwrap_or(Path::new("")));
    let mut found = FoundImages::default();
    for (number, cells) in rows.rows().enumerate() {
        for file in [code, properties, symbols].map(|column| &cells[column]) {
            if !allow_outside && !folders.contains(Path::new(file)) {
                let line = rows.line(number).unwrap_or_default();
                return Err(RuntimeError::Outside { table: format!("{name}:{line}"), file: file.clone() });
            }
        }
        let properties = match cells[properties].as_str() {
            "" => PropertySets::default(),
            file => PropertySets::parse(file, &text(Path::new(file))?)
                .map_err(|error| RuntimeError::Property { image: cells[code].clone(), error })?,
        };
        let symbols = match cells[symbols].as_str() {
            "" => Vec::new(),
            file => symbols_from_text(&text(Path::new(file))?),
        };
        let file = PathBuf::from(&cells[code]);
        found.images.push(LoadedImage::new(ImageSource {
            name: cells[code].clone(),
            table: of,
            target: target.map(|target| cells[target].clone()),
            properties,
            symbols,
            code: Box::new(move || fs::read(&file)),
        })?);
    }
    Ok(found)
}

fn text(path: &Path) -> Result<String, RuntimeError> {
    fs::read_to_string(path).map_err(|error| RuntimeError::File { path: path.to_owned(), error })
}

/// A cache of folders: for each, true if it is within a certain folder.
struct FolderCache {
    /// The folder: its canonical path if it exists, and its given path.
    within: (Option<PathBuf>, PathBuf),
    known: HashMap<PathBuf, bool>,
}

impl FolderCache {
    fn within(folder: &Path) -> FolderCache {
        let folder = or_here(folder);
        FolderCache { within: (fs::canonicalize(&folder).ok(), folder), known: HashMap::new() }
    }

    /// Returns true if a file, which need not exist, is in the folder or below it.
    fn contains(&mut self, file: &Path) -> bool {
        let parent = file.parent().unwrap_or(Path::new(""));
        if let Some(&known) = self.known.get(parent) {
            return known;
        }
        let folder = or_here(parent);
        let is_within = match (fs::canonicalize(&folder), &self.within.0) {
            (Ok(file_folder), Some(within)) => file_folder.starts_with(within),
            _ => {
                let both = written(&folder).ok().zip(written(&self.within.1).ok());
                both.is_some_and(|(file_folder, within)| file_folder.starts_with(within))
            }
        };
        self.known.insert(parent.to_owned(), is_within);
        is_within
    }
}

fn or_here(path: &Path) -> PathBuf {
    match path.as_os_str().is_empty() {
        true => PathBuf::from("."),
        false => path.to_owned(),
    }
}

/// Returns an absolute path without `.` and `..`, without following links.
fn written(path: &Path) -> io::Result<PathBuf> {
    let mut from_root = std::env::current_dir()?;
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                from_root.pop();
            }
            _ => from_root.push(component),
        }
    }
    Ok(from_root)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_inside(file: &Path, folder: &Path) -> bool {
        FolderCache::within(folder).contains(file)
    }

    #[test]
    fn inside_and_outside() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        assert!(is_inside(&path("a.spv"), folder.path()));
        assert!(is_inside(&path("b/../a.spv"), folder.path()));
        assert!(!is_inside(&path("../a.spv"), folder.path()));
        assert!(!is_inside(Path::new("/etc/passwd"), folder.path()));
        assert!(is_inside(Path::new("a.spv"), Path::new("")));
        assert!(is_inside(Path::new("out/a.spv"), Path::new("./out")));
        assert!(!is_inside(Path::new("outer/a.spv"), Path::new("out")));
    }

    #[cfg(unix)]
    #[test]
    fn a_link_to_the_folder_is_the_folder() {
        let folder = tempfile::tempdir().unwrap();
        let link = folder.path().join("link");
        std::fs::create_dir(folder.path().join("real")).unwrap();
        std::os::unix::fs::symlink(folder.path().join("real"), &link).unwrap();
        assert!(is_inside(&folder.path().join("real/a.spv"), &link));
    }
}
