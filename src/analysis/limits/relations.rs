//! Sizes that several constants decide and that must agree: rows of `spec-extensions/size-relations.csv`, the work-groups of derivative groups,
//! and the output of mesh shaders.

use std::sync::LazyLock;

use spirv::{BuiltIn, ExecutionMode, Op};

use crate::analysis::references::graph::ReferenceGraph;
use crate::collections::{IdMap, sort_by_key};
use crate::loader::{Instruction, Module, views};
use crate::text::csv;

/// The values of constants, by id.
type Values<'v> = &'v mut dyn FnMut(u32) -> Option<u64>;

/// A row of the table: two sizes of an instruction that must be equal.
#[derive(Debug)]
struct SizeRelation {
    opcode: u16,
    when: Option<(SizeFactor, bool, u64)>,
    left: Vec<SizeFactor>,
    right: Vec<SizeFactor>,
    left_name: &'static str,
    right_name: &'static str,
}

/// A factor of a size.
#[derive(Clone, Copy, Debug)]
enum SizeFactor {
    Number(u64),
    /// A literal: the word of the instruction.
    Literal(usize),
    /// The value of the constant at a word.
    Value(usize),
    /// The width of the components of the type at a word.
    Bits(usize),
    /// A part of the type at a word.
    Part(usize, TypePart),
}

