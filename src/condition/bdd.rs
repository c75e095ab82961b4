//! Binary decision diagrams (BDD): Boolean functions, each stored once.
//!
//! A node decides one leaf and leads to a lower node for either value. Leaves are decided in their order, so
//! architectures come first. A device is of at most one architecture, and nodes are made accordingly: once
//! one architecture holds, no other one is decided. So the architecture nodes of a function form a single
//! chain along their low edges. Likewise, once a number of the device is below a bound, no greater bound of
//! it is decided: its nodes form a chain along their high edges, up to other leaves. Two functions are the
//! same node exactly if they have the same value on all devices.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use super::{ConditionError, Expr, Leaf, MAX_DEPTH};

/// Limit on the nodes in an arena.
const MAX_DIAGRAM_NODES: usize = 1 << 18;

/// Limit on the results in the memo. An operation that exceeds it would run too long.
const MAX_MEMO: usize = 1 << 20;

/// A Boolean function in the [`Conditions`] that created it. Ids are equal exactly if the functions are.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ConditionId(u32);

impl ConditionId {
    /// The condition that holds on no device.
    pub const FALSE: ConditionId = ConditionId(0);
    /// The condition that holds on every device.
    pub const TRUE: ConditionId = ConditionId(1);

    /// True if the condition holds on every device.
    pub fn is_true(self) -> bool {
        self == ConditionId::TRUE
    }

    /// True if the condition holds on no device.
    pub fn is_false(self) -> bool {
        self == ConditionId::FALSE
    }
}

/// Conditions by id, in memory zeroed by the system. Pages without conditions are never written, and take no
/// memory.
#[derive(Clone, Debug)]
pub struct ConditionsById(Vec<u32>);

impl ConditionsById {
    /// Maps `count` ids to FALSE.
    pub fn new(count: usize) -> ConditionsById {
        ConditionsById(vec![ConditionId::FALSE.0; count])
    }

    /// Returns the number of ids.
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// Returns the condition of an id; FALSE for an id out of range.
    pub fn condition(&self, id: u32) -> ConditionId {
        self.0.get(id as usize).map_or(ConditionId::FALSE, |&id| ConditionId(id))
    }

    /// Sets the condition of an id; does nothing for an id out of range.
    pub fn set(&mut self, id: u32, condition: ConditionId) {
        if let Some(id) = self.0.get_mut(id as usize) {
            *id = condition.0;
        }
    }
}

/// The value of a condition where some leaves are unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Truth {
    /// Holds for any values of the unknown leaves.
    True,
    /// Does not hold for any values of the unknown leaves.
    False,
    /// Depends on the unknown leaves.
    Unknown,
}

