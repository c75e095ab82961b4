//! Settings of the layer: from environment variables, from vk_layer_settings.txt, and from the application (VK_EXT_layer_settings), in this order
//! of precedence, like those of Khronos' layers. VkLayer_spirv_if.json describes them for other tools.

use std::collections::BTreeMap;
use std::ffi::{CStr, c_char, c_void};
use std::path::{Path, PathBuf};

use ash::vk;
use spirv_if::specialize::Driver;
use spirv_if_layer_common::parse_switch;

use crate::interface::{list, structures};
use crate::messages::{LAYER, Severity, write_line};

const FILE_NAME: &str = "vk_layer_settings.txt";

/// The settings of an instance.
#[derive(Clone, Debug, PartialEq)]
pub struct LayerSettings {
    /// Changes constructs that a device is known to reject, in all modules.
    pub adapt: bool,
    /// The driver whose defects are worked around, in all modules.
    pub work_around: Option<Driver>,
    /// Sets specialization constants before the driver does.
    pub fold: bool,
    /// The size in bytes from which on modules are folded.
    pub fold_min_size: u64,
    /// The folder in which folded modules are kept; `None` if there is no place for it.
    pub fold_cache: Option<PathBuf>,
    /// The room for them in MiB. Without room none are kept.
    pub fold_cache_size: u64,
    /// The least severe messages that go to stderr.
    pub report: Severity,
}

impl Default for LayerSettings {
    fn default() -> LayerSettings {
        LayerSettings {
            adapt: false,
            work_around: None,
            fold: false,
            fold_min_size: 16384,
            fold_cache: None,
            fold_cache_size: 256,
            report: Severity::Warning,
        }
    }
}

/// Texts of settings by source. Each finds the text of a setting by its key.
pub struct SettingSources<'a> {
    pub variable: &'a dyn Fn(&str) -> Option<String>,
    pub file: BTreeMap<String, String>,
    pub application: BTreeMap<String, String>,
}

impl LayerSettings {
    /// Reads the settings for an instance.
    ///
    /// # Safety
    /// It is the chain of a VkInstanceCreateInfo, which lives.
    pub unsafe fn read(chain: *const c_void) -> LayerSettings {
        let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
        let text = settings_file(&variable).and_then(|path| std::fs::read_to_string(path).ok());
        let sources = SettingSources {
            variable: &variable,
            file: text.map(|text| read_file(&text)).unwrap_or_default(),
            // SAFETY: the caller's.
            application: unsafe { from_application(chain) },
        };
        let (settings, problems) = LayerSettings::from_sources(&sources);
        for problem in problems.iter().filter(|_| settings.report >= Severity::Warning) {
            write_line(Severity::Warning, problem);
        }
        settings
    }

    /// Returns the settings, and the values that are not valid, which have no effect.
    pub fn from_sources(sources: &SettingSources) -> (LayerSettings, Vec<String>) {
        let mut settings = LayerSettings::default();
        let mut problems = Vec::new();
        let mut set = |key: &str, expected: &str, apply: &mut dyn FnMut(&str) -> Option<()>| {
            let Some((place, value)) = sources.find(key) else { return };
            if apply(value.trim()).is_none() {
                problems.push(format!("invalid value '{value}' of {place}: expected {expected}"));
            }
        };
        set("adapt", "true or false", &mut |value| {
            settings.adapt = parse_switch(value)?;
            Some(())
        });
        set("work_around", "none or nvidia", &mut |value| {
            settings.work_around = match value.to_lowercase().as_str() {
                "none" => None,
                "nvidia" => Some(Driver::Nvidia),
                _ => return None,
            };
            Some(())
        });
        set("fold", "true or false", &mut |value| {
            settings.fold = parse_switch(value)?;
            Some(())
        });
        set("fold_min_size", "a number of bytes", &mut |value| {
            settings.fold_min_size = value.parse().ok()?;
            Some(())
        });
        settings.fold_cache = cache_folder(sources.variable);
        set("fold_cache", "the absolute path of a folder", &mut |value| {
            settings.fold_cache = Some(Some(PathBuf::from(value)).filter(|folder| folder.is_absolute())?);
            Some(())
        });
        set("fold_cache_size", "a number of MiB, up to 1048576", &mut |value| {
            settings.fold_cache_size = value.parse().ok().filter(|size| *size <= 1 << 20)?;
            Some(())
        });
        set("report", "none, error, warning or info", &mut |value| {
            settings.report = value.to_lowercase().parse().ok()?;
            Some(())
        });
        (settings, problems)
    }
}

