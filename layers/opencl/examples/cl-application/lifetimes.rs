//! Objects that are released in any order, and from several threads.

use std::ffi::c_void;
use std::sync::atomic::{AtomicUsize, Ordering};

use cl3::kernel::{CL_KERNEL_PROGRAM, get_kernel_data, release_kernel, retain_kernel};
use cl3::program::{release_program, retain_program};
use cl3::types::cl_program;

use crate::context::Context;
use crate::program::{build, create, kernel};
use crate::{Options, Result, call};

const THREADS: usize = 4;
const ROUNDS: usize = 3;

static RELEASED: AtomicUsize = AtomicUsize::new(0);

unsafe extern "C" fn count(_: cl_program, data: *mut c_void) {
    // Callbacks are called in the reverse order of their registration.
    let released = 10 * RELEASED.load(Ordering::Acquire) + data.addr();
    RELEASED.store(released, Ordering::Release);
}

pub unsafe fn run(context: &Context, options: &Options) -> Result<()> {
    // SAFETY: the caller's.
    unsafe {
        // The kernel keeps its program.
        let program = build(context, options, create(context, options)?)?;
        let library = cl3::load_library().as_ref().map_err(ToString::to_string)?;
        for data in [1, 2] {
            let data = std::ptr::without_provenance_mut(data);
            let code = library.clSetProgramReleaseCallback(program, Some(count), data);
            println!("clSetProgramReleaseCallback: {code:?}");
        }
        let used = kernel(program, options)?;
        call("clReleaseProgram", release_program(program))?;
        println!("released with a kernel: {}", RELEASED.load(Ordering::Acquire));
        context.run(used, options)?.iter().for_each(|line| println!("{line}"));
        let of_kernel = call("clGetKernelInfo", get_kernel_data(used, CL_KERNEL_PROGRAM))?;
        println!("the program is there: {}", of_kernel == program.addr().to_ne_bytes());
        call("clReleaseKernel", release_kernel(used))?;
        println!("released without: {}", RELEASED.load(Ordering::Acquire));

        // A program that is never built, and one that is built again.
        call("clReleaseProgram", release_program(create(context, options)?))?;
        let program = build(context, options, create(context, options)?)?;
        let again = || build(context, options, program);
        let used = kernel(program, options)?;
        println!("built again with a kernel: {}", again().map(|_| 0).unwrap_or(1));
        call("clReleaseKernel", release_kernel(used))?;
        again()?;
        let used = kernel(program, options)?;
        call("clRetainKernel", retain_kernel(used))?;
        call("clRetainProgram", retain_program(program))?;
        call("clReleaseKernel", release_kernel(used))?;
        call("clReleaseProgram", release_program(program))?;
        context.run(used, options)?.iter().for_each(|line| println!("{line}"));
        call("clReleaseProgram", release_program(program))?;
        call("clReleaseKernel", release_kernel(used))
    }
}

/// Makes programs and kernels in several threads, which all have the same results.
pub unsafe fn threads(context: &Context, options: &Options) -> Result<()> {
    let round = || -> Result<Vec<String>> {
        // SAFETY: the caller's.
        unsafe {
            let program = build(context, options, create(context, options)?)?;
            let used = kernel(program, options)?;
            call("clReleaseProgram", release_program(program))?;
            let lines = context.run(used, options)?;
            call("clReleaseKernel", release_kernel(used))?;
            Ok(lines)
        }
    };
    let expected = round()?;
    let is_expected = |_| round().map_err(|error| error.to_string()).as_ref() == Ok(&expected);
    let all = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..THREADS).map(|_| scope.spawn(|| (0..ROUNDS).all(is_expected))).collect();
        threads.into_iter().all(|thread| thread.join().unwrap_or(false))
    });
    expected.iter().for_each(|line| println!("{line}"));
    println!("all the same: {all}");
    Ok(())
}
