//! A condition as specialization constants, in SPIR-V assembly.

use std::collections::HashMap;
use std::fmt::Write;

use crate::condition::{Expr, Leaf, LeafKind, LeafNames};
use crate::device::DeviceNames;

/// Returns the assembly of a condition, in lines.
pub fn assembly(expr: &Expr) -> String {
    let mut assembly = Assembly { text: "%bool = OpTypeBool\n".to_owned(), ids: HashMap::new() };
    assembly.id(expr);
    assembly.text
}

struct Assembly {
    text: String,
    /// Result ids by instruction, so that equal parts of the condition share one.
    ids: HashMap<String, String>,
}

impl Assembly {
    /// Returns the id of an expression. No expression is deeper than [`crate::condition::MAX_DEPTH`].
    fn id(&mut self, expr: &Expr) -> String {
        let (name, instruction) = match expr {
            Expr::True => (Some("true".to_owned()), "OpSpecConstantTrue %bool".to_owned()),
            Expr::False => (Some("false".to_owned()), "OpSpecConstantFalse %bool".to_owned()),
            Expr::Leaf(Leaf::Constant(id)) => return format!("%{id}"),
            Expr::Leaf(leaf) => (
                Some(leaf_name(*leaf)),
                format!("OpSpecConstantFalse %bool ; {}", expr.display(&DeviceNames)),
            ),
            Expr::Not(operand) => (None, format!("OpSpecConstantOp %bool LogicalNot {}", self.id(operand))),
            Expr::And(left, right) => (None, self.binary("LogicalAnd", left, right)),
            Expr::Or(left, right) => (None, self.binary("LogicalOr", left, right)),
        };
        if let Some(id) = self.ids.get(&instruction) {
            return id.clone();
        }
        let id = format!("%{}", name.unwrap_or_else(|| format!("c{}", self.ids.len())));
        let _ = writeln!(self.text, "{id} = {instruction}");
        self.ids.insert(instruction, id.clone());
        id
    }

    fn binary(&mut self, opcode: &str, left: &Expr, right: &Expr) -> String {
        format!("OpSpecConstantOp %bool {opcode} {} {}", self.id(left), self.id(right))
    }
}

fn leaf_name(leaf: Leaf) -> String {
    let kind = match leaf.kind() {
        LeafKind::Target | LeafKind::Comparison | LeafKind::Feature | LeafKind::Limit => {
            // A version of a driver, and all later ones, have names of their own.
            let text = Expr::Leaf(leaf).display(&DeviceNames).to_string().replace(" > ", " above ");
            let words =
                text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty());
            return words.collect::<Vec<_>>().join("_");
        }
        LeafKind::Architecture => "arch",
        LeafKind::Aspect => "aspect",
        LeafKind::Capability => "cap",
        LeafKind::Extension => "ext",
        LeafKind::Host => "host",
        LeafKind::Constant => "constant",
    };
    match leaf {
        Leaf::Extension(name) | Leaf::Host(name) => format!("{kind}_{name}"),
        leaf => match DeviceNames.name(leaf) {
            Some(name) => format!("{kind}_{name}"),
            None => format!("{kind}_{}", leaf.number().unwrap_or_default()),
        },
    }
}
