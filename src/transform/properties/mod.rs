//! Compile-time properties as SPIR-V has them: execution modes and decorations (docs/design/compile-time-properties.md, "Representing
//! properties in SPIR-V"; `spec-extensions/sycl-properties.md`).

mod operands;
mod table;
mod targets;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use rspirv::grammar::OperandKind;
use spirv::{Decoration, Op};
use thiserror::Error;

use super::Edits;
use crate::analysis::requirements::{Requirement, closure, enumerants, is_core};
use crate::analysis::sycl::properties::{self, Property};
use crate::analysis::{Analyses, AnalysisError};
use crate::device::capabilities;
use crate::loader::{Module, Place, Section, grammar, literal, views};
use table::{Becomes, Row};
use targets::{Kind, Targets};

/// The property that names a variable for the host.
const UNIQUE_ID: &str = "sycl-unique-id";
/// The extension that adds UserSemantic, before SPIR-V 1.4.
const USER_SEMANTIC: &str = "SPV_GOOGLE_hlsl_functionality1";

/// Options of [`lower`].
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// Leaves all properties as they are.
    pub keep: bool,
    /// The latest version of SPIR-V that the result may have, as a module's header does; any, if it is none.
    pub max_version: Option<u32>,
}

/// The result of [`lower`].
#[derive(Clone, Debug)]
pub struct Lowered {
    /// The changes to the module.
    pub edits: Edits,
    /// The number of properties that are modes or decorations now.
    pub lowered: usize,
    /// The properties that have no meaning, and were removed: the property, and what had it.
    pub removed: Vec<(String, String)>,
    /// Warnings.
    pub warnings: Vec<String>,
}

/// A property that cannot be lowered.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum PropertyLoweringError {
    /// The conditions of a multi-target module are malformed.
    #[error(transparent)]
    Conditions(#[from] AnalysisError),
    /// Its value is not what it should be.
    #[error(
        "{holder}: the value `{value}` of its property `{property}` is not what it should be: {expected}"
    )]
    Value {
        /// What has the property.
        holder: String,
        /// The property.
        property: String,
        /// The value.
        value: String,
        /// The form that it should have.
        expected: String,
    },
    /// The module, or another property, says something else.
    #[error(
        "{holder}: its property `{property}` becomes {stated}, but it has {existing} already: remove one of them"
    )]
    Conflict {
        /// What has the property.
        holder: String,
        /// The property.
        property: String,
        /// The mode or decoration that it becomes.
        stated: String,
        /// The one that is there.
        existing: String,
    },
}

/// Turns the properties of a module, and those that an annotations file adds, into execution modes and decorations; those without a
/// meaning are removed. The ones that the program reads itself stay, for the analyses: [`strip`] removes them from what is done.
///
/// # Errors
/// See [`PropertyLoweringError`].
pub fn lower(analyses: &Analyses, options: Options) -> Result<Lowered, PropertyLoweringError> {
    let (module, properties) = (analyses.module(), analyses.properties());
    let mut work = Work {
        analyses,
        module,
        edits: Edits::new(module),
        version: module.words()[1],
        declared: closure(module.capabilities().map(|declared| declared.capability())).into_iter().collect(),
        extensions: module.extensions().map(|declared| declared.name().into_owned()).collect(),
        conditional: BTreeSet::new(),
        new: BTreeMap::new(),
        options,
        keeps_some: false,
        lowered: 0,
        removed: Vec::new(),
        warnings: Vec::new(),
    };
    if options.keep {
        if !properties.is_empty() {
            work.declare_user_semantic();
        }
        return Ok(work.finish());
    }
    if properties.is_empty() {
        return Ok(work.finish());
    }
    let targets = Targets::find(module, analyses.names(), properties.iter().map(|own| own.target));
    module.annotations().filter(properties::is_list).for_each(|inst| work.edits.drop(&inst));
    let mut all: BTreeMap<(u32, Option<u32>), Vec<Property>> = BTreeMap::new();
    for own in properties.iter() {
        let key = targets.of(own.target, own.member).map_or(own.target, |(id, _)| id);
        all.entry((key, own.member)).or_default().extend_from_slice(&own.properties);
    }
    for ((id, member), list) in all {
        let Some((_, kind)) = targets.of(id, member) else { continue };
        work.lower_all(&targets, id, member, kind, list)?;
    }
    if !work.keeps_some {
        drop_extension(module, &mut work.edits);
    }
    Ok(work.finish())
}

/// Removes all properties from a module, and the extension that only they needed.
pub fn strip(module: &Module) -> Edits {
    let mut edits = Edits::new(module);
    let lists: Vec<_> = module.annotations().filter(properties::is_list).collect();
    if lists.is_empty() {
        return edits;
    }
    lists.iter().for_each(|inst| edits.drop(inst));
    drop_extension(module, &mut edits);
    edits
}

