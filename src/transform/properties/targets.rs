//! Holders of properties.

use std::collections::{BTreeMap, BTreeSet};

use spirv::Op;

use crate::analysis::Names;
use crate::collections::IdMap;
use crate::loader::{Module, views};

/// The kind of a target of properties.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HolderKind {
    /// The function of an entry point.
    Kernel,
    /// Another function.
    Function,
    /// A parameter of a function.
    Parameter,
    /// A variable, in a function or outside.
    Variable,
    /// Another id in a function.
    Pointer,
    /// A member of a structure type.
    Member,
    /// A structure type, or another definition outside of functions.
    Type,
}

impl HolderKind {
    #[cfg(test)]
    pub const ALL: [HolderKind; 7] = [
        HolderKind::Kernel,
        HolderKind::Function,
        HolderKind::Parameter,
        HolderKind::Variable,
        HolderKind::Pointer,
        HolderKind::Member,
        HolderKind::Type,
    ];

    /// Returns its name in the table and in messages.
    pub fn name(self) -> &'static str {
        match self {
            HolderKind::Kernel => "kernel",
            HolderKind::Function => "function",
            HolderKind::Parameter => "parameter",
            HolderKind::Variable => "variable",
            HolderKind::Pointer => "pointer",
            HolderKind::Member => "member",
            HolderKind::Type => "type",
        }
    }
}

/// The targets of properties in a module.
pub struct Targets<'m> {
    module: &'m Module<'m>,
    names: &'m Names<'m>,
    kernels: BTreeSet<u32>,
    /// Parameter of each function-local variable to which that parameter is stored and nothing else. Compilers decorate these in its place.
    holders: BTreeMap<u32, u32>,
}

impl<'m> Targets<'m> {
    /// Finds those with these ids.
    pub fn find(module: &'m Module<'m>, names: &'m Names<'m>, ids: impl Iterator<Item = u32>) -> Targets<'m> {
        let kernels = module.entry_points().map(|entry_point| entry_point.function()).collect();
        let mut targets = Targets { module, names, kernels, holders: BTreeMap::new() };
        let local: BTreeSet<u32> = ids.filter(|&id| targets.is_local_variable(id)).collect();
        let functions: BTreeSet<usize> = local.iter().filter_map(|&id| module.function_of(id)).collect();
        for function in functions {
            let function = &module.functions()[function];
            let parameters: BTreeSet<u32> =
                module.parameters(function).filter_map(|inst| inst.result_id()).collect();
            let mut stored: IdMap<Vec<u32>> = IdMap::new();
            for store in module.body(function).filter_map(views::Store::new) {
                stored.entry(store.pointer()).or_default().push(store.object());
            }
            for &variable in local.iter() {
                if let Some([parameter]) = stored.get(&variable).map(Vec::as_slice)
                    && parameters.contains(parameter)
                {
                    targets.holders.insert(variable, *parameter);
                }
            }
        }
        targets
    }

    fn is_local_variable(&self, id: u32) -> bool {
        !self.module.is_global(id) && self.module.definition_as(id, Op::Variable).is_some()
    }

    /// Returns the target of the properties of an id, or of a member of it: its id and kind. `None` for an undefined id.
    pub fn holder(&self, id: u32, member: Option<u32>) -> Option<(u32, HolderKind)> {
        let module = self.module;
        if member.is_some() {
            return Some((id, HolderKind::Member));
        }
        if module.is_function(id) {
            let kind = if self.kernels.contains(&id) { HolderKind::Kernel } else { HolderKind::Function };
            return Some((id, kind));
        }
        if let Some(&parameter) = self.holders.get(&id) {
            return Some((parameter, HolderKind::Parameter));
        }
        let kind = match module.definition(id)?.op() {
            Some(Op::FunctionParameter) => HolderKind::Parameter,
            Some(Op::Variable | Op::UntypedVariableKHR) => HolderKind::Variable,
            _ if module.is_global(id) => HolderKind::Type,
            _ => HolderKind::Pointer,
        };
        Some((id, kind))
    }

    /// Returns true if a function has the body of a kernel, whose properties are the kernel's.
    pub fn is_kernel_body(&self, id: u32) -> bool {
        self.names.kernel_of(id).is_some()
    }

    /// Describes a holder in messages.
    pub fn describe(&self, id: u32, member: Option<u32>) -> String {
        let kind = self.holder(id, member).map_or("id", |(_, kind)| kind.name());
        let name = match self.module.is_function(id) {
            true => self.names.function_name(id).short().into_owned(),
            false => self.names.display(id),
        };
        match member {
            Some(member) => format!("{kind} {member} of {name}"),
            None => format!("{kind} {name}"),
        }
    }

    /// Returns the name of a target that its host uses.
    pub fn name(&self, id: u32) -> String {
        let linkage = self.names.linkage(id).map(|linkage| linkage.name);
        linkage.or_else(|| self.names.name(id)).map(|name| name.into_owned()).unwrap_or_default()
    }
}
