//! Arithmetic on 64-bit integers, doubles and halves in shaders and kernels, and memory of 16-bit integers: the driver's own, and that of `specialize --lower`.

use std::fmt::Write;
use std::time::Duration;

use anyhow::{Result, bail, ensure};
use rspirv::binary::Assemble;
use rspirv::dr::{Builder, Operand};
use rspirv::spirv::{
    AddressingModel, BuiltIn, Capability, Decoration, ExecutionMode, ExecutionModel, FunctionControl,
    LoopControl, MemoryAccess, MemoryModel, StorageClass,
};
use spirv_if::specialize::FeaturesToLower;
use spirv_if::{Device, Module, Prepared, Settings};

use crate::random::Random;

/// The size of work-groups, and their number: enough for the largest GPUs.
pub const SIZE: u32 = 64;
pub const GROUPS: u32 = 2048;
/// The number of steps of an iteration.
const STEPS: u32 = 8;
/// The number of runs, of which the shortest counts.
const RUNS: usize = 9;
/// The time after which more iterations are not needed.
const ENOUGH: Duration = Duration::from_millis(50);
const MAX_ITERATIONS: u32 = 1 << 20;

/// An operation on two numbers.
#[derive(Clone, Copy)]
enum ArithmeticOp {
    Add,
    Multiply,
    Divide,
    /// An addition of what memory has at an index that the number before says.
    Load,
    /// A store to such an index, and an addition.
    Store,
}

/// The numbers of arithmetic.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ArithmeticType {
    Integer,
    Double,
    /// A half, which is a float in buffers.
    Half,
    /// A word, beside memory of 16-bit integers.
    Word,
}

impl ArithmeticType {
    fn is_float(self) -> bool {
        matches!(self, ArithmeticType::Double | ArithmeticType::Half)
    }
}

/// The kind of modules that compute.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum ArithmeticModule {
    Shader,
    /// A kernel, whose integers of 64 bits stay.
    Kernel,
}

/// Runs a module with this many iterations; returns the time and the results.
pub type ArithmeticRun<'r> = Box<dyn FnMut(u32) -> Result<(Duration, Vec<u32>)> + 'r>;

/// Runs each operation in both ways, and returns a table. `prepare` takes the words of a module and its numbers.
pub fn compare<'r>(
    kind: ArithmeticModule,
    prepare: impl Fn(&[u32], Vec<u32>) -> Result<ArithmeticRun<'r>>,
) -> Result<String> {
    let mut text =
        "| operation | native, billions a second | lowered | times as slow |\n|---|---:|---:|---:|\n"
            .to_owned();
    let arithmetic = [
        (ArithmeticOp::Add, "addition"),
        (ArithmeticOp::Multiply, "multiplication"),
        (ArithmeticOp::Divide, "division"),
    ];
    let memory = [(ArithmeticOp::Load, "load"), (ArithmeticOp::Store, "store")];
    let types = [
        ("Int64", "64-bit integers", ArithmeticType::Integer, &arithmetic[..]),
        ("Float64", "doubles", ArithmeticType::Double, &arithmetic),
        ("Float16", "halves", ArithmeticType::Half, &arithmetic),
        ("StorageBuffer16BitAccess", "16-bit integers", ArithmeticType::Word, &memory),
    ];
    for (feature, numbers, type_, operations) in types {
        for &(op, name) in operations {
            if kind == ArithmeticModule::Kernel && type_ != ArithmeticType::Double {
                continue;
            }
            let words = match kind {
                ArithmeticModule::Shader => shader(op, type_)?,
                ArithmeticModule::Kernel => kernel(op)?,
            };
            let work = ArithmeticWork { words, numbers: numbers_of(op, type_), type_ };
            writeln!(text, "| {name} of {numbers} | {} |", work.compared(feature, &prepare)?)?;
        }
    }
    Ok(text)
}

/// A module and the numbers that it computes with.
struct ArithmeticWork {
    words: Vec<u32>,
    numbers: Vec<u32>,
    type_: ArithmeticType,
}

