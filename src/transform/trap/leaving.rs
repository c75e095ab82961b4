//! Functions in which a return ends the invocation.

use std::collections::{HashMap, HashSet};

use spirv::Op;

use crate::analysis::{Names, is_debug};
use crate::loader::{Instruction, Module, views};

/// A call of a function.
#[derive(Clone, Copy, Debug)]
pub struct CallerPlace {
    /// The index of the function with the call.
    pub caller: usize,
    /// The offset of the call.
    pub offset: u32,
}

/// Callers of functions, and the functions in which a return ends the invocation.
pub struct Callers {
    /// The calls of each function.
    pub calls: Vec<Vec<CallerPlace>>,
    /// True for each function from which a return ends the invocation.
    pub leaves: Vec<bool>,
    /// True for each function that other modules may call, or that is called through a pointer. Clang's function with the body of a kernel is
    /// not meant for them.
    pub exported: Vec<bool>,
}

impl Callers {
    /// Reads a module.
    ///
    /// A return from an entry point ends the invocation. So does one from the function that clang makes of the body of a kernel: it has the parameters
    /// of the kernel, and its call is the last instruction of the kernel.
    pub fn new(module: &Module, names: &Names) -> Callers {
        let functions = module.functions();
        let entry_points: HashSet<u32> = module.entry_points().map(|entry| entry.function()).collect();
        let mut calls: Vec<Vec<CallerPlace>> = vec![Vec::new(); functions.len()];
        let mut is_named = vec![false; functions.len()];
        // By function: true if something is done after a call of it, or refers to it by other means.
        let mut is_continued = vec![false; functions.len()];
        for (at, function) in functions.iter().enumerate() {
            let mut before: Option<usize> = None;
            for inst in module.body(function) {
                if let Some(callee) = before.take() {
                    is_continued[callee] |= !inst.is(Op::Return);
                }
                if let Some(call) = views::FunctionCall::new(inst)
                    && let Some(callee) = module.function_index(call.callee())
                {
                    calls[callee].push(CallerPlace { caller: at, offset: inst.offset() });
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
                let of_kernel = |call: &CallerPlace| functions[call.caller].id == kernel;
                !is_continued[at] && calls[at].iter().all(of_kernel)
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
