//! The canonical form: one expression for each Boolean function (docs/design/device-if.md, "Normalization of
//! condition expressions").
//!
//! Every step depends on the function alone, not on the expression that it came from or on other functions in
//! the arena. `spec-extensions/conditions.md` defines the steps.

use super::{ConditionError, ConditionId, Conditions, Expr, Leaf, MAX_DEPTH, MAX_NODES};
use crate::collections::{OrderedMap, sort_by};

/// A leaf, or its negation if the value is false.
type Literal = (Leaf, bool);

/// A disjunction of conjunctions of literals, under construction.
#[derive(Default)]
struct Products {
    products: Vec<Vec<Literal>>,
    /// Total number of literals.
    literals: usize,
    max_literals: usize,
    /// The literals that are common to the next products.
    common: Vec<Literal>,
}

#[derive(Clone, Copy, PartialEq)]
enum Chain {
    And,
    Or,
}

impl Expr {
    /// Returns the canonical form. It is equal for all equivalent expressions, given that a device is of at
    /// most one known architecture. `spec-extensions/conditions.md` defines it.
    pub fn canonical(&self) -> Result<Expr, ConditionError> {
        let mut conditions = Conditions::new();
        let condition = conditions.of_expr(self)?;
        conditions.expr_of(condition)
    }
}

impl Conditions {
    /// Returns the canonical expression of a condition.
    pub fn expr_of(&mut self, condition: ConditionId) -> Result<Expr, ConditionError> {
        // Each step of the recursion below removes a leaf.
        if self.leaves(condition).len() > MAX_DEPTH {
            return Err(ConditionError::TooDeep);
        }
        let expr = self.canonical(condition)?;
        expr.check_size()?;
        Ok(expr)
    }

    fn canonical(&mut self, condition: ConditionId) -> Result<Expr, ConditionError> {
        match condition {
            ConditionId::TRUE => return Ok(Expr::True),
            ConditionId::FALSE => return Ok(Expr::False),
            _ => {}
        }
        for chain in [Chain::And, Chain::Or] {
            if let Some((literals, rest)) = self.take_literals(condition, chain)? {
                let mut parts: Vec<Expr> = literals.into_iter().map(literal).collect();
                parts.push(self.canonical(rest)?);
                return chain.join(parts);
            }
        }
        if self.architectures(condition).each.is_empty() {
            self.shortest_cover(condition)
        } else {
            self.by_architecture(condition)
        }
    }

    /// Returns the literals (not of architectures) that the condition implies, and the rest of the condition.
    /// For [`Chain::Or`], returns the literals that imply the condition.
    fn take_literals(
        &mut self,
        condition: ConditionId,
        chain: Chain,
    ) -> Result<Option<(Vec<Literal>, ConditionId)>, ConditionError> {
        let mut answers = self.decisive_leaves(condition, chain.absorbing());
        answers.retain(|leaf, _| !leaf.is_architecture());
        // All devices that satisfy the condition agree on such a leaf; for `Or`, all that do not. So only
        // limits on which two of them agree are candidates.
        if self.leaves(condition).iter().any(|leaf| matches!(leaf, Leaf::Limit(_))) {
            let mut limits = self.path(condition, chain.neutral(), true);
            let others = self.path(condition, chain.neutral(), false);
            limits.retain(|&leaf, &mut value| {
                matches!(leaf, Leaf::Limit(_))
                    && others.get(&leaf) == Some(&value)
                    && self.ends_at(condition, (leaf, !value), chain.absorbing())
            });
            answers.extend(limits);
        }
        if answers.is_empty() {
            return Ok(None);
        }
        let literals = answers.iter().map(|(&leaf, &value)| (leaf, value == (chain == Chain::And))).collect();
        Ok(Some((literals, self.with_values(condition, answers)?)))
    }

    /// Distinguishes architectures first, so that the rest for each contains none. Returns the shorter of the
    /// two forms, or else the disjunction.
    fn by_architecture(&mut self, condition: ConditionId) -> Result<Expr, ConditionError> {
        let sum = self.architecture_chain(condition, Chain::Or)?;
        let product = self.architecture_chain(condition, Chain::And)?;
        Ok(if literal_count(&product) < literal_count(&sum) { product } else { sum })
    }

    /// Returns the disjunction `(otherwise && !a && ..) || ((b || ..) && residual) || ..`, or its dual as a
    /// conjunction.
    fn architecture_chain(&mut self, condition: ConditionId, chain: Chain) -> Result<Expr, ConditionError> {
        let architectures = self.architectures(condition);
        let otherwise = architectures.otherwise;
        // Ids differ between arenas, but the parts of a chain are sorted in the end.
        let mut groups: OrderedMap<ConditionId, Vec<u32>> = OrderedMap::new();
        let mut regions = Vec::new();
        for (number, residual) in architectures.each {
            groups.entry(residual).or_default().push(number);
            // A residual that contains the other case may be covered by it.
            let covered = match chain {
                Chain::Or => self.implies(otherwise, residual)?,
                Chain::And => self.implies(residual, otherwise)?,
            };
            if !covered {
                regions.push(literal((Leaf::Architecture(number), chain == Chain::And)));
            }
        }
        regions.push(self.canonical(otherwise)?);
        let mut parts = vec![chain.dual().join(regions)?];
        for (residual, numbers) in groups {
            let names = numbers.into_iter().map(|n| literal((Leaf::Architecture(n), chain == Chain::Or)));
            let names = chain.join(names.collect())?;
            parts.push(chain.dual().join(vec![names, self.canonical(residual)?])?);
        }
        chain.join(parts)
    }

