//! Random shaders with integers and floats of 8 and 16 bits in memory: blocks of random types with random offsets, and accesses to random parts of them.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use interpreter::{InterfaceSlot, RunInputs};

use crate::random::Random;

/// The number of invocations, each of which has elements of its own.
pub const INVOCATIONS: usize = 64;
/// The words of each invocation in the buffers of numbers.
pub const NUMBERS: usize = 32;
const OPERATIONS: usize = 16;

/// The memory that the shader loads from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SourceMemory {
    StorageBuffer,
    UniformBlock,
    PushConstants,
    /// A storage buffer behind a physical pointer, which push constants have. It is stored to, too.
    Address,
}

/// A random shader. It loads from binding 1, or from push constants, and stores to binding 0; binding 2 has numbers, and binding 3 gets some.
pub struct StorageShader {
    pub text: String,
    pub source: SourceMemory,
    /// The bytes of the memory that it loads from, and of the buffer that it stores to.
    pub sizes: [usize; 2],
    /// The results that are lengths of the array that it stores to, and that length: drivers may be wrong natively, where a stride is not a multiple of 4.
    pub lengths: Vec<usize>,
    pub length: u32,
}

/// The bytes of a buffer of numbers.
pub const SIZE_OF_NUMBERS: usize = 4 * NUMBERS * INVOCATIONS;

const SCALARS: [(&str, &str, usize); 8] = [
    ("u8", "OpTypeInt 8 0", 1),
    ("i8", "OpTypeInt 8 1", 1),
    ("u16", "OpTypeInt 16 0", 2),
    ("i16", "OpTypeInt 16 1", 2),
    ("f16", "OpTypeFloat 16", 2),
    ("u32", "OpTypeInt 32 0", 4),
    ("i32", "OpTypeInt 32 1", 4),
    ("f32", "OpTypeFloat 32", 4),
];

#[derive(Clone, Debug)]
enum RandomType {
    Scalar(usize),
    Vector(usize, usize),
    Array(Box<RandomType>, usize, usize),
    Struct(Vec<(usize, RandomType)>),
    Matrix(RandomMatrix),
}

/// A matrix of floats.
#[derive(Clone, Copy, Debug)]
struct RandomMatrix {
    scalar: usize,
    columns: usize,
    rows: usize,
    /// The bytes from one column to the next, or from one row to the next.
    stride: usize,
    is_row_major: bool,
}

impl RandomMatrix {
    fn random(random: &mut Random, rules: LayoutRules) -> RandomMatrix {
        let (columns, rows) = (2 + random.below(3), 2 + random.below(3));
        let (scalar, is_row_major) = (*random.pick(&[4, 4, 7]), random.chance(50));
        let mut matrix = RandomMatrix { scalar, columns, rows, stride: 0, is_row_major };
        matrix.stride = RandomType::Vector(scalar, matrix.line()).stride(random, rules);
        matrix
    }

    /// The number of components that follow each other in memory.
    fn line(self) -> usize {
        if self.is_row_major { self.columns } else { self.rows }
    }
}

/// The rules by which types are laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LayoutRules {
    /// The rules of scalarBlockLayout.
    Scalar,
    /// The rules of storage buffers and push constants.
    Standard,
    /// The rules of uniform blocks.
    Extended,
}

impl RandomType {
    fn random(random: &mut Random, depth: usize, rules: LayoutRules) -> RandomType {
        match random.below(if depth == 0 { 6 } else { 10 }) {
            0 if random.chance(40) => RandomType::Matrix(RandomMatrix::random(random, rules)),
            0..4 => RandomType::Scalar(random.below(SCALARS.len())),
            4..6 => RandomType::Vector(random.below(SCALARS.len()), 2 + random.below(3)),
            6..8 => {
                let element = RandomType::random(random, depth - 1, rules);
                let stride = element.stride(random, rules);
                RandomType::Array(Box::new(element), 2 << random.below(2), stride)
            }
            _ => RandomType::members(random, depth - 1, rules),
        }
    }

