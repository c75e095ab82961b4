//! The specialization-constant expressions of conditions, with each leaf and each distinct subexpression once.

use std::collections::{BTreeSet, HashMap, HashSet};

use spirv::{Decoration, Op};
use thiserror::Error;

use crate::analysis::closure;
use crate::analysis::constants::find_spec_constants;
use crate::collections::{gather, sort};
use crate::condition::{ConditionError, ConditionId, Conditions, Expr, Leaf, LeafKind};
use crate::device::{DeviceNames, architectures, capabilities};
use crate::loader::Module;
use crate::transform::NewInstruction;
use crate::transform::spec_ids::SpecIds;

/// The form in which the leaves of conditions are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Dialect {
    /// OpSpecConstantFalse with a SpecId: the property set states its meaning (docs/design/device-if.md, "New properties and property sets").
    #[default]
    SpecConditional,
    /// The device constants of SPV_INTEL_function_variants, which need no property set; only decisions of the host are as in the other.
    FunctionVariants,
}

/// The reason that a condition cannot be written.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum UnwritableCondition {
    /// The condition is out of bounds.
    #[error(transparent)]
    Condition(#[from] ConditionError),
    /// A leaf that the device constants cannot express.
    #[error(
        "the function-variants dialect cannot express {0}: {reason}. Use the default dialect, with its property set", reason = inexpressible(.1)
    )]
    Inexpressible(String, LeafKind),
    /// All SpecIds are taken.
    #[error("the module uses the SpecIds up to 4294967295: none is left for the conditions")]
    NoSpecId,
}

/// Returns the reason for which no device constant is a leaf of a kind.
fn inexpressible(kind: &LeafKind) -> &'static str {
    match kind {
        LeafKind::Extension => "it has no constants for SPIR-V extensions",
        LeafKind::Feature => "it has no constants for features of providers",
        LeafKind::Limit => "it has no constants for numbers",
        _ => "the device registry has no number that is this one's alone",
    }
}

/// The ids of the constants of conditions.
pub type ConditionIds = HashMap<ConditionId, u32>;

/// The constants of conditions that a transform adds to a module, as words for its sections.
pub struct ConditionConstants {
    dialect: Dialect,
    /// The SpecIds of the leaves.
    pub leaves: Vec<(u32, Leaf)>,
    /// The Boolean type, if there is one yet.
    pub bool_type: Option<u32>,
    spec_ids: SpecIds,
    /// A number for each expression.
    numbers: HashMap<ExprNode, u32>,
    /// The ids of expressions that have one, by number.
    ids: HashMap<u32, u32>,
    /// The ids of expressions that are still to be defined, by number.
    reserved: HashMap<u32, u32>,
    /// The names that leaves do not get; `None` for a module without names, whose leaves get none.
    taken_names: Option<BTreeSet<String>>,
    /// True if there are device constants.
    pub has_device_constants: bool,
    /// The constants, and the Boolean type if there was none, in order.
    pub constants: Vec<u32>,
    /// The names of leaves, which show in a disassembly.
    pub names: Vec<u32>,
    /// The decorations of leaves.
    pub decorations: Vec<u32>,
}

/// An expression with the numbers of its operands: to hash whole expressions would take the square of the time.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum ExprNode {
    True,
    False,
    Leaf(Leaf),
    Not(u32),
    And(u32, u32),
    Or(u32, u32),
}

/// Gives new ids.
pub type FreshIds<'f> = &'f mut dyn FnMut() -> u32;

impl ConditionConstants {
    /// Creates an empty set of constants for a module with these SpecIds, whose specialization constants have the names `taken_names`; `None` for a module
    /// without names, which gets none.
    pub fn new(
        dialect: Dialect,
        bool_type: Option<u32>,
        spec_ids: SpecIds,
        taken_names: Option<BTreeSet<String>>,
    ) -> ConditionConstants {
        ConditionConstants {
            dialect,
            leaves: Vec::new(),
            bool_type,
            spec_ids,
            numbers: HashMap::new(),
            ids: HashMap::new(),
            reserved: HashMap::new(),
            taken_names,
            has_device_constants: false,
            constants: Vec::new(),
            names: Vec::new(),
            decorations: Vec::new(),
        }
    }

    /// Sets the ids that conditions get when they are added, or their leaves.
    pub fn reserve(
        &mut self,
        ids: &HashMap<ConditionId, u32>,
        conditions: &mut Conditions,
    ) -> Result<(), UnwritableCondition> {
        for (&condition, &id) in ids {
            let number = self.number(&conditions.expr_of(condition)?);
            self.reserved.insert(number, id);
        }
        Ok(())
    }

    /// Adds the leaves without an id, in their order.
    pub fn add_leaves(
        &mut self,
        leaves: &BTreeSet<Leaf>,
        fresh: FreshIds,
    ) -> Result<(), UnwritableCondition> {
        for &leaf in leaves {
            if !self.has_id(leaf) {
                let id = match leaf {
                    Leaf::Constant(id) => id,
                    _ => self.leaf(leaf, fresh)?,
                };
                self.set_id(leaf, id);
            }
        }
        Ok(())
    }

