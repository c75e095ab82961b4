use crate::analysis::conditions::multi_target::describe;
use crate::analysis::constants::ConstantInputs;
use crate::device::capabilities;
use crate::loader::Module;
use crate::transform::cloning::CallClone;

/// A summary of the changes by specialization.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SpecializeOutcome {
    /// True if the module used the extension at all.
    pub multi_target: bool,
    /// Conditional items (capabilities, extensions, entry points, decorated ids, copies) that are kept, now unconditionally.
    pub decided_true: usize,
    /// Conditional items that are removed; a copy never counts here.
    pub decided_false: usize,
    /// Capabilities whose condition is true.
    pub kept_capabilities: Vec<u32>,
    /// Capabilities whose condition is false.
    pub removed_capabilities: Vec<u32>,
    /// Unconditional capabilities, with the extension that they require. The condition of the extension is false.
    pub stranded: Vec<(u32, String)>,
    /// Functions whose condition is false, by id.
    pub removed_functions: Vec<u32>,
    /// Functions that only removed code called, by id.
    pub swept_functions: Vec<u32>,
    /// Module-scope ids other than functions that only removed code used.
    pub swept: usize,
    /// Branches in function bodies that decided constants decide. Branches in code that other branches remove do not
    /// count.
    pub branches: usize,
    /// Blocks removed with them, those of removed functions not counted.
    pub blocks: usize,
    /// Specialization constants with a SpecId that became ordinary ones.
    pub frozen: usize,
    /// Specialization constants with a given new default.
    pub new_defaults: usize,
    /// The items that remain conditional.
    pub undecided: Vec<UndecidedItem>,
    /// SpecIds of the constants that remain specialization constants.
    pub open: Vec<u32>,
    /// Non-semantic instructions that named SpecIds of constants which became ordinary ones, and were removed: the name of each, and these SpecIds.
    pub removed_reflection: Vec<(&'static str, Vec<u32>)>,
    /// Functions that were cloned for calls with arguments that decide branches.
    pub call_clones: Vec<CallClone>,
    /// Functions with such calls that were too large to clone, as messages name them.
    pub not_cloned: Vec<String>,
    /// SpecIds of the constants that took their default value ([`super::UnsetPolicy::Default`]).
    pub defaulted: Vec<u32>,
}

/// An item that remains conditional.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UndecidedItem {
    /// The item.
    pub item: ConditionalItem,
    /// The condition of the item: the first unknown one of [`ConditionalItem::Copy`], and [`ConditionalItem::DeviceConstant`] itself.
    pub condition: u32,
    /// The constants without a value that the condition depends on.
    pub unknown: ConstantInputs,
}

/// A conditional item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ConditionalItem {
    /// OpConditionalCapabilityINTEL: the capability.
    Capability(u32),
    /// OpConditionalExtensionINTEL: the name.
    Extension(String),
    /// OpConditionalEntryPointINTEL: the name.
    EntryPoint(String),
    /// ConditionalINTEL: the decorated id, or the decoration group.
    Id(u32),
    /// OpConditionalCopyObjectINTEL: its result.
    Copy(u32),
    /// A device constant: its result.
    DeviceConstant(u32),
}

impl UndecidedItem {
    /// Returns a line for messages.
    pub fn describe(&self, module: &Module) -> String {
        let item = match &self.item {
            ConditionalItem::Capability(capability) => match capabilities::name(*capability) {
                Some(name) => format!("capability {name}"),
                None => format!("capability {capability}"),
            },
            ConditionalItem::Extension(name) => format!("extension {name}"),
            ConditionalItem::EntryPoint(name) => format!("entry point {name}"),
            ConditionalItem::Id(id) => describe(module, *id),
            ConditionalItem::Copy(id) => format!("OpConditionalCopyObjectINTEL {}", describe(module, *id)),
            ConditionalItem::DeviceConstant(id) => {
                return format!("device constant {}", describe(module, *id));
            }
        };
        let spec_ids = self.unknown.spec_ids.iter().map(|spec_id| format!("SpecId {spec_id}"));
        let device = self.unknown.device_constants.iter();
        let device = device.map(|&id| format!("device constant {}", describe(module, id)));
        let unknown: Vec<String> = spec_ids.chain(device).collect();
        let condition = describe(module, self.condition);
        match unknown.is_empty() {
            true => format!("{item} (condition {condition}, which cannot be evaluated)"),
            false => format!("{item} (condition {condition}, which depends on {})", unknown.join(", ")),
        }
    }
}