    /// Returns the shorter of an irredundant sum of products and an irredundant product of sums, or else the
    /// sum. The condition contains no architecture.
    fn shortest_cover(&mut self, condition: ConditionId) -> Result<Expr, ConditionError> {
        if let Some((mut ordered, condition)) = self.in_order_of_leaves(condition)? {
            return ordered.shortest_cover(condition);
        }
        let negation = self.not(condition)?;
        let sum = self.products(condition, MAX_NODES)?;
        // A product that is not shorter is of no use.
        let max_literals = sum.as_ref().map_or(MAX_NODES, |sum| sum.literals - 1);
        match (sum, self.products(negation, max_literals)?) {
            (Some(sum), Some(product)) if product.literals < sum.literals => product.expr(Chain::And),
            (Some(sum), _) => sum.expr(Chain::Or),
            (None, Some(product)) => product.expr(Chain::And),
            (None, None) => Err(ConditionError::TooLong),
        }
    }

    /// Returns an irredundant sum of products for the condition, if it has at most `max_literals` literals.
    fn products(
        &mut self,
        condition: ConditionId,
        max_literals: usize,
    ) -> Result<Option<Products>, ConditionError> {
        let mut products = Products { max_literals, ..Products::default() };
        let covered = self.cover(condition, condition, &mut products)?;
        Ok(covered.map(|_| products))
    }

    /// Finds an irredundant cover of a function between `lower` and `upper`, and returns the function:
    /// Minato's procedure after Morreale. `None` if it has more literals than it may. Every call
    /// either ends immediately or finds a product, so this bound also limits the time. Calls nest up to the
    /// number of leaves, so their frames are small.
    fn cover(
        &mut self,
        lower: ConditionId,
        upper: ConditionId,
        products: &mut Products,
    ) -> Result<Option<ConditionId>, ConditionError> {
        if lower.is_false() {
            return Ok(Some(ConditionId::FALSE));
        }
        let Some(leaf) = self.first_leaf([lower, upper]).filter(|_| !upper.is_true()) else {
            return Ok(products.add().then_some(ConditionId::TRUE));
        };
        let (lower_0, lower_1) = self.branches(lower, leaf);
        let (upper_0, upper_1) = self.branches(upper, leaf);
        // Products with the negated leaf, for the part that products without it cannot cover; likewise with
        // the leaf.
        let only_0 = self.without(lower_0, upper_1)?;
        products.common.push((leaf, false));
        let Some(covered_0) = self.cover(only_0, upper_0, products)? else { return Ok(None) };
        products.common.pop();
        let only_1 = self.without(lower_1, upper_0)?;
        products.common.push((leaf, true));
        let Some(covered_1) = self.cover(only_1, upper_1, products)? else { return Ok(None) };
        products.common.pop();
        let left_0 = self.without(lower_0, covered_0)?;
        let left_1 = self.without(lower_1, covered_1)?;
        let left = self.or(left_0, left_1)?;
        let both = self.and(upper_0, upper_1)?;
        let Some(covered_both) = self.cover(left, both, products)? else { return Ok(None) };
        let covered = self.make(leaf, covered_0, covered_1)?;
        self.or(covered, covered_both).map(Some)
    }

    fn without(&mut self, a: ConditionId, b: ConditionId) -> Result<ConditionId, ConditionError> {
        let not_b = self.not(b)?;
        self.and(a, not_b)
    }
}

impl Products {
    /// Adds the common literals as a product. False if there are too many literals.
    fn add(&mut self) -> bool {
        // Of several bounds of one number, the strictest imply the others.
        let implied = |&(leaf, value): &Literal| {
            let follows =
                |&(other, holds): &Literal| other != leaf && leaf.follows_from(other, holds) == Some(value);
            self.common.iter().any(follows)
        };
        let product: Vec<Literal> = self.common.iter().filter(|literal| !implied(literal)).copied().collect();
        self.literals += product.len();
        self.products.push(product);
        self.literals <= self.max_literals
    }

    /// Returns the expression. For [`Chain::And`], returns the expression of the negation, as a product of
    /// sums.
    fn expr(self, chain: Chain) -> Result<Expr, ConditionError> {
        let parts = self.products.into_iter().map(|product| {
            let literals =
                product.into_iter().map(|(leaf, value)| literal((leaf, value == (chain == Chain::Or))));
            chain.dual().join(literals.collect())
        });
        chain.join(parts.collect::<Result<_, _>>()?)
    }
}

impl Chain {
    fn dual(self) -> Chain {
        match self {
            Chain::And => Chain::Or,
            Chain::Or => Chain::And,
        }
    }

    /// Returns the neutral condition of the chain.
    fn neutral(self) -> ConditionId {
        match self {
            Chain::And => ConditionId::TRUE,
            Chain::Or => ConditionId::FALSE,
        }
    }

    /// Returns the absorbing condition of the chain.
    fn absorbing(self) -> ConditionId {
        self.dual().neutral()
    }

    /// Returns the parts as one chain without neutral ones, sorted and nested to the right like the design's
    /// headers (docs/design/device-if.md, "Changes to the device headers").
    fn join(self, parts: Vec<Expr>) -> Result<Expr, ConditionError> {
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
        sort_by(&mut flat, |a, b| (compared(a), a).cmp(&(compared(b), b)));
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

/// Returns the expression by which a part is sorted. A negated limit is a comparison too, next to the others of its
/// number.
fn compared(part: &Expr) -> &Expr {
    match part {
        Expr::Not(operand) if matches!(**operand, Expr::Leaf(Leaf::Limit(_))) => operand,
        _ => part,
    }
}

/// Returns the number of leaves in an expression, counted with repetition.
fn literal_count(expr: &Expr) -> usize {
    expr.nodes().filter(|node| matches!(node, Expr::Leaf(_))).count()
}