    fn members(random: &mut Random, depth: usize, rules: LayoutRules) -> RandomType {
        let mut end = 0;
        let members = (0..2 + random.below(3)).map(|_| {
            let member = RandomType::random(random, depth, rules);
            let gap = if random.chance(20) { random.below(3) } else { 0 };
            let offset = (end + gap).next_multiple_of(member.alignment(rules));
            end = offset + member.size();
            if rules != LayoutRules::Scalar
                && !matches!(member, RandomType::Scalar(_) | RandomType::Vector(..))
            {
                end = end.next_multiple_of(member.alignment(rules));
            }
            (offset, member)
        });
        RandomType::Struct(members.collect())
    }

    fn stride(&self, random: &mut Random, rules: LayoutRules) -> usize {
        let alignment = match rules {
            LayoutRules::Extended => 16,
            _ => self.alignment(rules),
        };
        let gap = if random.chance(20) { alignment } else { 0 };
        self.size().next_multiple_of(alignment) + gap
    }

    fn alignment(&self, rules: LayoutRules) -> usize {
        let of_parts = match self {
            RandomType::Scalar(scalar) => return SCALARS[*scalar].2,
            RandomType::Vector(scalar, _) if rules == LayoutRules::Scalar => return SCALARS[*scalar].2,
            RandomType::Vector(scalar, count) => return SCALARS[*scalar].2 * count.next_power_of_two(),
            RandomType::Array(element, ..) => element.alignment(rules),
            RandomType::Matrix(matrix) => RandomType::Vector(matrix.scalar, matrix.line()).alignment(rules),
            RandomType::Struct(members) => {
                members.iter().map(|(_, member)| member.alignment(rules)).max().unwrap_or(1)
            }
        };
        if rules == LayoutRules::Extended { of_parts.next_multiple_of(16) } else { of_parts }
    }

    /// Returns the matrix that it is, or those in an array of them.
    fn matrix(&self) -> Option<RandomMatrix> {
        match self {
            RandomType::Matrix(matrix) => Some(*matrix),
            RandomType::Array(element, ..) => element.matrix(),
            _ => None,
        }
    }

    fn has_matrix(&self) -> bool {
        match self {
            RandomType::Scalar(_) | RandomType::Vector(..) => false,
            RandomType::Matrix(_) => true,
            RandomType::Array(element, ..) => element.has_matrix(),
            RandomType::Struct(members) => members.iter().any(|(_, member)| member.has_matrix()),
        }
    }

    fn size(&self) -> usize {
        match self {
            RandomType::Matrix(matrix) => {
                // The last line has room, too.
                (matrix.columns + matrix.rows - matrix.line()) * matrix.stride
            }
            RandomType::Scalar(scalar) => SCALARS[*scalar].2,
            RandomType::Vector(scalar, count) => SCALARS[*scalar].2 * count,
            RandomType::Array(element, length, stride) => (length - 1) * stride + element.size(),
            RandomType::Struct(members) => {
                members.last().map_or(0, |(offset, member)| offset + member.size())
            }
        }
    }
}

/// The text of types, each once.
#[derive(Default)]
struct TypeText {
    names: BTreeMap<String, String>,
    types: String,
    decorations: String,
}

impl TypeText {
    fn declare(&mut self, definition: String, decorations: &dyn Fn(&str) -> String) -> String {
        let decorated = decorations("%id");
        if let Some(known) = self.names.get(&format!("{definition} {decorated}")) {
            return known.clone();
        }
        let name = format!("%t{}", self.names.len());
        writeln!(self.types, "{name} = {definition}").unwrap();
        self.decorations += &decorations(&name);
        self.names.insert(format!("{definition} {decorated}"), name.clone());
        name
    }

    fn plain(&mut self, definition: String) -> String {
        self.declare(definition, &|_| String::new())
    }

