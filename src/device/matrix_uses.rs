//! Uses of cooperative matrices, compared with the combinations that a device lists.

use std::fmt;

use super::cooperative_matrices::{CooperativeMatrix, number, word};
use super::{Device, cooperative_matrices};

/// Extensions with which devices list further combinations, on questions of their own.
const MORE_LISTS: [&str; 2] = ["SPV_NV_cooperative_matrix2", "SPV_EXT_cooperative_matrix_maintenance1"];

/// A use of cooperative matrices: a rule of Vulkan says that a device must list a combination for it. Operands that are specialization
/// constants are unknown.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MatrixUse {
    /// A type: OpTypeCooperativeMatrixKHR (VUID-RuntimeSpirv-OpTypeCooperativeMatrixKHR-10163).
    Type(MatrixType),
    /// OpCooperativeMatrixMulAddKHR (VUID-RuntimeSpirv-OpCooperativeMatrixMulAddKHR-10060). The fields are those of [`CooperativeMatrix`].
    Multiplication { size: [Option<u32>; 3], types: [Option<u32>; 4], scope: Option<u32>, saturates: bool },
}

/// A type of cooperative matrices.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MatrixType {
    /// The numbers of rows and columns.
    pub size: [Option<u32>; 2],
    pub components: Option<ComponentTypes>,
    /// The invocations that share the matrix: a number of VkScopeKHR, which is that of SPIR-V.
    pub scope: Option<u32>,
    /// The place in a multiplication: a number of CooperativeMatrixUse.
    pub matrix_use: Option<u32>,
}

/// The numbers of VkComponentTypeKHR for a type of components. Each multiplication says if it takes integers as signed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ComponentTypes {
    signed: u32,
    /// Equals `signed` for floats.
    unsigned: u32,
}

impl ComponentTypes {
    /// Returns integers, by the words for both types.
    pub fn new(signed: &str, unsigned: &str) -> Option<ComponentTypes> {
        Some(ComponentTypes { signed: number("type", signed)?, unsigned: number("type", unsigned)? })
    }

    /// Returns floats, by the word for the type.
    pub fn float(name: &str) -> Option<ComponentTypes> {
        ComponentTypes::new(name, name)
    }

    /// Returns the number for signed or unsigned components.
    pub fn with_sign(self, is_signed: bool) -> u32 {
        if is_signed { self.signed } else { self.unsigned }
    }
}

impl Device {
    /// Returns true if a device lists a combination for a use of cooperative matrices, or does not list its combinations; false if it lists
    /// none for the use. `None` if unknown.
    pub(crate) fn supports_matrix_use(&self, used: &MatrixUse) -> Option<bool> {
        if !self.lists_cooperative_matrices() {
            return Some(true);
        }
        let is_listed = disjunction(self.cooperative_matrices().map(|combination| used.is_of(&combination)));
        let may_list_more = MORE_LISTS.iter().any(|name| self.accepts_extension(name) == Some(true));
        is_listed.filter(|is_listed| *is_listed || !may_list_more)
    }
}

impl MatrixUse {
    /// Returns true if a combination is for this use; `None` if unknown.
    fn is_of(&self, combination: &CooperativeMatrix) -> Option<bool> {
        let ([m, n, k], [a, b, c, result]) = (combination.size, combination.types);
        match self {
            MatrixUse::Type(type_) => {
                let matrices = [(0, [m, k], a), (1, [k, n], b), (2, [m, n], c), (2, [m, n], result)];
                disjunction(matrices.into_iter().map(|(matrix_use, [rows, columns], component)| {
                    conjunction([
                        equals(type_.matrix_use, matrix_use),
                        equals(type_.size[0], rows),
                        equals(type_.size[1], columns),
                        type_.components.map(|types| [types.signed, types.unsigned].contains(&component)),
                        equals(type_.scope, combination.scope),
                    ])
                }))
            }
            MatrixUse::Multiplication { size, types, scope, saturates } => {
                let sizes = size.iter().zip(combination.size);
                let numbers = sizes.chain(types.iter().zip(combination.types));
                let numbers = numbers.chain([(scope, combination.scope)]);
                let numbers = numbers.map(|(known, listed)| equals(*known, listed));
                conjunction(numbers.chain([Some(*saturates == combination.saturates)]))
            }
        }
    }
}

/// Compares a number that may be unknown.
fn equals(known: Option<u32>, listed: u32) -> Option<bool> {
    known.map(|known| known == listed)
}

/// Returns the conjunction of answers: false if an answer is false, else `None` if an answer is unknown.
fn conjunction(answers: impl IntoIterator<Item = Option<bool>>) -> Option<bool> {
    let negated = answers.into_iter().map(|answer| answer.map(|holds| !holds));
    disjunction(negated).map(|fails| !fails)
}

/// Returns the disjunction of answers: true if an answer is true, else `None` if an answer is unknown.
fn disjunction(answers: impl IntoIterator<Item = Option<bool>>) -> Option<bool> {
    let mut is_known = true;
    for answer in answers {
        match answer {
            Some(true) => return Some(true),
            Some(false) => {}
            None => is_known = false,
        }
    }
    is_known.then_some(false)
}