impl ArithmeticWork {
    /// Runs the module in both ways, and returns the columns of the table.
    fn compared<'r>(
        &self,
        feature: &str,
        prepare: &impl Fn(&[u32], Vec<u32>) -> Result<ArithmeticRun<'r>>,
    ) -> Result<String> {
        let module = Module::from_words(&self.words[..])?;
        let settings = Settings::new().lower(feature.parse::<FeaturesToLower>()?);
        let lowered = Prepared::new(&module)?.specialize(&Device::default(), &settings)?.words;
        let is_float = self.type_.is_float();
        let (native, before) = rate(prepare(&self.words, self.numbers.clone())?, is_float)?;
        let (lowered, after) = rate(prepare(&lowered, self.numbers.clone())?, is_float)?;
        // Drivers need not round as the standard does.
        ensure!(is_float || before == after, "{feature}: results differ");
        Ok(format!("{native:.4} | {lowered:.4} | {:.1}", native / lowered))
    }
}

/// Returns the operations in a second, in billions, and the results of one iteration.
fn rate(mut run: ArithmeticRun, is_float: bool) -> Result<(f64, Vec<u32>)> {
    let (_, results) = run(1)?;
    let mut iterations = 1;
    while iterations < MAX_ITERATIONS && run(iterations)?.0 < ENOUGH {
        iterations *= 2;
    }
    let mut shortest = |iterations: u32| -> Result<Duration> {
        (0..RUNS)
            .map(|_| run(iterations).map(|(time, _)| time))
            .try_fold(Duration::MAX, |shortest, time| Ok(shortest.min(time?)))
    };
    // What a run takes besides is in both times.
    let time = shortest(2 * iterations)?.saturating_sub(shortest(iterations)?);
    let operations =
        f64::from(iterations) * f64::from(STEPS * SIZE * GROUPS) * if is_float { 2.0 } else { 1.0 };
    Ok((operations / time.as_secs_f64() / 1e9, results))
}

/// Returns three numbers for each invocation of a group, as words: those with which it begins, and two operands.
fn numbers_of(op: ArithmeticOp, type_: ArithmeticType) -> Vec<u32> {
    let mut random = Random::new(1);
    let mut numbers = Vec::new();
    for _ in 0..SIZE {
        let [first, second, third] = [random.next(), random.next(), random.next()];
        // From 1 to 2.
        let fraction = |bits: u64| f64::from_bits(bits >> 12 | 1.0_f64.to_bits());
        let floats = match op {
            // The second operand undoes what the first does, nearly.
            ArithmeticOp::Add => [fraction(first), fraction(second), -fraction(second)],
            _ => [fraction(first), fraction(second), 1.0 / fraction(second)],
        };
        let words = |number: u64| [number as u32, (number >> 32) as u32];
        let integers = match op {
            ArithmeticOp::Divide => [first, second >> (third % 48) | 1, third | 1 << 63],
            _ => [first, second | 1, third],
        };
        match type_ {
            ArithmeticType::Integer => numbers.extend(integers.map(words).as_flattened()),
            ArithmeticType::Double => {
                numbers.extend(floats.map(|float| words(float.to_bits())).as_flattened())
            }
            ArithmeticType::Half => numbers.extend(floats.map(|float| (float as f32).to_bits())),
            ArithmeticType::Word => numbers.extend([first, second, third].map(|number| number as u32)),
        }
    }
    numbers
}