    fn of(&mut self, laid_out: &RandomType) -> String {
        match laid_out {
            RandomType::Scalar(scalar) => format!("%{}", SCALARS[*scalar].0),
            RandomType::Vector(scalar, count) => {
                self.plain(format!("OpTypeVector %{} {count}", SCALARS[*scalar].0))
            }
            RandomType::Matrix(matrix) => {
                let column = self.of(&RandomType::Vector(matrix.scalar, matrix.rows));
                self.plain(format!("OpTypeMatrix {column} {}", matrix.columns))
            }
            RandomType::Array(element, length, stride) => {
                let element = self.of(element);
                let stride = |name: &str| format!("OpDecorate {name} ArrayStride {stride}\n");
                self.declare(format!("OpTypeArray {element} %c{length}"), &stride)
            }
            RandomType::Struct(members) => {
                let types: Vec<String> = members.iter().map(|(_, member)| self.of(member)).collect();
                let offsets = |name: &str| {
                    let offset = |(at, (offset, member)): (usize, &(usize, RandomType))| {
                        let matrix = member.matrix().map(|matrix| {
                            let major = if matrix.is_row_major { "RowMajor" } else { "ColMajor" };
                            let stride = matrix.stride;
                            format!("OpMemberDecorate {name} {at} MatrixStride {stride}\nOpMemberDecorate {name} {at} {major}\n")
                        });
                        format!(
                            "OpMemberDecorate {name} {at} Offset {offset}\n{}",
                            matrix.unwrap_or_default()
                        )
                    };
                    members.iter().enumerate().map(offset).collect()
                };
                self.declare(format!("OpTypeStruct {}", types.join(" ")), &offsets)
            }
        }
    }
}

/// The code of the shader.
struct Code {
    types: TypeText,
    text: String,
    ids: usize,
    is_computed: bool,
}

impl Code {
    fn id(&mut self) -> String {
        self.ids += 1;
        format!("%v{}", self.ids)
    }

    fn emit(&mut self, type_: &str, instruction: &str) -> String {
        let id = self.id();
        let (op, operands) = instruction.split_once(' ').unwrap();
        writeln!(self.text, "{id} = {op} {type_} {operands}").unwrap();
        id
    }

    /// Makes a pointer to a random part of a type, which is not larger than `largest`. Returns it with that type.
    fn part(
        &mut self,
        random: &mut Random,
        (class, start): (&str, &str),
        whole: &RandomType,
        is_number: bool,
    ) -> (String, RandomType) {
        let (mut path, mut part) = (start.to_owned(), whole.clone());
        loop {
            let is_whole = matches!(part, RandomType::Scalar(_)) || random.chance(30);
            let is_number_or_vector = matches!(part, RandomType::Scalar(_) | RandomType::Vector(..));
            if is_whole && (is_number_or_vector || !is_number) {
                break;
            }
            let (index, inner) = match part {
                RandomType::Struct(members) => {
                    let member = random.below(members.len());
                    (format!("%c{member}"), members[member].1.clone())
                }
                RandomType::Array(element, length, _) => (self.index(random, length), *element),
                RandomType::Matrix(matrix) => {
                    let columns = if matrix.columns == 3 { 2 } else { matrix.columns };
                    (self.index(random, columns), RandomType::Vector(matrix.scalar, matrix.rows))
                }
                RandomType::Vector(scalar, count) => {
                    // Of three components, a dynamic index may be none.
                    let count = if count == 3 { 2 } else { count };
                    (self.index(random, count), RandomType::Scalar(scalar))
                }
                RandomType::Scalar(_) => break,
            };
            write!(path, " {index}").unwrap();
            part = inner;
        }
        let type_ = self.types.of(&part);
        let pointer = self.types.plain(format!("OpTypePointer {class} {type_}"));
        (self.emit(&pointer, &format!("OpAccessChain {path}")), part)
    }

