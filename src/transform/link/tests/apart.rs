//! Tests that a linked module that is split by its sources results in the original modules.

use std::collections::hash_map::DefaultHasher;
use std::collections::{BTreeSet, HashMap};
use std::hash::{Hash, Hasher};

use spirv::Op;

use super::support::{fixture, link_fixtures};
use crate::analysis::Names;
use crate::loader::{Instruction, Module, views};
use crate::test_support::assert_valid;
use crate::transform::split::{SplitGraph, SplitPart, SplitRoot, roots};
use crate::transform::trim::trim;
use crate::writer::apply;

/// The contents of a module, independent of its ids and the order of its globals.
struct ModuleShape<'m> {
    module: &'m Module<'m>,
    names: Names<'m>,
    known: HashMap<u32, u64>,
    open: Vec<u32>,
    said: HashMap<u32, Vec<Instruction<'m>>>,
}

fn hash(value: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

impl<'m> ModuleShape<'m> {
    fn new(module: &'m Module<'m>) -> ModuleShape<'m> {
        let mut said: HashMap<u32, Vec<Instruction>> = HashMap::new();
        let annotations =
            [Op::Name, Op::MemberName, Op::Decorate, Op::DecorateId, Op::DecorateString, Op::MemberDecorate];
        for inst in module.annotations().filter(|inst| annotations.iter().any(|&op| inst.is(op))) {
            said.entry(inst.word(1)).or_default().push(inst);
        }
        ModuleShape { module, names: Names::new(module), known: HashMap::new(), open: Vec::new(), said }
    }

    /// Returns an instruction as a number. Operands count by their definitions, and results by their names and decorations.
    fn inst(&mut self, inst: &Instruction, locals: &mut HashMap<u32, usize>) -> u64 {
        let mut words: Vec<u64> = inst.words().iter().map(|&word| word.into()).collect();
        let mut ids = Vec::new();
        self.module.walk(inst, &mut |at: usize, id: u32| ids.push((at, id)));
        for (at, id) in ids {
            words[at] = if self.module.function(id).is_some() {
                hash(self.names.display(id))
            } else if self.module.is_global(id) {
                self.global(id)
            } else {
                let next = locals.len();
                hash((*locals.entry(id).or_insert(next), self.said(id)))
            };
        }
        hash(words)
    }

    fn said(&mut self, id: u32) -> BTreeSet<u64> {
        let said = self.said.get(&id).cloned().unwrap_or_default();
        said.iter()
            .map(|inst| {
                let mut words: Vec<u64> = inst.words().iter().map(|&word| word.into()).collect();
                words[1] = 0;
                if inst.is(Op::DecorateId) {
                    words[3..].iter_mut().for_each(|word| *word = self.global(*word as u32));
                }
                hash(words)
            })
            .collect()
    }

    fn global(&mut self, id: u32) -> u64 {
        if let Some(&known) = self.known.get(&id) {
            return known;
        }
        if let Some(depth) = self.open.iter().position(|&open| open == id) {
            return (self.open.len() - depth) as u64;
        }
        self.open.push(id);
        let inst = self.module.definition(id).unwrap();
        let mut words: Vec<u64> = inst.words().iter().map(|&word| word.into()).collect();
        let mut ids = Vec::new();
        self.module.walk(&inst, &mut |at: usize, id: u32| ids.push((at, id)));
        for (at, operand) in ids {
            words[at] = match operand {
                _ if operand == id => 0,
                _ if self.module.function(operand).is_some() => hash(self.names.display(operand)),
                _ => self.global(operand),
            };
        }
        self.open.pop();
        let known = hash((words, self.said(id)));
        self.known.insert(id, known);
        known
    }

    /// Returns everything that distinguishes the module from others.
    fn all(&mut self) -> BTreeSet<String> {
        let module = self.module;
        let mut all = BTreeSet::new();
        for function in module.functions() {
            let mut locals = HashMap::new();
            let body: Vec<u64> = module.body(function).map(|inst| self.inst(&inst, &mut locals)).collect();
            let said = self.said(function.id);
            all.insert(format!("function {} {:x}", self.names.display(function.id), hash((body, said))));
        }
        for inst in module.head() {
            match inst.op().unwrap() {
                Op::EntryPoint => {
                    let entry = views::EntryPoint(inst);
                    let listed: BTreeSet<u64> = entry.interface().iter().map(|&id| self.global(id)).collect();
                    let (model, name) = (entry.execution_model(), entry.name());
                    all.insert(format!("entry point {model} {name} {:x}", hash(listed)));
                }
                Op::ExtInstImport | Op::MemoryModel => {}
                _ => {
                    let shape = self.inst(&inst, &mut HashMap::new());
                    all.insert(format!("{} {shape:x}", inst.name()));
                }
            }
        }
        all
    }
}

/// Returns the part of a module that some roots use, as words.
fn part(module: &Module, wanted: impl Fn(&SplitRoot) -> bool) -> Vec<u32> {
    let graph = SplitGraph::new(module, []);
    let roots = roots(&graph, &Names::new(module));
    let part = SplitPart::new(&graph, roots.iter().filter(|root| wanted(root)));
    let words = apply(module, &part.edits(None)).unwrap();
    let module = Module::from_words(words).unwrap();
    apply(&module, &trim(&module).edits).unwrap()
}

fn shape(words: &[u32]) -> BTreeSet<String> {
    ModuleShape::new(&Module::from_words(words).unwrap()).all()
}

#[test]
fn modules_that_share_nothing_are_separated_again() {
    let pairs = [
        ["opencl/many", "opencl/wrapper-O2"],
        ["opencl/wrapper-O2", "opencl/many"],
        ["stages/kernels", "frontends/opencl-c"],
        ["opencl/device_if", "frontends/opencl-cpp"],
        ["link/stage-frag-1.5", "glsl/wave"],
        ["spec/jumps", "opencl/many"],
    ];
    for pair in pairs {
        let linked = link_fixtures(&pair);
        let both = linked.module.clone();
        let sources: HashMap<u32, usize> = linked.sources.iter().copied().collect();
        for (input, name) in pair.iter().enumerate() {
            let words = fixture(name);
            let module = Module::from_words(&words[..]).unwrap();
            let before = part(&module, |_| true);
            let after = part(&both, |root| sources[&root.function] == input);
            let environment =
                if name.contains("stage-") || name.contains("glsl") { "vulkan1.3" } else { "spv1.4" };
            assert_valid(&after, environment);
            let (before, after) = (shape(&before), shape(&after));
            assert!(before.len() > 3, "{name}");
            assert_eq!(before, after, "{name} of {pair:?}");
        }
    }
}