/// Returns a shader that computes with a number for as many iterations as a push constant says. A step is the operation and an exclusive or, by which
/// no compiler finds a formula for all steps; of floats, two operations.
fn shader(op: ArithmeticOp, type_: ArithmeticType) -> Result<Vec<u32>> {
    let mut b = Builder::new();
    b.set_version(1, 3);
    b.capability(Capability::Shader);
    b.capability(match type_ {
        ArithmeticType::Integer => Capability::Int64,
        ArithmeticType::Double => Capability::Float64,
        ArithmeticType::Half => Capability::Float16,
        ArithmeticType::Word => Capability::StorageBuffer16BitAccess,
    });
    b.memory_model(AddressingModel::Logical, MemoryModel::GLSL450);
    let (void, uint, bool_) = (b.type_void(), b.type_int(32, 0), b.type_bool());
    let number = match type_ {
        ArithmeticType::Integer => b.type_int(64, 0),
        ArithmeticType::Double => b.type_float(64, None),
        ArithmeticType::Half => b.type_float(16, None),
        ArithmeticType::Word => uint,
    };
    let (stored, stride) = match type_ {
        ArithmeticType::Half => (b.type_float(32, None), 4),
        ArithmeticType::Word => (uint, 4),
        _ => (number, 8),
    };
    let v3uint = b.type_vector(uint, 3);
    let array = b.type_runtime_array(stored);
    b.decorate(array, Decoration::ArrayStride, [Operand::LiteralBit32(stride)]);
    let (block, push) = (b.type_struct([array]), b.type_struct_id(None, [uint]));
    for block in [block, push] {
        b.decorate(block, Decoration::Block, []);
        b.member_decorate(block, 0, Decoration::Offset, [Operand::LiteralBit32(0)]);
    }
    let pointer = |b: &mut Builder, class, type_| b.type_pointer(None, class, type_);
    let to_block = pointer(&mut b, StorageClass::StorageBuffer, block);
    let to_number = pointer(&mut b, StorageClass::StorageBuffer, stored);
    let to_push = pointer(&mut b, StorageClass::PushConstant, push);
    let to_count = pointer(&mut b, StorageClass::PushConstant, uint);
    let to_ids = pointer(&mut b, StorageClass::Input, v3uint);
    let buffer = |b: &mut Builder, to_block: u32, binding: u32| {
        let buffer = b.variable(to_block, None, StorageClass::StorageBuffer, None);
        b.decorate(buffer, Decoration::DescriptorSet, [Operand::LiteralBit32(0)]);
        b.decorate(buffer, Decoration::Binding, [Operand::LiteralBit32(binding)]);
        buffer
    };
    let buffers = [0, 1].map(|binding| buffer(&mut b, to_block, binding));
    let pushed = b.variable(to_push, None, StorageClass::PushConstant, None);
    let ids = b.variable(to_ids, None, StorageClass::Input, None);
    b.decorate(ids, Decoration::BuiltIn, [Operand::BuiltIn(BuiltIn::GlobalInvocationId)]);
    let [zero, one, two, three, mask] = [0, 1, 2, 3, SIZE - 1].map(|value| b.constant_bit32(uint, value));
    let [four, part] = [4, if matches!(op, ArithmeticOp::Store) { 3 } else { 255 }]
        .map(|value| b.constant_bit32(uint, value));
    let function_type = b.type_function(void, []);
    let mut memory = None;
    if type_ == ArithmeticType::Word {
        let short = b.type_int(16, 0);
        let array = b.type_runtime_array(short);
        b.decorate(array, Decoration::ArrayStride, [Operand::LiteralBit32(2)]);
        let block = b.type_struct([array]);
        b.decorate(block, Decoration::Block, []);
        b.member_decorate(block, 0, Decoration::Offset, [Operand::LiteralBit32(0)]);
        let to_block = pointer(&mut b, StorageClass::StorageBuffer, block);
        let to_short = pointer(&mut b, StorageClass::StorageBuffer, short);
        // What is stored takes the place of results.
        let shorts = buffer(&mut b, to_block, matches!(op, ArithmeticOp::Store).into());
        memory = Some(ShortMemory { short, to_short, shorts, zero, part, first: 0 });
    }

    let main = b.begin_function(void, None, FunctionControl::NONE, function_type)?;
    let block = b.begin_block(None)?;
    let id = b.load(v3uint, None, ids, None, [])?;
    let id = b.composite_extract(uint, None, id, [0])?;
    let in_group = b.bitwise_and(uint, None, id, mask)?;
    let first = b.i_mul(uint, None, in_group, three)?;
    let mut numbers = [0; 3];
    for (loaded, offset) in numbers.iter_mut().zip([zero, one, two]) {
        let index = b.i_add(uint, None, first, offset)?;
        let place = b.access_chain(to_number, None, buffers[0], [zero, index])?;
        *loaded = b.load(stored, None, place, None, [])?;
        if type_ == ArithmeticType::Half {
            *loaded = b.f_convert(number, None, *loaded)?;
        }
    }
    if let Some(memory) = &mut memory {
        memory.first = if matches!(op, ArithmeticOp::Store) { b.i_mul(uint, None, id, four)? } else { zero };
    }
    let count = b.access_chain(to_count, None, pushed, [zero])?;
    let count = b.load(uint, None, count, None, [])?;
    let start = LoopStart { bool_, uint, zero, one, number, block, numbers, count, memory };
    let mut before = add_loop(&mut b, op, type_.is_float(), &start)?;
    if type_ == ArithmeticType::Half {
        before = b.f_convert(stored, None, before)?;
    }
    if !matches!(op, ArithmeticOp::Store) {
        let place = b.access_chain(to_number, None, buffers[1], [zero, id])?;
        b.store(place, before, None, [])?;
    }
    b.ret()?;
    b.end_function()?;
    b.entry_point(ExecutionModel::GLCompute, main, "main", [ids]);
    b.execution_mode(main, ExecutionMode::LocalSize, [SIZE, 1, 1]);
    Ok(b.module().assemble())
}