impl SettingSources<'_> {
    /// Returns the text of a setting, and the place that has it.
    fn find(&self, key: &str) -> Option<(String, String)> {
        let variables = variables(key);
        let in_variable = variables.into_iter().find_map(|name| Some(((self.variable)(&name)?, name)));
        if let Some((value, name)) = in_variable {
            return Some((format!("the environment variable {name}"), value));
        }
        let in_file = file_key(key);
        if let Some(value) = self.file.get(&in_file) {
            return Some((format!("{in_file} in {FILE_NAME}"), value.clone()));
        }
        let value = self.application.get(key)?;
        Some((format!("the application's setting {key}"), value.clone()))
    }
}

/// Returns the environment variables of a setting: with the name of the layer, without its vendor, and without both.
pub fn variables(key: &str) -> [String; 3] {
    let key = key.to_uppercase();
    let name = LAYER.trim_start_matches("VK_LAYER_").to_uppercase();
    let without_vendor = name.split_once('_').map_or("", |(_, rest)| rest);
    [format!("VK_{name}_{key}"), format!("VK_{without_vendor}_{key}"), format!("VK_{key}")]
}

/// Returns the key of a setting in the file.
pub fn file_key(key: &str) -> String {
    format!("{}.{key}", LAYER.trim_start_matches("VK_LAYER_").to_lowercase())
}

/// Returns the folder for folded modules where the user keeps caches.
fn cache_folder(variable: &dyn Fn(&str) -> Option<String>) -> Option<PathBuf> {
    let caches = variable("XDG_CACHE_HOME").map(PathBuf::from);
    let caches = caches.or_else(|| Some(Path::new(&variable("HOME")?).join(".cache")));
    caches.map(|folder| folder.join("spirv-if/folded"))
}

/// Finds vk_layer_settings.txt: where Vulkan Configurator writes it, in a file or folder that a variable names, or in the working directory.
fn settings_file(variable: &dyn Fn(&str) -> Option<String>) -> Option<PathBuf> {
    let data = variable("XDG_DATA_HOME").map(PathBuf::from);
    let data = data.or_else(|| Some(Path::new(&variable("HOME")?).join(".local/share")));
    let configured = data.map(|folder| folder.join("vulkan/settings.d").join(FILE_NAME));
    if let Some(path) = configured.filter(|path| path.is_file()) {
        return Some(path);
    }
    let named = variable("VK_LAYER_SETTINGS_PATH").map(PathBuf::from);
    match named.filter(|path| path.exists()) {
        Some(folder) if folder.is_dir() => Some(folder.join(FILE_NAME)),
        Some(file) => Some(file),
        None => Some(PathBuf::from(FILE_NAME)),
    }
}

/// Reads the lines `key = value`. A comment begins with `#`.
pub fn read_file(text: &str) -> BTreeMap<String, String> {
    let lines = text.lines().map(|line| line.split('#').next().unwrap_or_default());
    let pairs = lines.filter_map(|line| line.split_once('='));
    pairs.map(|(key, value)| (key.trim().to_owned(), value.trim().to_owned())).collect()
}

/// Returns the settings of this layer in the structures of the application. The first of several values for one key applies.
///
/// # Safety
/// See [`LayerSettings::read`].
unsafe fn from_application(chain: *const c_void) -> BTreeMap<String, String> {
    let mut settings = BTreeMap::new();
    // SAFETY: the caller's. The number stands for the type, lists are as long as it says, and names end in 0.
    unsafe {
        let number = vk::StructureType::LAYER_SETTINGS_CREATE_INFO_EXT;
        for structure in structures(chain).filter(|structure| (**structure).s_type == number) {
            let info = &*structure.cast::<vk::LayerSettingsCreateInfoEXT>();
            for setting in list(info.p_settings, info.setting_count) {
                if CStr::from_ptr(setting.p_layer_name).to_bytes() == LAYER.as_bytes()
                    && let Some(value) = value(setting)
                {
                    let key = CStr::from_ptr(setting.p_setting_name).to_string_lossy().into_owned();
                    settings.entry(key).or_insert(value);
                }
            }
        }
    }
    settings
}

