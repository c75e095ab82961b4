//! Drivers of devices, and their versions (`spec-extensions/drivers.csv`).

use std::fmt;
use std::sync::LazyLock;

use super::facts::DeviceDriver;
use super::{Api, Device, DeviceError};
use crate::condition::{DRIVER, FeatureName, Limit, number_of_parts, parse_version, version_text};
use crate::text::csv;
use crate::text::spelling::beginning_or_nearest;

/// Limit on the parts of a version that are compared.
const MAX_PARTS: usize = 4;

/// A row of the table.
struct DriverRow {
    name: &'static str,
    api: Api,
    /// The VkDriverId; none of a driver of OpenCL.
    id: Option<u64>,
    /// The enumerant of VkDriverId, or the name of the platform.
    reported: &'static str,
    encoding: Encoding,
}

/// Encoding of driverVersion in VkPhysicalDeviceProperties. Drivers of OpenCL report a text.
enum Encoding {
    /// The widths of the parts in bits, from the highest.
    Widths(Vec<u32>),
    /// Two decimal digits for each part but the first.
    Decimal,
    Unknown,
}

static ROWS: LazyLock<Vec<DriverRow>> = LazyLock::new(|| {
    let rows = csv::rows(include_str!("../../spec-extensions/drivers.csv"));
    let row = |[name, api, id, reported, version, _source]: [&'static str; 6]| {
        let encoding = match version {
            "" | "text" => Encoding::Unknown,
            "decimal" => Encoding::Decimal,
            widths => Encoding::Widths(widths.split('.').filter_map(|width| width.parse().ok()).collect()),
        };
        Some(DriverRow { name, api: Api::from_keyword(api)?, id: csv::number(id), reported, encoding })
    };
    rows.filter_map(row).collect()
});

/// Returns the names of all drivers.
fn names() -> impl Iterator<Item = &'static str> + Clone {
    ROWS.iter().map(|row| row.name)
}

/// Returns the row of a driver.
fn row(name: &str) -> Option<&'static DriverRow> {
    ROWS.iter().find(|row| row.name == name)
}

/// Returns true if the table has the driver with this name.
pub fn is_known(name: FeatureName) -> bool {
    row(name.name()).is_some()
}

/// Returns the drivers that may be meant by an unknown name, as conditions name them.
pub fn similar(name: &str) -> Vec<String> {
    near(name).into_iter().map(|name| format!("{DRIVER}({name})")).collect()
}

/// Returns the names that begin with a text. If none does, returns the nearest names, or else all.
fn near(name: &str) -> Vec<String> {
    match beginning_or_nearest(name, names()) {
        near if near.is_empty() => names().map(str::to_owned).collect(),
        near => near,
    }
}

/// Returns the number of an enumerant of VkDriverId.
pub fn id_of_enumerant(name: &str) -> Option<u64> {
    ROWS.iter().find(|row| row.reported == name)?.id
}

impl Encoding {
    /// Returns the number of a version from the number that the driver reports.
    fn decode(&self, version: u32) -> Option<u64> {
        match self {
            Encoding::Widths(widths) => {
                let mut rest = u64::from(version);
                let mut parts: Vec<u32> = Vec::new();
                for width in widths.iter().rev() {
                    parts.push((rest & ((1 << width) - 1)) as u32);
                    rest >>= width;
                }
                parts.reverse();
                number_of_parts(&parts)
            }
            Encoding::Decimal => number_of_parts(&[version / 10_000, version / 100 % 100, version % 100]),
            Encoding::Unknown => None,
        }
    }
}

impl DeviceDriver {
    /// Returns the driver with this VkDriverId, if the table has it, in the version that it reports.
    pub fn from_vulkan(id: u64, version: Option<u64>) -> Option<DeviceDriver> {
        let row = ROWS.iter().find(|row| row.id == Some(id))?;
        let version = version.and_then(|version| row.encoding.decode(version.try_into().ok()?));
        Some(DeviceDriver { name: row.name, version })
    }

    /// Returns the driver of an OpenCL platform with this name, if the table has it. Its version is the beginning of
    /// CL_DRIVER_VERSION: `26.2.6-1` is the version of a package.
    pub fn from_opencl(platform: &str, version: &str) -> Option<DeviceDriver> {
        let row = ROWS.iter().find(|row| row.api == Api::OpenCl && row.reported == platform)?;
        let is_part = |part: &&str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        let end =
            version.find(|letter: char| !letter.is_ascii_digit() && letter != '.').unwrap_or(version.len());
        let parts: Vec<&str> = version[..end].split('.').take_while(is_part).take(MAX_PARTS).collect();
        Some(DeviceDriver { name: row.name, version: parse_version(&parts.join(".")) })
    }

    /// Returns the API for which it is the driver.
    pub fn api(self) -> Option<Api> {
        row(self.name).map(|row| row.api)
    }

