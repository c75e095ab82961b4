//! The images of a program in an executable or library that DPC++ linked.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::Path;

use super::RuntimeError;
use super::image::{FoundImages, ImageSource, LoadedImage};
use spirv_if::engine::loader::SyclImage;
use spirv_if::engine::metadata::property_sets::{description, linked_images};
use spirv_if::property_sets::PropertySets;

/// Returns the SPIR-V images in the bytes of a file.
///
/// # Errors
/// If there are none, or none is readable.
pub fn images(path: &Path, bytes: &[u8], table: usize) -> Result<FoundImages, RuntimeError> {
    let malformed = |error| RuntimeError::Property { image: path.display().to_string(), error };
    let images = linked_images(bytes).map_err(malformed)?.into_iter();
    let spirv: Vec<SyclImage> = images.filter(|image| image.is_spirv(bytes)).collect();
    if spirv.is_empty() {
        return Err(RuntimeError::NoImages { path: path.to_owned() });
    }
    let mut found = FoundImages::default();
    for image in &spirv {
        match source(path, image, table).and_then(LoadedImage::new) {
            Ok(image) => found.images.push(image),
            Err(error) => found.unreadable.push(error),
        }
    }
    match found.unreadable.pop() {
        Some(error) if found.images.is_empty() => Err(error),
        last => {
            found.unreadable.extend(last);
            Ok(found)
        }
    }
}

fn source(path: &Path, image: &SyclImage, table: usize) -> Result<ImageSource, RuntimeError> {
    let name = format!("{}:{:#x}", path.display(), image.range.start);
    let malformed = |error| RuntimeError::Property { image: name.clone(), error };
    let described = description(image).map_err(malformed)?;
    let properties = PropertySets::from_linked(described).map_err(malformed)?;
    let (path, range) = (path.to_owned(), image.range.clone());
    Ok(ImageSource {
        name,
        table,
        target: Some(described.target.to_owned()),
        properties,
        symbols: described.entries.iter().map(|&entry| entry.to_owned()).collect(),
        code: Box::new(move || part_of_file(&path, &range)),
    })
}

fn part_of_file(path: &Path, range: &Range<usize>) -> io::Result<Vec<u8>> {
    let mut file = File::open(path)?;
    file.seek(SeekFrom::Start(range.start as u64))?;
    let mut bytes = Vec::new();
    file.take(range.len() as u64).read_to_end(&mut bytes)?;
    Ok(bytes)
}
