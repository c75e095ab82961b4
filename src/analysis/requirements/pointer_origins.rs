//! The structures that pointers into storage buffers may point into.
//!
//! VariablePointersStorageBuffer allows variable pointers that are each confined to one block; others require VariablePointers.

use std::collections::{HashMap, HashSet};

use spirv::{Decoration, Op};

use crate::analysis::calls::DirectCalls;
use crate::collections::IdMap;
use crate::loader::{Function, Instruction, Module, views};

/// The block that a pointer points into.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Origin {
    /// None: it is null, undefined, or never made.
    #[default]
    None,
    /// This one, by its number.
    One(u32),
    /// One of several, or an unknown one.
    Several,
}

impl Origin {
    fn join(self, other: Origin) -> Origin {
        match (self, other) {
            (one, Origin::None) => one,
            (Origin::None, other) => other,
            (one, other) if one == other => one,
            _ => Origin::Several,
        }
    }
}

/// The origins of the pointers of a module.
pub(super) struct PointerOrigins {
    /// The origin of each pointer, by id. A function has the origin of its result.
    origins: IdMap<Origin>,
}

impl PointerOrigins {
    /// Follows the pointers of all functions.
    pub fn read(module: &Module) -> PointerOrigins {
        let mut flow =
            PointerFlow { module, origins: IdMap::new(), targets: IdMap::new(), blocks: HashMap::new() };
        for variable in module.globals().filter_map(views::Variable::new) {
            let block = flow.block(variable.id(), &[]);
            flow.seeds(variable.id(), block);
        }
        // Unknown code may call functions with linkage names, and functions without a caller.
        let named = |inst| views::Decoration::with(inst, Decoration::LinkageAttributes);
        let linked: HashSet<u32> =
            module.annotations().filter_map(named).map(|linkage| linkage.target()).collect();
        let calls = DirectCalls::new(module);
        for (at, function) in module.functions().iter().enumerate() {
            if linked.contains(&function.id) || !calls.is_called(at) {
                flow.parameters(function);
            }
            for inst in module.body(function) {
                flow.read(function.id, &inst);
            }
        }
        PointerOrigins { origins: flow.spread() }
    }

    /// Returns true if a pointer may point into different blocks at different times.
    pub fn are_several(&self, pointer: u32) -> bool {
        self.origins.get(&pointer) == Some(&Origin::Several)
    }
}

/// The ways of pointers, while they are read.
struct PointerFlow<'m> {
    module: &'m Module<'m>,
    origins: IdMap<Origin>,
    /// The other ids with the same origin, by id.
    targets: IdMap<Vec<u32>>,
    /// The numbers of blocks, by variable and the constant indexes into its arrays.
    blocks: HashMap<(u32, Vec<u32>), u32>,
}

impl PointerFlow<'_> {
    fn block(&mut self, variable: u32, indexes: &[u32]) -> Origin {
        let next = self.blocks.len() as u32;
        Origin::One(*self.blocks.entry((variable, indexes.to_vec())).or_insert(next))
    }

    fn seeds(&mut self, id: u32, origin: Origin) {
        let known = self.origins.entry(id).or_default();
        *known = known.join(origin);
    }

    /// Seeds the parameters of a function that others may call.
    fn parameters(&mut self, function: &Function) {
        let parameters = self.module.parameters(function).filter_map(|parameter| parameter.result_id());
        parameters.for_each(|parameter| self.seeds(parameter, Origin::Several));
    }

    fn flows(&mut self, from: u32, to: u32) {
        self.targets.entry(from).or_default().push(to);
    }

    fn read(&mut self, function: u32, inst: &Instruction) {
        match inst.op() {
            Some(Op::ReturnValue) => self.flows(views::ReturnValue(*inst).value(), function),
            Some(Op::FunctionCall) => self.call(views::FunctionCall(*inst)),
            _ => {}
        }
        let Some([type_, id]) = inst.typed_result() else { return };
        if self.module.definition(type_).and_then(views::AnyPointer::new).is_none() {
            return;
        }
        match inst.op() {
            Some(Op::FunctionCall | Op::FunctionParameter | Op::Undef | Op::ConstantNull) => {}
            Some(Op::CopyObject | Op::PtrAccessChain | Op::InBoundsPtrAccessChain) => {
                self.flows(views::Value(*inst).operand(0), id);
            }
            Some(Op::Select) => {
                [1, 2].into_iter().for_each(|at| self.flows(views::Value(*inst).operand(at), id))
            }
            Some(Op::Phi) => {
                views::Phi(*inst).incoming().iter().for_each(|&[value, _]| self.flows(value, id));
            }
            Some(Op::AccessChain | Op::InBoundsAccessChain) => {
                self.access_chain(id, views::AccessChain(*inst))
            }
            _ => self.seeds(id, Origin::Several),
        }
    }

    fn call(&mut self, call: views::FunctionCall) {
        self.flows(call.callee(), call.id());
        let Some(callee) = self.module.function(call.callee()) else { return };
        // The code of an import is not there.
        if self.module.is_declaration(callee) {
            self.seeds(call.id(), Origin::Several);
        }
        let parameters = self.module.parameters(callee).filter_map(|parameter| parameter.result_id());
        for (&argument, parameter) in call.arguments().iter().zip(parameters) {
            self.flows(argument, parameter);
        }
    }

    /// Scans an access chain. In an array of blocks, constant indexes choose the block.
    fn access_chain(&mut self, id: u32, chain: views::AccessChain) {
        let pointee = self.module.type_of(chain.base()).and_then(|type_| self.module.pointee(type_));
        let mut type_ = pointee.unwrap_or_default();
        let mut indexes = Vec::new();
        let mut rest = chain.indexes().iter();
        while let (Some(array), Some(&index)) = (self.module.array_type(type_), rest.next()) {
            indexes.push(self.module.constant(index).map(|index| index.low_word()));
            type_ = array.element_type();
        }
        let variable = self.module.definition(chain.base()).and_then(views::Variable::new);
        let origin = match (variable, indexes.into_iter().collect::<Option<Vec<u32>>>()) {
            (_, Some(indexes)) if indexes.is_empty() => return self.flows(chain.base(), id),
            (Some(variable), Some(indexes)) => self.block(variable.id(), &indexes),
            // The pointer points to an array in a block, and not to an array of blocks.
            (None, _) => return self.flows(chain.base(), id),
            (Some(_), None) => Origin::Several,
        };
        self.seeds(id, origin);
    }

    /// Spreads origins along the flow of pointers. Each origin changes at most twice.
    fn spread(mut self) -> IdMap<Origin> {
        let mut open: Vec<u32> = self.origins.keys().copied().collect();
        while let Some(from) = open.pop() {
            let origin = self.origins[&from];
            for &to in self.targets.get(&from).into_iter().flatten() {
                let known = self.origins.entry(to).or_default();
                let joined = known.join(origin);
                if joined != *known {
                    *known = joined;
                    open.push(to);
                }
            }
        }
        self.origins
    }
}
