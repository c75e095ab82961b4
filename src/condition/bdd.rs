//! Binary decision diagrams (BDD): Boolean functions, each stored once.
//!
//! A node decides one leaf and leads to a lower node for either value. Architectures come first. A device is of at most one architecture, and nodes are made accordingly: once
//! one architecture holds, no other one is decided. So the architecture nodes of a function form a single
//! chain along their low edges. Likewise, once a number of the device is below a bound, no greater bound of
//! it is decided: its nodes form a chain along their high edges, up to other leaves. Two functions are the
//! same node exactly if they have the same value on all devices.
//!
//! Other leaves are decided in the order in which they were first named. So a constant is a neighbour of the leaf that
//! it stands for, beside which a packed module names it, and merged variants decide leaves as their conditions list them.
//! In another order, a disjunction of `n` such pairs has `2^n` nodes instead of `2n`.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use super::{ConditionError, Expr, Leaf};
use crate::collections::{IdMap, sort, sort_by_key};

/// Limit on the nodes in an arena.
const MAX_DIAGRAM_NODES: usize = 1 << 20;

/// Limit on the results in the memo. An operation that exceeds it would run too long.
const MAX_MEMO: usize = 1 << 21;

/// A Boolean function in the [`Conditions`] that created it. Ids are equal exactly if the functions are.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ConditionId(u32);

impl ConditionId {
    /// The condition that holds on no device.
    pub const FALSE: ConditionId = ConditionId(0);
    /// The condition that holds on every device.
    pub const TRUE: ConditionId = ConditionId(1);

    /// Returns true if the condition holds on every device.
    pub fn is_true(self) -> bool {
        self == ConditionId::TRUE
    }

    /// Returns true if the condition holds on no device.
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
    And,
    Or,
}

/// A step of an operation on two conditions.
enum Step {
    /// Computes the result for these operands.
    Combine(ConditionId, ConditionId),
    /// Makes the node of a leaf from the last two results, and remembers it for these operands.
    Make(Leaf, ConditionId, ConditionId),
}

/// Makes the result for a node from its leaf and the results for its branches.
type Join<'j> =
    dyn Fn(&mut Conditions, Leaf, ConditionId, ConditionId) -> Result<ConditionId, ConditionError> + 'j;

/// The branches of a node that a map of conditions follows.
enum Follow {
    /// None: the node is mapped to itself.
    None,
    /// One, to which the node is mapped.
    One(ConditionId),
    Both,
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
    /// The rank of the leaf of each node.
    ranks: Vec<Rank>,
    handles: HashMap<BddNode, ConditionId>,
    memo: HashMap<(Operation, ConditionId, ConditionId), ConditionId>,
    negations: HashMap<ConditionId, ConditionId>,
    /// The numbers of leaves other than architectures, from 1, in the order in which they were first named. Bounds of one number
    /// share a number, which is that of [`Limit::last`](super::Limit::last).
    positions: HashMap<Leaf, u32>,
    /// The leaves that constants stand for.
    meanings: IdMap<Leaf>,
}

/// The place of a leaf in the order in which leaves are decided.
type Rank = (u32, u64);

impl Conditions {
    /// Creates an empty arena.
    pub fn new() -> Conditions {
        Conditions::default()
    }

    /// Creates an empty arena for a module whose constants stand for leaves. Both are different leaves here.
    pub fn with_meanings(meanings: impl IntoIterator<Item = (u32, Leaf)>) -> Conditions {
        Conditions { meanings: meanings.into_iter().collect(), ..Conditions::default() }
    }

