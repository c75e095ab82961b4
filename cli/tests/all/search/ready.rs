//! Ready shaders take the way of packed modules: what a bundle has for a device is what specializing made.

use spirv_if::specialize::Specialized;
use spirv_if::{Device, Error, Settings};
use spirv_if_bundle::{Bundle, BundleBuilder, BundleError, ShaderVariant};

use super::oracles::SearchResult;

/// Limit on the results of a program.
const MAX_RESULTS: usize = 64;

/// Compares the module that a bundle of one packed module has for a device with what specializing made, if the bundle has all results.
pub fn compare(
    packed: &[u32],
    settings: &Settings,
    device: &Device,
    specialized: &Result<Specialized, Error>,
) -> SearchResult<()> {
    let text = |error: BundleError| error.to_string();
    let mut builder = BundleBuilder::new();
    let reason = builder.add_ready("it", [ShaderVariant::new(packed)], settings, MAX_RESULTS);
    if reason.map_err(text)?.is_some() {
        return Ok(());
    }
    let bundle = Bundle::from_bytes(builder.to_bytes().map_err(text)?).map_err(text)?;
    let Some(ready) = bundle.shader("it").map_err(text)?.ready() else { return Ok(()) };
    println!("bundle --ready: {} modules", ready.len());
    match (ready.select_for(device, &Settings::new()), specialized) {
        (Ok(choice), Ok(result)) => match choice.words().map_err(text)? == result.words {
            true => Ok(()),
            false => Err("the ready module is not the specialized one".to_owned()),
        },
        (Err(BundleError::DoesNotRun { .. } | BundleError::NoResult(_)), Err(Error::Refused(_))) => Ok(()),
        // Unknown answers decide: specializing leaves constants to the host, or refuses.
        (Err(BundleError::NotKnown { .. }), _) => Ok(()),
        (ready, specialized) => Err(format!(
            "the ready module is {:?}, and the specialized one {:?}",
            ready.map(|choice| choice.number()),
            specialized.as_ref().map(|result| &result.report)
        )),
    }
}
