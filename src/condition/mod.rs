//! (to be written)

/// What a condition asks of a device.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Leaf {
    /// The device is of this architecture.
    Architecture(u32),
    /// The device has this aspect.
    Aspect(u32),
    /// The device supports this SPIR-V capability.
    Capability(u32),
    /// The specialization constant with this SpecId is true.
    Constant(u32),
}
