//! The table of adaptations: `spec-extensions/adaptations.csv`.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use rspirv::grammar::OperandKind;
use spirv::Op;

use crate::analysis::requirements::{self, Requirement};
use crate::device::api::uses;
use crate::device::capabilities;
use crate::loader::grammar;
use crate::text::csv;

/// The use of the Vulkan feature that rotations of clusters require, in `spec-extensions/vulkan-uses.csv`.
pub const CLUSTERED_ROTATION: &str = "a rotation with a cluster size";

const TEXT: &str = include_str!("../../../spec-extensions/adaptations.csv");

/// A construct that a device may reject.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AdaptableConstruct {
    /// An instruction, by opcode.
    Instruction(u16),
    /// An enumerant, or one bit of a mask.
    Enumerant(OperandKind, u32),
    /// A declared extension, by name.
    Extension(&'static str),
}

/// An operand of an instruction that replaces another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TwinOperand {
    /// The constant for the scope of sub-groups.
    SubgroupScope,
    /// The original's operand with this number, counted after the result.
    Original(usize),
}

/// The substitute of a construct.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Substitute {
    /// Nothing: the construct is removed.
    Nothing,
    /// A copy of the operand with this number, counted after the result.
    Operand(usize),
    /// Another instruction, by opcode.
    Instruction { opcode: u16, operands: Vec<TwinOperand> },
    /// Copies of all members, of an instruction that copies a composite value to one of another type.
    Members,
    /// OpGroupNonUniformShuffle, of the invocation that a rotation names.
    Shuffle,
    /// The execution mode ContractionOff, if the construct forbids contraction.
    ContractionOff,
    /// The execution mode LocalSize, and a constant decorated WorkgroupSize where specialization decides the size.
    LocalSize,
    /// Capabilities, by number. All of them are declared.
    Capabilities(Vec<u32>),
    /// An extension.
    Extension(&'static str),
}

/// The types to whose values a row applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueTypes {
    Any,
    Bool,
    Scalar,
    Scalar32,
}

/// A row of the table.
#[derive(Clone, Debug)]
pub struct Adaptation {
    /// The construct that is changed.
    pub construct: AdaptableConstruct,
    /// Name of the construct, as in the grammar.
    pub name: &'static str,
    /// The substitute.
    pub becomes: Substitute,
    /// The types of the first kept operand to which the row applies.
    pub types: ValueTypes,
}

impl Adaptation {
    /// Returns the name of the construct as messages write it: `OpExpectKHR`, `capability ShaderLayer`, `LoopControl PeelCount`.
    pub fn display_name(&self) -> String {
        match self.construct {
            AdaptableConstruct::Instruction(_) => format!("Op{}", self.name),
            AdaptableConstruct::Enumerant(OperandKind::Capability, _) => format!("capability {}", self.name),
            AdaptableConstruct::Enumerant(kind, _) => format!("{kind:?} {}", self.name),
            AdaptableConstruct::Extension(_) => format!("extension {}", self.name),
        }
    }

    /// Returns the opcode of the instruction that replaces another one, if one replaces it for all operands.
    pub fn twin(&self) -> Option<u16> {
        match &self.becomes {
            Substitute::Instruction { opcode, .. } => Some(*opcode),
            Substitute::Shuffle => Some(Op::GroupNonUniformShuffle as u16),
            _ => None,
        }
    }

    /// Returns the use of a Vulkan feature because of which a device may reject the construct, by its name in `spec-extensions/vulkan-uses.csv`.
    pub fn vulkan_use(&self) -> Option<String> {
        match (self.construct, &self.becomes) {
            (AdaptableConstruct::Enumerant(OperandKind::ExecutionMode, _), _) => {
                Some(format!("execution mode {}", self.name))
            }
            (_, Substitute::Shuffle) => Some(CLUSTERED_ROTATION.to_owned()),
            _ => None,
        }
    }

