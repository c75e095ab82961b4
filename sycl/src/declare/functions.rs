//! New functions: declarations of conditional actions, and their replacements.

use spirv::{FunctionControl, Op};

use spirv_if::engine::loader::{Module, views};
use spirv_if::engine::transform::insertion::DecorationsById;
use spirv_if::engine::transform::{Edits, NewInstruction};

/// The body of a new function.
#[derive(Clone, Copy, Debug)]
pub enum ImportedBody {
    /// None: it is declared.
    Declaration,
    /// The function returns, with an undefined value if it has a result.
    Return,
    /// The function calls another one with its parameters, and returns the result.
    Call {
        callee: u32,
        /// A function of the module that has the type of the callee.
        template: u32,
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
    /// Writes a function with the type of `template`, and with the decorations of its parameters.
    pub fn write(&mut self, id: u32, template: u32, body: ImportedBody) {
        let module = self.module;
        let Some((inst, function)) =
            module.definition(template).and_then(views::Function::new).zip(module.function(template))
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
        if !matches!(body, ImportedBody::Declaration) {
            new.push(NewInstruction::new(Op::Label, None, Some(self.edits.fresh_id()), Vec::new()));
            let mut value = None;
            if let ImportedBody::Call { callee, template } = body {
                let call = self.edits.fresh_id();
                let mut operands = vec![callee];
                let arguments = self.arguments(template, &parameters, &mut new);
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
            ImportedBody::Declaration => self.declarations,
            ImportedBody::Return | ImportedBody::Call { .. } => module.words().len() as u32,
        };
        new.iter().for_each(|inst| self.edits.insert(place, inst));
    }

    /// Returns parameters as arguments of another function, cast to its pointer types.
    fn arguments(
        &mut self,
        template: u32,
        parameters: &[(u32, u32)],
        new: &mut Vec<NewInstruction>,
    ) -> Vec<u32> {
        let module = self.module;
        let argument_types: Vec<u32> = module
            .function(template)
            .into_iter()
            .flat_map(|caller| module.parameters(caller))
            .map(|parameter| views::FunctionParameter(parameter).type_id())
            .collect();
        let cast = |(at, &(id, parameter_type)): (usize, &(u32, u32))| match argument_types.get(at) {
            Some(&argument_type) if argument_type != parameter_type => {
                let cast = self.edits.fresh_id();
                new.push(NewInstruction::new(Op::Bitcast, Some(argument_type), Some(cast), vec![id]));
                cast
            }
            _ => id,
        };
        parameters.iter().enumerate().map(cast).collect()
    }
}
