//! New functions, declarations of conditional actions and their replacements, and the names by which images refer to each other's functions and
//! variables.

use std::collections::BTreeMap;

use spirv::{Capability, Decoration, FunctionControl, LinkageType, Op};

use crate::loader::{Module, literal, views};
use crate::transform::insertion::{DecorationsById, InsertionPoints};
use crate::transform::removal::count_words;
use crate::transform::{Edits, NewInstruction};

/// The body of a new function.
#[derive(Clone, Copy, Debug)]
pub enum FunctionBody {
    /// None: it is declared.
    Declaration,
    /// The function returns, with an undefined value if it has a result.
    Return,
    /// The function calls another one with its parameters, and returns the result.
    Call {
        callee: u32,
        /// A function of the module that has the type of the callee.
        like: u32,
    },
}

/// Writes functions.
pub struct FunctionWriter<'w, 'm> {
    pub module: &'m Module<'m>,
    pub edits: &'w mut Edits,
    /// The decorations of the parameters of the functions that new ones are like.
    pub decorations: DecorationsById<'m>,
    /// The insertion points of decorations and of declarations.
    pub annotations: u32,
    pub declarations: u32,
    pub void: Option<u32>,
}

impl FunctionWriter<'_, '_> {
    /// Writes a function of the type of another, with the same decorations of its parameters.
    pub fn write(&mut self, id: u32, like: u32, body: FunctionBody) {
        let module = self.module;
        let Some((inst, function)) =
            module.definition(like).and_then(views::Function::new).zip(module.function(like))
        else {
            return;
        };
        let result = inst.type_id();
        let mut new = vec![NewInstruction::new(
            Op::Function,
            Some(result),
            Some(id),
            vec![FunctionControl::NONE.bits(), inst.function_type()],
        )];
        let mut parameters = Vec::new();
        for parameter in module.parameters(function).map(views::FunctionParameter) {
            let new_parameter = self.edits.fresh_id();
            self.decorations.copy(parameter.id(), new_parameter, self.annotations, self.edits);
            new.push(NewInstruction::new(
                Op::FunctionParameter,
                Some(parameter.type_id()),
                Some(new_parameter),
                Vec::new(),
            ));
            parameters.push((new_parameter, parameter.type_id()));
        }
        if !matches!(body, FunctionBody::Declaration) {
            new.push(NewInstruction::new(Op::Label, None, Some(self.edits.fresh_id()), Vec::new()));
            let mut value = None;
            if let FunctionBody::Call { callee, like } = body {
                let call = self.edits.fresh_id();
                let mut operands = vec![callee];
                let arguments = self.arguments(like, &parameters, &mut new);
                operands.extend(arguments);
                new.push(NewInstruction::new(Op::FunctionCall, Some(result), Some(call), operands));
                value = Some(call);
            }
            if self.void == Some(result) {
                new.push(NewInstruction::new(Op::Return, None, None, Vec::new()));
            } else {
                let value = value.unwrap_or_else(|| {
                    let undefined = self.edits.fresh_id();
                    new.push(NewInstruction::new(Op::Undef, Some(result), Some(undefined), Vec::new()));
                    undefined
                });
                new.push(NewInstruction::new(Op::ReturnValue, None, None, vec![value]));
            }
        }
        new.push(NewInstruction::new(Op::FunctionEnd, None, None, Vec::new()));
        let place = match body {
            FunctionBody::Declaration => self.declarations,
            FunctionBody::Return | FunctionBody::Call { .. } => module.words().len() as u32,
        };
        new.iter().for_each(|inst| self.edits.insert(place, inst));
    }

    /// Returns parameters as arguments of another function, cast to its pointer types.
    fn arguments(&mut self, like: u32, parameters: &[(u32, u32)], new: &mut Vec<NewInstruction>) -> Vec<u32> {
        let module = self.module;
        let wanted: Vec<u32> = module
            .function(like)
            .into_iter()
            .flat_map(|caller| module.parameters(caller))
            .map(|parameter| views::FunctionParameter(parameter).type_id())
            .collect();
        let cast = |(at, &(id, given)): (usize, &(u32, u32))| match wanted.get(at) {
            Some(&wanted) if wanted != given => {
                let cast = self.edits.fresh_id();
                new.push(NewInstruction::new(Op::Bitcast, Some(wanted), Some(cast), vec![id]));
                cast
            }
            _ => id,
        };
        parameters.iter().enumerate().map(cast).collect()
    }
}

/// The linkage that a function or variable is to have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NewLinkage {
    /// Definition for other images.
    Export(String),
    /// Reference to a definition in another image.
    Import(String),
    /// Internal to the image.
    None,
}

/// Gives functions and variables a linkage in the place of the one that they have. A function of a later generation has its number in the
/// OpName too: drivers take two functions of one OpName for one.
pub fn link_names(module: &Module, linkage: &BTreeMap<u32, NewLinkage>) -> Edits {
    let mut edits = Edits::new(module);
    for decoration in module.decorations_with(Decoration::LinkageAttributes) {
        if linkage.contains_key(&decoration.target()) {
            edits.drop(&decoration);
        }
    }
    for name in module.names().filter(|name| module.function_index(name.target()).is_some()) {
        let Some(NewLinkage::Export(exported)) = linkage.get(&name.target()) else { continue };
        if exported.strip_prefix(&*name.name()).is_some_and(|number| number.starts_with('.')) {
            let mut words = name.words()[..2].to_vec();
            words.extend(literal(exported));
            count_words(&mut words);
            edits.replace_words(&name, &words);
        }
    }
    let points = InsertionPoints::find(module);
    let mut links = false;
    for (&id, new_linkage) in linkage {
        let (name, kind) = match new_linkage {
            NewLinkage::Export(name) => (name, LinkageType::Export),
            NewLinkage::Import(name) => (name, LinkageType::Import),
            NewLinkage::None => continue,
        };
        links = true;
        let mut operands = vec![id, Decoration::LinkageAttributes as u32];
        operands.extend(literal(name));
        operands.push(kind as u32);
        edits.insert(points.annotations, &NewInstruction::new(Op::Decorate, None, None, operands));
    }
    let mut declared = module.capabilities().map(views::Capability::capability);
    if links && !declared.any(|number| number == Capability::Linkage as u32) {
        let operands = vec![Capability::Linkage as u32];
        edits.insert(points.capabilities, &NewInstruction::new(Op::Capability, None, None, operands));
    }
    edits
}
