//! The canonical form: the one expression for each Boolean function (docs/design/device-if.md, "Normalization of condition
//! expressions").
//!
//! Every step depends on the function alone, never on the expression it came from or on other functions in the arena.
//! `spec-extensions/conditions.md` states the steps.

use std::collections::BTreeMap;

use super::{Condition, ConditionError, Conditions, Expr, Leaf, MAX_DEPTH, MAX_NODES};

/// A leaf, or its negation where the value is false.
type Literal = (Leaf, bool);

/// A disjunction of conjunctions of literals.
type Cover = Vec<Vec<Literal>>;

#[derive(Clone, Copy, PartialEq)]
enum Chain {
    And,
    Or,
}

impl Expr {
    /// The canonical form: the same for all equivalent expressions, given that a device is of one known architecture
    /// at most. `spec-extensions/conditions.md` states it.
    pub fn canonical(&self) -> Result<Expr, ConditionError> {
        let mut conditions = Conditions::new();
        let condition = conditions.of_expr(self)?;
        conditions.expr_of(condition)
    }
}

impl Conditions {
    /// The canonical expression of a condition.
    pub fn expr_of(&mut self, condition: Condition) -> Result<Expr, ConditionError> {
        // The recursion below takes away a leaf at each step.
        if self.leaves(condition).len() > MAX_DEPTH {
            return Err(ConditionError::TooDeep);
        }
        let expr = self.canonical(condition)?;
        expr.check_size()?;
        Ok(expr)
    }

    fn canonical(&mut self, condition: Condition) -> Result<Expr, ConditionError> {
        match condition {
            Condition::TRUE => return Ok(Expr::True),
            Condition::FALSE => return Ok(Expr::False),
            _ => {}
        }
        for chain in [Chain::And, Chain::Or] {
            if let Some((literals, rest)) = self.take_literals(condition, chain)? {
                let mut parts: Vec<Expr> = literals.into_iter().map(literal).collect();
                parts.push(self.canonical(rest)?);
                return chain.of(parts);
            }
        }
        if self.architectures(condition).each.is_empty() {
            self.shortest_cover(condition)
        } else {
            self.by_architecture(condition)
        }
    }

    /// The literals (not of architectures) without which the condition cannot hold, if there are any, and what must
    /// hold besides; for [`Chain::Or`], those that are enough for it to hold.
    fn take_literals(
        &mut self,
        condition: Condition,
        chain: Chain,
    ) -> Result<Option<(Vec<Literal>, Condition)>, ConditionError> {
        // All devices that satisfy the condition answer such a leaf alike; for `Or`, all that do not. So only what two
        // of them share is worth asking about.
        let mut answers = self.path(condition, chain.neutral(), true);
        let others = self.path(condition, chain.neutral(), false);
        answers.retain(|&leaf, &mut value| {
            !leaf.is_architecture()
                && others.get(&leaf) == Some(&value)
                && self.ends_at(condition, (leaf, !value), chain.absorbing())
        });
        if answers.is_empty() {
            return Ok(None);
        }
        let literals = answers.iter().map(|(&leaf, &value)| (leaf, value == (chain == Chain::And))).collect();
        Ok(Some((literals, self.given(condition, answers)?)))
    }

    /// Tells architectures apart first, so that what remains for each mentions none. Of the two ways to write that
    /// the shorter, or else the disjunction.
    fn by_architecture(&mut self, condition: Condition) -> Result<Expr, ConditionError> {
        let sum = self.architecture_chain(condition, Chain::Or)?;
        let product = self.architecture_chain(condition, Chain::And)?;
        Ok(if literal_count(&product) < literal_count(&sum) { product } else { sum })
    }

    /// As a disjunction: `(otherwise && !a && ..) || ((b || ..) && residual) || ..`; as a conjunction, its dual.
    fn architecture_chain(&mut self, condition: Condition, chain: Chain) -> Result<Expr, ConditionError> {
        let architectures = self.architectures(condition);
        let otherwise = architectures.otherwise;
        // Handles differ from arena to arena, but the parts of a chain are sorted in the end.
        let mut groups: BTreeMap<Condition, Vec<u32>> = BTreeMap::new();
        let mut regions = Vec::new();
        for (number, residual) in architectures.each {
            groups.entry(residual).or_default().push(number);
            // A residual that already contains the other case may as well fall under it.
            let covered = match chain {
                Chain::Or => self.implies(otherwise, residual)?,
                Chain::And => self.implies(residual, otherwise)?,
            };
            if !covered {
                regions.push(literal((Leaf::Architecture(number), chain == Chain::And)));
            }
        }
        regions.push(self.canonical(otherwise)?);
        let mut parts = vec![chain.dual().of(regions)?];
        for (residual, numbers) in groups {
            let names = numbers.into_iter().map(|n| literal((Leaf::Architecture(n), chain == Chain::Or)));
            let names = chain.of(names.collect())?;
            parts.push(chain.dual().of(vec![names, self.canonical(residual)?])?);
        }
        chain.of(parts)
    }

