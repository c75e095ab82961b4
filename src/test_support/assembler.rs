//! The language of spirv-as, as far as tests write it and spirv-dis prints it: texts become the words that spirv-as makes of them, also
//! the numbers of ids. What assembles a text with `SPIRV_IF_TOOLS` set compares both.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::LazyLock;

use rspirv::grammar::{
    ExtInstOp, InstructionTable, LogicalOperand, OperandKind, OperandQuantifier, ext_inst_table,
};
use spirv::{FPEncoding, Op};

use crate::loader::grammar;
use crate::loader::grammar::generate::enumerant_named;
use crate::loader::grammar::{GrammarEntry, entries};

/// A module, and the id of each name of its text.
pub struct AssembledText {
    pub words: Vec<u32>,
    pub ids: BTreeMap<String, u32>,
}

/// The ids that names in the text become.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum IdNumbers {
    /// Ids are numbered in the order of their first use.
    FirstUse,
    /// A name that is a number is that id; the others get the numbers that are left (`--preserve-numeric-ids`).
    Preserved,
}

/// Assembles a text for a target environment of spirv-as.
pub fn assemble(text: &str, environment: &str, numbers: IdNumbers) -> Result<AssembledText, String> {
    let version = version(environment).ok_or_else(|| format!("unknown environment {environment}"))?;
    let tokens = tokens(text);
    let mut assembler = Assembler::default();
    if numbers == IdNumbers::Preserved {
        let numbers = tokens.iter().filter_map(|token| token.strip_prefix('%')?.parse::<u32>().ok());
        assembler.preserved = numbers.collect();
    }
    let starts = (0..tokens.len()).filter(|&at| is_start(&tokens, at));
    let starts: Vec<usize> = starts.chain([tokens.len()]).collect();
    if starts[0] != 0 {
        return Err(format!("no instruction begins with {}", tokens[0]));
    }
    for range in starts.windows(2) {
        let inst = &tokens[range[0]..range[1]];
        assembler.instruction(inst).map_err(|error| format!("{error} in `{}`", inst.join(" ")))?;
    }
    // The generator is spirv-as.
    let bound = assembler.ids.values().max().map_or(1, |id| id + 1);
    let header = [spirv::MAGIC_NUMBER, version, 7 << 16, bound, 0];
    let ids = assembler.ids.iter().map(|(name, &id)| (name.to_string(), id)).collect();
    Ok(AssembledText { words: [&header, &assembler.words[..]].concat(), ids })
}

/// Returns the version of SPIR-V of the modules for an environment.
fn version(environment: &str) -> Option<u32> {
    let minor = match environment {
        "vulkan1.0" | "opencl1.2" | "opencl2.0" | "opencl2.1" => 0,
        "opencl2.2" => 2,
        "vulkan1.1" => 3,
        "vulkan1.1spv1.4" => 4,
        "vulkan1.2" => 5,
        "vulkan1.3" | "vulkan1.4" => 6,
        _ => environment.strip_prefix("spv1.")?.parse().ok()?,
    };
    Some(1 << 16 | minor << 8)
}

/// Splits a text into words and quoted strings, without comments.
fn tokens(text: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let mut is_escaped = false;
        let ends_string = |c: char| {
            let ends = c == '"' && !is_escaped;
            is_escaped = c == '\\' && !is_escaped;
            ends
        };
        let end = match first {
            ';' => rest.find('\n'),
            '"' => rest[1..].find(ends_string).map(|at| at + 2),
            _ => rest.find(|c: char| c.is_whitespace() || c == ';'),
        };
        let (token, after) = rest.split_at(end.unwrap_or(rest.len()));
        tokens.extend((first != ';').then_some(token));
        rest = after.trim_start();
    }
    tokens
}

/// Returns true if an instruction begins at a token. Its end is where the next begins, wherever the lines end.
fn is_start(tokens: &[&str], at: usize) -> bool {
    let is_opcode = |token: &str| {
        token.strip_prefix("Op").is_some_and(|name| name.starts_with(|c: char| c.is_ascii_uppercase()))
    };
    let follows_result = at > 0 && tokens[at - 1] == "=";
    tokens.get(at + 1) == Some(&"=") || is_opcode(tokens[at]) && !follows_result
}

/// The type of a literal number.
#[derive(Clone, Copy)]
enum NumberType {
    Integer { width: u32, is_signed: bool },
    Float { width: u32, exponent: u32 },
}

impl NumberType {
    const UINT: NumberType = NumberType::Integer { width: 32, is_signed: false };
    const FLOAT: NumberType = NumberType::Float { width: 32, exponent: 8 };

