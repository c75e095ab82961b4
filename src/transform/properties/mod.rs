//! Compile-time properties as SPIR-V has them: execution modes and decorations (docs/design/compile-time-properties.md, "Representing
//! properties in SPIR-V"; `spec-extensions/sycl-properties.md`).

mod operands;
mod table;
mod targets;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use rspirv::grammar::OperandKind;
use spirv::{Decoration, Op};
use thiserror::Error;

use super::Edits;
use crate::analysis::requirements::{Requirement, closure, enumerants, is_core};
use crate::analysis::sycl::properties::{self, NamedProperty, WORK_GROUP_SIZE};
use crate::analysis::{Analyses, AnalysisError};
use crate::collections::{IdMap, OrderedMap};
use crate::device::capabilities;
use crate::loader::{LogicalPlace, Module, Section, Version, grammar, literal, views};
use crate::text::spelling::misspelled;
use table::{LoweredForm, PropertyRow, Relation};
use targets::{HolderKind, Targets};

/// The property that names a variable for the host.
const UNIQUE_ID: &str = "sycl-unique-id";
/// The extension that adds UserSemantic, before SPIR-V 1.4.
const USER_SEMANTIC: &str = "SPV_GOOGLE_hlsl_functionality1";

/// Options of [`Module::with_lowering`](crate::Module::with_lowering).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[must_use]
pub struct LowerOptions {
    pub(crate) keep: bool,
    pub(crate) max_version: Option<Version>,
}

impl LowerOptions {
    /// Starts with the default options.
    pub fn new() -> LowerOptions {
        LowerOptions::default()
    }

    /// Leaves all properties as they are, if true, and declares the extension that their decorations need before SPIR-V 1.4.
    pub fn keep(mut self, keep: bool) -> LowerOptions {
        self.keep = keep;
        self
    }

    /// Sets the latest version of SPIR-V that the result may have.
    ///
    /// A mode of a later one stays a requirement, with a warning. By default the version is raised.
    pub fn max_version(mut self, version: impl Into<Option<Version>>) -> LowerOptions {
        self.max_version = version.into();
        self
    }

    /// Returns the latest version as the header of a module has it.
    fn max_version_word(self) -> Option<u32> {
        self.max_version.map(Version::to_word)
    }
}

/// The result of [`lower`].
#[derive(Clone, Debug)]
pub struct Lowered {
    /// The changes to the module.
    pub edits: Edits,
    /// The number of properties that are modes or decorations now.
    pub lowered: usize,
    /// The removed properties, which have no meaning: the property, and its target.
    pub removed: Vec<(String, String)>,
    /// Number of dimensions of the work-group size of each kernel that has one as a property but no LocalSize.
    pub work_group_dimensions: IdMap<u8>,
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
    /// The value of a property is not as expected.
    #[error(
        "{holder}: the value `{value}` of its property `{property}` is not what it should be: {expected}"
    )]
    Value {
        /// The function, variable or type with the property.
        holder: String,
        /// The property.
        property: String,
        /// The value.
        value: String,
        /// The form that it should have.
        expected: String,
    },
    /// The module, or another property, contradicts it.
    #[error(
        "{holder}: its property `{property}` becomes {stated}, but it has {existing} already: remove one of them"
    )]
    Conflict {
        /// The function, variable or type with the property.
        holder: String,
        /// The property.
        property: String,
        /// The mode or decoration that it becomes.
        stated: String,
        /// The existing one.
        existing: String,
    },
}