    /// Returns the function of a leaf.
    pub fn leaf(&mut self, leaf: Leaf) -> Result<ConditionId, ConditionError> {
        self.place(leaf);
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

    /// Returns the disjunction of conditions.
    pub fn any(&mut self, conditions: &[ConditionId]) -> Result<ConditionId, ConditionError> {
        self.trim_memo();
        self.combine_all(Operation::Or, conditions)
    }

    /// Returns the conjunction of conditions.
    pub fn all(&mut self, conditions: &[ConditionId]) -> Result<ConditionId, ConditionError> {
        self.trim_memo();
        self.combine_all(Operation::And, conditions)
    }

    /// Combines conditions half by half: combining them in order would take quadratic time.
    fn combine_all(
        &mut self,
        operation: Operation,
        conditions: &[ConditionId],
    ) -> Result<ConditionId, ConditionError> {
        match *conditions {
            [] => Ok(if operation == Operation::Or { ConditionId::FALSE } else { ConditionId::TRUE }),
            [only] => Ok(only),
            _ => {
                let (first, second) = conditions.split_at(conditions.len() / 2);
                let first = self.combine_all(operation, first)?;
                let second = self.combine_all(operation, second)?;
                self.combine(operation, first, second)
            }
        }
    }

    /// Returns true if `b` holds wherever `a` does.
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
        self.decide(condition, &known)
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
        leaves.extend(self.reachable(condition).into_iter().filter_map(|id| Some(self.node(id)?.leaf)));
        leaves
    }

    /// Returns the nodes of a condition.
    fn reachable(&self, condition: ConditionId) -> Vec<ConditionId> {
        let mut nodes = Vec::new();
        let mut seen = HashSet::new();
        let mut rest = vec![condition];
        while let Some(condition) = rest.pop() {
            if let Some(node) = self.node(condition)
                && seen.insert(condition)
            {
                nodes.push(condition);
                rest.extend([node.low, node.high]);
            }
        }
        nodes
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
        self.decide(condition, &LeafValues { values, architecture: None })
    }

