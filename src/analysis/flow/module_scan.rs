//! One pass over all function bodies: accesses to variables that can be followed, and the functions that constants may decide.

use spirv::{Decoration, FunctionParameterAttribute, MemoryAccess, Op, StorageClass};

use crate::analysis::calls::DirectCalls;
use crate::analysis::constants::has_open_part;
use crate::loader::{Function, Instruction, Module, SetKind, views};

/// A change to a followed variable.
#[derive(Clone, Copy, Debug)]
pub(super) struct VariableWrite {
    /// Variable or pointer parameter, by id.
    pub root: u32,
    /// Offset of the instruction, in words.
    pub offset: u32,
    pub kind: WriteKind,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum WriteKind {
    /// OpStore.
    Store,
    /// OpCopyMemory.
    Copy,
    /// An OpFunctionCall, with the number of the callee and the id of its parameter that points to the variable.
    Passed { callee: u32, parameter: u32 },
    /// An OpFunctionCall of a function that changes the Private variable itself, with the number of the callee.
    Called { callee: u32 },
    /// A call of unknown code.
    Unknown,
}

/// The ways into a function besides its direct calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EntryKind {
    /// Only direct calls lead to it.
    Called,
    /// Entry point: Private variables have their initial values.
    Start,
    /// The function is exported, its address is taken, or nothing calls it: parameters and Private variables have any values.
    Unknown,
}

/// Facts about all function bodies of a module.
pub(super) struct ModuleScan<'c> {
    pub calls: &'c DirectCalls,
    /// Changes to variables, in the order of the module.
    writes: Vec<VariableWrite>,
    /// Offsets of calls of unknown code, in order.
    unknown_calls: Vec<u32>,
    /// The ways into each function.
    pub entries: Vec<EntryKind>,
    /// True for each function in which constants may decide branches.
    pub is_decidable: Vec<bool>,
    /// The mark of each id.
    marks: Vec<IdMark>,
    /// The representative of the variables and parameters that may be the same memory, by id of a followed one.
    aliases: Vec<u32>,
    /// True for each followed variable or parameter with uses that are not understood, by id.
    escapes: Vec<bool>,
    /// True for each followed variable or parameter that something changes, by id.
    is_changed: Vec<bool>,
    /// Functions that name Private variables: the variable and the function.
    private_users: Vec<(u32, u32)>,
}

/// The reason why an id matters where a body names it, in four bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct IdMark(u32);

impl IdMark {
    /// A constant whose value may be given.
    const OPEN: IdMark = IdMark(1);
    const FUNCTION: IdMark = IdMark(2);
    const FIRST_POINTER: u32 = 3;

    /// Returns the mark of a pointer to a followed variable, or to a part of it.
    fn pointer(root: u32) -> IdMark {
        IdMark(root + IdMark::FIRST_POINTER)
    }

    fn root(self) -> Option<u32> {
        self.0.checked_sub(IdMark::FIRST_POINTER)
    }
}

