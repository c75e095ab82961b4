//! In place of `embedded_devices`, without the feature `devices`: no device has a name.

use super::Device;

/// No devices: the table is not in this build.
pub(crate) static DEVICES: [Device; 0] = [];