/// The values that a loop starts from.
struct LoopStart {
    bool_: u32,
    uint: u32,
    zero: u32,
    one: u32,
    /// The type of numbers.
    number: u32,
    /// The first block.
    block: u32,
    numbers: [u32; 3],
    /// The number of iterations.
    count: u32,
    memory: Option<ShortMemory>,
}

/// Memory of 16-bit integers.
struct ShortMemory {
    short: u32,
    to_short: u32,
    shorts: u32,
    zero: u32,
    /// The bits of a number that say which integer is accessed, after the first.
    part: u32,
    first: u32,
}

/// Adds the loop, and begins the block after it. Returns the number.
fn add_loop(b: &mut Builder, op: ArithmeticOp, is_float: bool, start: &LoopStart) -> Result<u32> {
    let &LoopStart { bool_, uint, zero, one, number, block, numbers, count, ref memory } = start;
    let [head, body, next, end] = [b.id(), b.id(), b.id(), b.id()];
    let [at, following, result] = [b.id(), b.id(), b.id()];
    b.branch(head)?;

    b.begin_block(Some(head))?;
    b.phi(uint, Some(at), [(zero, block), (following, next)])?;
    let before = b.phi(number, None, [(numbers[0], block), (result, next)])?;
    let goes_on = b.u_less_than(bool_, None, at, count)?;
    b.loop_merge(end, next, LoopControl::DONT_UNROLL, [])?;
    b.branch_conditional(goes_on, body, end, [])?;

    b.begin_block(Some(body))?;
    let [_, operand, other] = numbers;
    let mut value = before;
    for step in 1..=STEPS {
        let id = (step == STEPS).then_some(result);
        value = match memory {
            Some(memory) => memory.access(b, op, number, [value, operand])?,
            None => operation(b, op, is_float, number, None, [value, operand])?,
        };
        value = match is_float {
            true => operation(b, op, is_float, number, id, [value, other])?,
            false => b.bitwise_xor(number, id, value, other)?,
        };
    }
    b.branch(next)?;

    b.begin_block(Some(next))?;
    b.i_add(uint, Some(following), at, one)?;
    b.branch(head)?;

    b.begin_block(Some(end))?;
    Ok(before)
}