    /// The shorter of an irredundant sum of products and an irredundant product of sums, or else the sum. The
    /// condition mentions no architecture.
    fn shortest_cover(&mut self, condition: Condition) -> Result<Expr, ConditionError> {
        let negation = self.not(condition)?;
        let sum = self.cover(condition, condition)?.map(|(cover, _)| cover);
        let product = self.cover(negation, negation)?.map(|(cover, _)| cover);
        let size = |cover: &Cover| cover.iter().map(Vec::len).sum::<usize>();
        match (sum, product) {
            (Some(sum), Some(product)) if size(&product) < size(&sum) => cover_expr(product, Chain::And),
            (Some(sum), _) => cover_expr(sum, Chain::Or),
            (None, Some(product)) => cover_expr(product, Chain::And),
            (None, None) => Err(ConditionError::TooLong),
        }
    }

    /// An irredundant cover of some function between `lower` and `upper`, and that function: Minato's procedure after
    /// Morreale. `None` if it takes more than [`MAX_NODES`] literals. Every call that does not end at once gives a
    /// product of its own, so that bound also ends it soon.
    fn cover(
        &mut self,
        lower: Condition,
        upper: Condition,
    ) -> Result<Option<(Cover, Condition)>, ConditionError> {
        if lower.is_false() {
            return Ok(Some((vec![], Condition::FALSE)));
        }
        let Some(leaf) = self.first_leaf([lower, upper]).filter(|_| !upper.is_true()) else {
            return Ok(Some((vec![vec![]], Condition::TRUE)));
        };
        let (lower_0, lower_1) = self.branches(lower, leaf);
        let (upper_0, upper_1) = self.branches(upper, leaf);
        // Products with the negated leaf, for what no product without it can cover; likewise with the leaf itself.
        let only_0 = self.without(lower_0, upper_1)?;
        let Some((mut cover, covered_0)) = self.cover(only_0, upper_0)? else { return Ok(None) };
        let only_1 = self.without(lower_1, upper_0)?;
        let Some((cover_1, covered_1)) = self.cover(only_1, upper_1)? else { return Ok(None) };
        let left_0 = self.without(lower_0, covered_0)?;
        let left_1 = self.without(lower_1, covered_1)?;
        let left = self.or(left_0, left_1)?;
        let both = self.and(upper_0, upper_1)?;
        let Some((cover_both, covered_both)) = self.cover(left, both)? else { return Ok(None) };

        for product in &mut cover {
            product.push((leaf, false));
        }
        cover.extend(cover_1.into_iter().map(|mut product| {
            product.push((leaf, true));
            product
        }));
        cover.extend(cover_both);
        if cover.iter().map(Vec::len).sum::<usize>() > MAX_NODES {
            return Ok(None);
        }
        let covered = self.make(leaf, covered_0, covered_1)?;
        Ok(Some((cover, self.or(covered, covered_both)?)))
    }

    fn without(&mut self, a: Condition, b: Condition) -> Result<Condition, ConditionError> {
        let not_b = self.not(b)?;
        self.and(a, not_b)
    }
}

impl Chain {
    fn dual(self) -> Chain {
        match self {
            Chain::And => Chain::Or,
            Chain::Or => Chain::And,
        }
    }

    /// The condition that changes nothing as a part of the chain.
    fn neutral(self) -> Condition {
        match self {
            Chain::And => Condition::TRUE,
            Chain::Or => Condition::FALSE,
        }
    }

    /// The condition that decides the chain as a part of it.
    fn absorbing(self) -> Condition {
        self.dual().neutral()
    }

    /// The parts as one chain, without those that change nothing, sorted and nested to the right as the design's headers do
    /// (docs/design/device-if.md, "Changes to the device headers").
    fn of(self, parts: Vec<Expr>) -> Result<Expr, ConditionError> {
        let (neutral, absorbing) = match self {
            Chain::And => (Expr::True, Expr::False),
            Chain::Or => (Expr::False, Expr::True),
        };
        let mut flat = Vec::new();
        for mut part in parts {
            loop {
                match (self, part) {
                    (Chain::And, Expr::And(left, right)) | (Chain::Or, Expr::Or(left, right)) => {
                        flat.push(*left);
                        part = *right;
                    }
                    (_, part) if part == neutral => break,
                    (_, part) if part == absorbing => return Ok(absorbing),
                    (_, part) => {
                        flat.push(part);
                        break;
                    }
                }
            }
        }
        if flat.len() > MAX_DEPTH {
            return Err(ConditionError::TooDeep);
        }
        flat.sort();
        let last = flat.pop().unwrap_or(neutral);
        Ok(flat.into_iter().rfold(last, |rest, part| match self {
            Chain::And => Expr::And(Box::new(part), Box::new(rest)),
            Chain::Or => Expr::Or(Box::new(part), Box::new(rest)),
        }))
    }
}

fn literal((leaf, value): Literal) -> Expr {
    if value { leaf.into() } else { Expr::Not(Box::new(leaf.into())) }
}

fn cover_expr(cover: Cover, chain: Chain) -> Result<Expr, ConditionError> {
    let parts = cover.into_iter().map(|product| {
        // A product of sums is the negation of a sum of products, so its literals are negated.
        let literals =
            product.into_iter().map(|(leaf, value)| literal((leaf, value == (chain == Chain::Or))));
        chain.dual().of(literals.collect())
    });
    chain.of(parts.collect::<Result<_, _>>()?)
}

/// The number of leaves in an expression, counted with repetition.
fn literal_count(expr: &Expr) -> usize {
    expr.nodes().filter(|node| matches!(node, Expr::Leaf(_))).count()
}