    fn float(width: u32, encoding: Option<u32>) -> NumberType {
        let exponent = match (width, encoding.and_then(FPEncoding::from_u32)) {
            (64, _) => 11,
            (32, _) | (_, Some(FPEncoding::BFloat16KHR)) => 8,
            (_, Some(FPEncoding::Float8E4M3EXT)) => 4,
            _ => 5,
        };
        NumberType::Float { width, exponent }
    }
}

#[derive(Default)]
struct Assembler<'t> {
    words: Vec<u32>,
    ids: BTreeMap<&'t str, u32>,
    /// The ids that are numbers in the text.
    preserved: BTreeSet<u32>,
    /// The last id that a name got.
    last: u32,
    /// The types of numbers.
    types: HashMap<u32, NumberType>,
    /// The type of each value.
    type_of: HashMap<u32, u32>,
    /// The names of extended instruction sets.
    sets: HashMap<u32, String>,
    /// Start of the current instruction.
    start: usize,
    /// The name of its result, and the operands that are not yet assembled.
    result: Option<&'t str>,
    rest: std::slice::Iter<'t, &'t str>,
}

impl<'t> Assembler<'t> {
    fn instruction(&mut self, tokens: &'t [&'t str]) -> Result<(), String> {
        let (result, tokens) = match tokens {
            [result, "=", rest @ ..] => (Some(*result), rest),
            _ => (None, tokens),
        };
        let (name, operands) = tokens.split_first().ok_or("an instruction is missing")?;
        let entry = name.strip_prefix("Op").and_then(instruction_named).ok_or("unknown instruction")?;
        self.start = self.words.len();
        self.result = result;
        self.rest = operands.iter();
        self.words.push(u32::from(entry.opcode()));
        self.operands(entry.operands())?;
        if let Some(token) = self.result.or_else(|| self.rest.next().copied()) {
            return Err(format!("{token} is no operand"));
        }
        let has_type = entry.operands().first().is_some_and(|first| first.kind == OperandKind::IdResultType);
        let words = &mut self.words[self.start..];
        words[0] |= (words.len() as u32) << 16;
        match (entry.op(), &*words) {
            (Some(Op::TypeInt), &[_, id, width, sign]) => {
                self.types.insert(id, NumberType::Integer { width, is_signed: sign != 0 });
            }
            (Some(Op::TypeFloat), &[_, id, width, ref encoding @ ..]) => {
                self.types.insert(id, NumberType::float(width, encoding.first().copied()));
            }
            (Some(Op::ExtInstImport), &[_, id, ..]) => {
                self.sets.insert(id, unquoted(operands[0])?);
            }
            (_, &[_, result_type, result, ..]) if has_type => {
                self.type_of.insert(result, result_type);
            }
            _ => {}
        }
        Ok(())
    }

    fn operands(&mut self, operands: &[LogicalOperand]) -> Result<(), String> {
        for LogicalOperand { kind, quantifier } in operands {
            match quantifier {
                OperandQuantifier::One => self.operand(*kind)?,
                OperandQuantifier::ZeroOrOne if self.rest.len() == 0 => {}
                OperandQuantifier::ZeroOrOne => self.operand(*kind)?,
                OperandQuantifier::ZeroOrMore => {
                    while self.rest.len() != 0 {
                        self.operand(*kind)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn operand(&mut self, kind: OperandKind) -> Result<(), String> {
        use OperandKind::*;
        let next = self.rest.as_slice().first().copied().unwrap_or_default();
        match kind {
            // A word as it is.
            _ if kind != IdResult && next.starts_with('!') => {
                self.rest.next();
                let word = integer(&next[1..], 32, false).ok_or_else(|| format!("{next} is no word"))?;
                self.words.push(word as u32);
                Ok(())
            }
            IdResult => {
                let result = self.result.take().ok_or("no result")?;
                self.id(result)
            }
            IdResultType | IdRef | IdScope | IdMemorySemantics => {
                let token = self.token()?;
                self.id(token)
            }
            PairIdRefIdRef => self.operand(IdRef).and_then(|()| self.operand(IdRef)),
            PairIdRefLiteralInteger => self.operand(IdRef).and_then(|()| self.operand(LiteralInteger)),
            PairLiteralIntegerIdRef => {
                // Only OpSwitch has these, with literals of the type of its selector.
                let ty = self.type_of.get(&self.words[self.start + 1]).copied();
                self.number(self.number_type(ty)?)?;
                self.operand(IdRef)
            }
            LiteralInteger => self.number(NumberType::UINT),
            LiteralFloat => self.number(NumberType::FLOAT),
            LiteralContextDependentNumber => {
                self.number(self.number_type(self.words.get(self.start + 1).copied())?)
            }
            LiteralString => {
                let mut bytes = unquoted(self.token()?)?.into_bytes();
                bytes.resize((bytes.len() + 1).next_multiple_of(4), 0);
                self.words.extend(bytemuck::pod_collect_to_vec::<u8, u32>(&bytes));
                Ok(())
            }
            LiteralExtInstInteger => self.extended(),
            LiteralSpecConstantOpInteger => {
                let entry = instruction_named(self.token()?).ok_or("unknown operation")?;
                self.words.push(u32::from(entry.opcode()));
                let operands = entry.operands().iter();
                let operands = operands.filter(|operand| !matches!(operand.kind, IdResultType | IdResult));
                self.operands(&operands.cloned().collect::<Vec<_>>())
            }
            _ => self.enumerant(kind),
        }
    }

    fn token(&mut self) -> Result<&'t str, String> {
        self.rest.next().copied().ok_or_else(|| "an operand is missing".to_owned())
    }

    fn id(&mut self, token: &'t str) -> Result<(), String> {
        let name = token.strip_prefix('%').ok_or_else(|| format!("{token} is no id"))?;
        let number = name.parse().ok().filter(|id| self.preserved.contains(id));
        let id = number.or_else(|| self.ids.get(name).copied()).unwrap_or_else(|| {
            self.last += 1;
            while self.preserved.contains(&self.last) {
                self.last += 1;
            }
            self.last
        });
        self.ids.insert(name, id);
        self.words.push(id);
        Ok(())
    }

    /// Assembles the name of an extended instruction, which follows its set, and its operands. Without a name there is a number.
    fn extended(&mut self) -> Result<(), String> {
        let set = self.words.last().and_then(|set| self.sets.get(set)).ok_or("unknown set")?;
        let name = self.rest.as_slice().first().copied().unwrap_or_default();
        match table_of(set).and_then(|table| table.iter().find(|inst| inst.opname == name)) {
            Some(inst) => {
                self.rest.next();
                self.words.push(inst.opcode.into());
                self.operands(inst.operands)
            }
            None => self.number(NumberType::UINT),
        }
    }

    /// Assembles an enumerant, or the names of a mask's bits, and the parameters.
    fn enumerant(&mut self, kind: OperandKind) -> Result<(), String> {
        let token = self.token()?;
        let mut value = 0;
        for name in token.split('|') {
            let unknown = || format!("{name} is no {kind:?}");
            value |= number_of(kind, name).ok_or_else(unknown)?;
        }
        self.words.push(value);
        for enumerant in grammar::enumerants(kind, value) {
            let parameters = grammar::parameters(kind, enumerant);
            self.operands(parameters.ok_or_else(|| format!("{token} has unknown parameters"))?)?;
        }
        Ok(())
    }

    fn number_type(&self, ty: Option<u32>) -> Result<NumberType, String> {
        let known = ty.and_then(|ty| self.types.get(&ty));
        known.copied().ok_or_else(|| "the number has no type".to_owned())
    }

    fn number(&mut self, ty: NumberType) -> Result<(), String> {
        let token = self.token()?;
        let (width, bits) = match ty {
            NumberType::Integer { width, is_signed } => (width, integer(token, width, is_signed)),
            NumberType::Float { width, exponent } => (width, float(token, width, exponent)),
        };
        let bits = bits.ok_or_else(|| format!("{token} is no number of its type"))?;
        self.words.push(bits as u32);
        self.words.extend((width > 32).then_some((bits >> 32) as u32));
        Ok(())
    }
}

/// Returns the instruction with a name, without `Op`.
fn instruction_named(name: &str) -> Option<GrammarEntry> {
    static BY_NAME: LazyLock<HashMap<&str, GrammarEntry>> =
        LazyLock::new(|| entries().map(|entry| (entry.name(), entry)).collect());
    let alias = ALIASES.iter().find(|(alias, _)| *alias == name);
    BY_NAME.get(alias.map_or(name, |(_, name)| name)).copied()
}

/// Further names of instructions, and the first.
const ALIASES: [(&str, &str); 1] = [("TypeCooperativeVectorNV", "TypeVectorIdEXT")];

/// Returns the number of an enumerant, or of one bit of a mask.
fn number_of(kind: OperandKind, name: &str) -> Option<u32> {
    match kind {
        OperandKind::Dim => enumerant_named(kind, &format!("Dim{name}")),
        OperandKind::OpenclDebuginfo100(_) => debug_number(name),
        _ => enumerant_named(kind, name),
    }
}

/// Returns the number of an enumerant, or of one bit of a mask, of OpenCL.DebugInfo.100. rspirv does not have these.
fn debug_number(name: &str) -> Option<u32> {
    const FLAGS: &str = "FlagIsProtected FlagIsPrivate FlagIsLocal FlagIsDefinition FlagFwdDecl FlagArtificial \
        FlagExplicit FlagPrototyped FlagObjectPointer FlagStaticMember FlagIndirectVariable";
    const VALUES: [&str; 5] = [
        "Unspecified Address Boolean Float Signed SignedChar Unsigned UnsignedChar",
        "Class Structure Union",
        "ConstType VolatileType RestrictType AtomicType",
        "Deref Plus Minus PlusUconst BitPiece Swap Xderef StackValue Constu Fragment",
        "ImportedModule ImportedDeclaration",
    ];
    let position = |names: &str| names.split(' ').position(|known| known == name).map(|at| at as u32);
    match name {
        "None" => Some(0),
        "FlagIsPublic" => Some(3),
        _ => position(FLAGS).map(|bit| 1 << bit).or_else(|| VALUES.into_iter().find_map(position)),
    }
}

/// Returns the instructions of an extended set. The names of some sets end in their version.
fn table_of(set: &str) -> Option<&'static InstructionTable<ExtInstOp>> {
    let unversioned = || set.rsplit_once('.').map(|(name, _)| name);
    let found = ext_inst_table(set).or_else(|| ext_inst_table(unversioned()?));
    found.or_else(|| ext_inst_table(&format!("{}.100", unversioned()?)))
}

/// Returns the text of a quoted string. A backslash stands before what it does not change.
fn unquoted(token: &str) -> Result<String, String> {
    let quoted = token.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    let mut characters = quoted.ok_or_else(|| format!("{token} is no string"))?.chars();
    let next = || match characters.next() {
        Some('\\') => characters.next(),
        character => character,
    };
    Ok(std::iter::from_fn(next).collect())
}

/// Returns a literal integer, with its sign in the bits above its width. Those of hexadecimal ones follow from the highest bit.
fn integer(token: &str, width: u32, is_signed: bool) -> Option<u64> {
    let (is_negative, digits) = token.strip_prefix('-').map_or((false, token), |digits| (true, digits));
    let (radix, digits) = digits.strip_prefix("0x").map_or((10, digits), |digits| (16, digits));
    let magnitude = i128::from(u64::from_str_radix(digits, radix).ok()?);
    let value = if is_negative { -magnitude } else { magnitude };
    let unused = 128 - width;
    let fitting = match is_signed {
        true => value << unused >> unused,
        false => (value.cast_unsigned() << unused >> unused).cast_signed(),
    };
    (fitting == value || radix == 16 && value >> width == 0).then_some(fitting as u64)
}

/// Returns the bits of a literal float, decimal or hexadecimal, with so many bits for the exponent. Where it has too many digits, the
/// last ones are left out.
fn float(token: &str, width: u32, exponent_bits: u32) -> Option<u64> {
    let (sign, digits) = token.strip_prefix('-').map_or((0, token), |digits| (1, digits));
    let (digits, exponent) = match digits.strip_prefix("0x") {
        Some(digits) => {
            let (digits, exponent) = digits.split_once('p')?;
            let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
            let digits = u128::from_str_radix(&format!("{whole}{fraction}"), 16).ok()?;
            (digits, exponent.parse::<i32>().ok()? - 4 * fraction.len() as i32)
        }
        // Narrow floats are rounded twice.
        None => {
            let value =
                if width == 64 { digits.parse().ok()? } else { f64::from(digits.parse::<f32>().ok()?) };
            let bits = value.to_bits();
            match (bits >> 52) as i32 {
                0 => (u128::from(bits), -1074),
                biased => (u128::from(bits & ((1 << 52) - 1) | 1 << 52), biased - 1075),
            }
        }
    };
    let fraction_bits = width - 1 - exponent_bits;
    let highest = (1 << exponent_bits) - 1;
    let bias = highest / 2;
    let shifted =
        |by: i32| if by < 0 { digits.checked_shr(by.unsigned_abs()).unwrap_or(0) } else { digits << by };
    let top = 127 - digits.leading_zeros() as i32;
    let magnitude = match exponent + top + bias {
        _ if digits == 0 => 0,
        // Below the smallest exponent there is no digit before the point.
        biased if biased <= 0 => shifted(exponent + bias - 1 + fraction_bits as i32) as u64,
        biased => {
            let fraction = shifted(fraction_bits as i32 - top) as u64 & ((1 << fraction_bits) - 1);
            (biased.min(highest) as u64) << fraction_bits | fraction
        }
    };
    Some(sign << (width - 1) | magnitude)
}
