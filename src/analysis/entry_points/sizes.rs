//! The work-group and sub-group sizes that entry points require.
//!
//! They come from execution modes (specification, 3.2.6 "Execution Mode"). A constant decorated BuiltIn WorkgroupSize sets the work-group
//! size of every entry point of its module and overrides modes (3.2.21 "BuiltIn"). DPC++ writes the attributes of kernels as execution
//! modes. Other functions cannot have any, so a property may hold their sub-group size.

use spirv::{BuiltIn, ExecutionMode, Op};

use crate::analysis::constants::{Constants, Nothing};
use crate::analysis::sycl::properties::{self, SyclProperties, WORK_GROUP_SIZE};
use crate::collections::IdMap;
use crate::loader::{Instruction, Module, views};

/// The property by which DPC++ writes `reqd_sub_group_size`.
pub(crate) const SUB_GROUP_SIZE: &str = "sycl-sub-group-size";

/// A required size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// The number of work-items (or sub-groups); by default, if it is [`specializable`](Size::specializable).
    pub value: u32,
    /// True if the host can set another value, through a specialization constant.
    pub specializable: bool,
    /// The offset of the instruction that requires it, in words.
    pub at: u32,
}

impl Size {
    /// Returns false for the sub-group sizes that SYCL has names for, 0 (`automatic`) and -1 (`primary`): the compiler or the device chooses.
    fn is_numeric(&self) -> bool {
        !matches!(self.value, 0 | u32::MAX)
    }
}

/// The required size of work-groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WorkGroup {
    /// The work-items in each dimension; by default, if it is [`specializable`](WorkGroup::specializable).
    pub dimensions: [u32; 3],
    /// The number of dimensions of the property that requires it, if one does.
    pub of_property: Option<u8>,
    /// True if the host can set another size, through a specialization constant.
    pub specializable: bool,
    /// The offset of the instruction that requires it, in words.
    pub at: u32,
}

impl WorkGroup {
    /// Returns the work-items in a work-group.
    pub fn work_items(&self) -> u64 {
        self.dimensions.iter().fold(1, |product, &size| product.saturating_mul(size.into()))
    }
}

/// The sizes that an entry point requires. Hints (LocalSizeHint) are not requirements, nor is MaxWorkgroupSizeINTEL, a promise of the
/// host.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sizes {
    /// The work-group size: LocalSize, LocalSizeId, or the constant decorated WorkgroupSize.
    pub work_group: Option<WorkGroup>,
    /// The sub-group size: SubgroupSize.
    pub sub_group: Option<Size>,
    /// The number of sub-groups in a work-group: SubgroupsPerWorkgroup, SubgroupsPerWorkgroupId.
    pub sub_groups: Option<Size>,
}

/// The sizes that the functions of a module require. Functions without requirements have no entry.
#[derive(Debug, Default)]
pub struct FunctionSizes(
    /// The sizes by ascending id. Most modules have one entry point, and a prepared module keeps this list.
    Box<[(u32, Sizes)]>,
);

impl FunctionSizes {
    /// Returns the sizes of a function.
    pub fn get(&self, function: u32) -> Option<&Sizes> {
        self.0.binary_search_by_key(&function, |entry| entry.0).ok().map(|at| &self.0[at].1)
    }

    /// Returns each function by id, and its sizes.
    pub fn iter(&self) -> impl Iterator<Item = &(u32, Sizes)> {
        self.0.iter()
    }

    /// Returns true if no function requires any.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Sizes {
    /// Returns the sizes that the functions of a module require.
    pub fn read(module: &Module, properties: &SyclProperties) -> FunctionSizes {
        tally!("sizes", module, &());
        let mut constants = SizeConstants {
            fixed: Constants::new(module, &Nothing, &[]),
            defaults: Constants::defaults(module),
        };
        let mut sizes: IdMap<Sizes> = IdMap::new();
        let mut entry_points = Vec::new();
        let mut built_in = None;
        for inst in module.annotations() {
            match inst.op() {
                Some(Op::EntryPoint | Op::ConditionalEntryPointINTEL) => {
                    entry_points.push(views::EntryPoint(inst).function());
                }
                Some(Op::ExecutionMode | Op::ExecutionModeId) => {
                    let mode = views::ExecutionMode(inst);
                    sizes.entry(mode.entry_point()).or_default().add(mode, &mut constants);
                }
                Some(Op::Decorate | Op::DecorateString) => {
                    let decoration = views::Decoration(inst);
                    if decoration.is_built_in(BuiltIn::WorkgroupSize) {
                        built_in = built_in.or(Some(decoration.target()));
                    }
                }
                _ => {}
            }
        }
        // In kernels it decorates a variable, which sets nothing.
        let constant = built_in.and_then(|id| module.definition(id)).and_then(views::ConstantComposite::new);
        if let Some(work_group) =
            constant.and_then(|inst| dimensions(&inst, inst.constituents(), &mut constants))
        {
            for &entry_point in &entry_points {
                sizes.entry(entry_point).or_default().work_group = Some(work_group);
            }
        }
        add_properties(module, properties, &entry_points, &mut sizes);
        FunctionSizes(sizes.into_iter().filter(|(_, sizes)| *sizes != Sizes::default()).collect())
    }