    /// Returns true if the condition is the constant `end` on all devices where `leaf` has this value. The leaf is
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
                    None if self.rank(node.leaf) > self.rank(leaf) => return false,
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
        let indices = conditions.into_iter().filter_map(|condition| condition.0.checked_sub(2));
        let first = indices.min_by_key(|&index| self.ranks[index as usize])?;
        Some(self.nodes[first as usize].leaf)
    }

    /// Adds a leaf to the order of leaves, after all others, if it is new.
    fn place(&mut self, leaf: Leaf) {
        if !leaf.is_architecture() {
            let next = self.positions.len() as u32 + 1;
            self.positions.entry(leaf.of_number()).or_insert(next);
        }
    }

    fn rank(&self, leaf: Leaf) -> Rank {
        match leaf {
            Leaf::Architecture(number) => (0, number.into()),
            _ => {
                let position = self.positions.get(&leaf.of_number());
                let bound = if let Leaf::Limit(limit) = leaf { limit.at_least() } else { 0 };
                (position.copied().unwrap_or(u32::MAX), bound)
            }
        }
    }

    /// Returns the condition in an arena that decides leaves in the order of canonical expressions, if this arena does
    /// not. There, a constant follows the leaf that it represents.
    pub(super) fn in_order_of_leaves(
        &self,
        condition: ConditionId,
    ) -> Result<Option<(Conditions, ConditionId)>, ConditionError> {
        let mut leaves: Vec<Leaf> = self.leaves(condition).into_iter().collect();
        sort_by_key(&mut leaves, |&leaf| match leaf {
            Leaf::Constant(id) => (self.meanings.get(&id).map_or(leaf, |meaning| meaning.of_number()), id),
            _ => (leaf, 0),
        });
        if leaves.is_sorted_by_key(|&leaf| self.rank(leaf)) {
            return Ok(None);
        }
        let mut ordered =
            Conditions::with_meanings(self.meanings.iter().map(|(&id, &meaning)| (id, meaning)));
        leaves.iter().for_each(|&leaf| ordered.place(leaf));
        let mut nodes = self.reachable(condition);
        // Branches were made before the nodes that lead to them.
        sort(&mut nodes);
        let mut known = HashMap::from([ConditionId::FALSE, ConditionId::TRUE].map(|end| (end, end)));
        for id in nodes {
            let Some(BddNode { leaf, low, high }) = self.node(id) else { continue };
            let leaf = ordered.leaf(leaf)?;
            let chosen = ordered.choose(leaf, known[&low], known[&high])?;
            known.insert(id, chosen);
        }
        Ok(Some((ordered, known[&condition])))
    }

    /// Returns the leaves of which one value makes the condition the constant `end`, except limits. Each leaf has its
    /// other value.
    pub(super) fn decisive_leaves(&self, condition: ConditionId, end: ConditionId) -> BTreeMap<Leaf, bool> {
        let mut decisive = BTreeMap::new();
        // The nodes to which the paths lead that have passed all leaves before.
        let mut open: BTreeMap<Rank, BTreeSet<ConditionId>> = BTreeMap::new();
        let mut next = vec![condition];
        loop {
            for condition in next {
                match condition.0.checked_sub(2) {
                    Some(index) => {
                        open.entry(self.ranks[index as usize]).or_default().insert(condition);
                    }
                    None if condition == end => {}
                    // This path decides no other leaf.
                    None => return decisive,
                }
            }
            let Some((_, reached)) = open.pop_first() else { return decisive };
            let nodes = || reached.iter().filter_map(|&condition| self.node(condition));
            if open.is_empty() {
                let ends_if_false = nodes().all(|node| node.low == end);
                let ends_if_true = nodes().all(|node| node.high == end);
                let leaf = nodes().next().map(|node| node.leaf);
                let leaf =
                    leaf.filter(|leaf| ends_if_false != ends_if_true && !matches!(leaf, Leaf::Limit(_)));
                decisive.extend(leaf.map(|leaf| (leaf, ends_if_false)));
            }
            next = nodes().flat_map(|node| [node.low, node.high]).collect();
        }
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
        if self.nodes.len() >= MAX_DIAGRAM_NODES {
            return Err(ConditionError::TooComplex);
        }
        let handle = ConditionId(self.nodes.len() as u32 + 2);
        self.nodes.push(node);
        self.ranks.push(self.rank(leaf));
        self.handles.insert(node, handle);
        Ok(handle)
    }

    fn node(&self, condition: ConditionId) -> Option<BddNode> {
        let index = condition.0.checked_sub(2)?;
        Some(self.nodes[index as usize])
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

    fn negate(&mut self, condition: ConditionId) -> Result<ConditionId, ConditionError> {
        let mut negations = std::mem::take(&mut self.negations);
        let ends = [ConditionId::TRUE, ConditionId::FALSE];
        let negated = self.map(condition, ends, &mut negations, &|_, _| Follow::Both, &Conditions::make);
        self.negations = negations;
        negated
    }

    /// Maps a condition without recursion, and each of its nodes once: conditions may have any number of leaves. `ends`
    /// are the results for FALSE and TRUE, and `known` those for nodes. `join` makes the result of a node from those of
    /// its branches, if both are followed.
    fn map(
        &mut self,
        condition: ConditionId,
        ends: [ConditionId; 2],
        known: &mut HashMap<ConditionId, ConditionId>,
        follow: &dyn Fn(&Conditions, BddNode) -> Follow,
        join: &Join,
    ) -> Result<ConditionId, ConditionError> {
        let result = |known: &HashMap<ConditionId, ConditionId>, condition: ConditionId| {
            ends.get(condition.0 as usize).or_else(|| known.get(&condition)).copied()
        };
        let mut open = vec![condition];
        while let Some(&next) = open.last() {
            let Some(node) = self.node(next).filter(|_| !known.contains_key(&next)) else {
                open.pop();
                continue;
            };
            let (branches, result) = match follow(self, node) {
                Follow::None => ([None; 2], Some(next)),
                Follow::One(branch) => ([Some(branch), None], result(known, branch)),
                Follow::Both => match (result(known, node.low), result(known, node.high)) {
                    (Some(low), Some(high)) => ([None; 2], Some(join(self, node.leaf, low, high)?)),
                    _ => ([Some(node.high), Some(node.low)], None),
                },
            };
            match result {
                Some(result) => drop(known.insert(next, result)),
                None => open.extend(branches.into_iter().flatten()),
            }
        }
        Ok(result(known, condition).unwrap_or(condition))
    }

    /// Combines conditions without recursion: they may have any number of leaves.
    fn combine(
        &mut self,
        operation: Operation,
        a: ConditionId,
        b: ConditionId,
    ) -> Result<ConditionId, ConditionError> {
        if let Some(result) = self.combined(operation, a, b) {
            return Ok(result);
        }
        let mut steps = vec![Step::Combine(a, b)];
        let mut results: Vec<ConditionId> = Vec::new();
        while let Some(step) = steps.pop() {
            let result = match step {
                Step::Combine(a, b) => match (self.combined(operation, a, b), self.first_leaf([a, b])) {
                    (None, Some(leaf)) => {
                        let (a_low, a_high) = self.branches(a, leaf);
                        let (b_low, b_high) = self.branches(b, leaf);
                        steps.push(Step::Make(leaf, a, b));
                        steps.push(Step::Combine(a_high, b_high));
                        steps.push(Step::Combine(a_low, b_low));
                        continue;
                    }
                    (result, _) => result.unwrap_or(a),
                },
                Step::Make(leaf, a, b) => {
                    let (Some(high), Some(low)) = (results.pop(), results.pop()) else { continue };
                    let result = self.make(leaf, low, high)?;
                    if self.memo.len() >= MAX_MEMO {
                        return Err(ConditionError::TooComplex);
                    }
                    self.memo.insert((operation, a.min(b), a.max(b)), result);
                    result
                }
            };
            results.push(result);
        }
        Ok(results.pop().unwrap_or(a))
    }

    /// Returns the result for two operands if it is known or equals an operand.
    fn combined(&self, operation: Operation, a: ConditionId, b: ConditionId) -> Option<ConditionId> {
        let (neutral, absorbing) = match operation {
            Operation::Or => (ConditionId::FALSE, ConditionId::TRUE),
            Operation::And => (ConditionId::TRUE, ConditionId::FALSE),
        };
        if a == absorbing || b == absorbing {
            Some(absorbing)
        } else if a == neutral || a == b {
            Some(b)
        } else if b == neutral {
            Some(a)
        } else {
            self.memo.get(&(operation, a.min(b), a.max(b))).copied()
        }
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

    fn decide(&mut self, condition: ConditionId, known: &LeafValues) -> Result<ConditionId, ConditionError> {
        // No leaf after the last known one, except greater bounds, has a known value.
        let last = known
            .values
            .iter()
            .max_by_key(|&(&leaf, _)| self.rank(leaf))
            .map(|(&leaf, &value)| (leaf, value));
        let follow = |conditions: &Conditions, node: BddNode| {
            let is_after = |(last, value)| {
                conditions.rank(last) < conditions.rank(node.leaf)
                    && node.leaf.follows_from(last, value).is_none()
            };
            if last.is_none_or(is_after) {
                return Follow::None;
            }
            match known.value(node.leaf) {
                Some(true) => Follow::One(node.high),
                Some(false) => Follow::One(node.low),
                None => Follow::Both,
            }
        };
        let ends = [ConditionId::FALSE, ConditionId::TRUE];
        self.map(condition, ends, &mut HashMap::new(), &follow, &Conditions::make)
    }

    /// Returns the condition with constants replaced by other conditions.
    pub fn replace_constants(
        &mut self,
        condition: ConditionId,
        replaced: &IdMap<ConditionId>,
    ) -> Result<ConditionId, ConditionError> {
        if replaced.is_empty() {
            return Ok(condition);
        }
        let replace = |conditions: &mut Conditions, leaf: Leaf, low: ConditionId, high: ConditionId| {
            let replacement = match leaf {
                Leaf::Constant(id) => replaced.get(&id).copied(),
                _ => None,
            };
            let chosen = replacement.map_or_else(|| conditions.leaf(leaf), Ok)?;
            conditions.choose(chosen, low, high)
        };
        let ends = [ConditionId::FALSE, ConditionId::TRUE];
        self.map(condition, ends, &mut HashMap::new(), &|_, _| Follow::Both, &replace)
    }

    /// Returns `high` where a condition holds, and elsewhere `low`. All may decide any leaves.
    fn choose(
        &mut self,
        condition: ConditionId,
        low: ConditionId,
        high: ConditionId,
    ) -> Result<ConditionId, ConditionError> {
        let high = self.and(condition, high)?;
        let otherwise = self.not(condition)?;
        let low = self.and(otherwise, low)?;
        self.or(low, high)
    }

    /// Returns the condition with the leaves that constants stand for in their place.
    pub fn without_meant_constants(&mut self, condition: ConditionId) -> Result<ConditionId, ConditionError> {
        let mut replaced = IdMap::new();
        if !self.meanings.is_empty() {
            for leaf in self.leaves(condition) {
                if let Leaf::Constant(id) = leaf
                    && let Some(&meaning) = self.meanings.get(&id)
                {
                    replaced.insert(id, self.leaf(meaning)?);
                }
            }
        }
        self.replace_constants(condition, &replaced)
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
