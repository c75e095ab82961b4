//! Ready shaders take the way of packed modules: what a bundle has for a device is what specializing made.

use spirv_if::{Device, Error, Settings};
use spirv_if_bundle::{Bundle, BundleBuilder, BundleError, ShaderVariant};

use super::oracles::SearchResult;

/// Limit on the results of a program.
const MAX_RESULTS: usize = 64;

/// A bundle that has all results of a packed module.
pub struct ReadyModule(Bundle<'static>);

impl ReadyModule {
    /// Makes the bundle; `None` if the module cannot be ready.
    pub fn new(packed: &[u32], settings: &Settings) -> SearchResult<Option<ReadyModule>> {
        let text = |error: BundleError| error.to_string();
        let mut builder = BundleBuilder::new();
        let reason = builder.add_ready("it", [ShaderVariant::new(packed)], settings, MAX_RESULTS);
        if reason.map_err(text)?.is_some() {
            return Ok(None);
        }
        let bundle = Bundle::from_bytes(builder.to_bytes().map_err(text)?).map_err(text)?;
        Ok(bundle.shader("it").map_err(text)?.is_ready().then_some(ReadyModule(bundle)))
    }

    /// Compares what the bundle has for a device with what specializing made.
    pub fn compare(&self, device: &Device, specialized: Result<&[u32], &Error>) -> SearchResult<()> {
        let text = |error: BundleError| error.to_string();
        let Some(ready) = self.0.shader("it").map_err(text)?.ready() else { return Ok(()) };
        match (ready.select_for(device, &Settings::new()), specialized) {
            (Ok(choice), Ok(words)) => match choice.words().map_err(text)? == words {
                true => Ok(()),
                false => Err("the ready module is not the specialized one".to_owned()),
            },
            (Err(BundleError::DoesNotRun { .. } | BundleError::NoResult(_)), Err(Error::Refused(_))) => {
                Ok(())
            }
            // Unknown answers decide: specializing leaves constants to the host, or refuses.
            (Err(BundleError::NotKnown { .. }), _) => Ok(()),
            (ready, specialized) => Err(format!(
                "the ready module is {:?}, and the specialized one {:?}",
                ready.map(|choice| choice.number()),
                specialized.map(<[u32]>::len)
            )),
        }
    }
}