    /// Returns true if a leaf has an id.
    pub fn has_id(&mut self, leaf: Leaf) -> bool {
        let number = self.number_of(ExprNode::Leaf(leaf));
        self.ids.contains_key(&number)
    }

    /// Sets the id of a leaf.
    pub fn set_id(&mut self, leaf: Leaf, id: u32) {
        let number = self.number_of(ExprNode::Leaf(leaf));
        self.ids.insert(number, id);
    }

    fn number_of(&mut self, node: ExprNode) -> u32 {
        let next = self.numbers.len() as u32;
        *self.numbers.entry(node).or_insert(next)
    }

    /// Returns the number of an expression. The recursion is as deep as a canonical expression, which is bounded.
    fn number(&mut self, expr: &Expr) -> u32 {
        let node = match expr {
            Expr::True => ExprNode::True,
            Expr::False => ExprNode::False,
            Expr::Leaf(leaf) => ExprNode::Leaf(*leaf),
            Expr::Not(operand) => ExprNode::Not(self.number(operand)),
            Expr::And(left, right) => ExprNode::And(self.number(left), self.number(right)),
            Expr::Or(left, right) => ExprNode::Or(self.number(left), self.number(right)),
        };
        self.number_of(node)
    }

    /// Adds conditions, whose leaves must have ids, in the order of their expressions.
    pub fn add(
        &mut self,
        added: &BTreeSet<ConditionId>,
        conditions: &mut Conditions,
        fresh: FreshIds,
    ) -> Result<ConditionIds, UnwritableCondition> {
        let mut expressions = Vec::new();
        for &condition in added {
            expressions.push((conditions.expr_of(condition)?, condition));
        }
        Ok(self.add_expressions(expressions, fresh))
    }

    /// Like [`add`](Self::add), with the expressions of the conditions.
    pub fn add_expressions(
        &mut self,
        mut expressions: Vec<(Expr, ConditionId)>,
        fresh: FreshIds,
    ) -> ConditionIds {
        sort(&mut expressions);
        sort(&mut self.leaves);
        // Several constants may have one SpecId.
        self.leaves.dedup();
        expressions.iter().map(|(expr, condition)| (*condition, self.node(expr, fresh))).collect()
    }

    /// Returns the id of an expression.
    pub fn node(&mut self, expr: &Expr, fresh: FreshIds) -> u32 {
        self.numbered_node(expr, fresh).1
    }

    /// Returns the number and the id of an expression. The recursion is as deep as a canonical expression, which is bounded.
    fn numbered_node(&mut self, expr: &Expr, fresh: FreshIds) -> (u32, u32) {
        let (node, op, operands) = match expr {
            Expr::Not(operand) => {
                let (number, id) = self.numbered_node(operand, fresh);
                (ExprNode::Not(number), Op::LogicalNot, vec![id])
            }
            Expr::And(left, right) | Expr::Or(left, right) => {
                let (left, left_id) = self.numbered_node(left, fresh);
                let (right, right_id) = self.numbered_node(right, fresh);
                let (node, op) = match expr {
                    Expr::And(..) => (ExprNode::And(left, right), Op::LogicalAnd),
                    _ => (ExprNode::Or(left, right), Op::LogicalOr),
                };
                (node, op, vec![left_id, right_id])
            }
            Expr::True => (ExprNode::True, Op::ConstantTrue, Vec::new()),
            Expr::False => (ExprNode::False, Op::ConstantFalse, Vec::new()),
            Expr::Leaf(leaf) => (ExprNode::Leaf(*leaf), Op::ConstantFalse, Vec::new()),
        };
        let number = self.number_of(node);
        if let Some(&id) = self.ids.get(&number) {
            return (number, id);
        }
        if operands.is_empty() {
            return (number, self.define(op, operands, fresh));
        }
        let words = [vec![op as u32], operands].concat();
        let reserved = self.reserved.get(&number).copied();
        let id = self.define_as(Op::SpecConstantOp, words, reserved, fresh);
        self.ids.insert(number, id);
        (number, id)
    }

    /// Defines a new constant of Boolean type.
    pub fn define(&mut self, op: Op, operands: Vec<u32>, fresh: FreshIds) -> u32 {
        self.define_as(op, operands, None, fresh)
    }

    fn define_as(&mut self, op: Op, operands: Vec<u32>, id: Option<u32>, fresh: FreshIds) -> u32 {
        let bool_type = self.bool_type(fresh);
        let id = id.unwrap_or_else(&mut *fresh);
        NewInstruction::new(op, Some(bool_type), Some(id), operands).write(&mut self.constants);
        id
    }

    fn bool_type(&mut self, fresh: FreshIds) -> u32 {
        *self.bool_type.get_or_insert_with(|| {
            let id = fresh();
            NewInstruction::new(Op::TypeBool, None, Some(id), Vec::new()).write(&mut self.constants);
            id
        })
    }

