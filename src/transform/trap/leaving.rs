//! Functions in which a return ends the invocation.

use std::collections::{HashMap, HashSet};

use spirv::Op;

use crate::analysis::calls::{DirectCall, DirectCalls};
use crate::analysis::{Analyses, is_debug};
use crate::loader::{Instruction, Module, views};

/// Callers of functions, and the functions in which a return ends the invocation.
pub struct Callers<'a> {
    /// The calls.
    pub calls: &'a DirectCalls,
    /// True for each function from which a return ends the invocation.
    pub leaves: Vec<bool>,
    /// True for each function that other modules may call, or that is called through a pointer. Clang's function with the body of a kernel is
    /// not meant for them.
    pub exported: Vec<bool>,
}

impl<'a> Callers<'a> {
    /// Reads a module.
    ///
    /// A return from an entry point ends the invocation. So does one from the function that clang makes of the body of a kernel: it has the parameters
    /// of the kernel, and its call is the last instruction of the kernel.
    pub fn new(analyses: &'a Analyses) -> Callers<'a> {
        let (module, names, calls) = (analyses.module(), analyses.names(), analyses.direct_calls());
        let functions = module.functions();
        let entry_points: HashSet<u32> = module.entry_points().map(|entry| entry.function()).collect();
        let mut is_named = vec![false; functions.len()];
        // By function: true if something is done after a call of it, or refers to it by other means.
        let mut is_continued = vec![false; functions.len()];
        for function in functions {
            let mut before: Option<usize> = None;
            for inst in module.body(function) {
                if let Some(callee) = before.take() {
                    is_continued[callee] |= !inst.is(Op::Return);
                }
                if let Some(call) = views::FunctionCall::new(inst)
                    && let Some(callee) = module.function_index(call.callee())
                {
                    before = Some(callee);
                } else if !is_debug(module, &inst) && !inst.is(Op::Function) {
                    note_functions(module, &inst, &mut is_named);
                }
            }
        }
        let pointers = module.globals().filter(|inst| inst.is(Op::ConstantFunctionPointerINTEL));
        pointers.for_each(|inst| note_functions(module, &inst, &mut is_named));
        let type_of = |function: u32| {
            module.definition(function).and_then(views::Function::new).map(views::Function::function_type)
        };
        let kernels: HashMap<usize, u32> = (0..functions.len())
            .filter_map(|at| Some((at, names.kernel_of(functions[at].id)?)))
            .filter(|&(at, kernel)| type_of(functions[at].id) == type_of(kernel))
            .collect();
        let leaves = (0..functions.len()).map(|at| {
            let is_body_of = |kernel: u32| {
                let of_kernel = |call: DirectCall| functions[call.caller as usize].id == kernel;
                !is_continued[at] && calls.calls_of(at).all(of_kernel)
            };
            entry_points.contains(&functions[at].id)
                || kernels.get(&at).is_some_and(|&kernel| is_body_of(kernel))
        });
        let leaves = leaves.collect();
        let is_exported =
            |at: usize| is_named[at] || names.is_exported(functions[at].id) && !kernels.contains_key(&at);
        let exported = (0..functions.len()).map(is_exported).collect();
        Callers { calls, leaves, exported }
    }
}

/// Notes the functions that an instruction names.
fn note_functions(module: &Module, inst: &Instruction, is_named: &mut [bool]) {
    module.walk(inst, &mut |_: usize, id: u32| {
        if let Some(at) = module.function_index(id) {
            is_named[at] = true;
        }
    });
}