/// Drops the extension that only properties needed, which are all removed.
fn drop_extension(module: &Module, edits: &mut Edits) {
    let decorations = module.annotations().filter(|inst| {
        let decorates = [Op::Decorate, Op::DecorateString, Op::MemberDecorate, Op::MemberDecorateString];
        decorates.iter().any(|op| inst.is(*op))
    });
    let of_extension = [Decoration::UserSemantic, Decoration::CounterBuffer];
    let mut others = decorations.filter(|inst| !properties::is_list(inst)).map(views::Decoration);
    if !others.any(|other| of_extension.iter().any(|decoration| other.is_a(*decoration))) {
        let declared = module.extensions().filter(|declared| declared.name() == USER_SEMANTIC);
        declared.for_each(|declared| edits.drop(&declared));
    }
}

/// The state of [`lower`].
struct Work<'w, 'm> {
    analyses: &'w Analyses<'m>,
    module: &'m Module<'m>,
    edits: Edits,
    version: u32,
    /// The unconditionally declared capabilities, with those that they imply.
    declared: BTreeSet<u32>,
    extensions: BTreeSet<String>,
    /// What is declared here under a condition: the constant of the condition, and a capability or an extension.
    conditional: BTreeSet<(u32, Vec<u32>)>,
    /// The new instructions, by section.
    new: BTreeMap<Section, Vec<Vec<u32>>>,
    options: Options,
    /// True if some properties stay.
    keeps_some: bool,
    lowered: usize,
    removed: Vec<(String, String)>,
    warnings: Vec<String>,
}

impl Work<'_, '_> {
    fn lower_all(
        &mut self,
        targets: &Targets,
        id: u32,
        member: Option<u32>,
        kind: Kind,
        list: Vec<Property>,
    ) -> Result<(), PropertyLoweringError> {
        let unique = list.iter().find(|property| property.name == UNIQUE_ID);
        let name = match unique.and_then(|property| property.values.first()) {
            Some(unique) => unique.clone(),
            None => targets.name(id),
        };
        let mut kept = Vec::new();
        for property in list {
            let rows = table::rows(&property.name, kind);
            if rows.is_empty() {
                // clang makes two functions of a kernel, both with its properties.
                if !targets.is_kernel_body(id) {
                    self.removed.push((property.name, targets.describe(id, member)));
                }
                continue;
            }
            for row in rows {
                match row.becomes {
                    Becomes::Operand => {}
                    Becomes::Read if !kept.contains(&property) => kept.push(property.clone()),
                    Becomes::Read => {}
                    Becomes::Mode(number) | Becomes::Decoration(number) => {
                        let described = || targets.describe(id, member);
                        let Some(words) = self.words(&property, &row, number, &name, &described)? else {
                            continue;
                        };
                        if !self.has_version(&property, &row, &described) {
                            kept.push(property.clone());
                            continue;
                        }
                        self.add(&property, &row, (id, member), words, &described)?;
                    }
                }
            }
        }
        if !kept.is_empty() {
            self.keeps_some = true;
            let text = literal(&properties::to_text(&kept));
            self.decorate((id, member), Decoration::UserSemantic as u32, &text);
            self.declare_user_semantic();
        }
        Ok(())
    }

    /// The operands of the mode or decoration that a property becomes; `None` where there is none for its value.
    fn words(
        &self,
        property: &Property,
        row: &Row,
        number: u32,
        name: &str,
        holder: &dyn Fn() -> String,
    ) -> Result<Option<Vec<u32>>, PropertyLoweringError> {
        let wrong = |expected: String| PropertyLoweringError::Value {
            holder: holder(),
            property: property.name.clone(),
            value: property.values.join(","),
            expected,
        };
        let items = operands::items(row.operands, &property.values, name);
        let Some(items) = items.map_err(|expected| wrong(expected.to_owned()))? else { return Ok(None) };
        let parameters = grammar::parameters(row.becomes.operand_kind(), number).unwrap_or_default();
        operands::words(parameters, &items).map(Some).map_err(wrong)
    }

    /// True if the module may have a mode or decoration, after its version is raised if need be.
    fn has_version(&mut self, property: &Property, row: &Row, holder: &dyn Fn() -> String) -> bool {
        if row.since <= self.version {
            return true;
        }
        let version = |version: u32| format!("{}.{}", version >> 16, version >> 8 & 0xff);
        if let Some(most) = self.options.max_version.filter(|&most| most < row.since) {
            self.warnings.push(format!(
                "{}: its property `{}` stays, and is only a requirement of the module: {} is of SPIR-V {}, and the result may be of {} at \
                 most",
                holder(),
                property.name,
                row.becomes.name(),
                version(row.since),
                version(most)
            ));
            return false;
        }
        self.version = row.since;
        true
    }