/// Turns the properties of a module and of an annotations file into execution modes and decorations. Properties without
/// a meaning are removed. The properties that analyses read stay until [`strip`] removes them.
///
/// # Errors
/// See `PropertyLoweringError`.
pub fn lower(analyses: &Analyses, options: LowerOptions) -> Result<Lowered, PropertyLoweringError> {
    let (module, properties) = (analyses.module(), analyses.properties());
    let mut context = PropertiesContext {
        analyses,
        module,
        edits: Edits::new(module),
        version: module.words()[1],
        declared: closure(module.capabilities().map(|declared| declared.capability())).into_iter().collect(),
        extensions: module.extensions().map(|declared| declared.name().into_owned()).collect(),
        conditional: BTreeSet::new(),
        new: OrderedMap::new(),
        options,
        keeps_some: false,
        lowered: 0,
        removed: Vec::new(),
        work_group_dimensions: IdMap::new(),
        warnings: Vec::new(),
    };
    misspelled_lists(analyses).into_iter().for_each(|warning| context.warn(warning));
    if options.keep {
        if !properties.is_empty() {
            context.declare_user_semantic();
        }
        return Ok(context.finish());
    }
    if properties.is_empty() {
        return Ok(context.finish());
    }
    let targets = Targets::find(module, analyses.names(), properties.iter().map(|entry| entry.target));
    module.annotations().filter(properties::is_list).for_each(|inst| context.edits.drop(&inst));
    let mut all: OrderedMap<(u32, Option<u32>), Vec<NamedProperty>> = OrderedMap::new();
    for entry in properties.iter() {
        let key = targets.holder(entry.target, entry.member).map_or(entry.target, |(id, _)| id);
        all.entry((key, entry.member)).or_default().extend_from_slice(&entry.properties);
    }
    for ((id, member), list) in all {
        let Some((_, kind)) = targets.holder(id, member) else { continue };
        context.lower_all(&targets, id, member, kind, list)?;
    }
    if !context.keeps_some {
        drop_extension(module, &mut context.edits);
    }
    Ok(context.finish())
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
struct PropertiesContext<'w, 'm> {
    analyses: &'w Analyses<'m>,
    module: &'m Module<'m>,
    edits: Edits,
    version: u32,
    /// The unconditionally declared capabilities, with the implied ones.
    declared: BTreeSet<u32>,
    extensions: BTreeSet<String>,
    /// Conditional declarations: the constant of the condition, and a capability or an extension.
    conditional: BTreeSet<(u32, Vec<u32>)>,
    /// The new instructions, by section.
    new: OrderedMap<Section, Vec<Vec<u32>>>,
    options: LowerOptions,
    /// True if some properties stay.
    keeps_some: bool,
    lowered: usize,
    removed: Vec<(String, String)>,
    work_group_dimensions: IdMap<u8>,
    warnings: Vec<String>,
}

/// A mode or decoration that a target has.
struct ExistingDeclaration {
    number: u32,
    operands: Vec<u32>,
    place: ExistingPlace,
}

/// The place of a mode or decoration.
#[derive(Clone, Copy)]
enum ExistingPlace {
    /// An instruction of the module.
    Module(u32),
    /// A decoration group of the module, which other things may have too.
    Group,
    /// A new instruction: its index in its section.
    New(Section, usize),
}

impl PropertiesContext<'_, '_> {
    fn lower_all(
        &mut self,
        targets: &Targets,
        id: u32,
        member: Option<u32>,
        kind: HolderKind,
        list: Vec<NamedProperty>,
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
                    let holder = targets.describe(id, member);
                    match table::problem(&property.name, kind) {
                        Some(problem) => self.warn(format!("{holder}: {problem}")),
                        None => self.removed.push((property.name, holder)),
                    }
                }
                continue;
            }
            if property.name == WORK_GROUP_SIZE && kind == HolderKind::Kernel {
                self.work_group_dimensions
                    .extend(u8::try_from(property.values.len()).map(|count| (id, count)));
            }
            for row in rows {
                match row.becomes {
                    LoweredForm::Operand => {}
                    LoweredForm::Read => {
                        if !row.operands.is_empty()
                            && let Err(expected) = operands::items(row.operands, &property.values, &name)
                        {
                            let (holder, property_name) = (targets.describe(id, member), &property.name);
                            let value = property.values.join(",");
                            self.warn(format!(
                                "{holder}: the value `{value}` of its property `{property_name}` is not {expected}"
                            ));
                        }
                        if !kept.contains(&property) {
                            kept.push(property.clone());
                        }
                    }
                    LoweredForm::Mode(number) | LoweredForm::Decoration(number) => {
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

    /// Returns the operands of the mode or decoration that a property becomes; `None` if its value does not have one.
    fn words(
        &self,
        property: &NamedProperty,
        row: &PropertyRow,
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

    /// Returns true if the module may have a mode or decoration, after its version is raised if need be.
    fn has_version(
        &mut self,
        property: &NamedProperty,
        row: &PropertyRow,
        holder: &dyn Fn() -> String,
    ) -> bool {
        if row.since <= self.version {
            return true;
        }
        if let Some(most) = self.options.max_version_word().filter(|&most| most < row.since) {
            self.warn(format!(
                "{}: its property `{}` stays, and is only a requirement of the module: {} is of SPIR-V {}, and the result may be of {} at \
                 most",
                holder(),
                property.name,
                row.becomes.name(),
                Version::from_word(row.since),
                Version::from_word(most)
            ));
            return false;
        }
        self.version = row.since;
        true
    }

    /// Adds a mode or a decoration, unless it exists.
    fn add(
        &mut self,
        property: &NamedProperty,
        row: &PropertyRow,
        (id, member): (u32, Option<u32>),
        operands: Vec<u32>,
        holder: &dyn Fn() -> String,
    ) -> Result<(), PropertyLoweringError> {
        let (kind, number) = (row.becomes.operand_kind(), row.becomes.number());
        self.lowered += 1;
        for existing in self.existing(&row.becomes, id, member) {
            match table::relation(row.becomes, &operands, (existing.number, &existing.operands)) {
                Relation::Independent => {}
                Relation::Implied => return Ok(()),
                Relation::Replaced if self.remove(existing.place) => {}
                Relation::Replaced | Relation::Excluded => {
                    return Err(PropertyLoweringError::Conflict {
                        holder: holder(),
                        property: property.name.clone(),
                        stated: described(kind, number, &operands),
                        existing: described(kind, existing.number, &existing.operands),
                    });
                }
            }
        }
        let condition = self.condition(id)?;
        self.declare(kind, number, condition);
        match row.becomes {
            LoweredForm::Mode(mode) => {
                let words =
                    [&[instruction(Op::ExecutionMode, 3 + operands.len()), id, mode][..], &operands].concat();
                self.new.entry(Section::EntryPoints).or_default().push(words);
            }
            _ => self.decorate((id, member), number, &operands),
        }
        Ok(())
    }

    /// Returns the modes or decorations that something has, in the module and by other properties.
    fn existing(&self, becomes: &LoweredForm, id: u32, member: Option<u32>) -> Vec<ExistingDeclaration> {
        let groups: BTreeSet<u32> = self.groups_of(id, member).collect();
        let mut existing = Vec::new();
        let mut note = |words: &[u32], place| {
            let (target, skipped) = match (becomes, Op::from_u32(words[0] & 0xffff)) {
                (LoweredForm::Mode(_), Some(Op::ExecutionMode | Op::ExecutionModeId)) => (None, 2),
                (LoweredForm::Decoration(_), Some(Op::Decorate | Op::DecorateId | Op::DecorateString)) => {
                    (None, 2)
                }
                (LoweredForm::Decoration(_), Some(Op::MemberDecorate | Op::MemberDecorateString)) => {
                    (Some(words[2]), 3)
                }
                _ => return,
            };
            let in_group = target.is_none() && groups.contains(&words[1]);
            if (words[1], target) == (id, member) || in_group {
                let place = if in_group { ExistingPlace::Group } else { place };
                let (number, operands) = (words[skipped], words[skipped + 1..].to_vec());
                existing.push(ExistingDeclaration { number, operands, place });
            }
        };
        for inst in self.module.annotations() {
            note(inst.words(), ExistingPlace::Module(inst.offset()));
        }
        for (&section, instructions) in &self.new {
            for (at, words) in instructions.iter().enumerate().filter(|(_, words)| !words.is_empty()) {
                note(words, ExistingPlace::New(section, at));
            }
        }
        existing
    }

    /// Returns the decoration groups that are applied to an id, or to a member of it.
    fn groups_of(&self, id: u32, member: Option<u32>) -> impl Iterator<Item = u32> {
        self.module.group_decorations().filter_map(move |applied| {
            let is_applied = match member {
                None => applied.is(Op::GroupDecorate) && applied.targets().any(|target| target == id),
                Some(member) => {
                    let mut pairs = applied.words_from(2).chunks_exact(2);
                    applied.is(Op::GroupMemberDecorate) && pairs.any(|pair| *pair == [id, member])
                }
            };
            is_applied.then(|| applied.group())
        })
    }

    /// Removes a mode or decoration; returns false if other targets have it too.
    fn remove(&mut self, place: ExistingPlace) -> bool {
        match place {
            ExistingPlace::Module(offset) => self.edits.drop(&self.module.instruction(offset)),
            ExistingPlace::New(section, at) => {
                // The places of the others stay.
                if let Some(words) =
                    self.new.get_mut(&section).and_then(|instructions| instructions.get_mut(at))
                {
                    words.clear();
                }
            }
            ExistingPlace::Group => return false,
        }
        true
    }

    /// Adds a warning, once.
    fn warn(&mut self, warning: String) {
        if !self.warnings.contains(&warning) {
            self.warnings.push(warning);
        }
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

    /// Returns the constant that holds the condition of a target, or of its function.
    fn condition(&self, id: u32) -> Result<Option<u32>, AnalysisError> {
        let multi_target = self.analyses.multi_target()?;
        let function = self.module.function_of(id).map(|function| self.module.functions()[function].id);
        Ok(multi_target.condition(id).or_else(|| multi_target.condition(function?)))
    }

    /// Declares the requirements of an enumerant, with their condition if they have one: one of its capabilities, one
    /// of its extensions, and the requirements of these.
    fn declare(&mut self, kind: OperandKind, number: u32, condition: Option<u32>) {
        let Some((_, required)) = enumerants(kind).find(|(known, _)| *known == number) else { return };
        for requirement in required {
            match requirement.get() {
                Requirement::Capabilities(any) => self.declare_capability(any, condition),
                Requirement::Extensions(any) => self.declare_extension(any, condition),
                Requirement::Aspect(_) | Requirement::Feature(_) => {}
            }
        }
    }

    /// Declares the first of these capabilities with its requirements, if none is declared.
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

    /// Declares the first of these extensions, if none is declared or part of the version.
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

    /// Adds a conditional declaration, unless it exists.
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
            // Removed ones have no words left.
            let instructions = instructions.iter().filter(|words| !words.is_empty());
            instructions.for_each(|words| self.edits.insert_words(place, words));
        }
        if self.version > self.module.words()[1] {
            self.edits.set_version(self.version);
        }
        let PropertiesContext { edits, lowered, removed, work_group_dimensions, warnings, .. } = self;
        Lowered { edits, lowered, removed, work_group_dimensions, warnings }
    }
}

impl LoweredForm {
    fn operand_kind(self) -> OperandKind {
        match self {
            LoweredForm::Mode(_) => OperandKind::ExecutionMode,
            _ => OperandKind::Decoration,
        }
    }

    fn number(self) -> u32 {
        match self {
            LoweredForm::Mode(number) | LoweredForm::Decoration(number) => number,
            LoweredForm::Read | LoweredForm::Operand => Decoration::UserSemantic as u32,
        }
    }

    fn name(self) -> String {
        described(self.operand_kind(), self.number(), &[])
    }
}

/// Describes a mode or decoration with its operands, as messages show it.
fn described(kind: OperandKind, number: u32, operands: &[u32]) -> String {
    let mut text = operands::name_of(kind, number).unwrap_or_else(|| number.to_string());
    for operand in operands {
        text = format!("{text} {operand}");
    }
    text
}

/// Returns warnings of the strings in a module that begin nearly like lists of properties.
pub fn misspelled_lists(analyses: &Analyses) -> Vec<String> {
    let decorations = analyses.module().decorations_with(Decoration::UserSemantic);
    let texts = decorations.map(|decoration| (decoration.target(), decoration.text()));
    let misspelled = texts.filter(|(_, text)| is_misspelled_list(text));
    let warning = |(id, text): (u32, Cow<str>)| {
        let (holder, prefix) = (analyses.names().display(id), properties::PREFIX);
        format!(
            "{holder}: `{text}` is not a list of properties, and stays as it is: a list begins with `{prefix}`"
        )
    };
    misspelled.map(warning).collect()
}

/// Returns true if a string begins almost like a list of properties, but is not a list.
fn is_misspelled_list(text: &str) -> bool {
    let start = text.split([':', '=']).next().unwrap_or(text).trim();
    !text.starts_with(properties::PREFIX)
        && misspelled(start, [properties::PREFIX.trim_end_matches(':')]).is_some()
}

/// Returns the ends of the sections that a module has, as offsets.
fn ends(module: &Module) -> BTreeMap<Section, u32> {
    let mut ends = BTreeMap::new();
    let mut section = Section::Capabilities;
    ends.insert(section, 5);
    for inst in module.globals() {
        if let LogicalPlace::Section(place) = grammar::place(inst.opcode()) {
            section = section.max(place);
            if place <= Section::Annotations {
                ends.insert(place, inst.end());
            }
        }
    }
    ends
}

/// Returns the first word of an instruction.
fn instruction(op: Op, words: usize) -> u32 {
    (words as u32) << 16 | op as u32
}
