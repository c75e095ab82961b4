//! The images of a program in an executable or library that DPC++ linked.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::Path;

use super::RuntimeError;
use super::image::ImageSource;
use crate::loader::{SyclImage, sycl_images};
use crate::metadata::property_sets::PropertySets;

/// Returns the SPIR-V images in the bytes of a file. Other images are compiled for their target already.
///
/// # Errors
/// If there are none, or the properties of one are malformed.
pub fn images(path: &Path, bytes: &[u8], table: usize) -> Result<Vec<ImageSource>, RuntimeError> {
    let magic = spirv::MAGIC_NUMBER.to_le_bytes();
    let images = sycl_images(bytes).unwrap_or_default().into_iter();
    let spirv: Vec<SyclImage> =
        images.filter(|image| bytes[image.range.clone()].starts_with(&magic)).collect();
    if spirv.is_empty() {
        return Err(RuntimeError::NoImages { path: path.to_owned() });
    }
    spirv.iter().map(|image| source(path, image, table)).collect()
}

fn source(path: &Path, image: &SyclImage, table: usize) -> Result<ImageSource, RuntimeError> {
    let name = format!("{}:{:#x}", path.display(), image.range.start);
    let malformed = |error| RuntimeError::Property { image: name.clone(), error };
    let properties = PropertySets::from_linked(image).map_err(malformed)?;
    let (path, range) = (path.to_owned(), image.range.clone());
    Ok(ImageSource {
        name,
        table,
        target: Some(image.target.to_owned()),
        properties,
        symbols: image.entries.iter().map(|&entry| entry.to_owned()).collect(),
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