    /// Returns the fewest work-items that its work-groups can have, if their size is required: all sub-groups but the last are whole.
    pub fn least_work_items(&self) -> Option<u64> {
        let sub_groups = || {
            let (size, count) = (self.sub_group?.value, self.sub_groups?.value);
            Some(u64::from(size) * u64::from(count.checked_sub(1)?) + 1)
        };
        self.work_group.map(|size| size.work_items()).or_else(sub_groups)
    }

    /// Returns the number of work items, if the host cannot set any of the sizes involved.
    pub fn fixed_work_items(&self) -> Option<u64> {
        match (self.work_group, self.sub_groups) {
            (Some(size), _) if size.specializable => None,
            (_, Some(count)) if count.specializable => None,
            _ => self.least_work_items(),
        }
    }

    /// Returns true if the host can change some of them.
    pub fn is_specializable(&self) -> bool {
        self.work_group.is_some_and(|size| size.specializable)
            || [self.sub_group, self.sub_groups].iter().flatten().any(|size| size.specializable)
    }

    /// Returns the sub-group size, if the host cannot change it.
    pub fn fixed_sub_group(&self) -> Option<u32> {
        self.sub_group.filter(|size| !size.specializable).map(|size| size.value)
    }

    fn add(&mut self, mode: views::ExecutionMode, constants: &mut SizeConstants) {
        let operand = mode.operands().first().copied();
        let literal = operand.map(|value| Size { value, specializable: false, at: mode.offset() });
        match ExecutionMode::from_u32(mode.mode()) {
            Some(ExecutionMode::LocalSize) => {
                if let &[x, y, z] = mode.operands() {
                    let size = WorkGroup {
                        dimensions: [x, y, z],
                        of_property: None,
                        specializable: false,
                        at: mode.offset(),
                    };
                    self.work_group = Some(size);
                }
            }
            Some(ExecutionMode::LocalSizeId) => {
                self.work_group = dimensions(&mode, mode.operands(), constants).or(self.work_group);
            }
            Some(ExecutionMode::SubgroupSize) => self.sub_group = literal.filter(Size::is_numeric),
            Some(ExecutionMode::SubgroupsPerWorkgroup) => self.sub_groups = literal,
            Some(ExecutionMode::SubgroupsPerWorkgroupId) => {
                self.sub_groups = operand.and_then(|id| size(&mode, id, constants)).or(self.sub_groups);
            }
            _ => {}
        }
    }
}

/// Adds the sizes that properties of functions require.
fn add_properties(
    module: &Module,
    properties: &SyclProperties,
    entry_points: &[u32],
    sizes: &mut IdMap<Sizes>,
) {
    for (function, properties) in properties.of_functions(module, SUB_GROUP_SIZE) {
        let function_sizes = sizes.entry(function).or_default();
        for property in &properties {
            if let Ok([value]) = property.numbers().as_deref() {
                let size = Size { value: *value, specializable: false, at: property.offset };
                function_sizes.sub_group = function_sizes.sub_group.or(Some(size).filter(Size::is_numeric));
            }
        }
    }
    for (function, properties) in properties.of_functions(module, WORK_GROUP_SIZE) {
        if let Some(property) = properties.first().filter(|_| entry_points.contains(&function))
            && let Some(dimensions) = properties::dimensions(&property.values)
        {
            let of_property = u8::try_from(property.values.len()).ok();
            let size = WorkGroup { dimensions, of_property, specializable: false, at: property.offset };
            let work_group = sizes.entry(function).or_default().work_group.get_or_insert(size);
            if work_group.dimensions == dimensions {
                work_group.of_property = of_property;
            }
        }
    }
}

/// Returns the work-group size of three constants; `None` if one of them cannot be evaluated.
fn dimensions(inst: &Instruction, ids: &[u32], constants: &mut SizeConstants) -> Option<WorkGroup> {
    let &[x, y, z] = ids else { return None };
    let [x, y, z] = [x, y, z].map(|id| size(inst, id, constants));
    let each = [x?, y?, z?];
    Some(WorkGroup {
        dimensions: each.map(|size| size.value),
        of_property: None,
        specializable: each.iter().any(|size| size.specializable),
        at: inst.offset(),
    })
}

fn size(inst: &Instruction, id: u32, constants: &mut SizeConstants) -> Option<Size> {
    let specializable = constants.fixed.value(id).is_none();
    let value = u32::try_from(constants.defaults.value(id)?).ok()?;
    Some(Size { value, specializable, at: inst.offset() })
}

/// The values of constants, twice. A constant that has taken its default value can no longer be distinguished from a
/// constant that the host cannot set.
struct SizeConstants<'m> {
    fixed: Constants<'m>,
    defaults: Constants<'m>,
}
