//! `spirv-if condition`.

use std::collections::HashMap;
use std::fmt::Write;

use clap::Args;
use spirv_if::condition::{ConditionError, Conditions, Expr, Leaf, LeafKind, Names};
use spirv_if::device::Tables;

use super::device::{DeviceArgs, label};
use super::io;
use super::log::Log;
use super::usage;

/// Show a condition in all its writings, in canonical form, and on devices
///
/// A condition says what a device must have: aspects, an architecture, SPIR-V
/// capabilities. It is written as text, as a series of integers in property
/// sets, and as specialization constants in modules. Equivalent conditions have
/// the same canonical form.
///
/// Examples:
///
///   What does this series say?
///     spirv-if condition "-4,-1,5,-2,20"
///
///   Are these two the same? (They are if their canonical forms are.)
///     spirv-if condition 'fp16 && !(fp64 && fp16)'
///     spirv-if condition 'fp16 && !fp64'
///
///   Where does it hold?
///     spirv-if condition 'fp64 && !arch(intel_gpu_pvc)' --device intel_gpu_pvc --device x86_64
///     spirv-if condition 'fp64 || cap(Int8)' --aspects gpu,fp16
///
/// Exit status: 0 done, 1 the condition is too complex or the device configuration
/// cannot be read, 2 the condition or a device is not understood.
#[derive(Args, Debug)]
#[command(verbatim_doc_comment)]
pub struct Options {
    /// Text such as `fp16 && (arch(intel_gpu_pvc) || !cap(Int8))`, or a series such as `-4,-1,5,-2,20`
    ///
    /// In text, a bare name is an aspect; `aspect(..)`, `arch(..)` and `cap(..)` take names and numbers; `!` binds
    /// tighter than `&&`, and `&&` tighter than `||`. The nodes of a series are -1 (aspect), -2 (architecture), -3 (not),
    /// -4 (and), -5 (or) and -6 (capability).
    #[arg(value_name = "CONDITION", allow_hyphen_values = true)]
    condition: String,
    #[command(flatten)]
    devices: DeviceArgs,
}

impl Options {
    pub fn run(self, _log: &mut Log) -> anyhow::Result<()> {
        let devices = self.devices.devices()?;
        let given = parse(&self.condition).map_err(|error| usage(format!("condition: {error}")))?;
        let mut conditions = Conditions::new();
        let condition = conditions.from_expr(&given)?;
        let canonical = conditions.to_expr(condition)?;
        let mut text = String::new();
        for (title, expr) in [("given", &given), ("canonical", &canonical)] {
            writeln!(text, "{title}\n  text    {}\n  series  {}", expr.display(&Tables), series(expr))?;
        }
        text.push_str("module\n");
        for line in assembly(&canonical) {
            writeln!(text, "  {line}")?;
        }
        if !devices.is_empty() {
            text.push_str("devices\n");
        }
        let width = devices.iter().map(|device| label(device).len()).max().unwrap_or(0);
        for device in &devices {
            let rest = conditions.restrict(condition, &|leaf| device.truth(leaf))?;
            let rest = conditions.to_expr(rest)?;
            let unknown = if matches!(rest, Expr::True | Expr::False) { "" } else { "unknown: " };
            writeln!(text, "  {:width$}  {unknown}{}", label(device), rest.display(&Tables))?;
        }
        io::print(text.as_bytes())
    }
}

/// Reads either writing. A series starts with a node, which is negative, and no text starts with a minus.
fn parse(condition: &str) -> Result<Expr, anyhow::Error> {
    let condition = condition.trim();
    if !condition.starts_with('-') {
        return Ok(Expr::parse(condition, &Tables)?);
    }
    let items = condition.split([',', ' ']).filter(|item| !item.is_empty());
    let numbers = items.enumerate().map(|(index, item)| {
        item.parse()
            .map_err(|_| anyhow::anyhow!("index {index} of the series: `{item}` is not a 32-bit integer"))
    });
    Ok(Expr::from_series(&numbers.collect::<Result<Vec<i32>, _>>()?)?)
}

fn series(expr: &Expr) -> String {
    match expr.to_series() {
        Ok(series) => series.iter().map(i32::to_string).collect::<Vec<_>>().join(","),
        Err(ConditionError::ConstantSeries { .. }) => {
            "none: a series has no `true` and no `false`".to_owned()
        }
        Err(error) => format!("none: {error}"),
    }
}

/// The condition as specialization constants, in SPIR-V assembly.
fn assembly(expr: &Expr) -> Vec<String> {
    let mut assembly = Assembly { lines: vec!["%bool = OpTypeBool".to_owned()], ids: HashMap::new() };
    assembly.id(expr);
    assembly.lines
}

struct Assembly {
    lines: Vec<String>,
    /// The id that holds an instruction's result: equal parts of the condition share one.
    ids: HashMap<String, String>,
}

impl Assembly {
    /// The id of an expression. No expression is deeper than [`spirv_if::condition::MAX_DEPTH`].
    fn id(&mut self, expr: &Expr) -> String {
        let (name, instruction) = match expr {
            Expr::True => (Some("true".to_owned()), "OpSpecConstantTrue %bool".to_owned()),
            Expr::False => (Some("false".to_owned()), "OpSpecConstantFalse %bool".to_owned()),
            Expr::Leaf(Leaf::Constant(id)) => return format!("%{id}"),
            Expr::Leaf(leaf) => {
                (Some(leaf_name(*leaf)), format!("OpSpecConstantFalse %bool ; {}", expr.display(&Tables)))
            }
            Expr::Not(operand) => (None, format!("OpSpecConstantOp %bool LogicalNot {}", self.id(operand))),
            Expr::And(left, right) => (None, self.binary("LogicalAnd", left, right)),
            Expr::Or(left, right) => (None, self.binary("LogicalOr", left, right)),
        };
        if let Some(id) = self.ids.get(&instruction) {
            return id.clone();
        }
        let id = format!("%{}", name.unwrap_or_else(|| format!("c{}", self.ids.len())));
        self.lines.push(format!("{id} = {instruction}"));
        self.ids.insert(instruction, id.clone());
        id
    }

    fn binary(&mut self, opcode: &str, left: &Expr, right: &Expr) -> String {
        format!("OpSpecConstantOp %bool {opcode} {} {}", self.id(left), self.id(right))
    }
}

fn leaf_name(leaf: Leaf) -> String {
    let name = Tables.name(leaf).map_or_else(|| leaf.number().to_string(), str::to_owned);
    match leaf.kind() {
        LeafKind::Aspect => format!("aspect_{name}"),
        LeafKind::Architecture => format!("arch_{name}"),
        LeafKind::Capability => format!("cap_{name}"),
        _ => name,
    }
}