/// The part of a type that an id states: the opcodes of the types, and the word.
type TypePart = (&'static [Op], usize);

const MATRIX: &[Op] = &[Op::TypeCooperativeMatrixKHR, Op::TypeCooperativeMatrixNV];

static RELATIONS: LazyLock<Vec<SizeRelation>> = LazyLock::new(|| {
    let mut rows: Vec<SizeRelation> = text().filter_map(row).collect();
    sort_by_key(&mut rows, |row| u32::from(row.opcode));
    rows
});

fn text() -> impl Iterator<Item = [&'static str; 8]> {
    csv::rows(include_str!("../../../spec-extensions/size-relations.csv"))
}

fn row([opcode, when, left, right, left_name, right_name, ..]: [&'static str; 8]) -> Option<SizeRelation> {
    let product = |text: &'static str| text.split('*').map(factor).collect::<Option<Vec<SizeFactor>>>();
    let condition = |(text, value): (&'static str, &'static str), is_less| {
        Some((factor(text)?, is_less, csv::number(value)?))
    };
    let when = match (when.split_once('='), when.split_once('<')) {
        (Some(parts), _) => Some(condition(parts, false)?),
        (_, Some(parts)) => Some(condition(parts, true)?),
        _ => None,
    };
    Some(SizeRelation {
        opcode: opcode.parse().ok()?,
        when,
        left: product(left)?,
        right: product(right)?,
        left_name,
        right_name,
    })
}

fn factor(text: &'static str) -> Option<SizeFactor> {
    let Some((name, word)) = text.strip_suffix(')').and_then(|text| text.split_once('(')) else {
        return csv::number(text).map(SizeFactor::Number);
    };
    let word = word.parse().ok()?;
    let part: TypePart = match name {
        "word" => return Some(SizeFactor::Literal(word)),
        "value" => return Some(SizeFactor::Value(word)),
        "bits" => return Some(SizeFactor::Bits(word)),
        "scope" => (MATRIX, 3),
        "rows" => (MATRIX, 4),
        "columns" => (MATRIX, 5),
        "use" => (&MATRIX[..1], 6),
        "length" => (&[Op::TypeArray], 3),
        "components" => (&[Op::TypeVectorIdEXT], 3),
        "rank" => (&[Op::TypeTensorARM], 3),
        _ => return None,
    };
    Some(SizeFactor::Part(word, part))
}

/// Returns the rows of an opcode.
fn relations_of(opcode: u16) -> &'static [SizeRelation] {
    let start = RELATIONS.partition_point(|row| row.opcode < opcode);
    let count = RELATIONS[start..].iter().take_while(|row| row.opcode == opcode).count();
    &RELATIONS[start..start + count]
}

/// A size: the product of a number and of constants.
#[derive(Clone, Debug, Default)]
pub struct SizeProduct {
    number: u64,
    constants: Vec<u32>,
}

impl SizeProduct {
    /// Returns true if the size is a constant.
    pub fn is_constant(&self, id: u32) -> bool {
        self.number == 1 && self.constants == [id]
    }

    fn value(&self, value: Values) -> Option<u64> {
        let mut product = self.number;
        for &id in &self.constants {
            product = product.checked_mul(value(id)?)?;
        }
        Some(product)
    }
}

/// The bound of a size.
#[derive(Clone, Debug)]
pub enum SizeBound {
    /// Equal to another size.
    Equal(SizeProduct),
    MultipleOf(u64),
    AtMost(u64),
}

/// A size with a bound.
#[derive(Clone, Debug)]
pub struct SizeLimit {
    /// The offset of the instruction, or of the execution mode.
    pub at: u32,
    pub size: SizeProduct,
    pub bound: SizeBound,
    /// The size in messages.
    pub name: &'static str,
    /// The other size in messages; empty for a number.
    pub other_name: &'static str,
    /// The condition under which the bound counts: a size, true if it must be less, and a number.
    when: Option<(SizeProduct, bool, u64)>,
}

impl SizeLimit {
    /// Returns the constants that decide whether the bound is kept.
    pub fn constants(&self) -> impl Iterator<Item = u32> {
        let other = match &self.bound {
            SizeBound::Equal(other) => other.constants.as_slice(),
            _ => &[],
        };
        let of_condition = self.when.iter().flat_map(|(size, ..)| &size.constants);
        self.size.constants.iter().chain(other).chain(of_condition).copied()
    }

    /// Returns the size, and the size that it must equal, if the bound is not kept. Unknown sizes keep it.
    pub fn excluded(&self, value: Values) -> Option<(u64, u64)> {
        if let Some((size, is_less, number)) = &self.when {
            let size = size.value(value)?;
            if !(if *is_less { size < *number } else { size == *number }) {
                return None;
            }
        }
        let size = self.size.value(value)?;
        let (is_kept, other) = match &self.bound {
            SizeBound::Equal(other) => {
                let other = other.value(value)?;
                (size == other, other)
            }
            SizeBound::MultipleOf(number) => (size.is_multiple_of(*number), *number),
            SizeBound::AtMost(number) => (size <= *number, *number),
        };
        (!is_kept).then_some((size, other))
    }
}

/// Finds such sizes.
pub struct SizeFinder<'m, 'f> {
    pub module: &'m Module<'m>,
    /// True for the constants that count.
    pub counts: &'f dyn Fn(u32) -> bool,
    pub limits: Vec<SizeLimit>,
}

impl SizeFinder<'_, '_> {
    /// Adds those of an instruction.
    pub fn add(&mut self, inst: Instruction) {
        for relation in relations_of(inst.opcode()) {
            let limit = || {
                let when = match relation.when {
                    Some((factor, is_less, number)) => Some((self.size(inst, &[factor])?, is_less, number)),
                    None => None,
                };
                Some(SizeLimit {
                    at: inst.offset(),
                    size: self.size(inst, &relation.left)?,
                    bound: SizeBound::Equal(self.size(inst, &relation.right)?),
                    name: relation.left_name,
                    other_name: relation.right_name,
                    when,
                })
            };
            let limit = limit();
            self.push(limit);
        }
    }

    fn push(&mut self, limit: impl IntoIterator<Item = SizeLimit>) {
        let counts = |limit: &SizeLimit| limit.constants().any(self.counts);
        let limits = limit.into_iter().filter(counts);
        self.limits.extend(limits);
    }

    /// Returns a size of an instruction; `None` if its types have no such part.
    fn size(&self, inst: Instruction, factors: &[SizeFactor]) -> Option<SizeProduct> {
        let mut size = SizeProduct { number: 1, constants: Vec::new() };
        for &factor in factors {
            match factor {
                SizeFactor::Number(number) => size.number *= number,
                SizeFactor::Literal(word) => size.number *= u64::from(*inst.words().get(word)?),
                SizeFactor::Value(word) => size.constants.push(*inst.words().get(word)?),
                SizeFactor::Bits(word) => {
                    let component = self.module.definition(self.type_at(inst, word)?.word(2))?;
                    let is_number = matches!(component.op(), Some(Op::TypeInt | Op::TypeFloat));
                    size.number *= is_number.then(|| u64::from(component.word(2)))?;
                }
                SizeFactor::Part(word, (opcodes, part)) => {
                    let type_ = self.type_at(inst, word)?;
                    let is_such = opcodes.iter().any(|&op| type_.is(op));
                    size.constants.push(*type_.words().get(part).filter(|_| is_such)?);
                }
            }
        }
        Some(size)
    }

    /// Returns the type that a word names, or the type of the id at that word.
    fn type_at(&self, inst: Instruction, word: usize) -> Option<Instruction<'_>> {
        let id = *inst.words().get(word)?;
        let type_id = self.module.type_of(id).unwrap_or(id);
        self.module.definition(type_id)
    }

    /// Adds the work-group sizes of entry points with derivative groups (VUID-StandaloneSpirv-DerivativeGroupQuadsKHR-10151 and
    /// VUID-StandaloneSpirv-DerivativeGroupLinearKHR-10152).
    pub fn add_derivative_groups(&mut self) {
        let module = self.module;
        let modes = || module.execution_modes();
        let grouped = modes().filter(|mode| {
            mode.is_a(ExecutionMode::DerivativeGroupQuadsKHR)
                || mode.is_a(ExecutionMode::DerivativeGroupLinearKHR)
        });
        let grouped: Vec<views::ExecutionMode> = grouped.collect();
        if grouped.is_empty() {
            return;
        }
        let mut built_ins = module.decorations().filter(|inst| inst.is_built_in(BuiltIn::WorkgroupSize));
        let built_in = built_ins.next().and_then(|inst| {
            let size = module.definition(inst.target()).and_then(views::ConstantComposite::new)?;
            Some(size.constituents())
        });
        let mut sizes: IdMap<&[u32]> = IdMap::new();
        for mode in modes().filter(|mode| mode.is_a(ExecutionMode::LocalSizeId)) {
            sizes.insert(mode.entry_point(), mode.operands());
        }
        for mode in grouped {
            let Some(&[x, y, z]) = built_in.or_else(|| sizes.get(&mode.entry_point()).copied()) else {
                continue;
            };
            let limit = |name, constants: &[u32], number| SizeLimit {
                at: mode.offset(),
                size: SizeProduct { number: 1, constants: constants.to_vec() },
                bound: SizeBound::MultipleOf(number),
                name,
                other_name: "",
                when: None,
            };
            if mode.is_a(ExecutionMode::DerivativeGroupLinearKHR) {
                self.push([limit(
                    "number of invocations in a work-group with DerivativeGroupLinearKHR",
                    &[x, y, z],
                    4,
                )]);
            } else {
                let name = "work-group size in x with DerivativeGroupQuadsKHR";
                self.push([limit(name, &[x], 2)]);
                let name = "work-group size in y with DerivativeGroupQuadsKHR";
                self.push([limit(name, &[y], 2)]);
            }
        }
    }

    /// Adds the vertices and primitives of mesh shaders: at most those of the execution modes of the entry points that lead to them.
    pub fn add_mesh_outputs(&mut self, references: &ReferenceGraph) {
        let outputs = [
            (ExecutionMode::OutputVertices, 1, "vertex count"),
            (ExecutionMode::OutputPrimitivesEXT, 2, "primitive count"),
        ];
        for (mode, word, name) in outputs {
            self.add_outputs(references, mode, word, name);
        }
    }

    fn add_outputs(
        &mut self,
        references: &ReferenceGraph,
        mode: ExecutionMode,
        word: usize,
        name: &'static str,
    ) {
        let module = self.module;
        let modes = module.execution_modes().filter(|inst| inst.is_a(mode));
        let bound = |inst: views::ExecutionMode| Some((*inst.operands().first()?, inst.entry_point()));
        let mut bounds: Vec<(u32, u32)> = modes.filter_map(bound).collect();
        // The lowest first, so that it is the one by which a function is reached first.
        bounds.sort_unstable();
        let mut is_seen = vec![false; module.bound() as usize];
        for (most, entry_point) in bounds {
            let mut stack = vec![entry_point];
            while let Some(id) = stack.pop() {
                let Some(at) = module.function_index(id) else { continue };
                let function = &module.functions()[at];
                if std::mem::replace(&mut is_seen[id as usize], true) {
                    continue;
                }
                stack.extend(references.function_uses(at));
                for inst in module.body(function).filter(|inst| inst.is(Op::SetMeshOutputsEXT)) {
                    let constants = inst.words().get(word).copied().into_iter().collect();
                    self.push([SizeLimit {
                        at: inst.offset(),
                        size: SizeProduct { number: 1, constants },
                        bound: SizeBound::AtMost(most.into()),
                        name,
                        other_name: "",
                        when: None,
                    }]);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_read_and_has_the_name_of_its_opcode() {
        assert_eq!(text().count(), RELATIONS.len());
        for [opcode, .., right, left_name, right_name, source, name] in text() {
            assert_eq!(right_name.is_empty(), csv::number(right).is_some(), "{name}");
            assert!(!left_name.is_empty() && !source.is_empty(), "{name}");
            // What is newer than the crate has no name in it.
            if let Some(op) = Op::from_u32(opcode.parse().unwrap()) {
                let (known, name) = (format!("Op{op:?}"), name.to_owned());
                let plain =
                    |name: &str| name.trim_end_matches(|letter: char| letter.is_ascii_uppercase()).to_owned();
                assert_eq!(plain(&known), plain(&name));
            }
        }
    }
}
