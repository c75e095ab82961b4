//! Arithmetic on 64-bit integers and doubles in shaders and kernels: the driver's own, and that of `specialize --lower`.

use std::fmt::Write;
use std::time::Duration;

use anyhow::{Result, ensure};
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
    for (feature, numbers) in [("Int64", "64-bit integers"), ("Float64", "doubles")] {
        let is_float = feature == "Float64";
        for (op, name) in [
            (ArithmeticOp::Add, "addition"),
            (ArithmeticOp::Multiply, "multiplication"),
            (ArithmeticOp::Divide, "division"),
        ] {
            if kind == ArithmeticModule::Kernel && !is_float {
                continue;
            }
            let words = match kind {
                ArithmeticModule::Shader => shader(op, is_float)?,
                ArithmeticModule::Kernel => kernel(op)?,
            };
            let module = Module::from_words(&words[..])?;
            let settings = Settings::new().lower(feature.parse::<FeaturesToLower>()?);
            let lowered = Prepared::new(&module)?.specialize(&Device::default(), &settings)?.words;
            let numbers_of_job = numbers_of(op, is_float).into_iter();
            let numbers_of_job: Vec<u32> =
                numbers_of_job.flat_map(|number| [number as u32, (number >> 32) as u32]).collect();
            let (native, before) = rate(prepare(&words, numbers_of_job.clone())?, is_float)?;
            let (lowered, after) = rate(prepare(&lowered, numbers_of_job)?, is_float)?;
            // Drivers need not round doubles as the standard does.
            ensure!(is_float || before == after, "{name} of {numbers}: results differ");
            let ratio = native / lowered;
            let _ = writeln!(text, "| {name} of {numbers} | {native:.4} | {lowered:.4} | {ratio:.1} |");
        }
    }
    Ok(text)
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

/// Returns three numbers for each invocation of a group: those with which it begins, and two operands.
fn numbers_of(op: ArithmeticOp, is_float: bool) -> Vec<u64> {
    let mut random = Random::new(1);
    let mut numbers = Vec::new();
    for _ in 0..SIZE {
        let [first, second, third] = [random.next(), random.next(), random.next()];
        // From 1 to 2.
        let fraction = |bits: u64| f64::from_bits(bits >> 12 | 1.0_f64.to_bits());
        numbers.extend(match (op, is_float) {
            (ArithmeticOp::Divide, false) => [first, second >> (third % 48) | 1, third | 1 << 63],
            (_, false) => [first, second | 1, third],
            // The second operand undoes what the first does, nearly.
            (ArithmeticOp::Add, true) => {
                [fraction(first), fraction(second), -fraction(second)].map(f64::to_bits)
            }
            (_, true) => [fraction(first), fraction(second), 1.0 / fraction(second)].map(f64::to_bits),
        });
    }
    numbers
}

/// Returns a shader that computes with a number for as many iterations as a push constant says. A step is the operation and an exclusive or, by which
/// no compiler finds a formula for all steps; of doubles, two operations.
fn shader(op: ArithmeticOp, is_float: bool) -> Result<Vec<u32>> {
    let mut b = Builder::new();
    b.set_version(1, 3);
    b.capability(Capability::Shader);
    b.capability(if is_float { Capability::Float64 } else { Capability::Int64 });
    b.memory_model(AddressingModel::Logical, MemoryModel::GLSL450);
    let (void, uint, bool_) = (b.type_void(), b.type_int(32, 0), b.type_bool());
    let number = if is_float { b.type_float(64, None) } else { b.type_int(64, 0) };
    let v3uint = b.type_vector(uint, 3);
    let array = b.type_runtime_array(number);
    b.decorate(array, Decoration::ArrayStride, [Operand::LiteralBit32(8)]);
    let (block, push) = (b.type_struct([array]), b.type_struct_id(None, [uint]));
    for block in [block, push] {
        b.decorate(block, Decoration::Block, []);
        b.member_decorate(block, 0, Decoration::Offset, [Operand::LiteralBit32(0)]);
    }
    let pointer = |b: &mut Builder, class, type_| b.type_pointer(None, class, type_);
    let to_block = pointer(&mut b, StorageClass::StorageBuffer, block);
    let to_number = pointer(&mut b, StorageClass::StorageBuffer, number);
    let to_push = pointer(&mut b, StorageClass::PushConstant, push);
    let to_count = pointer(&mut b, StorageClass::PushConstant, uint);
    let to_ids = pointer(&mut b, StorageClass::Input, v3uint);
    let buffers = [0, 1].map(|binding| {
        let buffer = b.variable(to_block, None, StorageClass::StorageBuffer, None);
        b.decorate(buffer, Decoration::DescriptorSet, [Operand::LiteralBit32(0)]);
        b.decorate(buffer, Decoration::Binding, [Operand::LiteralBit32(binding)]);
        buffer
    });
    let pushed = b.variable(to_push, None, StorageClass::PushConstant, None);
    let ids = b.variable(to_ids, None, StorageClass::Input, None);
    b.decorate(ids, Decoration::BuiltIn, [Operand::BuiltIn(BuiltIn::GlobalInvocationId)]);
    let [zero, one, two, three, mask] = [0, 1, 2, 3, SIZE - 1].map(|value| b.constant_bit32(uint, value));
    let type_ = b.type_function(void, []);

    let main = b.begin_function(void, None, FunctionControl::NONE, type_)?;
    let block = b.begin_block(None)?;
    let id = b.load(v3uint, None, ids, None, [])?;
    let id = b.composite_extract(uint, None, id, [0])?;
    let in_group = b.bitwise_and(uint, None, id, mask)?;
    let first = b.i_mul(uint, None, in_group, three)?;
    let mut numbers = [0; 3];
    for (loaded, offset) in numbers.iter_mut().zip([zero, one, two]) {
        let index = b.i_add(uint, None, first, offset)?;
        let place = b.access_chain(to_number, None, buffers[0], [zero, index])?;
        *loaded = b.load(number, None, place, None, [])?;
    }
    let count = b.access_chain(to_count, None, pushed, [zero])?;
    let count = b.load(uint, None, count, None, [])?;
    let start = LoopStart { bool_, uint, zero, one, number, block, numbers, count };
    let before = add_loop(&mut b, op, is_float, &start)?;
    let place = b.access_chain(to_number, None, buffers[1], [zero, id])?;
    b.store(place, before, None, [])?;
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
}

/// Adds the loop, and begins the block after it. Returns the number.
fn add_loop(b: &mut Builder, op: ArithmeticOp, is_float: bool, start: &LoopStart) -> Result<u32> {
    let &LoopStart { bool_, uint, zero, one, number, block, numbers, count } = start;
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
        value = operation(b, op, is_float, number, None, [value, operand])?;
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
    let start = LoopStart { bool_, uint, zero, one, number, block, numbers, count };
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
    })
}
