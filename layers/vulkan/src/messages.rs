//! Messages: to the application's messengers (VK_EXT_debug_utils), and to stderr.

use std::ffi::{CStr, CString};
use std::fmt;

use ash::vk;

pub use spirv_if_layer_common::Severity;

/// The name of the layer.
pub const LAYER: &str = "VK_LAYER_SPIRVIF_specialize";
/// Name of all messages, as messengers show it.
const MESSAGE_NAME: &CStr = c"SPIRVIF-specialize";

/// Writes a message to stderr. Messengers exist only with an instance.
pub fn write_line(severity: Severity, message: impl fmt::Display) {
    eprintln!("{LAYER}: {severity}: {message}");
}

/// The messengers of an instance.
pub struct Messengers {
    pub instance: vk::Instance,
    /// The next layer's vkSubmitDebugUtilsMessageEXT, if the application enabled it. The loader calls all messengers.
    pub submit: Option<vk::PFN_vkSubmitDebugUtilsMessageEXT>,
    /// The least severe messages that go to stderr.
    pub report: Severity,
}

impl Messengers {
    /// Sends a message to the messengers, which choose what they show, and to stderr.
    pub fn send(&self, severity: Severity, message: impl fmt::Display) {
        if severity <= self.report {
            write_line(severity, &message);
        }
        let Some(submit) = self.submit else { return };
        let flag = match severity {
            Severity::None => return,
            Severity::Error => vk::DebugUtilsMessageSeverityFlagsEXT::ERROR,
            Severity::Warning => vk::DebugUtilsMessageSeverityFlagsEXT::WARNING,
            Severity::Info => vk::DebugUtilsMessageSeverityFlagsEXT::INFO,
        };
        let Ok(text) = CString::new(format!("{LAYER}: {message}")) else { return };
        let data =
            vk::DebugUtilsMessengerCallbackDataEXT::default().message(&text).message_id_name(MESSAGE_NAME);
        // SAFETY: an instance exists while a call uses it or one of its devices. The texts live until the call returns.
        unsafe { submit(self.instance, flag, vk::DebugUtilsMessageTypeFlagsEXT::GENERAL, &data) };
    }
}