    fn leaf(&mut self, leaf: Leaf, fresh: FreshIds) -> Result<u32, UnwritableCondition> {
        let name = Expr::Leaf(leaf).display(&DeviceNames).to_string();
        let number = self.number_of(ExprNode::Leaf(leaf));
        let reserved = self.reserved.get(&number).copied();
        let id = match (self.dialect, leaf) {
            // No consumer knows the decisions of the host, so they have no device constants.
            (Dialect::FunctionVariants, leaf) if !matches!(leaf, Leaf::Host(_)) => {
                let (op, literals) = device_constant(leaf)
                    .ok_or_else(|| UnwritableCondition::Inexpressible(name.clone(), leaf.kind()))?;
                self.has_device_constants = true;
                self.define_as(op, literals, reserved, fresh)
            }
            _ => {
                let id = self.define_as(Op::SpecConstantFalse, Vec::new(), reserved, fresh);
                let spec_id = self.spec_ids.fresh().ok_or(UnwritableCondition::NoSpecId)?;
                let operands = vec![id, Decoration::SpecId as u32, spec_id];
                NewInstruction::new(Op::Decorate, None, None, operands).write(&mut self.decorations);
                self.leaves.push((spec_id, leaf));
                id
            }
        };
        if let Some(name) = self.free_name(leaf, &name) {
            NewInstruction::name(id, &name).write(&mut self.names);
        }
        Ok(id)
    }

    /// Returns a name that no specialization constant of the module has, since users set constants by name. It is the name of the leaf (for an
    /// aspect, with its kind), or that name with a number.
    fn free_name(&self, leaf: Leaf, name: &str) -> Option<String> {
        let taken = self.taken_names.as_ref()?;
        let with_kind = (leaf.kind() == LeafKind::Aspect).then(|| format!("aspect({name})"));
        let mut names = std::iter::once(name.to_owned()).chain(with_kind);
        let free = names.find(|name| !taken.contains(name));
        free.or_else(|| {
            (1..).map(|number: u64| format!("{name}.{number}")).find(|name| !taken.contains(name))
        })
    }
}

/// Returns the capability that is exactly a leaf, if there is one.
fn capability(leaf: Leaf) -> Option<u32> {
    match leaf {
        Leaf::Capability(capability) => Some(capability),
        Leaf::Aspect(aspect) => capabilities::exactly(aspect),
        _ => None,
    }
}

/// Returns the capabilities that the capabilities of device constants imply and that are not declared: a module with the constants must declare them. A
/// device on which the constant is true has them, so they are declared under the leaf itself.
pub fn implied_by_leaves(
    used: impl IntoIterator<Item = ConditionId>,
    declared: impl IntoIterator<Item = u32>,
    conditions: &mut Conditions,
) -> Result<Vec<(u32, ConditionId)>, ConditionError> {
    let mut declared: HashSet<u32> = declared.into_iter().collect();
    let leaves: BTreeSet<Leaf> = gather(used.into_iter().flat_map(|condition| conditions.leaves(condition)));
    let mut implied = Vec::new();
    for leaf in leaves {
        for capability in closure(capability(leaf).into_iter()).into_iter().skip(1) {
            if declared.insert(capability) {
                implied.push((capability, conditions.leaf(leaf)?));
            }
        }
    }
    Ok(implied)
}

/// Returns the device constant that is exactly a leaf, the instruction and its literals; `None` if there is none.
fn device_constant(leaf: Leaf) -> Option<(Op, Vec<u32>)> {
    const TARGET_X86_64: u32 = 4;
    Some(match leaf {
        Leaf::Capability(_) | Leaf::Aspect(_) => (Op::SpecConstantCapabilitiesINTEL, vec![capability(leaf)?]),
        Leaf::Architecture(number) if architectures::by_value(number)?.name == "x86_64" => {
            (Op::SpecConstantTargetINTEL, vec![TARGET_X86_64])
        }
        Leaf::Architecture(number) => {
            let tuple = architectures::unique_registry(number)?;
            let literals = vec![tuple.category, tuple.family, Op::IEqual as u32, tuple.architecture];
            (Op::SpecConstantArchitectureINTEL, literals)
        }
        Leaf::Target(numbers) => (Op::SpecConstantTargetINTEL, numbers.as_slice().to_vec()),
        Leaf::Comparison(numbers) => (Op::SpecConstantArchitectureINTEL, numbers.as_slice().to_vec()),
        _ => return None,
    })
}

/// Returns the names of a module's specialization constants.
pub fn names_of_constants(module: &Module) -> BTreeSet<String> {
    let constants: HashSet<u32> =
        find_spec_constants(module).into_iter().map(|constant| constant.id).collect();
    let names = module.names().filter(|name| constants.contains(&name.target()));
    gather(names.map(|name| name.name().into_owned()))
}
