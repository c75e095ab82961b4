//! Vendors and products of devices, for lists (`spec-extensions/products.csv`).

use std::sync::LazyLock;

use wildmatch::WildMatch;

use super::Device;
use crate::text::csv;

/// Devices of a vendor.
struct ProductRow {
    devices: WildMatch,
    vendor: &'static str,
    products: &'static str,
}

static ROWS: LazyLock<Vec<ProductRow>> = LazyLock::new(|| {
    let rows = csv::rows(include_str!("../../spec-extensions/products.csv"));
    let row = |[devices, vendor, products, _]: [&'static str; 4]| ProductRow {
        devices: WildMatch::new(devices),
        vendor,
        products,
    };
    rows.map(row).collect()
});

/// Returns the vendor of the device with a name; `None` if the table does not have it.
pub fn vendor(device: &str) -> Option<&'static str> {
    row(device).map(|row| row.vendor)
}

/// Returns products that are the device, the best known first.
pub fn products(device: &str) -> impl Iterator<Item = &'static str> {
    let products = row(device).into_iter().flat_map(|row| row.products.split(';'));
    products.filter(|product| !product.is_empty())
}

impl Device {
    /// Returns the vendor of the device; `None` if the table of products does not have it.
    pub fn vendor(&self) -> Option<&'static str> {
        vendor(&self.name)
    }

    /// Returns products that are the device, as people call them, the best known first. None are known of most devices without an entry.
    pub fn products(&self) -> impl Iterator<Item = &'static str> {
        products(&self.name)
    }
}

/// Returns the first row that matches.
fn row(device: &str) -> Option<&'static ProductRow> {
    ROWS.iter().find(|row| row.devices.matches(device))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::config::embedded;

    #[test]
    fn every_device_has_a_vendor_and_every_row_a_device() {
        let names: Vec<&str> = embedded().iter().map(|device| device.name()).collect();
        for name in &names {
            assert!(vendor(name).is_some(), "{name}");
        }
        for row in ROWS.iter() {
            assert!(names.iter().any(|name| row.devices.matches(name)), "{}", row.products);
        }
        let products: Vec<&str> = products("nvidia_gpu_sm_90").collect();
        assert_eq!((vendor("nvidia_gpu_sm_90"), products[0]), (Some("NVIDIA"), "H100"));
        assert_eq!(vendor("somebody's phone"), None);
    }

    /// Products of phones are names of their devices.
    #[test]
    fn products_of_phones_are_devices() {
        let mut count = 0;
        let devices = [
            "arm_gpu_mali_v10",
            "arm_gpu_mali_v7",
            "arm_gpu_mali_v6",
            "qualcomm_gpu_adreno_6xx",
            "qualcomm_gpu_adreno_7xx",
            "qualcomm_gpu_adreno_702",
            "qualcomm_gpu_adreno_740",
        ];
        for device in devices {
            for product in products(device) {
                assert_eq!(Device::embedded(product).unwrap().name, device, "{product}");
                count += 1;
            }
        }
        assert!(count > 10, "{count}");
        assert!(Device::embedded("Adreno 530").is_err(), "no source has its features");
    }

    /// The names of processors with features of their own are those without them.
    #[test]
    fn sm_90a_is_hopper() {
        assert!(products("nvidia_gpu_sm_90a").eq(products("nvidia_gpu_sm_90")));
    }
}
