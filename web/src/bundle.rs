//! Shaders of bundles.

use serde_json::{Map, Value, json};
use spirv_if_bundle::{Bundle, BundleError, Variant};

use crate::answer::{Answer, Failure};
use crate::request::Unbundle;

/// The shaders of a bundle, with their variants.
pub fn shaders(file: &[u8]) -> Result<Answer, BundleError> {
    let bundle = Bundle::from_bytes(file)?;
    let variant = |variant: Variant| {
        let constants: Map<String, Value> =
            variant.constants().map(|(name, value)| (name.to_owned(), value.into())).collect();
        json!({ "condition": variant.condition(), "constants": constants, "size": variant.size() })
    };
    let shaders = bundle.shaders().map(|shader| {
        let variants: Vec<Value> = shader.variants().map(variant).collect();
        json!({ "name": shader.name(), "variants": variants })
    });
    Ok(Answer::shaders(shaders.collect()))
}

/// The module of a shader: as it is in the bundle, or specialized for a device.
pub fn unbundle(options: &Unbundle, file: &[u8]) -> Result<Answer, Failure> {
    let failure = |error| Failure::from_bundle(&options.shader, error);
    let bundle = Bundle::from_bytes(file).map_err(failure)?;
    let words = match (&options.specialize, options.variant) {
        (Some(specialize), _) => {
            let (device, settings) = (specialize.device()?, specialize.settings()?);
            bundle.get_for(&options.shader, &device, &settings).map(|result| result.words)
        }
        (None, Some(variant)) => {
            bundle.shader(&options.shader).and_then(|shader| shader.variant(variant)?.words())
        }
        (None, None) => bundle.get(&options.shader),
    };
    Ok(Answer::module(&words.map_err(failure)?))
}