    fn index(&self, random: &mut Random, length: usize) -> String {
        match random.chance(50) {
            true => format!("%c{}", random.below(length)),
            false => format!("%k{length}"),
        }
    }

    /// Loads word `at` of the numbers of the invocation.
    fn number(&mut self, at: usize) -> String {
        let index = self.emit("%u32", &format!("OpIAdd %first %c{at}"));
        let pointer = self.emit("%pn", &format!("OpAccessChain %numbers %c0 {index}"));
        self.emit("%u32", &format!("OpLoad {pointer}"))
    }

    /// Stores a word that other buffers do not have.
    fn result(&mut self, at: usize, value: &str) {
        let index = self.emit("%u32", &format!("OpIAdd %first %c{at}"));
        let pointer = self.emit("%pn", &format!("OpAccessChain %results %c0 {index}"));
        writeln!(self.text, "OpStore {pointer} {value}").unwrap();
    }

    /// Returns the type of a number or a vector of them, as many as another type has.
    fn like(&mut self, part: &RandomType, scalar: usize) -> String {
        match part {
            RandomType::Vector(_, count) => self.types.of(&RandomType::Vector(scalar, *count)),
            _ => self.types.of(&RandomType::Scalar(scalar)),
        }
    }

    /// Converts a narrow number, or a vector, to words, and combines them.
    fn widened(&mut self, value: &str, part: &RandomType, random: &mut Random) -> String {
        let (RandomType::Scalar(scalar) | RandomType::Vector(scalar, _)) = *part else { unreachable!() };
        let wide = match scalar {
            4 => {
                let type_ = self.like(part, 7);
                self.emit(&type_, &format!("OpFConvert {value}"))
            }
            0..4 if random.chance(50) => {
                let type_ = self.like(part, if random.chance(50) { 5 } else { 6 });
                self.emit(&type_, &format!("OpSConvert {value}"))
            }
            0..4 => {
                let type_ = self.like(part, 5);
                self.emit(&type_, &format!("OpUConvert {value}"))
            }
            _ => value.to_owned(),
        };
        let words = self.like(part, 5);
        let wide = self.emit(&words, &format!("OpBitcast {wide}"));
        let RandomType::Vector(_, count) = part else { return wide };
        let mut sum = "%c0".to_owned();
        for at in 0..*count {
            let component = self.emit("%u32", &format!("OpCompositeExtract {wide} {at}"));
            let turned = self.emit("%u32", &format!("OpIMul {sum} %c7"));
            sum = self.emit("%u32", &format!("OpBitwiseXor {turned} {component}"));
        }
        sum
    }

    /// Makes a narrow number, or a vector, of numbers.
    fn narrowed(&mut self, part: &RandomType, at: usize) -> String {
        let (RandomType::Scalar(scalar) | RandomType::Vector(scalar, _)) = *part else { unreachable!() };
        let is_float = matches!(scalar, 4 | 7);
        let mut components = Vec::new();
        let count = if let RandomType::Vector(_, count) = part { *count } else { 1 };
        for number in 0..count {
            let word = self.number((at + number) % NUMBERS);
            components.push(match (is_float, scalar) {
                (true, _) => self.emit("%f32", &format!("OpBitcast {word}")),
                (false, 6) => self.emit("%i32", &format!("OpBitcast {word}")),
                _ => word,
            });
        }
        let from = match scalar {
            4 | 7 => 7,
            6 => 6,
            _ => 5,
        };
        let mut wide = components[0].clone();
        if count > 1 {
            let type_ = self.like(part, from);
            wide = self.emit(&type_, &format!("OpCompositeConstruct {}", components.join(" ")));
        }
        let op = match scalar {
            4 => "OpFConvert",
            0 | 2 => "OpUConvert",
            1 | 3 => "OpSConvert",
            _ => return wide,
        };
        let type_ = self.types.of(part);
        self.emit(&type_, &format!("{op} {wide}"))
    }
}

