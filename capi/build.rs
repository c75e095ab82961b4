//! The name by which programs find the shared library when they run: a program that was linked with another version of the interface
//! does not start.

/// The version of the interface, as `SPVIF_ABI_VERSION` in `src/lib.rs`; a test of it compares the two.
const ABI_VERSION: u32 = 1;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-env=SPVIF_SONAME_VERSION={ABI_VERSION}");
    let target = std::env::var("CARGO_CFG_TARGET_OS").unwrap_or_default();
    let soname = format!("libspvif.so.{ABI_VERSION}");
    match target.as_str() {
        "macos" => {
            println!("cargo::rustc-cdylib-link-arg=-Wl,-install_name,@rpath/libspvif.{ABI_VERSION}.dylib");
        }
        "windows" => {}
        _ => println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,{soname}"),
    }
}