/// Returns the first value of a setting as text.
///
/// # Safety
/// See [`LayerSettings::read`].
unsafe fn value(setting: &vk::LayerSettingEXT) -> Option<String> {
    if setting.value_count == 0 || setting.p_values.is_null() {
        return None;
    }
    // SAFETY: the caller's. There is a value of this type.
    unsafe {
        match setting.ty {
            vk::LayerSettingTypeEXT::BOOL32 | vk::LayerSettingTypeEXT::UINT32 => {
                Some(setting.p_values.cast::<u32>().read_unaligned().to_string())
            }
            vk::LayerSettingTypeEXT::INT32 => {
                Some(setting.p_values.cast::<i32>().read_unaligned().to_string())
            }
            vk::LayerSettingTypeEXT::INT64 => {
                Some(setting.p_values.cast::<i64>().read_unaligned().to_string())
            }
            vk::LayerSettingTypeEXT::UINT64 => {
                Some(setting.p_values.cast::<u64>().read_unaligned().to_string())
            }
            vk::LayerSettingTypeEXT::STRING => {
                let text = setting.p_values.cast::<*const c_char>().read_unaligned();
                (!text.is_null()).then(|| CStr::from_ptr(text).to_string_lossy().into_owned())
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sources<'a>(
        variable: &'a dyn Fn(&str) -> Option<String>,
        file: &str,
        application: &[(&str, &str)],
    ) -> SettingSources<'a> {
        let application =
            application.iter().map(|&(key, value)| (key.to_owned(), value.to_owned())).collect();
        SettingSources { variable, file: read_file(file), application }
    }

    #[test]
    fn the_environment_precedes_the_file_and_that_the_application() {
        let none = |_: &str| None;
        let application = [("report", "info"), ("adapt", "1"), ("work_around", "nvidia")];
        let (settings, problems) = LayerSettings::from_sources(&sources(&none, "", &application));
        let expected = LayerSettings {
            adapt: true,
            work_around: Some(Driver::Nvidia),
            report: Severity::Info,
            ..LayerSettings::default()
        };
        assert_eq!((settings, problems), (expected.clone(), Vec::new()));

        let file = "# spirvif_specialize.adapt = true\nspirvif_specialize.report = none # quiet\n khronos_validation.report = info\n";
        let (settings, _) = LayerSettings::from_sources(&sources(&none, file, &application));
        assert_eq!(settings, LayerSettings { report: Severity::None, ..expected.clone() });

        for name in ["VK_SPIRVIF_SPECIALIZE_REPORT", "VK_SPECIALIZE_REPORT", "VK_REPORT"] {
            let variable = |asked: &str| (asked == name).then(|| "Error".to_owned());
            let (settings, _) = LayerSettings::from_sources(&sources(&variable, file, &application));
            assert_eq!(settings, LayerSettings { report: Severity::Error, ..expected.clone() }, "{name}");
        }
    }

    #[test]
    fn folding_has_a_place_for_results() {
        let variable = |asked: &str| match asked {
            "HOME" => Some("/home/User".to_owned()),
            "VK_SPIRVIF_SPECIALIZE_FOLD" => Some("ON".to_owned()),
            _ => None,
        };
        let (settings, _) = LayerSettings::from_sources(&sources(&variable, "", &[]));
        let folder = Some(PathBuf::from("/home/User/.cache/spirv-if/folded"));
        assert_eq!(settings, LayerSettings { fold: true, fold_cache: folder, ..LayerSettings::default() });

        let variable = |asked: &str| (asked == "XDG_CACHE_HOME").then(|| "/Caches".to_owned());
        let file = "spirvif_specialize.fold_cache_size = 7";
        let application = [("fold_min_size", "4096"), ("fold_cache_size", "8")];
        let (settings, problems) = LayerSettings::from_sources(&sources(&variable, file, &application));
        let expected = LayerSettings {
            fold_min_size: 4096,
            fold_cache: Some("/Caches/spirv-if/folded".into()),
            fold_cache_size: 7,
            ..LayerSettings::default()
        };
        assert_eq!((settings, problems), (expected.clone(), Vec::new()));

        let file = "spirvif_specialize.fold_cache = Caches\nspirvif_specialize.fold_cache_size = 1048577";
        let (settings, problems) = LayerSettings::from_sources(&sources(&variable, file, &application));
        assert_eq!(settings, LayerSettings { fold_cache_size: 256, ..expected });
        assert_eq!(
            problems,
            [
                "invalid value 'Caches' of spirvif_specialize.fold_cache in vk_layer_settings.txt: expected the absolute path of a folder",
                "invalid value '1048577' of spirvif_specialize.fold_cache_size in vk_layer_settings.txt: expected a number of MiB, up to 1048576",
            ]
        );
    }

    #[test]
    fn an_invalid_value_is_named_with_its_place() {
        let variable = |asked: &str| (asked == "VK_ADAPT").then(|| "perhaps".to_owned());
        let file = "spirvif_specialize.report = loud";
        let (settings, problems) =
            LayerSettings::from_sources(&sources(&variable, file, &[("work_around", "intel")]));
        assert_eq!(settings, LayerSettings::default());
        assert_eq!(
            problems,
            [
                "invalid value 'perhaps' of the environment variable VK_ADAPT: expected true or false",
                "invalid value 'intel' of the application's setting work_around: expected none or nvidia",
                "invalid value 'loud' of spirvif_specialize.report in vk_layer_settings.txt: expected none, error, warning or info",
            ]
        );
    }

    #[test]
    fn the_application_has_settings_of_several_types() {
        let layer = c"VK_LAYER_SPIRVIF_specialize";
        let (on, text) = ([vk::TRUE], [c"info".as_ptr()]);
        let (negative, long, large) = ([-1i32], [i64::MIN], [u64::MAX]);
        let setting = |layer: &CStr, key: &CStr, ty, values: *const c_void| vk::LayerSettingEXT {
            p_layer_name: layer.as_ptr(),
            p_setting_name: key.as_ptr(),
            ty,
            value_count: 1,
            p_values: values,
            ..Default::default()
        };
        let (bool32, string) = (vk::LayerSettingTypeEXT::BOOL32, vk::LayerSettingTypeEXT::STRING);
        let first = [setting(c"VK_LAYER_other", c"adapt", bool32, [vk::FALSE].as_ptr().cast())];
        let second = [
            setting(layer, c"adapt", bool32, on.as_ptr().cast()),
            setting(layer, c"report", string, text.as_ptr().cast()),
            setting(layer, c"a", vk::LayerSettingTypeEXT::INT32, negative.as_ptr().cast()),
            setting(layer, c"b", vk::LayerSettingTypeEXT::INT64, long.as_ptr().cast()),
            setting(layer, c"c", vk::LayerSettingTypeEXT::UINT64, large.as_ptr().cast()),
        ];
        let mut second = vk::LayerSettingsCreateInfoEXT::default().settings(&second);
        let first = vk::LayerSettingsCreateInfoEXT {
            p_next: (&raw mut second).cast(),
            ..vk::LayerSettingsCreateInfoEXT::default().settings(&first)
        };
        // SAFETY: the structures live until the end of the function.
        let settings = unsafe { from_application((&raw const first).cast()) };
        let numbers = [("a", "-1"), ("b", "-9223372036854775808"), ("c", "18446744073709551615")];
        let expected = [[("adapt", "1"), ("report", "info")].as_slice(), &numbers].concat();
        let expected = expected.into_iter().map(|(key, value)| (key.to_owned(), value.to_owned()));
        assert_eq!(settings, expected.collect::<BTreeMap<_, _>>());
    }

    #[test]
    fn the_manifest_describes_each_setting() {
        let text = std::fs::read_to_string("VkLayer_spirv_if.json.in").unwrap();
        let manifest: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(manifest["layer"]["name"], LAYER);
        let default = LayerSettings::default();
        let defaults = [
            ("adapt", default.adapt.to_string()),
            ("work_around", "none".to_owned()),
            ("fold", default.fold.to_string()),
            ("fold_min_size", default.fold_min_size.to_string()),
            ("fold_cache", String::new()),
            ("fold_cache_size", default.fold_cache_size.to_string()),
            ("report", default.report.to_string()),
        ];
        let described = manifest["layer"]["features"]["settings"].as_array().unwrap();
        assert_eq!(described.len(), defaults.len());
        for (setting, (key, default)) in described.iter().zip(defaults) {
            assert_eq!((&setting["key"], &setting["env"]), (&key.into(), &variables(key)[0].clone().into()));
            let written = setting["default"].as_str().map_or(setting["default"].to_string(), str::to_owned);
            assert_eq!(written, default, "{key}");
        }
    }
}