/// Makes a shader. `is_computed` is true if it has the features to compute with narrow numbers, too, and `is_scalar` if its layouts need scalarBlockLayout.
pub fn random_shader(random: &mut Random, is_computed: bool, is_scalar: bool) -> StorageShader {
    let source = *random.pick(&[
        SourceMemory::StorageBuffer,
        SourceMemory::StorageBuffer,
        SourceMemory::UniformBlock,
        SourceMemory::PushConstants,
    ]);
    random_shader_of(random, source, is_computed, is_scalar)
}

/// Makes a shader that loads from memory of a kind.
pub fn random_shader_of(
    random: &mut Random,
    source: SourceMemory,
    is_computed: bool,
    is_scalar: bool,
) -> StorageShader {
    let standard = if is_scalar { LayoutRules::Scalar } else { LayoutRules::Standard };
    let is_uniform = source == SourceMemory::UniformBlock;
    let of_source = if is_uniform { LayoutRules::Extended } else { standard };
    let from = loop {
        let from = RandomType::members(random, 2, of_source);
        if source != SourceMemory::PushConstants && from.size() < 400 || from.size() <= 100 {
            break from;
        }
    };
    let to = loop {
        let to = RandomType::members(random, 2, standard);
        if to.size() < 400 {
            break to;
        }
    };
    let mut types = TypeText::default();
    types.names.insert("OpTypeVector %u32 3 ".to_owned(), "%uint3".to_owned());
    let mut code = Code { types, text: String::new(), ids: 0, is_computed };
    let [from_type, to_type] = [&from, &to].map(|of| code.types.of(of));
    let strides = [from.stride(random, of_source), to.stride(random, standard)];
    // The elements come after a byte.
    let head = (1 + random.below(9)).next_multiple_of(to.alignment(standard));
    let (class, in_block) = match source {
        SourceMemory::StorageBuffer => ("StorageBuffer", "%c0 %i"),
        SourceMemory::UniformBlock => ("Uniform", "%c0 %i"),
        SourceMemory::PushConstants => ("PushConstant", "%c0"),
        SourceMemory::Address => (PHYSICAL, "%c0 %i"),
    };
    // Storage buffers of SPIR-V 1.0 have another class.
    let (out_class, out_kind) =
        if random.chance(20) { ("Uniform", "BufferBlock") } else { ("StorageBuffer", "Block") };
    let source_offset = if source == SourceMemory::PushConstants { 16 * random.below(2) } else { 0 };
    let is_address = source == SourceMemory::Address;
    let model = match random.chance(25) {
        _ if is_address => {
            "OpExtension \"SPV_KHR_physical_storage_buffer\"\nOpMemoryModel PhysicalStorageBuffer64 GLSL450"
        }
        true => "OpExtension \"SPV_KHR_vulkan_memory_model\"\nOpMemoryModel Logical Vulkan",
        false => "OpMemoryModel Logical GLSL450",
    };
    let both = [format!("%in {in_block}"), "%out %c1 %i".to_owned()];
    let mut lengths = Vec::new();
    for at in 0..OPERATIONS {
        let [loaded, stored] = [(class, &both[0][..]), (out_class, &both[1][..])];
        match random.below(8) {
            0 | 1 => {
                let (pointer, part) = code.part(random, loaded, &from, true);
                let type_ = code.types.of(&part);
                let aligned = aligned(random, is_address, &from, &part, of_source);
                let value = code.emit(&type_, &format!("OpLoad {pointer}{aligned}"));
                let word = code.widened(&value, &part, random);
                code.result(at, &word);
            }
            2 | 3 => {
                let is_source = is_address && random.chance(70);
                let (place, whole) = if is_source { (loaded, &from) } else { (stored, &to) };
                let (pointer, part) = code.part(random, place, whole, true);
                let value = code.narrowed(&part, random.below(NUMBERS));
                let aligned = aligned(random, is_source, whole, &part, of_source);
                writeln!(code.text, "OpStore {pointer} {value}{aligned}").unwrap();
            }
            4 | 5 => {
                // Within the buffer: what is stored may overlap what is loaded. Only numbers and vectors are loaded without the features to compute with them.
                let is_copied = is_computed && random.chance(50);
                let (pointer, part) = code.part(random, stored, &to, !is_computed);
                let type_ = code.types.of(&part);
                let other = code.part_like(random, stored, &to, &part);
                if is_copied {
                    writeln!(code.text, "OpCopyMemory {other} {pointer}").unwrap();
                } else {
                    let value = code.emit(&type_, &format!("OpLoad {pointer}"));
                    writeln!(code.text, "OpStore {other} {value}").unwrap();
                }
            }
            6 => {
                let length = code.emit("%u32", "OpArrayLength %out 1");
                code.result(at, &length);
                lengths.push(at);
            }
            _ if code.is_computed => {
                let (pointer, part) = code.part(random, stored, &to, true);
                let type_ = code.types.of(&part);
                let value = code.emit(&type_, &format!("OpLoad {pointer}"));
                let (RandomType::Scalar(scalar) | RandomType::Vector(scalar, _)) = part else {
                    unreachable!()
                };
                let op = if matches!(scalar, 4 | 7) { "OpFNegate" } else { "OpNot" };
                let value = code.emit(&type_, &format!("{op} {value}"));
                writeln!(code.text, "OpStore {pointer} {value}").unwrap();
            }
            _ => {}
        }
    }
    let model_capability = if model.ends_with("Vulkan") { "OpCapability VulkanMemoryModel\n" } else { "" };
    let capabilities =
        if is_computed { "OpCapability Int8\nOpCapability Int16\nOpCapability Float16\n" } else { "" };
    let TypeText { types, decorations, .. } = &code.types;
    let scalars: String = SCALARS
        .iter()
        .filter(|(name, ..)| *name != "u32")
        .map(|(name, of, _)| format!("%{name} = {of}\n"))
        .collect();
    let constants: String =
        (0..NUMBERS).map(|number| format!("%c{number} = OpConstant %u32 {number}\n")).collect();
    let (inner, count) = match source {
        SourceMemory::PushConstants => (format!("%Source = OpTypeStruct {from_type}\n"), 1),
        SourceMemory::UniformBlock => (
            format!("%sources = OpTypeArray {from_type} %invocations\n%Source = OpTypeStruct %sources\n"),
            INVOCATIONS,
        ),
        SourceMemory::StorageBuffer | SourceMemory::Address => (
            format!("%sources = OpTypeRuntimeArray {from_type}\n%Source = OpTypeStruct %sources\n"),
            INVOCATIONS,
        ),
    };
    let source_stride = match source {
        SourceMemory::PushConstants => String::new(),
        SourceMemory::Address => format!(
            "OpDecorate %sources ArrayStride {}\nOpDecorate %Push Block\nOpMemberDecorate %Push 0 Offset 0\n",
            strides[0]
        ),
        _ => format!(
            "OpDecorate %sources ArrayStride {}\nOpDecorate %in DescriptorSet 0\nOpDecorate %in Binding 1\n",
            strides[0]
        ),
    };
    let (address_capability, in_variable, in_value) = match is_address {
        true => (
            "OpCapability PhysicalStorageBufferAddresses\n",
            "%Push = OpTypeStruct %pSource\n%pPush = OpTypePointer PushConstant %Push\n%pIn = OpTypePointer PushConstant %pSource\n\
             %push = OpVariable %pPush PushConstant\n"
                .to_owned(),
            "%to_in = OpAccessChain %pIn %push %c0\n%in = OpLoad %pSource %to_in\n",
        ),
        false => ("", format!("%in = OpVariable %pSource {class}\n"), ""),
    };
    let body = &code.text;
    let text = format!(
        "OpCapability Shader
{capabilities}{address_capability}{model_capability}OpCapability StorageBuffer8BitAccess
OpCapability StorageBuffer16BitAccess
OpCapability UniformAndStorageBuffer8BitAccess
OpCapability UniformAndStorageBuffer16BitAccess
OpCapability StoragePushConstant8
OpCapability StoragePushConstant16
OpExtension \"SPV_KHR_8bit_storage\"
{model}
OpEntryPoint GLCompute %main \"main\" %gid
OpExecutionMode %main LocalSize {INVOCATIONS} 1 1
OpDecorate %gid BuiltIn GlobalInvocationId
OpDecorate %words ArrayStride 4
OpDecorate %Words Block
OpMemberDecorate %Words 0 Offset 0
OpDecorate %targets ArrayStride {}
OpDecorate %Target {out_kind}
OpMemberDecorate %Target 0 Offset 0
OpMemberDecorate %Target 1 Offset {head}
OpDecorate %Source Block
OpMemberDecorate %Source 0 Offset {source_offset}
{source_stride}OpDecorate %out DescriptorSet 0
OpDecorate %out Binding 0
OpDecorate %numbers DescriptorSet 0
OpDecorate %numbers Binding 2
OpDecorate %results DescriptorSet 0
OpDecorate %results Binding 3
{decorations}%void = OpTypeVoid
%fn = OpTypeFunction %void
%u32 = OpTypeInt 32 0
{scalars}{constants}%invocations = OpConstant %u32 {INVOCATIONS}
%uint3 = OpTypeVector %u32 3
%pgid = OpTypePointer Input %uint3
%gid = OpVariable %pgid Input
%pi = OpTypePointer Input %u32
%words = OpTypeRuntimeArray %u32
%Words = OpTypeStruct %words
%pWords = OpTypePointer StorageBuffer %Words
%pn = OpTypePointer StorageBuffer %u32
%numbers = OpVariable %pWords StorageBuffer
%results = OpVariable %pWords StorageBuffer
{types}%targets = OpTypeRuntimeArray {to_type}
%Target = OpTypeStruct %u8 %targets
%pTarget = OpTypePointer {out_class} %Target
%out = OpVariable %pTarget {out_class}
{inner}%pSource = OpTypePointer {class} %Source
{in_variable}%main = OpFunction %void None %fn
%start = OpLabel
%gx = OpAccessChain %pi %gid %c0
%i = OpLoad %u32 %gx
%count = OpIAdd %u32 %c31 %c1
%first = OpIMul %u32 %i %count
%to_k = OpAccessChain %pn %numbers %c0 %first
%k = OpLoad %u32 %to_k
%k2 = OpBitwiseAnd %u32 %k %c1
%k4 = OpBitwiseAnd %u32 %k %c3
{in_value}{body}OpReturn
OpFunctionEnd
",
        strides[1]
    );
    let size = head + (INVOCATIONS - 1) * strides[1] + to.size();
    let source_size = (count - 1) * strides[0] + from.size();
    let sizes = [
        (source_offset + source_size).next_multiple_of(if is_uniform { 16 } else { 4 }),
        size.next_multiple_of(4),
    ];
    let length = ((sizes[1] - head) / strides[1]) as u32;
    StorageShader { text, source, sizes, lengths, length }
}

