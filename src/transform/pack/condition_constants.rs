//! The specialization-constant expressions of conditions, with each leaf and each distinct subexpression once.

use std::collections::{BTreeSet, HashMap};

use rspirv::dr::{Instruction as New, Operand};
use spirv::{Decoration, Op};

use super::bound_constants::BoundConstants;
use super::{ConditionIds, Dialect, PackError, Work};
use crate::condition::{Condition, Expr, Leaf};
use crate::device::{Tables, architectures, capabilities};
use crate::loader::views;
use crate::transform::spec_ids::SpecIds;

/// The constants that pack adds.
pub struct ConditionConstants {
    dialect: Dialect,
    /// The SpecIds of the leaves.
    pub leaves: Vec<(u32, Leaf)>,
    pub(super) bool_type: Option<u32>,
    spec_ids: SpecIds,
    pub(super) ids: HashMap<Expr, u32>,
    /// The offset at which they are inserted.
    pub(super) insertion_point: u32,
    /// True if there are device constants.
    pub has_device_constants: bool,
    /// Names and decorations of the leaves: both may be inserted at one offset, and must not be mixed.
    names: Vec<New>,
    decorations: Vec<New>,
}

impl ConditionConstants {
    /// No constants yet.
    pub fn new(work: &Work, dialect: Dialect) -> ConditionConstants {
        let bool_type = work.module.globals().find(|inst| inst.is(Op::TypeBool));
        ConditionConstants {
            dialect,
            leaves: Vec::new(),
            bool_type: bool_type.map(|inst| views::Type(inst).id()),
            spec_ids: SpecIds::of(work.module),
            ids: HashMap::new(),
            insertion_point: work.points.globals,
            has_device_constants: false,
            names: Vec::new(),
            decorations: Vec::new(),
        }
    }

    /// Emits all conditions; the leaves first, in their order.
    pub fn emit(
        &mut self,
        work: &mut Work,
        conditions: BTreeSet<Condition>,
    ) -> Result<ConditionIds, PackError> {
        let bound = BoundConstants::read(work, self.dialect)?;
        bound.prepare(self, work);
        let mut leaves: BTreeSet<Leaf> =
            conditions.iter().flat_map(|&condition| work.presence.conditions.leaves(condition)).collect();
        leaves.extend(bound.leaves());
        for leaf in leaves {
            if !self.ids.contains_key(&Expr::Leaf(leaf)) {
                let id = match leaf {
                    Leaf::Constant(id) => id,
                    _ => self.leaf(work, leaf)?,
                };
                self.ids.insert(Expr::Leaf(leaf), id);
            }
        }
        for name in &self.names {
            work.edits.insert(work.points.names, name);
        }
        for decoration in &self.decorations {
            work.edits.insert(work.points.annotations, decoration);
        }
        bound.define(self, work);
        // Conditions may depend on any constant of the module.
        self.insertion_point = work.points.globals;
        let mut expressions = Vec::new();
        for &condition in &conditions {
            expressions.push((work.presence.conditions.expr_of(condition)?, condition));
        }
        expressions.sort_unstable();
        self.leaves.sort_unstable();
        // Several constants may have one SpecId.
        self.leaves.dedup();
        Ok(expressions.iter().map(|(expr, condition)| (*condition, self.node(work, expr))).collect())
    }

    /// The id of an expression. The recursion is as deep as a canonical expression, which is bounded.
    pub(super) fn node(&mut self, work: &mut Work, expr: &Expr) -> u32 {
        if let Some(&id) = self.ids.get(expr) {
            return id;
        }
        let (op, operands) = match expr {
            Expr::Not(operand) => (Op::LogicalNot, vec![self.node(work, operand)]),
            Expr::And(left, right) => (Op::LogicalAnd, vec![self.node(work, left), self.node(work, right)]),
            Expr::Or(left, right) => (Op::LogicalOr, vec![self.node(work, left), self.node(work, right)]),
            Expr::True | Expr::False | Expr::Leaf(_) => return self.constant(work, *expr == Expr::True),
        };
        let mut words = vec![Operand::LiteralSpecConstantOpInteger(op)];
        words.extend(operands.into_iter().map(Operand::IdRef));
        let id = self.define(work, Op::SpecConstantOp, words);
        self.ids.insert(expr.clone(), id);
        id
    }

    /// A condition with a known value.
    fn constant(&mut self, work: &mut Work, value: bool) -> u32 {
        self.define(work, if value { Op::ConstantTrue } else { Op::ConstantFalse }, Vec::new())
    }

    /// A new constant of Boolean type.
    pub(super) fn define(&mut self, work: &mut Work, op: Op, operands: Vec<Operand>) -> u32 {
        let bool_type = self.bool_type(work);
        let id = work.edits.fresh_id();
        work.edits.insert(self.insertion_point, &New::new(op, Some(bool_type), Some(id), operands));
        id
    }

    fn bool_type(&mut self, work: &mut Work) -> u32 {
        *self.bool_type.get_or_insert_with(|| {
            let id = work.edits.fresh_id();
            work.edits.insert(self.insertion_point, &New::new(Op::TypeBool, None, Some(id), Vec::new()));
            id
        })
    }

    fn leaf(&mut self, work: &mut Work, leaf: Leaf) -> Result<u32, PackError> {
        let name = Expr::Leaf(leaf).display(&Tables).to_string();
        let id = match self.dialect {
            Dialect::FunctionVariants => {
                let (op, operands) =
                    device_constant(leaf).ok_or_else(|| PackError::Inexpressible(name.clone()))?;
                self.has_device_constants = true;
                self.define(work, op, operands.into_iter().map(Operand::LiteralBit32).collect())
            }
            Dialect::SpecConditional => {
                let id = self.define(work, Op::SpecConstantFalse, Vec::new());
                let spec_id = self.spec_ids.fresh().ok_or(PackError::NoSpecId)?;
                let operands = vec![
                    Operand::IdRef(id),
                    Operand::Decoration(Decoration::SpecId),
                    Operand::LiteralBit32(spec_id),
                ];
                self.decorations.push(New::new(Op::Decorate, None, None, operands));
                self.leaves.push((spec_id, leaf));
                id
            }
        };
        // The name shows the leaf in a disassembly. A stripped module gets none.
        if work.points.has_names {
            let operands = vec![Operand::IdRef(id), Operand::LiteralString(name)];
            self.names.push(New::new(Op::Name, None, None, operands));
        }
        Ok(id)
    }
}

/// The capability that is exactly a leaf, if there is one.
pub fn capability(leaf: Leaf) -> Option<u32> {
    match leaf {
        Leaf::Capability(capability) => Some(capability),
        Leaf::Aspect(aspect) => capabilities::exactly(aspect),
        _ => None,
    }
}

/// The device constant that is exactly a leaf, with its literals; `None` if there is none.
fn device_constant(leaf: Leaf) -> Option<(Op, Vec<u32>)> {
    const TARGET_X86_64: u32 = 4;
    match leaf {
        Leaf::Capability(_) | Leaf::Aspect(_) => {
            Some((Op::SpecConstantCapabilitiesINTEL, vec![capability(leaf)?]))
        }
        Leaf::Architecture(number) if architectures::by_value(number)?.name == "x86_64" => {
            Some((Op::SpecConstantTargetINTEL, vec![TARGET_X86_64]))
        }
        Leaf::Architecture(number) => {
            let tuple = architectures::unique_registry(number)?;
            let literals = vec![tuple.category, tuple.family, Op::IEqual as u32, tuple.architecture];
            Some((Op::SpecConstantArchitectureINTEL, literals))
        }
        _ => None,
    }
}