    /// Returns true if this may be the same driver as another one without a known version.
    pub fn is_as_known(self, other: DeviceDriver) -> bool {
        self.name == other.name && other.version.is_none_or(|version| self.version == Some(version))
    }

    /// Parses a name, and a version if one follows.
    pub fn parse(text: &str) -> Result<DeviceDriver, DeviceError> {
        let text = text.trim();
        let (name, version) =
            text.split_once(' ').map_or((text, None), |(name, rest)| (name, Some(rest.trim())));
        let known = row(name).ok_or_else(|| DeviceError::UnknownName {
            what: "driver",
            name: name.to_owned(),
            nearest: near(name),
        })?;
        let parse = |version: &str| {
            parse_version(version).ok_or_else(|| DeviceError::DriverVersion { text: version.to_owned() })
        };
        Ok(DeviceDriver { name: known.name, version: version.map(parse).transpose()? })
    }
}

impl fmt::Display for DeviceDriver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)?;
        self.version.map_or(Ok(()), |version| write!(f, " {}", version_text(version)))
    }
}

impl Device {
    /// Returns the device with a driver.
    #[doc(hidden)]
    #[must_use]
    pub fn with_driver(self, driver: Option<DeviceDriver>) -> Device {
        Device { driver, ..self }
    }

    /// Returns true if the device's driver is that of a limit, in a version that reaches it; `None` if that is not known.
    pub(super) fn driver_reaches(&self, limit: Limit) -> Option<bool> {
        let (driver, least) = (self.driver?, limit.driver_version()?);
        match driver.name == limit.name().name() {
            true if least == 0 => Some(true),
            true => driver.version.map(|version| version >= least),
            false => Some(false),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::condition::{Expr, Truth, evaluate};
    use crate::device::{Api, DeviceConfig, DeviceNames, DeviceParts};

    /// Checks that every row has a name for conditions, an id if it is Vulkan's, something reported of its own, and an encoding of 32 bits.
    #[test]
    fn rows_are_distinct() {
        assert_eq!(ROWS.len(), csv::rows::<6>(include_str!("../../spec-extensions/drivers.csv")).count());
        for (at, row) in ROWS.iter().enumerate() {
            assert!(FeatureName::new(DRIVER, row.name).is_some(), "{}", row.name);
            let is_of_vulkan = row.api == Api::Vulkan;
            assert_eq!(row.id.is_some_and(|id| id > 0), is_of_vulkan, "{}", row.name);
            assert_eq!(row.reported.starts_with("VK_DRIVER_ID_"), is_of_vulkan, "{}", row.reported);
            let is_same = |other: &DriverRow| {
                other.name == row.name
                    || other.reported == row.reported
                    || row.id.is_some() && other.id == row.id
            };
            assert!(!ROWS[..at].iter().any(is_same), "{}", row.name);
            if let Encoding::Widths(widths) = &row.encoding {
                assert_eq!(widths.iter().sum::<u32>(), 32, "{}", row.name);
            }
        }
    }

    #[test]
    fn reported_versions() {
        for (name, reported, shown) in [
            // That of docs/results/drivers-nvidia.md, 580.159.04; 471.41 for Windows, and one with all four parts.
            ("nvidia", 0x9127_C100, "nvidia 580.159.4"),
            ("nvidia", 471 << 22 | 41 << 14, "nvidia 471.41"),
            ("nvidia", 535 << 22 | 104 << 14 | 5 << 6 | 1, "nvidia 535.104.5.1"),
            ("intel", 101 << 14 | 5768, "intel 101.5768"),
            // godotengine/godot#120299, #113823 and #94741.
            ("qualcomm", 0x801F_6000, "qualcomm 512.502"),
            ("arm", 0x0880_0000, "arm 34"),
            ("qualcomm", 54_185_879, "qualcomm 12.940.3991"),
            ("radv", 25 << 22 | 2 << 12 | 8, "radv 25.2.8"),
            ("moltenvk", 10_401, "moltenvk 1.4.1"),
            ("ggp", 1, "ggp"),
            ("intel", u32::MAX, "intel 262143.16383"),
        ] {
            let id = row(name).unwrap().id.unwrap();
            let driver = DeviceDriver::from_vulkan(id, Some(reported.into())).unwrap();
            assert_eq!(driver.to_string(), shown);
            assert_eq!(DeviceDriver::parse(shown), Ok(driver));
        }
        assert_eq!(DeviceDriver::from_vulkan(4, None), Some(DeviceDriver { name: "nvidia", version: None }));
        assert_eq!(DeviceDriver::from_vulkan(999, Some(1)), None, "a driver that the table does not have");
        assert_eq!(DeviceDriver::parse("nvidia 580.159.04"), DeviceDriver::parse("nvidia  580.159.4"));
        for (platform, reported, shown) in [
            ("rusticl", "26.2.6-1", "rusticl 26.2.6"),
            ("rusticl", "25.1.0-devel (git-0123456789)", "rusticl 25.1"),
            ("Portable Computing Language", "7.1+debian", "pocl 7.1"),
            ("Intel(R) OpenCL", "2026.22.10.0.01_160000", "intel_cpu 2026.22.10"),
            ("rusticl", "", "rusticl"),
        ] {
            assert_eq!(DeviceDriver::from_opencl(platform, reported).unwrap().to_string(), shown);
        }
        assert_eq!(DeviceDriver::from_opencl("VK_DRIVER_ID_MESA_RADV", "1"), None);
    }

    #[test]
    fn unknown_drivers_and_versions() {
        let error = |text: &str| DeviceDriver::parse(text).unwrap_err().to_string();
        assert_eq!(error("qualcom"), "unknown driver `qualcom`; did you mean `qualcomm`?");
        assert_eq!(error("nvida 580"), "unknown driver `nvida`; did you mean `nvidia`?");
        assert_eq!(
            error("nvidia 580.x"),
            "invalid version of a driver `580.x`: expected up to four decimal numbers with periods, as in `512.744`"
        );
        let feature =
            DeviceParts::new().provider_features("driver:anv").to_device(None).unwrap_err().to_string();
        assert_eq!(feature, "unknown feature `driver:anv`; did you mean `driver: anv`?");
        let all = error("");
        assert!(all.starts_with("unknown driver ``; did you mean one of `amd`, `amdvlk`, `radv`, "), "{all}");
    }

    /// Returns the values of conditions on a device: `None` for those that are not known.
    fn values<const N: usize>(device: &Device, conditions: [&str; N]) -> [Option<bool>; N] {
        conditions.map(|text| {
            let expr = Expr::parse(text, &DeviceNames).unwrap();
            match evaluate(&expr, &|leaf| device.truth(leaf)).unwrap() {
                Truth::True => Some(true),
                Truth::False => Some(false),
                Truth::Unknown => None,
            }
        })
    }

    #[test]
    fn drivers_of_devices() {
        let conditions = [
            "driver(qualcomm)",
            "driver(qualcomm) < 512.800",
            "driver(qualcomm) < 512.1000",
            "driver(qualcomm) >= 512.744",
            "driver(qualcomm) == 512.744",
            "driver(qualcomm) != 512.744",
            "driver(nvidia)",
            "driver(nvidia) < 600",
        ];
        let device = |driver: &str| {
            let text = format!("a: {{aspects: [gpu], driver: {driver}}}");
            let device = DeviceConfig::from_yaml("test", &text).unwrap().get("a").unwrap().clone();
            let read = DeviceConfig::from_yaml("test", &device.to_yaml()).unwrap();
            assert_eq!(read.get("a").unwrap(), &device, "written and read again");
            device
        };
        let [yes, no] = [Some(true), Some(false)];
        assert_eq!(values(&device("qualcomm 512.744"), conditions), [yes, yes, yes, yes, yes, no, no, no]);
        assert_eq!(values(&device("qualcomm 512.900"), conditions), [yes, no, yes, yes, no, yes, no, no]);
        assert_eq!(values(&device("qualcomm"), conditions), [yes, None, None, None, None, None, no, no]);
        assert_eq!(values(&device("nvidia 580.159.04"), conditions), [no, no, no, no, no, no, yes, yes]);
        assert_eq!(values(&Device::embedded("intel_gpu_pvc").unwrap(), conditions), [None; 8]);
        let described =
            DeviceParts::new().device("intel_gpu_dg1").driver("anv 25.2").to_device(None).unwrap();
        let under = |api: Api| values(&described.for_api(api), ["driver(anv) > 25.1", "driver(intel)"]);
        assert_eq!((under(Api::Vulkan), under(Api::OpenCl)), ([yes, no], [None; 2]));
        let config = DeviceConfig::from_yaml("test", "a: {driver: anv 25.2}\nb: {driver: anv}").unwrap();
        let again = |name: &str, driver: &str| {
            let device = DeviceParts::new().device(name).driver(driver).to_device(Some(&config));
            device.map(|device| device.driver).map_err(|error| error.to_string())
        };
        for (name, driver) in [("a", "anv 25.2"), ("b", "anv 24"), ("b", "anv")] {
            assert_eq!(again(name, driver), Ok(Some(DeviceDriver::parse(driver).unwrap())));
        }
        for (name, driver) in [("a", "anv 25.3"), ("a", "anv"), ("b", "radv 25")] {
            assert!(
                again(name, driver).unwrap_err().starts_with("a device has one driver: `anv"),
                "{driver}"
            );
        }
    }
}