/// Writes a name like the names of features, with question marks for unknown parts.
impl fmt::Display for MatrixUse {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let number = |known: Option<u32>| known.map_or_else(|| "?".to_owned(), |number| number.to_string());
        let name = |what, known: Option<u32>| known.and_then(|number| word(what, number)).unwrap_or("?");
        match self {
            MatrixUse::Type(type_) => {
                let [rows, columns] = type_.size.map(number);
                let matrix = match type_.matrix_use {
                    Some(0) => "matrix A",
                    Some(1) => "matrix B",
                    Some(2) => "accumulator",
                    _ => "matrix",
                };
                let signed = name("type", type_.components.map(|types| types.signed));
                let unsigned = name("type", type_.components.map(|types| types.unsigned));
                let or_unsigned = if signed == unsigned { String::new() } else { format!("/{unsigned}") };
                let scope = name("scope", type_.scope);
                write!(f, "cooperativeMatrixKHR ({matrix} {rows}x{columns} {signed}{or_unsigned} {scope})")
            }
            MatrixUse::Multiplication { size, types, scope, saturates } => {
                let [m, n, k] = size.map(number);
                write!(f, "{}{m}x{n}x{k}", cooperative_matrices::PREFIX)?;
                types.iter().try_for_each(|known| write!(f, ".{}", name("type", *known)))?;
                write!(f, ".{}{}", name("scope", *scope), if *saturates { ".saturating" } else { "" })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::{DeviceParts, cooperative_matrices::EXAMPLE};

    /// Returns a device that lists these combinations.
    fn listing(combinations: &[&str], extensions: &str) -> Device {
        let parts = DeviceParts::new().capabilities("Shader,CooperativeMatrixKHR").extensions(extensions);
        let device = parts.to_devices(None).unwrap().remove(0);
        let parsed: Vec<_> =
            combinations.iter().map(|name| CooperativeMatrix::parse(name).unwrap()).collect();
        device.with_cooperative_matrices(&parsed)
    }

    /// Returns a matrix that a sub-group shares.
    fn matrix(matrix_use: u32, rows: u32, columns: u32, components: ComponentTypes) -> MatrixType {
        MatrixType {
            size: [Some(rows), Some(columns)],
            components: Some(components),
            scope: Some(3),
            matrix_use: Some(matrix_use),
        }
    }

    #[test]
    fn types_are_those_of_a_combination() {
        let device = listing(&["cooperativeMatrixKHR.8x16x32.s8.u8.f16.f32.subgroup"], "");
        let bytes = ComponentTypes::new("s8", "u8").unwrap();
        let [half, float] = ["f16", "f32"].map(|name| ComponentTypes::float(name).unwrap());
        let supports = |type_: &MatrixType| device.supports_matrix_use(&MatrixUse::Type(type_.clone()));
        let (a, b) = (matrix(0, 8, 32, bytes), matrix(1, 32, 16, bytes));
        let (c, result) = (matrix(2, 8, 16, half), matrix(2, 8, 16, float));
        for type_ in [&a, &b, &c, &result] {
            assert_eq!(supports(type_), Some(true), "{type_:?}");
        }
        let others = [
            matrix(0, 32, 8, bytes),
            matrix(0, 8, 32, half),
            matrix(1, 8, 32, bytes),
            matrix(2, 8, 16, bytes),
            MatrixType { scope: Some(2), ..a.clone() },
        ];
        for type_ in &others {
            assert_eq!(supports(type_), Some(false), "{type_:?}");
        }
        let open = [
            MatrixType { size: [None, Some(32)], ..a.clone() },
            MatrixType { components: None, ..b.clone() },
            MatrixType { matrix_use: None, ..c.clone() },
        ];
        for type_ in &open {
            assert_eq!(supports(type_), None, "{type_:?}");
        }
        assert_eq!(supports(&MatrixType { size: [None, Some(8)], ..a }), Some(false));
    }

    #[test]
    fn multiplications_are_those_of_one_combination() {
        let saturating = "cooperativeMatrixKHR.8x16x32.s8.u8.s32.s32.subgroup.saturating";
        let device = listing(&[EXAMPLE, saturating], "");
        let used = |name: &str| {
            let CooperativeMatrix { size, types, scope, saturates } = CooperativeMatrix::parse(name).unwrap();
            let (size, types) = (size.map(Some), types.map(Some));
            MatrixUse::Multiplication { size, types, scope: Some(scope), saturates }
        };
        for (name, expected) in [
            (EXAMPLE, true),
            (saturating, true),
            ("cooperativeMatrixKHR.8x16x32.s8.u8.s32.s32.subgroup", false),
            ("cooperativeMatrixKHR.8x16x32.u8.u8.s32.s32.subgroup.saturating", false),
            ("cooperativeMatrixKHR.16x16x16.f16.f16.f32.f32.workgroup", false),
            ("cooperativeMatrixKHR.16x16x32.f16.f16.f32.f32.subgroup", false),
        ] {
            assert_eq!(device.supports_matrix_use(&used(name)), Some(expected), "{name}");
            assert_eq!(used(name).to_string(), name);
        }
    }

    #[test]
    fn devices_without_the_whole_list_decide_themselves() {
        let type_ = MatrixUse::Type(matrix(0, 8, 8, ComponentTypes::float("f16").unwrap()));
        assert_eq!(listing(&[], "").supports_matrix_use(&type_), Some(false));
        assert_eq!(listing(&[], "SPV_NV_cooperative_matrix2").supports_matrix_use(&type_), None);
        assert_eq!(Device::default().supports_matrix_use(&type_), Some(true));
        assert_eq!(type_.to_string(), "cooperativeMatrixKHR (matrix A 8x8 f16 subgroup)");
    }
}
