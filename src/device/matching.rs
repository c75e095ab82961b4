//! Devices by a pattern of names.

use wildmatch::WildMatch;

use super::{Device, DeviceConfig, DeviceError, architectures};
use crate::text::spelling::nearest;

impl DeviceConfig {
    /// The devices of which a name matches the glob, in the order of the file: their own, or another one of the architecture
    /// that they are named for. In the glob, `*` stands for any characters and `?` for any one.
    ///
    /// # Errors
    /// If there is none.
    pub fn matching(&self, glob: &str) -> Result<Vec<&Device>, DeviceError> {
        if !glob.contains(['*', '?']) {
            return self.get(glob).map(|device| vec![device]);
        }
        let pattern = WildMatch::new(glob);
        let matches = |device: &&Device| {
            pattern.matches(&device.name)
                || architectures::aliases(&device.name).any(|alias| pattern.matches(alias))
        };
        let found: Vec<&Device> = self.iter().filter(matches).collect();
        if !found.is_empty() {
            return Ok(found);
        }
        let text: String = glob.chars().filter(|character| !['*', '?'].contains(character)).collect();
        let nearest = nearest(&text, self.names().chain(architectures::names().map(|name| name as &str)));
        Err(DeviceError::UnknownName { what: "device", name: glob.to_owned(), nearest })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matching(glob: &str) -> Result<Vec<String>, String> {
        let config = DeviceConfig::embedded().unwrap();
        let found = config.matching(glob).map_err(|error| error.to_string())?;
        Ok(found.iter().map(|device| device.name.clone()).collect())
    }

    #[test]
    fn globs() {
        assert_eq!(matching("intel_gpu_pvc").unwrap(), ["intel_gpu_pvc"]);
        assert_eq!(matching("intel_gpu_pvc*").unwrap(), ["intel_gpu_pvc", "intel_gpu_pvc_vg"]);
        assert_eq!(matching("nvidia_gpu_sm_9?").unwrap(), ["nvidia_gpu_sm_90"]);
        assert_eq!(matching("intel_gpu_12_0_0").unwrap(), ["intel_gpu_tgllp"], "another name");
        assert_eq!(matching("*").unwrap().len(), DeviceConfig::embedded().unwrap().iter().count());
    }

    #[test]
    fn nothing_matches() {
        let error = matching("inte_gpu_pvc*").unwrap_err();
        assert!(error.contains("`inte_gpu_pvc*`; did you mean `intel_gpu_pvc`"), "{error}");
        assert_eq!(matching("zzz*").unwrap_err(), "unknown device `zzz*`");
    }
}
