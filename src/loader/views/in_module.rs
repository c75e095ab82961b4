//! The instructions of some kinds in a module.

use spirv::AddressingModel;

use super::*;
use crate::loader::Module;

impl Module<'_> {
    /// The word of the header that holds the version: major in the third byte, minor in the second.
    pub fn version_word(&self) -> u32 {
        self.words()[1]
    }

    /// The word of the header that names the tool that wrote the module.
    pub fn generator(&self) -> u32 {
        self.words()[2]
    }

    /// The capabilities that are declared, those under a condition among them.
    pub fn capabilities(&self) -> impl Iterator<Item = Capability<'_>> {
        self.declarations().filter_map(Capability::of)
    }

    /// The extensions that are declared, those under a condition among them.
    pub fn extensions(&self) -> impl Iterator<Item = Extension<'_>> {
        self.declarations().filter_map(Extension::of)
    }

    /// The imports of extended instruction sets.
    pub fn imported_sets(&self) -> impl Iterator<Item = ExtInstImport<'_>> {
        self.head().filter_map(ExtInstImport::of)
    }

    /// The import of an extended instruction set with this id.
    pub fn imported_set(&self, id: u32) -> Option<ExtInstImport<'_>> {
        self.definition(id).and_then(ExtInstImport::of)
    }

    /// The memory model.
    pub fn memory_model(&self) -> Option<MemoryModel<'_>> {
        self.head().find_map(MemoryModel::of)
    }

    /// True if pointers are addresses, which can be cast and stored: in logical addressing they are not.
    pub fn has_addresses(&self) -> bool {
        let physical = [AddressingModel::Physical32, AddressingModel::Physical64];
        let model = self.memory_model().map(MemoryModel::addressing_model);
        physical.into_iter().any(|physical| model == Some(physical as u32))
    }

    /// The entry points, those under a condition among them.
    pub fn entry_points(&self) -> impl Iterator<Item = EntryPoint<'_>> {
        self.head().filter_map(EntryPoint::of)
    }

    /// The execution modes of all entry points.
    pub fn execution_modes(&self) -> impl Iterator<Item = ExecutionMode<'_>> {
        self.head().filter_map(ExecutionMode::of)
    }

    /// The names of ids.
    pub fn names(&self) -> impl Iterator<Item = Name<'_>> {
        self.annotations().filter_map(Name::of)
    }

    /// The decorations of ids and of members.
    pub fn decorations(&self) -> impl Iterator<Item = Decoration<'_>> {
        self.annotations().filter_map(Decoration::of)
    }

    /// The decorations of ids with this decoration.
    pub fn decorations_with(&self, decoration: spirv::Decoration) -> impl Iterator<Item = Decoration<'_>> {
        self.annotations().filter_map(move |inst| Decoration::with(inst, decoration))
    }

    /// The applications of decoration groups.
    pub fn group_decorations(&self) -> impl Iterator<Item = GroupDecorate<'_>> {
        self.annotations().filter_map(GroupDecorate::of)
    }

    /// The SpecIds, with the ids that have them: those of constants, and of decoration groups, which are not applied here.
    pub fn spec_ids(&self) -> impl Iterator<Item = SpecId<'_>> {
        self.annotations().filter_map(SpecId::of)
    }

    /// The OpConstant with this id.
    #[inline]
    pub fn constant(&self, id: u32) -> Option<Constant<'_>> {
        self.definition(id).and_then(Constant::of)
    }

    /// The variables outside of functions.
    pub fn variables(&self) -> impl Iterator<Item = Variable<'_>> {
        self.globals().filter_map(Variable::of)
    }
}