const PHYSICAL: &str = "PhysicalStorageBuffer";

/// Returns the memory operands of an access to a part of memory behind an address: by its numbers, or all of it.
fn aligned(
    random: &mut Random,
    is_address: bool,
    whole: &RandomType,
    part: &RandomType,
    rules: LayoutRules,
) -> String {
    // Columns of matrices by rows are not in one place.
    let by = match matches!(part, RandomType::Vector(..)) && (whole.has_matrix() || random.chance(50)) {
        true => LayoutRules::Scalar,
        false => rules,
    };
    if is_address { format!(" Aligned {}", part.alignment(by)) } else { String::new() }
}

impl StorageShader {
    /// Returns random contents of the memory by binding: no float of 16 bits is infinite or none.
    pub fn contents(&self, random: &mut Random) -> [Vec<u8>; 4] {
        let mut bytes = |size: usize| -> Vec<u8> {
            (0..size).map(|at| random.next() as u8 & if at % 2 == 1 { 0xbf } else { 0xff }).collect()
        };
        let [source, target] = [bytes(self.sizes[0]), bytes(self.sizes[1])];
        // Floats from 2^-31 to 2^33, of which many are too large or too small for 16 bits.
        let number =
            |_| (random.next() as u32 & 0x807f_ffff | (96 + random.below(64) as u32) << 23).to_le_bytes();
        let numbers = (0..SIZE_OF_NUMBERS / 4).flat_map(number).collect();
        [target, source, numbers, vec![0; SIZE_OF_NUMBERS]]
    }