/// The architectures that satisfy a condition, each with a residual condition: see [`Conditions::architectures`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Architectures {
    /// The residual condition on a device of none of the architectures in `each`.
    pub otherwise: ConditionId,
    /// Each architecture that affects the condition, in ascending order, with the residual condition on its
    /// devices. Residual conditions do not depend on architectures.
    pub each: Vec<(u32, ConditionId)>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct BddNode {
    leaf: Leaf,
    low: ConditionId,
    high: ConditionId,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Operation {
    Not,
    And,
    Or,
}

/// An arena of Boolean functions of leaves, each stored once: equal functions have equal ids.
///
/// A device is of at most one known architecture, so two architectures are never true together, but all may
/// be false. Operations fail with [`ConditionError::TooComplex`] if the diagrams exceed any condition that a
/// person would write.
#[derive(Clone, Default)]
pub struct Conditions {
    /// The node at index `i` has the id `i + 2`.
    nodes: Vec<BddNode>,
    /// Length of the longest path through each node, which bounds the recursion over it.
    heights: Vec<usize>,
    handles: HashMap<BddNode, ConditionId>,
    memo: HashMap<(Operation, ConditionId, ConditionId), ConditionId>,
}

impl Conditions {
    /// Creates an empty arena.
    pub fn new() -> Conditions {
        Conditions::default()
    }

    /// Returns the function of a leaf.
    pub fn leaf(&mut self, leaf: Leaf) -> Result<ConditionId, ConditionError> {
        self.make(leaf, ConditionId::FALSE, ConditionId::TRUE)
    }

    /// Returns the negation of a condition.
    pub fn not(&mut self, condition: ConditionId) -> Result<ConditionId, ConditionError> {
        self.trim_memo();
        self.negate(condition)
    }

    /// Returns the conjunction of two conditions.
    pub fn and(&mut self, a: ConditionId, b: ConditionId) -> Result<ConditionId, ConditionError> {
        self.trim_memo();
        self.combine(Operation::And, a, b)
    }

    /// Returns the disjunction of two conditions.
    pub fn or(&mut self, a: ConditionId, b: ConditionId) -> Result<ConditionId, ConditionError> {
        self.trim_memo();
        self.combine(Operation::Or, a, b)
    }

    /// True if `b` holds wherever `a` does.
    pub fn implies(&mut self, a: ConditionId, b: ConditionId) -> Result<bool, ConditionError> {
        let not_b = self.not(b)?;
        Ok(self.and(a, not_b)?.is_false())
    }

    /// Returns the function of an expression.
    pub fn of_expr(&mut self, expr: &Expr) -> Result<ConditionId, ConditionError> {
        expr.check_size()?;
        self.build(expr, &LeafValues::default())
    }

    /// Replaces the known leaves of a device by their values. `lookup` is called for each leaf that the
    /// condition depends on. If it returns true for one architecture, the others are false. If the device's
    /// architecture does not occur in the condition, `lookup` must return false for those that do.
    pub fn restrict(
        &mut self,
        condition: ConditionId,
        lookup: &dyn Fn(Leaf) -> Option<bool>,
    ) -> Result<ConditionId, ConditionError> {
        let known = LeafValues::new(self.leaves(condition), lookup)?;
        self.decide(condition, &known, &mut HashMap::new())
    }

    /// Like [`Conditions::restrict`], for several devices. Returns the restricted condition if it is equal
    /// for all. Otherwise returns the condition with those leaves replaced that have the same value on all
    /// devices.
    pub fn restrict_for_all(
        &mut self,
        condition: ConditionId,
        lookups: &[&dyn Fn(Leaf) -> Option<bool>],
    ) -> Result<ConditionId, ConditionError> {
        let Some((first, others)) = lookups.split_first() else { return Ok(condition) };
        let on_first = self.restrict(condition, first)?;
        for other in others {
            if self.restrict(condition, other)? != on_first {
                let common =
                    |leaf| first(leaf).filter(|&value| others.iter().all(|other| other(leaf) == Some(value)));
                return self.restrict(condition, &common);
            }
        }
        Ok(on_first)
    }

    /// Returns the condition that some values of the specialization constants in it make it hold.
    pub fn without_constants(&mut self, mut condition: ConditionId) -> Result<ConditionId, ConditionError> {
        for leaf in self.leaves(condition) {
            if matches!(leaf, Leaf::Constant(_)) {
                let holds = self.restrict(condition, &|other| (other == leaf).then_some(true))?;
                let fails = self.restrict(condition, &|other| (other == leaf).then_some(false))?;
                condition = self.or(holds, fails)?;
            }
        }
        Ok(condition)
    }

    /// Returns the leaves that the condition depends on.
    pub fn leaves(&self, condition: ConditionId) -> BTreeSet<Leaf> {
        let mut leaves = BTreeSet::new();
        let mut seen = HashSet::new();
        let mut rest = vec![condition];
        while let Some(condition) = rest.pop() {
            if let Some(node) = self.node(condition)
                && seen.insert(condition)
            {
                leaves.insert(node.leaf);
                rest.extend([node.low, node.high]);
            }
        }
        leaves
    }

    /// Returns the residual conditions on devices of each architecture that affects the condition, and on all
    /// others.
    pub fn architectures(&self, condition: ConditionId) -> Architectures {
        let mut each = Vec::new();
        let mut otherwise = condition;
        while let Some(BddNode { leaf: Leaf::Architecture(number), low, high }) = self.node(otherwise) {
            each.push((number, high));
            otherwise = low;
        }
        Architectures { otherwise, each }
    }

    /// Returns leaves of a device on which the condition is the constant `end`, with those that follow from
    /// them. Each leaf has the value `preferred` if possible. The condition must not be the other constant.
    pub(super) fn path(
        &self,
        condition: ConditionId,
        end: ConditionId,
        preferred: bool,
    ) -> BTreeMap<Leaf, bool> {
        let mut path = BTreeMap::new();
        let mut rest = condition;
        while let Some(BddNode { leaf, low, high }) = self.node(rest) {
            let (first, second) = if preferred { (high, low) } else { (low, high) };
            // Every node leads to both constants, so only a constant itself can be a dead end.
            let value = if self.node(first).is_some() || first == end { preferred } else { !preferred };
            rest = if value == preferred { first } else { second };
            path.insert(leaf, value);
        }
        let known = LeafValues { values: path, architecture: None };
        let leaves = self.leaves(condition).into_iter();
        let mut values = BTreeMap::new();
        values.extend(leaves.filter_map(|leaf| Some((leaf, known.value(leaf)?))));
        values
    }

    /// Returns the condition with values for some leaves, none of them an architecture.
    pub(super) fn with_values(
        &mut self,
        condition: ConditionId,
        values: BTreeMap<Leaf, bool>,
    ) -> Result<ConditionId, ConditionError> {
        self.decide(condition, &LeafValues { values, architecture: None }, &mut HashMap::new())
    }

    /// True if the condition is the constant `end` on all devices where `leaf` has this value. The leaf is
    /// not an architecture.
    pub(super) fn ends_at(
        &self,
        condition: ConditionId,
        (leaf, value): (Leaf, bool),
        end: ConditionId,
    ) -> bool {
        let mut seen = HashSet::new();
        let mut rest = vec![condition];
        while let Some(condition) = rest.pop() {
            match self.node(condition) {
                None if condition == end => {}
                Some(node) => match node.leaf.follows_from(leaf, value) {
                    Some(value) => rest.push(if value { node.high } else { node.low }),
                    None if node.leaf > leaf => return false,
                    None if seen.insert(condition) => rest.extend([node.low, node.high]),
                    None => {}
                },
                // The other constant.
                None => return false,
            }
        }
        true
    }

    /// Returns the first leaf that any of the conditions decides.
    pub(super) fn first_leaf(&self, conditions: [ConditionId; 2]) -> Option<Leaf> {
        conditions.into_iter().filter_map(|condition| Some(self.node(condition)?.leaf)).min()
    }

    /// Returns the condition for `leaf` false and for `leaf` true. The condition decides the leaf first or
    /// not at all.
    pub(super) fn branches(&self, condition: ConditionId, leaf: Leaf) -> (ConditionId, ConditionId) {
        match self.node(condition) {
            Some(node) if node.leaf == leaf => (node.low, node.high),
            // No other architecture holds if this one does.
            _ if leaf.is_architecture() => (condition, self.without_architecture(condition)),
            // No greater bound is reached if this one is not.
            _ => (self.below(leaf, condition), condition),
        }
    }

    /// Returns the function that decides `leaf` first. Above an architecture, `high` must not depend on any;
    /// above a limit, `low` must not depend on greater bounds of it.
    pub(super) fn make(
        &mut self,
        leaf: Leaf,
        low: ConditionId,
        high: ConditionId,
    ) -> Result<ConditionId, ConditionError> {
        // The function that does not decide the leaf differs from this one: if an architecture holds, those
        // that `low` depends on do not; if a bound is not reached, neither are those that `high` depends on.
        let (undecided, same) = match leaf.is_architecture() {
            true => (low, self.without_architecture(low) == high),
            false => (high, self.below(leaf, high) == low),
        };
        if same {
            return Ok(undecided);
        }
        let node = BddNode { leaf, low, high };
        if let Some(&handle) = self.handles.get(&node) {
            return Ok(handle);
        }
        let height = 1 + self.height(low).max(self.height(high));
        if height > MAX_DEPTH || self.nodes.len() >= MAX_DIAGRAM_NODES {
            return Err(ConditionError::TooComplex);
        }
        let handle = ConditionId(self.nodes.len() as u32 + 2);
        self.nodes.push(node);
        self.heights.push(height);
        self.handles.insert(node, handle);
        Ok(handle)
    }

    fn node(&self, condition: ConditionId) -> Option<BddNode> {
        let index = condition.0.checked_sub(2)?;
        Some(self.nodes[index as usize])
    }

    fn height(&self, condition: ConditionId) -> usize {
        condition.0.checked_sub(2).map_or(0, |index| self.heights[index as usize])
    }

    /// Returns the condition on a device of none of the architectures in it.
    fn without_architecture(&self, mut condition: ConditionId) -> ConditionId {
        while let Some(BddNode { leaf: Leaf::Architecture(_), low, .. }) = self.node(condition) {
            condition = low;
        }
        condition
    }

    /// Returns the condition on a device on which `leaf` does not hold. The condition decides the leaf first,
    /// or leaves that follow it.
    fn below(&self, leaf: Leaf, mut condition: ConditionId) -> ConditionId {
        while let Some(node) = self.node(condition)
            && node.leaf.follows_from(leaf, false) == Some(false)
        {
            condition = node.low;
        }
        condition
    }

    /// Forgets results, which are kept only to save time.
    fn trim_memo(&mut self) {
        if self.memo.len() > MAX_MEMO / 2 {
            self.memo.clear();
        }
    }

    fn remember(
        &mut self,
        key: (Operation, ConditionId, ConditionId),
        result: ConditionId,
    ) -> Result<ConditionId, ConditionError> {
        if self.memo.len() >= MAX_MEMO {
            return Err(ConditionError::TooComplex);
        }
        self.memo.insert(key, result);
        Ok(result)
    }

    fn negate(&mut self, condition: ConditionId) -> Result<ConditionId, ConditionError> {
        let Some(BddNode { leaf, low, high }) = self.node(condition) else {
            return Ok(if condition.is_true() { ConditionId::FALSE } else { ConditionId::TRUE });
        };
        let key = (Operation::Not, condition, condition);
        if let Some(&result) = self.memo.get(&key) {
            return Ok(result);
        }
        let low = self.negate(low)?;
        let high = self.negate(high)?;
        let result = self.make(leaf, low, high)?;
        self.remember(key, result)
    }

    fn combine(
        &mut self,
        operation: Operation,
        a: ConditionId,
        b: ConditionId,
    ) -> Result<ConditionId, ConditionError> {
        // The neutral and the absorbing element.
        let (neutral, absorbing) = match operation {
            Operation::Or => (ConditionId::FALSE, ConditionId::TRUE),
            _ => (ConditionId::TRUE, ConditionId::FALSE),
        };
        if a == absorbing || b == absorbing {
            return Ok(absorbing);
        }
        if a == neutral || a == b {
            return Ok(b);
        }
        if b == neutral {
            return Ok(a);
        }
        let Some(leaf) = self.first_leaf([a, b]) else { return Ok(a) };
        let key = (operation, a.min(b), a.max(b));
        if let Some(&result) = self.memo.get(&key) {
            return Ok(result);
        }
        let (a_low, a_high) = self.branches(a, leaf);
        let (b_low, b_high) = self.branches(b, leaf);
        let low = self.combine(operation, a_low, b_low)?;
        let high = self.combine(operation, a_high, b_high)?;
        let result = self.make(leaf, low, high)?;
        self.remember(key, result)
    }

    fn build(&mut self, expr: &Expr, known: &LeafValues) -> Result<ConditionId, ConditionError> {
        match expr {
            Expr::True => Ok(ConditionId::TRUE),
            Expr::False => Ok(ConditionId::FALSE),
            Expr::Leaf(leaf) => match known.value(*leaf) {
                Some(true) => Ok(ConditionId::TRUE),
                Some(false) => Ok(ConditionId::FALSE),
                None => self.leaf(*leaf),
            },
            Expr::Not(operand) => {
                let operand = self.build(operand, known)?;
                self.not(operand)
            }
            Expr::And(left, right) => {
                let left = self.build(left, known)?;
                let right = self.build(right, known)?;
                self.and(left, right)
            }
            Expr::Or(left, right) => {
                let left = self.build(left, known)?;
                let right = self.build(right, known)?;
                self.or(left, right)
            }
        }
    }

    fn decide(
        &mut self,
        condition: ConditionId,
        known: &LeafValues,
        memo: &mut HashMap<ConditionId, ConditionId>,
    ) -> Result<ConditionId, ConditionError> {
        let Some(BddNode { leaf, low, high }) = self.node(condition) else { return Ok(condition) };
        if known.decides_none_from(leaf) {
            return Ok(condition);
        }
        if let Some(&result) = memo.get(&condition) {
            return Ok(result);
        }
        let result = match known.value(leaf) {
            Some(true) => self.decide(high, known, memo)?,
            Some(false) => self.decide(low, known, memo)?,
            None => {
                let low = self.decide(low, known, memo)?;
                let high = self.decide(high, known, memo)?;
                self.make(leaf, low, high)?
            }
        };
        memo.insert(condition, result);
        Ok(result)
    }
}

/// The values of known leaves of a device.
#[derive(Default)]
struct LeafValues {
    values: BTreeMap<Leaf, bool>,
    /// The architecture that holds, if it is known.
    architecture: Option<u32>,
}

impl LeafValues {
    /// Looks up each of the leaves, which are in ascending order.
    fn new(
        leaves: BTreeSet<Leaf>,
        lookup: &dyn Fn(Leaf) -> Option<bool>,
    ) -> Result<LeafValues, ConditionError> {
        let mut known = LeafValues::default();
        for leaf in leaves {
            let Some(value) = lookup(leaf) else { continue };
            known.values.insert(leaf, value);
            if let (Leaf::Architecture(second), true) = (leaf, value)
                && let Some(first) = known.architecture.replace(second)
            {
                return Err(ConditionError::TwoArchitectures { first, second });
            }
        }
        Ok(known)
    }

    fn value(&self, leaf: Leaf) -> Option<bool> {
        match (leaf, self.architecture) {
            (Leaf::Architecture(number), Some(known)) => Some(number == known),
            _ => {
                // The nearest leaves of this kind: a bound that is reached, or one that is not.
                let above = self.values.range(leaf..).next();
                let below = self.values.range(..=leaf).next_back();
                let mut nearest = above.into_iter().chain(below);
                nearest.find_map(|(&other, &value)| leaf.follows_from(other, value))
            }
        }
    }

    /// True if no leaf from this one on, in their order, has a known value.
    fn decides_none_from(&self, leaf: Leaf) -> bool {
        let last = self.values.last_key_value();
        last.is_none_or(|(&last, &value)| last < leaf && leaf.follows_from(last, value).is_none())
    }
}

/// Evaluates by three-valued logic, exactly: the result is [`Truth::Unknown`] only if it depends on unknown
/// leaves. So `fp16 || !fp16` holds even if `fp16` is unknown. `lookup` is called for each leaf in the
/// expression; its results for architectures count as in [`Conditions::restrict`].
pub fn evaluate(expr: &Expr, lookup: &dyn Fn(Leaf) -> Option<bool>) -> Result<Truth, ConditionError> {
    expr.check_size()?;
    let known = LeafValues::new(expr.leaves(), lookup)?;
    Ok(match Conditions::new().build(expr, &known)? {
        ConditionId::TRUE => Truth::True,
        ConditionId::FALSE => Truth::False,
        _ => Truth::Unknown,
    })
}