    /// Adds a mode or a decoration, unless it is there.
    fn add(
        &mut self,
        property: &Property,
        row: &Row,
        (id, member): (u32, Option<u32>),
        operands: Vec<u32>,
        holder: &dyn Fn() -> String,
    ) -> Result<(), PropertyLoweringError> {
        let (kind, number) = (row.becomes.operand_kind(), row.becomes.number());
        let there = self.existing(&row.becomes, id, member);
        self.lowered += 1;
        if there.contains(&(number, operands.clone())) {
            return Ok(());
        }
        if let Some((other, existing)) =
            there.iter().find(|own| row.becomes.excludes((own.0, &own.1), &operands))
        {
            let text = |number: u32, operands: &[u32]| described(kind, number, operands);
            return Err(PropertyLoweringError::Conflict {
                holder: holder(),
                property: property.name.clone(),
                stated: text(number, &operands),
                existing: text(*other, existing),
            });
        }
        let condition = self.condition(id)?;
        self.declare(kind, number, condition);
        match row.becomes {
            Becomes::Mode(mode) => {
                let words =
                    [&[instruction(Op::ExecutionMode, 3 + operands.len()), id, mode][..], &operands].concat();
                self.new.entry(Section::EntryPoints).or_default().push(words);
            }
            _ => self.decorate((id, member), number, &operands),
        }
        Ok(())
    }

    /// The modes or decorations that something has, in the module and by other properties.
    fn existing(&self, becomes: &Becomes, id: u32, member: Option<u32>) -> Vec<(u32, Vec<u32>)> {
        let start = self.module.words();
        let new = self.new.values().flatten();
        let mut found = Vec::new();
        let mut note = |words: &[u32]| match (becomes, Op::from_u32(words[0] & 0xffff)) {
            (Becomes::Mode(_), Some(Op::ExecutionMode | Op::ExecutionModeId)) if words[1] == id => {
                found.push((words[2], words[3..].to_vec()));
            }
            (Becomes::Decoration(_), Some(Op::Decorate | Op::DecorateId | Op::DecorateString))
                if words[1] == id && member.is_none() =>
            {
                found.push((words[2], words[3..].to_vec()));
            }
            (Becomes::Decoration(_), Some(Op::MemberDecorate | Op::MemberDecorateString))
                if words[1] == id && Some(words[2]) == member =>
            {
                found.push((words[3], words[4..].to_vec()));
            }
            _ => {}
        };
        for inst in self.module.annotations() {
            note(&start[inst.offset() as usize..inst.end() as usize]);
        }
        new.for_each(|words| note(words));
        found
    }

    fn decorate(&mut self, (id, member): (u32, Option<u32>), decoration: u32, operands: &[u32]) {
        let words = match member {
            None => [&[instruction(Op::Decorate, 3 + operands.len()), id, decoration][..], operands].concat(),
            Some(member) => {
                let head = [instruction(Op::MemberDecorate, 4 + operands.len()), id, member, decoration];
                [&head[..], operands].concat()
            }
        };
        self.new.entry(Section::Annotations).or_default().push(words);
    }

    /// The constant that holds the condition of a thing, or of its function.
    fn condition(&self, id: u32) -> Result<Option<u32>, AnalysisError> {
        let multi_target = self.analyses.multi_target()?;
        let function = self.module.function_of(id).map(|function| self.module.functions()[function].id);
        Ok(multi_target.condition(id).or_else(|| multi_target.condition(function?)))
    }

    /// Declares what an enumerant requires, under a condition if there is one: one of its capabilities, one of its extensions, and what these
    /// require.
    fn declare(&mut self, kind: OperandKind, number: u32, condition: Option<u32>) {
        let Some((_, required)) = enumerants(kind).find(|(own, _)| *own == number) else { return };
        for requirement in required {
            match requirement.get() {
                Requirement::Capabilities(any) => self.declare_capability(any, condition),
                Requirement::Extensions(any) => self.declare_extension(any, condition),
                Requirement::Aspect(_) => {}
            }
        }
    }

    /// Declares the first of these capabilities, if none of them is, and what it requires.
    fn declare_capability(&mut self, any: &[u32], condition: Option<u32>) {
        if let Some(&first) = any.first()
            && !any.iter().any(|capability| self.declared.contains(capability))
        {
            let words = match condition {
                Some(condition) => self.under(condition, Op::ConditionalCapabilityINTEL, &[first]),
                None => {
                    self.declared.extend(closure(std::iter::once(first)));
                    Some(vec![instruction(Op::Capability, 2), first])
                }
            };
            self.new.entry(Section::Capabilities).or_default().extend(words);
            self.declare_extension(capabilities::extensions_of(first).unwrap_or_default(), condition);
        }
    }