    /// Returns random inputs of one invocation.
    pub fn inputs(&self, random: &mut Random) -> RunInputs {
        let contents = self.contents(random);
        let slot = |binding: u32| match (binding, self.source) {
            (1, SourceMemory::PushConstants) => InterfaceSlot::PushConstants,
            _ => InterfaceSlot::Buffer(0, binding),
        };
        let bytes = (0..).map(slot).zip(contents).collect();
        RunInputs { bytes, max_steps: 100_000, ..RunInputs::default() }
    }
}

/// Returns the float that a half is.
pub fn float_of_half(half: u16) -> f32 {
    let (exponent, fraction) = (i32::from(half >> 10 & 31), f32::from(half & 0x3ff));
    let size = match exponent {
        0 => fraction * 2f32.powi(-24),
        31 if fraction == 0.0 => f32::INFINITY,
        31 => f32::NAN,
        _ => (1024.0 + fraction) * 2f32.powi(exponent - 25),
    };
    size.copysign(if half >> 15 == 1 { -1.0 } else { 1.0 })
}

/// Returns the half that a float rounds to: the nearest one, an even one of two, or the next one toward zero.
pub fn half_of_float(number: f32, is_nearest: bool) -> u16 {
    let sign = u16::from(number.is_sign_negative()) << 15;
    let size = number.abs();
    if size.is_infinite() {
        return sign | 0x7c00;
    }
    // Halves without a sign are in the order of their bits. The last one that is not larger:
    let (mut below, mut above) = (0, 0x7c00);
    while above - below > 1 {
        let middle = u16::midpoint(below, above);
        match float_of_half(middle) <= size {
            true => below = middle,
            false => above = middle,
        }
    }
    // The next number after the largest half would be 65,536.
    let next = if above == 0x7c00 { 65536.0 } else { f64::from(float_of_half(above)) };
    let [from_below, to_above] = [f64::from(size) - f64::from(float_of_half(below)), next - f64::from(size)];
    let is_above = is_nearest && (from_below > to_above || from_below == to_above && below % 2 == 1);
    sign | if is_above { above } else { below }
}

/// The features that are lowered.
pub const FEATURES: &str = "UniformAndStorageBuffer8BitAccess,UniformAndStorageBuffer16BitAccess,StorageBuffer8BitAccess,StorageBuffer16BitAccess,\
                            StoragePushConstant8,StoragePushConstant16";

impl Code {
    /// Makes a pointer to a part with the type of another, or to the same part if there is no other.
    fn part_like(
        &mut self,
        random: &mut Random,
        place: (&str, &str),
        whole: &RandomType,
        like: &RandomType,
    ) -> String {
        let wanted = self.types.of(like);
        loop {
            let (pointer, part) = self.part(random, place, whole, false);
            if self.types.of(&part) == wanted {
                return pointer;
            }
        }
    }
}