    /// Returns the name of the substitute; `None` if the construct is removed.
    pub fn substitute_name(&self) -> Option<String> {
        match &self.becomes {
            Substitute::Nothing => None,
            Substitute::Operand(_) => Some("its operand".to_owned()),
            Substitute::Instruction { opcode, .. } => Some(grammar::opcode_name(*opcode)),
            Substitute::Members => Some("OpCompositeExtract and OpCompositeConstruct".to_owned()),
            Substitute::Shuffle => Some(grammar::opcode_name(Op::GroupNonUniformShuffle as u16)),
            Substitute::ContractionOff => Some("ContractionOff where it forbids contraction".to_owned()),
            Substitute::LocalSize => Some("LocalSize and, for open constants, WorkgroupSize".to_owned()),
            Substitute::Capabilities(others) => {
                let names: Vec<&str> = others.iter().filter_map(|&other| capabilities::name(other)).collect();
                Some(names.join(" and "))
            }
            Substitute::Extension(name) => Some((*name).to_owned()),
        }
    }
}

/// Returns the rows.
pub fn adaptations() -> &'static [Adaptation] {
    static ROWS: LazyLock<Vec<Adaptation>> = LazyLock::new(|| csv::rows(TEXT).filter_map(row).collect());
    &ROWS
}

/// The declarations of modules that rows may make unnecessary.
pub struct AdaptableDeclarations {
    /// Capabilities, by number.
    pub capabilities: BTreeSet<u32>,
    /// Extensions, by name.
    pub extensions: BTreeSet<&'static str>,
    /// Features of Vulkan that modules require by execution modes and rotations, by name.
    pub vulkan_features: BTreeSet<String>,
}

/// Returns the declarations that rows may make unnecessary: those that the constructs require, and those with substitutes.
pub fn adaptable_declarations() -> &'static AdaptableDeclarations {
    static DECLARATIONS: LazyLock<AdaptableDeclarations> = LazyLock::new(|| {
        let mut all = AdaptableDeclarations {
            capabilities: BTreeSet::new(),
            extensions: BTreeSet::new(),
            vulkan_features: BTreeSet::new(),
        };
        for row in adaptations() {
            let required = match row.construct {
                AdaptableConstruct::Instruction(opcode) => requirements::of_instruction(opcode),
                AdaptableConstruct::Enumerant(kind, value) => requirements::of_enumerant(kind, value),
                AdaptableConstruct::Extension(_) => &[],
            };
            for id in required {
                match id.get() {
                    Requirement::Capabilities(any) => all.capabilities.extend(any.iter().copied()),
                    Requirement::Extensions(any) => all.extensions.extend(any.iter().copied()),
                    Requirement::Aspect(_) | Requirement::Feature(_) => {}
                }
            }
            match row.construct {
                AdaptableConstruct::Enumerant(OperandKind::Capability, number) => {
                    all.capabilities.insert(number);
                }
                AdaptableConstruct::Extension(name) => {
                    all.extensions.insert(name);
                }
                _ => {}
            }
            if let Some(use_) = row.vulkan_use() {
                let of_construct = uses().iter().filter(|feature| feature.use_ == use_);
                let settings = of_construct.flat_map(|feature| &feature.ways).filter_map(|way| way.setting);
                all.vulkan_features.extend(settings.map(|setting| setting.feature_name()));
            }
        }
        let of_capabilities = all.capabilities.iter().filter_map(|&one| capabilities::extensions_of(one));
        all.extensions.extend(of_capabilities.flatten().copied());
        all
    });
    &DECLARATIONS
}