/// Returns a kernel like the shader, with doubles. Its arguments are the numbers, the results, and the number of iterations.
fn kernel(op: ArithmeticOp) -> Result<Vec<u32>> {
    let mut b = Builder::new();
    b.set_version(1, 2);
    for capability in [Capability::Kernel, Capability::Addresses, Capability::Int64, Capability::Float64] {
        b.capability(capability);
    }
    b.memory_model(AddressingModel::Physical64, MemoryModel::OpenCL);
    let (void, uint, ulong, bool_) = (b.type_void(), b.type_int(32, 0), b.type_int(64, 0), b.type_bool());
    let number = b.type_float(64, None);
    let v3ulong = b.type_vector(ulong, 3);
    let to_number = b.type_pointer(None, StorageClass::CrossWorkgroup, number);
    let to_ids = b.type_pointer(None, StorageClass::Input, v3ulong);
    let ids = b.variable(to_ids, None, StorageClass::Input, None);
    b.decorate(ids, Decoration::BuiltIn, [Operand::BuiltIn(BuiltIn::GlobalInvocationId)]);
    let [zero, one] = [0, 1].map(|value| b.constant_bit32(uint, value));
    let [first, second, three, mask] =
        [1, 2, 3, u64::from(SIZE) - 1].map(|value| b.constant_bit64(ulong, value));
    let type_ = b.type_function(void, [to_number, to_number, uint]);

    let main = b.begin_function(void, None, FunctionControl::NONE, type_)?;
    let (input, output) = (b.function_parameter(to_number)?, b.function_parameter(to_number)?);
    let count = b.function_parameter(uint)?;
    let block = b.begin_block(None)?;
    let aligned = |bytes| [Operand::LiteralBit32(bytes)];
    let id = b.load(v3ulong, None, ids, Some(MemoryAccess::ALIGNED), aligned(32))?;
    let id = b.composite_extract(ulong, None, id, [0])?;
    let in_group = b.bitwise_and(ulong, None, id, mask)?;
    let at = b.i_mul(ulong, None, in_group, three)?;
    let mut numbers = [0; 3];
    for (loaded, offset) in numbers.iter_mut().zip([None, Some(first), Some(second)]) {
        let index = match offset {
            None => at,
            Some(offset) => b.i_add(ulong, None, at, offset)?,
        };
        let place = b.in_bounds_ptr_access_chain(to_number, None, input, index, [])?;
        *loaded = b.load(number, None, place, Some(MemoryAccess::ALIGNED), aligned(8))?;
    }
    let start = LoopStart { bool_, uint, zero, one, number, block, numbers, count, memory: None };
    let result = add_loop(&mut b, op, true, &start)?;
    let place = b.in_bounds_ptr_access_chain(to_number, None, output, id, [])?;
    b.store(place, result, Some(MemoryAccess::ALIGNED), aligned(8))?;
    b.ret()?;
    b.end_function()?;
    b.entry_point(ExecutionModel::Kernel, main, "run", [ids]);
    b.execution_mode(main, ExecutionMode::ContractionOff, []);
    Ok(b.module().assemble())
}

fn operation(
    b: &mut Builder,
    op: ArithmeticOp,
    is_float: bool,
    type_: u32,
    id: Option<u32>,
    [left, right]: [u32; 2],
) -> Result<u32> {
    Ok(match (op, is_float) {
        (ArithmeticOp::Add, true) => b.f_add(type_, id, left, right)?,
        (ArithmeticOp::Multiply, true) => b.f_mul(type_, id, left, right)?,
        (ArithmeticOp::Divide, true) => b.f_div(type_, id, left, right)?,
        (ArithmeticOp::Add, false) => b.i_add(type_, id, left, right)?,
        (ArithmeticOp::Multiply, false) => b.i_mul(type_, id, left, right)?,
        (ArithmeticOp::Divide, false) => b.u_div(type_, id, left, right)?,
        (ArithmeticOp::Load | ArithmeticOp::Store, _) => bail!("it is no arithmetic"),
    })
}

impl ShortMemory {
    /// Loads or stores an integer, and returns a sum.
    fn access(
        &self,
        b: &mut Builder,
        op: ArithmeticOp,
        uint: u32,
        [value, operand]: [u32; 2],
    ) -> Result<u32> {
        let part = b.bitwise_and(uint, None, value, self.part)?;
        let index = b.i_add(uint, None, self.first, part)?;
        let place = b.access_chain(self.to_short, None, self.shorts, [self.zero, index])?;
        if matches!(op, ArithmeticOp::Store) {
            let short = b.u_convert(self.short, None, value)?;
            b.store(place, short, None, [])?;
            return Ok(b.i_add(uint, None, value, operand)?);
        }
        let short = b.load(self.short, None, place, None, [])?;
        let word = b.u_convert(uint, None, short)?;
        Ok(b.i_add(uint, None, value, word)?)
    }
}