    /// Declares the first of these extensions, if none of them is, and they are not part of the version.
    fn declare_extension(&mut self, any: &[&str], condition: Option<u32>) {
        let has = |name: &&str| self.extensions.contains(*name) || is_core(name, self.version);
        if any.iter().any(has) {
            return;
        }
        // Consumers know the older of two names.
        let older = any.iter().find(|name| name.starts_with("SPV_INTEL_"));
        let Some(&first) = older.or(any.first()) else { return };
        let name = literal(first);
        let words = match condition {
            Some(condition) => self.under(condition, Op::ConditionalExtensionINTEL, &name),
            None => {
                self.extensions.insert(first.to_owned());
                Some([&[instruction(Op::Extension, 1 + name.len())][..], &name].concat())
            }
        };
        self.new.entry(Section::Extensions).or_default().extend(words);
    }

    /// A declaration under a condition, unless it is there.
    fn under(&mut self, condition: u32, op: Op, operands: &[u32]) -> Option<Vec<u32>> {
        let is_new = self.conditional.insert((condition, operands.to_vec()));
        is_new.then(|| [&[instruction(op, 2 + operands.len()), condition][..], operands].concat())
    }

    fn declare_user_semantic(&mut self) {
        self.declare_extension(&[USER_SEMANTIC], None);
    }

    fn finish(mut self) -> Lowered {
        let ends = ends(self.module);
        for (section, instructions) in std::mem::take(&mut self.new) {
            let place = ends.range(..=section).next_back().map_or(5, |(_, &end)| end);
            instructions.iter().for_each(|words| self.edits.insert_words(place, words));
        }
        if self.version > self.module.words()[1] {
            self.edits.set_version(self.version);
        }
        let Work { edits, lowered, removed, warnings, .. } = self;
        Lowered { edits, lowered, removed, warnings }
    }
}

impl Becomes {
    fn operand_kind(self) -> OperandKind {
        match self {
            Becomes::Mode(_) => OperandKind::ExecutionMode,
            _ => OperandKind::Decoration,
        }
    }

    fn number(self) -> u32 {
        match self {
            Becomes::Mode(number) | Becomes::Decoration(number) => number,
            Becomes::Read | Becomes::Operand => Decoration::UserSemantic as u32,
        }
    }

    fn name(self) -> String {
        described(self.operand_kind(), self.number(), &[])
    }

    /// True if another mode or decoration of the same thing, with other operands, contradicts this one.
    fn excludes(self, (other, operands): (u32, &[u32]), own: &[u32]) -> bool {
        use spirv::ExecutionMode as Mode;
        if other == self.number() {
            // Some say one thing for each value of their first operand.
            let several = matches!(
                self,
                Becomes::Decoration(number) if [
                    Decoration::FuncParamAttr,
                    Decoration::CacheControlLoadINTEL,
                    Decoration::CacheControlStoreINTEL,
                    Decoration::UserSemantic,
                ].iter().any(|decoration| *decoration as u32 == number)
            );
            let of_widths = matches!(
                self,
                Becomes::Mode(number) if operands.len() == 1
                    && (Mode::DenormPreserve as u32..=Mode::RoundingModeRTZ as u32).contains(&number)
            );
            return !(several || of_widths) || (operands.len() > 1 && operands[0] == own[0]);
        }
        let by_ids = |mode: Mode| match mode {
            Mode::LocalSize => Some(Mode::LocalSizeId),
            Mode::LocalSizeHint => Some(Mode::LocalSizeHintId),
            Mode::SubgroupsPerWorkgroup => Some(Mode::SubgroupsPerWorkgroupId),
            Mode::MaximumRegistersINTEL => Some(Mode::NamedMaximumRegistersINTEL),
            _ => None,
        };
        matches!(self, Becomes::Mode(number) if Mode::from_u32(number).and_then(by_ids).is_some_and(|mode| mode as u32 == other))
    }
}

/// A mode or decoration with its operands, as messages show it.
fn described(kind: OperandKind, number: u32, operands: &[u32]) -> String {
    let mut text = operands::name_of(kind, number).unwrap_or_else(|| number.to_string());
    for operand in operands {
        text = format!("{text} {operand}");
    }
    text
}

/// The ends of the sections that a module has, as offsets.
fn ends(module: &Module) -> BTreeMap<Section, u32> {
    let mut ends = BTreeMap::new();
    let mut section = Section::Capabilities;
    ends.insert(section, 5);
    for inst in module.globals() {
        if let Place::Section(own) = grammar::place(inst.opcode()) {
            section = section.max(own);
            if own <= Section::Annotations {
                ends.insert(own, inst.end());
            }
        }
    }
    ends
}

/// The first word of an instruction.
fn instruction(op: Op, words: usize) -> u32 {
    (words as u32) << 16 | op as u32
}
