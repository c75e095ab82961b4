//! Tests of the boundary that C cannot have: a panic, and that every function stops panics.

use std::ffi::CStr;
use std::ptr;

use crate::boundary::{Changeable, Named, Out, ask, call, call_about, change, create, destroy};
use crate::error::{Error, Status, spvif_error_destroy, spvif_error_message, spvif_error_status};

/// Panics as a defect would. A panic that leaves a function for C ends the process.
unsafe extern "C" fn panics(result: *mut *mut u32, error: *mut *mut Error) -> Status {
    // SAFETY: the test's pointers.
    unsafe {
        call(error, || {
            let _out = Out::new(result)?;
            "nothing".parse::<u32>().expect("there is a number");
            Ok(())
        })
    }
}

#[test]
fn no_panic_leaves_a_call() {
    let mut result: *mut u32 = ptr::dangling_mut();
    let mut error = ptr::null_mut();
    // SAFETY: both have room for a pointer; the error is destroyed once.
    unsafe {
        assert_eq!(panics(&raw mut result, &raw mut error), Status::Internal);
        assert!(result.is_null(), "the place of the result holds null");
        assert_eq!(spvif_error_status(error), Status::Internal);
        let message = CStr::from_ptr(spvif_error_message(error)).to_str().unwrap();
        assert!(message.contains("there is a number") && message.contains("report it"), "{message}");
        spvif_error_destroy(error);
        assert_eq!(panics(&raw mut result, ptr::null_mut()), Status::Internal, "nobody wants the error");
    }
}

/// A panic in a call about an object has the name of the object, as its errors do.
#[test]
fn no_panic_leaves_a_call_about_an_object() {
    struct Shader;
    impl Named for Shader {
        fn name(&self) -> Option<&str> {
            Some("blur")
        }
    }
    let mut error = ptr::null_mut();
    // SAFETY: the error has room for a pointer, and is destroyed once.
    unsafe {
        assert_eq!(call_about(&Shader, &raw mut error, || panic!("a defect")), Status::Internal);
        let message = CStr::from_ptr(spvif_error_message(error)).to_str().unwrap();
        assert!(message.starts_with("blur: ") && message.contains("a defect"), "{message}");
        spvif_error_destroy(error);
    }
}

#[test]
fn no_panic_leaves_a_question() {
    let object = create(|| 7);
    // SAFETY: the object was just made.
    unsafe {
        assert_eq!(ask(object, 0, |value| *value), 7);
        assert_eq!(ask(object, 0, |_| panic!("a defect")), 0);
        assert_eq!(ask(ptr::null(), 5, |value: &i32| *value), 5);
        destroy(object);
        destroy(ptr::null_mut::<i32>());
    }
    let failed: *mut i32 = create(|| panic!("a defect"));
    assert!(failed.is_null());
}

/// A panic in a change is kept like any failure.
#[test]
fn no_panic_leaves_a_change() {
    let mut object = Changeable::<u32>::default();
    let mut changed = |with: fn(&mut u32)| {
        // SAFETY: nothing else uses the object.
        unsafe {
            change(
                &raw mut object,
                |value| value,
                |value| {
                    with(value);
                    Ok(())
                },
            )
        }
    };
    assert_eq!(changed(|value| *value = 7), Status::Ok);
    assert_eq!(changed(|_| panic!("a defect")), Status::Internal);
    assert_eq!(changed(|value| *value = 8), Status::Ok);
    let error = object.get().unwrap_err();
    assert_eq!(error.status, Status::Internal);
    assert!(error.into_message().to_str().unwrap().contains("a defect"));
}

/// A panic while an object is destroyed does not leave the function.
#[test]
fn no_panic_leaves_the_end_of_an_object() {
    struct Panics;
    impl Drop for Panics {
        fn drop(&mut self) {
            panic!("a defect");
        }
    }
    let object = create(|| Panics);
    // SAFETY: the object was just made.
    unsafe { destroy(object) };
}

/// Each function for C uses the functions of `boundary`, which stop panics, or calls nothing.
#[test]
fn every_function_stops_panics() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src");
    let mut functions = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        for function in text.split("\n#[unsafe(no_mangle)]\n").skip(1) {
            functions += 1;
            let (head, body) = function.split_once('{').unwrap();
            assert!(head.contains("extern \"C\" fn spvif_"), "{head}");
            let body = body.split("\n}").next().unwrap();
            let stops = [
                "call(error",
                "call_about(",
                "ask(",
                "change(",
                "create(",
                "destroy(",
                "update(",
                "update_by(",
            ];
            let calls_nothing = !body.contains('(') || body.contains("VERSION.as_ptr()");
            assert!(
                calls_nothing || stops.iter().any(|stop| body.contains(stop)),
                "{}: {head}",
                path.display()
            );
        }
    }
    assert!(functions > 50, "{functions}");
}

#[test]
fn one_version_of_the_interface() {
    assert_eq!(env!("SPVIF_SONAME_VERSION"), crate::SPVIF_ABI_VERSION.to_string(), "build.rs has another");
}

/// Without the feature `probe`, the functions that query drivers exist and return an error.
#[cfg(not(feature = "probe"))]
#[test]
fn drivers_are_not_supported() {
    use crate::drivers::{spvif_device_from_opencl, spvif_device_from_vulkan};

    let (mut device, mut error, null) = (ptr::null_mut(), ptr::null_mut(), ptr::null_mut());
    // SAFETY: there is room for the pointers; the errors are destroyed once.
    unsafe {
        for call in 0..2 {
            let status = match call {
                0 => spvif_device_from_opencl(None, None, null, &raw mut device, &raw mut error),
                _ => spvif_device_from_vulkan(None, null, 0, null, null, &raw mut device, &raw mut error),
            };
            assert_eq!((status, device.is_null()), (Status::Unsupported, true));
            assert!(CStr::from_ptr(spvif_error_message(error)).to_str().unwrap().contains("probe"));
            spvif_error_destroy(error);
        }
    }
}
