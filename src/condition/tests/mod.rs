//! Examples with results from the design (docs/design/device-if.md, "Changes to the device headers"), the
//! grammar or a truth table. Properties are in `properties.rs`.

mod canonical;
mod diagram;
mod properties;
mod series;
mod text;

use super::*;

/// Some names with made-up numbers.
struct SomeNames;

const NAMES: [(Leaf, &str); 8] = [
    (Leaf::Aspect(0), "host"),
    (Leaf::Aspect(5), "fp16"),
    (Leaf::Aspect(6), "fp64"),
    (Leaf::Aspect(7), "image"),
    (Leaf::Aspect(8), "arch"),
    (Leaf::Architecture(20), "pvc"),
    (Leaf::Architecture(21), "sm_50"),
    (Leaf::Capability(6022), "CooperativeMatrixKHR"),
];

impl LeafNames for SomeNames {
    fn number(&self, kind: LeafKind, name: &str) -> Option<u32> {
        NAMES
            .iter()
            .find(|(leaf, other)| leaf.kind() == kind && *other == name)
            .and_then(|(leaf, _)| leaf.number())
    }

    fn name(&self, leaf: Leaf) -> Option<&str> {
        NAMES.iter().find(|(other, _)| *other == leaf).map(|(_, name)| *name)
    }

    fn is_number(&self, name: FeatureName) -> bool {
        name.provider() != DEVICE || ["size", "spirv_version"].contains(&name.name())
    }

    fn similar(&self, _kind: LeafKind, name: &str) -> Vec<String> {
        if name == "fp46" { vec!["fp64".to_owned(), "fp16".to_owned()] } else { vec![] }
    }
}

fn parse(text: &str) -> Expr {
    Expr::parse(text, &SomeNames).unwrap()
}

fn show(expr: &Expr) -> String {
    expr.display(&SomeNames).to_string()
}

fn leaf(leaf: Leaf) -> Box<Expr> {
    Box::new(leaf.into())
}