fn row([kind, number, name, becomes, types]: [&'static str; 5]) -> Option<Adaptation> {
    let construct = match kind {
        grammar::versions::INSTRUCTION => AdaptableConstruct::Instruction(number.parse().ok()?),
        grammar::versions::EXTENSION => AdaptableConstruct::Extension(name),
        kind => AdaptableConstruct::Enumerant(grammar::kind_named(kind)?, csv::number(number)? as u32),
    };
    let types = match types {
        "" => ValueTypes::Any,
        "bool" => ValueTypes::Bool,
        "scalar" => ValueTypes::Scalar,
        "scalar32" => ValueTypes::Scalar32,
        _ => return None,
    };
    Some(Adaptation { construct, name, becomes: substitute(&construct, becomes)?, types })
}

fn substitute(construct: &AdaptableConstruct, becomes: &'static str) -> Option<Substitute> {
    if becomes.is_empty() {
        return Some(Substitute::Nothing);
    }
    match construct {
        AdaptableConstruct::Extension(_) => Some(Substitute::Extension(becomes)),
        AdaptableConstruct::Enumerant(OperandKind::Capability, _) => {
            becomes.split(' ').map(capabilities::number).collect::<Option<_>>().map(Substitute::Capabilities)
        }
        AdaptableConstruct::Enumerant(..) => match becomes {
            "ContractionOff" => Some(Substitute::ContractionOff),
            "LocalSize" => Some(Substitute::LocalSize),
            _ => None,
        },
        AdaptableConstruct::Instruction(_) if becomes == "members" => Some(Substitute::Members),
        AdaptableConstruct::Instruction(_) if becomes == "shuffle" => Some(Substitute::Shuffle),
        AdaptableConstruct::Instruction(_) => {
            let mut words = becomes.split(' ');
            let first = words.next()?;
            if first == "operand" {
                return words.next()?.parse().ok().map(Substitute::Operand);
            }
            let opcode = first.split_once(':')?.1.parse().ok()?;
            let operand = |word: &str| match word {
                "subgroup" => Some(TwinOperand::SubgroupScope),
                number => number.parse().ok().map(TwinOperand::Original),
            };
            let operands = words.map(operand).collect::<Option<_>>()?;
            Some(Substitute::Instruction { opcode, operands })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::loader::grammar::versions::{self, VersionAddition};
    use crate::transform::version::buffer_blocks;

    #[test]
    fn every_row_is_read_and_names_its_construct() {
        assert_eq!(csv::rows::<5>(TEXT).count(), adaptations().len());
        for row in adaptations() {
            let name = match row.construct {
                AdaptableConstruct::Instruction(opcode) => grammar::opcode_name(opcode),
                AdaptableConstruct::Enumerant(kind, number) => {
                    let entry = grammar::enumerant(kind, number);
                    assert!(entry.is_some(), "{row:?}");
                    continue;
                }
                AdaptableConstruct::Extension(_) => continue,
            };
            assert_eq!(name, format!("Op{}", row.name));
            if let Substitute::Instruction { opcode, .. } = &row.becomes {
                let named = format!(",{},", row.name);
                let line = TEXT.lines().find(|line| line.contains(&named)).unwrap();
                let other = grammar::opcode_name(*opcode);
                assert!(line.contains(&format!(",{}:{opcode} ", &other[2..])), "{line}");
            }
        }
    }

    /// Checks that a module with a substitute stays in its version, which may not have removed other constructs of the
    /// module.
    #[test]
    fn substitutes_require_no_version_that_removed_something() {
        let first_removal = buffer_blocks::LAST_VERSION;
        for row in adaptations() {
            let added: Vec<VersionAddition> = match row.twin() {
                Some(opcode) => {
                    let capabilities =
                        requirements::of_instruction(opcode).iter().flat_map(|id| match id.get() {
                            Requirement::Capabilities(any) => any.to_vec(),
                            _ => Vec::new(),
                        });
                    let of_capability = |number| versions::enumerant(OperandKind::Capability, number);
                    capabilities.filter_map(of_capability).chain(versions::instruction(opcode)).collect()
                }
                None => Vec::new(),
            };
            let newest = added.iter().map(VersionAddition::oldest_version).max();
            assert!(newest.is_none_or(|newest| newest.to_word() <= first_removal), "{row:?}");
        }
    }

    #[test]
    fn every_row_has_a_source() {
        for [.., source] in csv::rows::<6>(TEXT) {
            assert!(source.contains(": "), "{source}");
        }
    }
}