impl<'c> ModuleScan<'c> {
    /// Scans a module. `None` if it has no constant whose value may be given, or none that a function names.
    pub fn new(module: &Module, calls: &'c DirectCalls) -> Option<ModuleScan<'c>> {
        let bound = module.bound() as usize;
        let mut marks = vec![IdMark::default(); bound];
        mark_constants(module, &mut marks)?;
        let functions = module.functions();
        functions.iter().for_each(|function| marks[function.id as usize] = IdMark::FUNCTION);
        let mut scan = ModuleScan {
            calls,
            writes: Vec::new(),
            unknown_calls: Vec::new(),
            entries: vec![EntryKind::Called; functions.len()],
            is_decidable: vec![false; functions.len()],
            marks,
            aliases: (0..bound as u32).collect(),
            escapes: vec![false; bound],
            is_changed: vec![false; bound],
            private_users: Vec::new(),
        };
        scan.mark_globals(module);
        let parameters = scan.mark_parameters(module);
        for at in 0..functions.len() {
            scan.body(module, at, &parameters);
        }
        scan.private_users.sort_unstable();
        scan.private_users.dedup();
        scan.find_entries(module);
        scan.finish_escapes(&parameters);
        scan.find_changed_parameters();
        scan.spread(module);
        scan.is_decidable.contains(&true).then_some(scan)
    }

    /// Marks Private variables. Those that linkage, volatile accesses or other pointers involve are not followed.
    fn mark_globals(&mut self, module: &Module) {
        for inst in module.globals().filter(|inst| inst.result_type().is_some()) {
            module.walk(&inst, &mut |place: usize, id: u32| {
                if place > 2 {
                    self.enter(module, id);
                    self.escape_pointer(id);
                }
            });
            if let Some(variable) = views::Variable::new(inst)
                && variable.storage_class() == StorageClass::Private as u32
            {
                self.marks[variable.id() as usize] = IdMark::pointer(variable.id());
            }
        }
        for decoration in module.decorations() {
            let is_linkage = decoration.is_a(Decoration::LinkageAttributes);
            if is_linkage {
                self.enter(module, decoration.target());
            }
            // The memory behind such a parameter is the callee's own copy.
            let is_by_value = decoration.is_a(Decoration::FuncParamAttr)
                && decoration.operands().first() == Some(&(FunctionParameterAttribute::ByVal as u32));
            if is_linkage || is_by_value || decoration.is_a(Decoration::Volatile) {
                self.escape(decoration.target());
            }
        }
        for group in module.group_decorations() {
            if self.escapes.get(group.group() as usize) == Some(&true) {
                group.targets().for_each(|target| self.escape(target));
            }
        }
    }

    /// Marks pointer parameters; returns the parameters of all functions.
    fn mark_parameters(&mut self, module: &Module) -> FunctionParameters {
        let mut parameters = FunctionParameters::default();
        for function in module.functions() {
            parameters.starts.push(parameters.ids.len() as u32);
            for inst in module.parameters(function) {
                let parameter = views::FunctionParameter(inst);
                parameters.ids.push(parameter.id());
                let pointer = module.pointer_type(parameter.type_id());
                if pointer.is_some_and(|pointer| is_followed(pointer.storage_class())) {
                    self.marks[parameter.id() as usize] = IdMark::pointer(parameter.id());
                }
            }
        }
        parameters.starts.push(parameters.ids.len() as u32);
        parameters
    }

    fn body(&mut self, module: &Module, at: usize, parameters: &FunctionParameters) {
        let function = &module.functions()[at];
        let mut phis = Vec::new();
        for inst in module.range(function.start, function.end).skip(1) {
            match inst.op() {
                // They may name pointers that come after them.
                Some(Op::Phi) => phis.push(inst),
                Some(Op::Variable) => {
                    let id = views::Variable(inst).id();
                    self.marks[id as usize] = IdMark::pointer(id);
                    self.others(module, at, &inst, 4);
                }
                Some(Op::AccessChain | Op::InBoundsAccessChain) => {
                    self.point(at, views::AccessChain(inst).id(), views::AccessChain(inst).base());
                    self.others(module, at, &inst, 4);
                }
                Some(Op::PtrAccessChain | Op::InBoundsPtrAccessChain) => {
                    let chain = views::PtrAccessChain(inst);
                    self.point(at, chain.id(), chain.base());
                    if module.constant(chain.element()).is_none_or(|element| element.low_word() != 0) {
                        self.escape_pointer(chain.id());
                    }
                    self.others(module, at, &inst, 5);
                }
                Some(Op::Load) => self.access(at, views::Load(inst).pointer(), inst.word(4)),
                Some(Op::Store) => {
                    let store = views::Store(inst);
                    self.access(at, store.pointer(), inst.word(3));
                    self.write(store.pointer(), inst.offset(), WriteKind::Store);
                    self.other(module, at, &inst, store.object());
                }
                Some(Op::CopyMemory) => {
                    let copy = views::CopyMemory(inst);
                    // The operands of the source follow the alignment of the target, if they are not the same.
                    let is_plain = inst.words_from(3).len() <= 2;
                    let operands = if is_plain { inst.word(3) } else { u32::MAX };
                    for pointer in [copy.target(), copy.source()] {
                        self.access(at, pointer, operands);
                    }
                    self.write(copy.target(), inst.offset(), WriteKind::Copy);
                }
                Some(Op::FunctionCall) => self.call(module, at, &inst, parameters),
                Some(Op::FunctionPointerCallINTEL) => {
                    self.unknown_calls.push(inst.offset());
                    self.others(module, at, &inst, 3);
                }
                Some(Op::ExtInst) if module.set_kind(&inst).is_some_and(is_description) => {}
                // They choose by conditions that `specialize` decides before.
                Some(Op::ConditionalCopyObjectINTEL) => {
                    let choices = views::ConditionalCopyObjectINTEL(inst).choices();
                    choices.iter().for_each(|&[_, value]| self.other(module, at, &inst, value));
                }
                // Lifetimes only make contents undefined.
                Some(
                    Op::LifetimeStart | Op::LifetimeStop | Op::Label | Op::Branch | Op::Line | Op::NoLine,
                ) => {}
                _ => self.others(module, at, &inst, 1),
            }
        }
        phis.iter().for_each(|phi| self.others(module, at, phi, 3));
    }

    /// Scans a pointer that is computed from another one.
    fn point(&mut self, at: usize, id: u32, base: u32) {
        self.names_private(at, base);
        if let Some(root) = self.root(base) {
            self.marks[id as usize] = IdMark::pointer(root);
        }
    }

    /// Scans an access to memory, with its memory operands.
    fn access(&mut self, at: usize, pointer: u32, operands: u32) {
        self.names_private(at, pointer);
        let plain = MemoryAccess::ALIGNED | MemoryAccess::NONTEMPORAL;
        if operands & !plain.bits() != 0 {
            self.escape_pointer(pointer);
        }
    }

    fn write(&mut self, pointer: u32, offset: u32, kind: WriteKind) {
        if let Some(root) = self.root(pointer) {
            self.writes.push(VariableWrite { root, offset, kind });
        }
    }

    fn call(&mut self, module: &Module, at: usize, inst: &Instruction, parameters: &FunctionParameters) {
        let call = views::FunctionCall(*inst);
        let callee = module.function_index(call.callee());
        let callee = callee.filter(|&callee| !module.is_declaration(&module.functions()[callee]));
        if callee.is_none() {
            self.unknown_calls.push(inst.offset());
        }
        let parameters = callee.map_or(&[][..], |callee| parameters.in_function(callee));
        for (number, &argument) in call.arguments().iter().enumerate() {
            self.names_private(at, argument);
            let Some(root) = self.root(argument) else {
                self.other(module, at, inst, argument);
                continue;
            };
            let is_repeated =
                || call.arguments()[..number].iter().any(|&other| self.root(other) == Some(root));
            let parameter = parameters.get(number).copied().filter(|&id| self.root(id) == Some(id));
            match parameter.zip(callee) {
                // What a function reaches by a pointer and by name would be one variable with two names.
                Some((parameter, callee))
                    if root == argument && !is_repeated() && !module.is_global(root) =>
                {
                    self.unite(root, parameter);
                    let kind = WriteKind::Passed { callee: callee as u32, parameter };
                    self.writes.push(VariableWrite { root, offset: inst.offset(), kind });
                }
                parameter => {
                    self.escape(root);
                    parameter.into_iter().for_each(|(parameter, _)| self.escape(parameter));
                }
            }
        }
        // A parameter whose argument is not followed.
        for (&parameter, &argument) in parameters.iter().zip(call.arguments()) {
            if self.root(parameter).is_some() && self.root(argument).is_none() {
                self.escape(parameter);
            }
        }
    }

    /// Scans the operands of an instruction from a word on, as uses of pointers that are not understood.
    fn others(&mut self, module: &Module, at: usize, inst: &Instruction, first: usize) {
        let is_marked =
            |&word: &u32| self.marks.get(word as usize).is_some_and(|&mark| mark != IdMark::default());
        // Literals may look like ids.
        if inst.words_from(first).iter().any(is_marked) {
            module.walk(inst, &mut |place: usize, id: u32| {
                if place >= first && Some(id) != inst.result_id() {
                    self.other(module, at, inst, id);
                }
            });
        }
    }

    fn other(&mut self, module: &Module, at: usize, inst: &Instruction, id: u32) {
        self.names_private(at, id);
        match self.marks.get(id as usize) {
            Some(&IdMark::OPEN) => self.is_decidable[at] = true,
            Some(&IdMark::FUNCTION) if !inst.is(Op::Function) => {
                self.enter(module, id);
                // It may call the function.
                if self.unknown_calls.last() != Some(&inst.offset()) {
                    self.unknown_calls.push(inst.offset());
                }
            }
            _ => self.escape_pointer(id),
        }
    }

    fn names_private(&mut self, at: usize, id: u32) {
        if self.root(id) == Some(id) && self.private_users.last() != Some(&(id, at as u32)) {
            self.private_users.push((id, at as u32));
        }
    }

    /// Marks a function as entered by code outside of direct calls, if the id is that of a function.
    fn enter(&mut self, module: &Module, id: u32) {
        if let Some(function) = module.function_index(id) {
            self.entries[function] = EntryKind::Unknown;
        }
    }

    fn escape_pointer(&mut self, pointer: u32) {
        if let Some(root) = self.root(pointer) {
            self.escape(root);
        }
    }

    fn escape(&mut self, root: u32) {
        if let Some(escapes) = self.escapes.get_mut(root as usize) {
            *escapes = true;
        }
    }

    fn root(&self, pointer: u32) -> Option<u32> {
        self.marks.get(pointer as usize)?.root()
    }

    /// Returns the representative of the variables and parameters that may be the same memory.
    fn representative(&mut self, mut id: u32) -> u32 {
        while self.aliases[id as usize] != id {
            let next = self.aliases[id as usize];
            self.aliases[id as usize] = self.aliases[next as usize];
            id = next;
        }
        id
    }

    fn unite(&mut self, one: u32, other: u32) {
        let (one, other) = (self.representative(one), self.representative(other));
        let (first, last) = (one.min(other), one.max(other));
        self.aliases[last as usize] = first;
    }

    fn find_entries(&mut self, module: &Module) {
        for entry_point in module.entry_points() {
            if let Some(at) = module.function_index(entry_point.function())
                && self.entries[at] == EntryKind::Called
            {
                self.entries[at] = EntryKind::Start;
            }
        }
        for at in 0..self.entries.len() {
            if self.entries[at] == EntryKind::Called && !self.calls.is_called(at) {
                self.entries[at] = EntryKind::Unknown;
            }
        }
    }

    /// Marks variables as escaping if a function with unknown callers, or a recursive function, receives pointers to
    /// them. A function with unknown callers may get one variable twice. In a recursive function, one variable stands
    /// for several.
    fn finish_escapes(&mut self, parameters: &FunctionParameters) {
        for at in 0..self.entries.len() {
            if self.calls.is_recursive(at) || self.entries[at] != EntryKind::Called {
                parameters.in_function(at).iter().for_each(|&parameter| self.escape_pointer(parameter));
            }
        }
        for id in 0..self.aliases.len() as u32 {
            let representative = self.representative(id);
            self.aliases[id as usize] = representative;
            self.escapes[representative as usize] |= self.escapes[id as usize];
        }
    }

    /// Finds the parameters through which functions change memory, those of functions that they call included.
    fn find_changed_parameters(&mut self) {
        let mut passed: Vec<(u32, u32)> = Vec::new();
        let mut changed: Vec<u32> = Vec::new();
        for write in &self.writes {
            match write.kind {
                WriteKind::Passed { parameter, .. } => passed.push((parameter, write.root)),
                _ => changed.push(write.root),
            }
        }
        passed.sort_unstable();
        while let Some(id) = changed.pop() {
            if std::mem::replace(&mut self.is_changed[id as usize], true) {
                continue;
            }
            let first = passed.partition_point(|&(parameter, _)| parameter < id);
            changed.extend(passed[first..].iter().take_while(|passed| passed.0 == id).map(|passed| passed.1));
        }
    }

    /// Finds the functions in which constants may decide branches: functions that name constants, and functions that share values with
    /// these.
    fn spread(&mut self, module: &Module) {
        let is_decidable = |at: &u32| self.is_decidable[*at as usize];
        let mut pending: Vec<u32> = (0..self.is_decidable.len() as u32).filter(is_decidable).collect();
        let mut reached = std::mem::take(&mut self.is_decidable);
        let mut shared: Vec<u32> = Vec::new();
        while let Some(at) = pending.pop() {
            let function = &module.functions()[at as usize];
            let mut reach = |other: u32| {
                if !std::mem::replace(&mut reached[other as usize], true) {
                    pending.push(other);
                }
            };
            for call in self.calls.calls_in(at as usize) {
                let callee = &module.functions()[call.callee as usize];
                if module.instruction(call.offset).words().len() > 4 && !module.is_declaration(callee) {
                    reach(call.callee);
                }
            }
            let returns = module.instruction(function.start).result_type();
            let has_result = returns.is_some_and(|id| module.definition_as(id, Op::TypeVoid).is_none());
            let changes = |inst: Instruction| self.is_changed[views::FunctionParameter(inst).id() as usize];
            if has_result || module.parameters(function).any(changes) {
                self.calls.calls_of(at as usize).for_each(|call| reach(call.caller));
            }
            for write in self.writes_in(function) {
                if module.is_global(write.root) && !shared.contains(&write.root) {
                    shared.push(write.root);
                    self.users(write.root).for_each(&mut reach);
                }
            }
        }
        self.is_decidable = reached;
    }

    /// Returns the functions that name a Private variable.
    fn users(&self, variable: u32) -> impl Iterator<Item = u32> {
        let first = self.private_users.partition_point(|&(used, _)| used < variable);
        self.private_users[first..].iter().take_while(move |user| user.0 == variable).map(|user| user.1)
    }

    /// Returns the variable or parameter that a pointer refers to or into, if all its uses are understood.
    pub fn followed(&self, pointer: u32) -> Option<u32> {
        let root = self.root(pointer)?;
        (!self.escapes[self.aliases[root as usize] as usize]).then_some(root)
    }

    /// Returns true if a function changes the memory that its parameter points to.
    pub fn changes(&self, parameter: u32) -> bool {
        self.is_changed[parameter as usize]
    }

    /// Returns the changes to followed variables in a function, in order.
    pub fn writes_in(&self, function: &Function) -> &[VariableWrite] {
        let first = self.writes.partition_point(|write| write.offset < function.start);
        let after = self.writes.partition_point(|write| write.offset < function.end);
        &self.writes[first..after]
    }

    /// Returns the calls of unknown code in a function, in order.
    pub fn unknown_calls_in(&self, function: &Function) -> &[u32] {
        let first = self.unknown_calls.partition_point(|&offset| offset < function.start);
        let after = self.unknown_calls.partition_point(|&offset| offset < function.end);
        &self.unknown_calls[first..after]
    }

    /// Returns by function whether it may change a Private variable, itself or by a call.
    pub fn changers(&self, module: &Module, variable: u32) -> Vec<bool> {
        let mut changes = vec![false; self.entries.len()];
        let functions = module.functions();
        let holder = |offset: u32| functions.partition_point(|function| function.start <= offset) - 1;
        let direct = self.writes.iter().filter(|write| write.root == variable).map(|write| write.offset);
        let mut pending: Vec<usize> = direct.chain(self.unknown_calls.iter().copied()).map(holder).collect();
        while let Some(at) = pending.pop() {
            if !std::mem::replace(&mut changes[at], true) {
                pending.extend(self.calls.calls_of(at).map(|call| call.caller as usize));
            }
        }
        changes
    }
}

/// The parameters of all functions, by id.
#[derive(Default)]
struct FunctionParameters {
    /// The place of the first parameter, by function.
    starts: Vec<u32>,
    ids: Vec<u32>,
}

impl FunctionParameters {
    fn in_function(&self, function: usize) -> &[u32] {
        &self.ids[self.starts[function] as usize..self.starts[function + 1] as usize]
    }
}

/// Marks constants whose values may be given, and the constants computed from them. Returns `None` if the module has none.
fn mark_constants(module: &Module, marks: &mut [IdMark]) -> Option<()> {
    let mut has_any = false;
    for inst in module.globals() {
        let is_marked = |id: u32| marks.get(id as usize) == Some(&IdMark::OPEN);
        if inst.is_open_constant() || has_open_part(module, &inst, is_marked) {
            has_any = true;
            marks[views::Value(inst).id() as usize] = IdMark::OPEN;
        }
    }
    has_any.then_some(())
}

/// Returns true for storage classes of memory that only one invocation sees.
fn is_followed(storage_class: u32) -> bool {
    [StorageClass::Function, StorageClass::Private].into_iter().any(|class| class as u32 == storage_class)
}

/// Returns true for instruction sets that describe a module, and change nothing.
fn is_description(kind: SetKind) -> bool {
    matches!(kind, SetKind::Debug | SetKind::NonSemantic)
}
