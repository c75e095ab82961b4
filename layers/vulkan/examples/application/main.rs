//! A Vulkan application for the tests of the layer. It knows nothing of spirv-if: it loads the modules that it is given.
//!
//! ```text
//! application entrance=compute-module module=FILE [features=shaderInt64,...] [input=WORD,...] [words=COUNT] [constants=SPEC_ID:WORD,...]
//! ```
//!
//! Entrances are the ways of code to a driver: see `main`. It prints what shaders wrote.

mod compute;
mod context;
mod first_run;
mod graphics;
mod many;
mod overhead;
mod rays;

use std::collections::BTreeMap;
use std::error::Error;

use ash::vk;

use context::Context;

/// The application stops at the first error.
pub type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// Arguments of the application.
pub struct Options(BTreeMap<String, String>);

impl Options {
    fn text(&self, key: &str) -> &str {
        self.0.get(key).map_or("", String::as_str)
    }

    fn list(&self, key: &str) -> impl Iterator<Item = &str> {
        self.text(key).split(',').filter(|text| !text.is_empty())
    }

    fn words(&self, key: &str) -> Result<Vec<u32>> {
        self.list(key).map(word).collect()
    }

    /// The words of a module in a file.
    fn module(&self, key: &str) -> Result<Vec<u32>> {
        let path = self.text(key);
        let mut file = std::fs::File::open(path).map_err(|error| format!("{key}={path}: {error}"))?;
        Ok(ash::util::read_spv(&mut file)?)
    }

    /// Values of specialization constants, one word each.
    fn constants(&self) -> Result<(Vec<vk::SpecializationMapEntry>, Vec<u8>)> {
        let (mut entries, mut data) = (Vec::new(), Vec::new());
        for constant in self.list("constants") {
            let (spec_id, value) = constant.split_once(':').ok_or("a constant is SPEC_ID:WORD")?;
            entries.push(vk::SpecializationMapEntry {
                constant_id: word(spec_id)?,
                offset: data.len() as u32,
                size: 4,
            });
            data.extend(word(value)?.to_ne_bytes());
        }
        Ok((entries, data))
    }
}

fn word(text: &str) -> Result<u32> {
    Ok(match text.strip_prefix("0x") {
        Some(digits) => u32::from_str_radix(digits, 16)?,
        None => text.parse()?,
    })
}

fn main() -> Result<()> {
    let pairs = std::env::args().skip(1);
    let pairs = pairs.map(|text| text.split_once('=').map(|(key, value)| (key.to_owned(), value.to_owned())));
    let options = Options(pairs.collect::<Option<_>>().ok_or("arguments are KEY=VALUE")?);
    // SAFETY: everything is used as Vulkan says, and the process ends soon.
    unsafe {
        match options.text("entrance") {
            "first-run" => first_run::run(&options),
            "many" => many::run(&options),
            "overhead" => overhead::run(&options),
            entrance => {
                let context = Context::new(&options)?;
                let result = match entrance {
                    "compute-module" | "compute-chained" | "compute-object" | "compute-cached"
                    | "compute-identified" => compute::run(&context, &options),
                    "graphics-module" | "graphics-chained" | "graphics-library" => {
                        graphics::run(&context, &options)
                    }
                    "rays-module" | "rays-chained" | "rays-deferred" => rays::run(&context, &options),
                    _ => Err("unknown entrance".into()),
                };
                if result.is_ok() {
                    context.destroy();
                }
                result
            }
        }
    }
}
