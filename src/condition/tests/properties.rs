//! Properties of conditions, checked with an independent evaluator that tries every device.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use proptest::collection::vec;
use proptest::prelude::*;

use crate::condition::{
    ConditionId, Conditions, Expr, FeatureName, Leaf, LeafKind, LeafNames, Limit, Truth, evaluate,
};

const ARCHITECTURES: [u32; 3] = [1, 2, 30];
static OTHERS: LazyLock<[Leaf; 3]> = LazyLock::new(|| {
    let named = |kind: LeafKind, name| kind.named(name).unwrap();
    let extension = named(LeafKind::Extension, "SPV_KHR_a");
    [Leaf::Aspect(5), Leaf::Aspect(6), extension]
});
/// Numbers of devices, each with the bounds that it is compared with in ascending order. A driver in any version reaches the first.
static NUMBERS: LazyLock<[Vec<Leaf>; 3]> = LazyLock::new(|| {
    let limits = |name: &str, bounds: &[u64]| {
        let name = FeatureName::parse(name).unwrap();
        bounds.iter().map(|&bound| Leaf::Limit(Limit::new(name, bound).unwrap())).collect()
    };
    let drivers = limits("driver:a", &[1, 1 << 40]);
    [limits("device:number", &[16, 32, 33]), limits("vulkan:maxA.0", &[2, 5]), drivers]
});

/// The leaves that hold on a device.
type TrueLeaves = BTreeSet<Leaf>;

/// Returns every device: one of the architectures or none, any of the others, and any values of the numbers.
fn devices(architectures: &[u32], others: &[Leaf], numbers: &[Vec<Leaf>]) -> Vec<TrueLeaves> {
    let mut devices = Vec::new();
    for architecture in [None].into_iter().chain(architectures.iter().copied().map(Some)) {
        for bits in 0..1 << others.len() {
            let has = |(index, leaf): (usize, &Leaf)| (bits >> index & 1 == 1).then_some(*leaf);
            let mut device: TrueLeaves = others.iter().enumerate().filter_map(has).collect();
            device.extend(architecture.map(Leaf::Architecture));
            devices.push(device);
        }
    }
    for bounds in numbers {
        // A number reaches some first bounds.
        let reaches =
            |device: &TrueLeaves, count: usize| device.iter().chain(&bounds[..count]).copied().collect();
        let with_number =
            |device: TrueLeaves| (0..=bounds.len()).map(|count| reaches(&device, count)).collect::<Vec<_>>();
        devices = devices.into_iter().flat_map(with_number).collect();
    }
    devices
}

fn all_devices() -> &'static [TrueLeaves] {
    static ALL: LazyLock<Vec<TrueLeaves>> = LazyLock::new(|| devices(&ARCHITECTURES, &*OTHERS, &*NUMBERS));
    &ALL
}

fn holds(expr: &Expr, device: &TrueLeaves) -> bool {
    match expr {
        Expr::True => true,
        Expr::False => false,
        Expr::Leaf(leaf) => device.contains(leaf),
        Expr::Not(operand) => !holds(operand, device),
        Expr::And(left, right) => holds(left, device) && holds(right, device),
        Expr::Or(left, right) => holds(left, device) || holds(right, device),
    }
}

fn table(expr: &Expr) -> Vec<bool> {
    all_devices().iter().map(|device| holds(expr, device)).collect()
}

fn not(operand: Expr) -> Expr {
    Expr::Not(Box::new(operand))
}

fn and(left: Expr, right: Expr) -> Expr {
    Expr::And(Box::new(left), Box::new(right))
}

fn or(left: Expr, right: Expr) -> Expr {
    Expr::Or(Box::new(left), Box::new(right))
}

fn leaves() -> Vec<Leaf> {
    let numbers = NUMBERS.iter().flatten().copied();
    ARCHITECTURES.map(Leaf::Architecture).into_iter().chain(*OTHERS).chain(numbers).collect()
}

/// Returns leaves of all kinds that have a series.
fn leaves_of_all_kinds() -> Vec<Leaf> {
    let host = LeafKind::Host.named("host_decides_1").unwrap();
    let target = LeafKind::Target.with_numbers(&[7, 1]).unwrap();
    let feature = LeafKind::Feature.named("amdgpu:16-bit-insts").unwrap();
    [leaves(), vec![host, target, feature, Leaf::Capability(5)]].concat()
}

/// Returns trees over some of the leaves and, if `constants`, the constants.
fn tree(leaves: Vec<Leaf>, constants: bool, size: u32) -> BoxedStrategy<Expr> {
    let leaf = prop::sample::select(leaves).prop_map(Expr::Leaf);
    let end = if constants {
        prop_oneof![8 => leaf, 1 => Just(Expr::True), 1 => Just(Expr::False)].boxed()
    } else {
        leaf.boxed()
    };
    end.prop_recursive(7, size, 2, |inner| {
        prop_oneof![
            inner.clone().prop_map(not),
            (inner.clone(), inner.clone()).prop_map(|(left, right)| and(left, right)),
            (inner.clone(), inner).prop_map(|(left, right)| or(left, right)),
        ]
    })
    .boxed()
}

fn any_tree() -> BoxedStrategy<Expr> {
    tree(leaves(), true, 40)
}

/// Replaces the expression at a place, counted before its operands.
fn replace(expr: &Expr, place: &mut usize, with: &dyn Fn(&Expr) -> Expr) -> Expr {
    if *place == 0 {
        *place = usize::MAX;
        return with(expr);
    }
    *place -= 1;
    match expr {
        Expr::True | Expr::False | Expr::Leaf(_) => expr.clone(),
        Expr::Not(operand) => not(replace(operand, place, with)),
        Expr::And(left, right) => and(replace(left, place, with), replace(right, place, with)),
        Expr::Or(left, right) => or(replace(left, place, with), replace(right, place, with)),
    }
}

fn size(expr: &Expr) -> usize {
    match expr {
        Expr::True | Expr::False | Expr::Leaf(_) => 1,
        Expr::Not(operand) => 1 + size(operand),
        Expr::And(left, right) | Expr::Or(left, right) => 1 + size(left) + size(right),
    }
}

/// Applies a law of Boolean algebra, of architectures or of numbers to an expression; returns it unchanged if the law
/// does not apply.
fn apply_law(expr: &Expr, law: u8, other: &Expr) -> Expr {
    let x = || expr.clone();
    let y = || other.clone();
    match (law, expr) {
        (0, Expr::And(a, b)) => and(*b.clone(), *a.clone()),
        (0, Expr::Or(a, b)) => or(*b.clone(), *a.clone()),
        (1, Expr::And(a, b)) => not(or(not(*a.clone()), not(*b.clone()))),
        (1, Expr::Or(a, b)) => not(and(not(*a.clone()), not(*b.clone()))),
        (2, Expr::And(a, bc)) => match &**bc {
            Expr::Or(b, c) => or(and(*a.clone(), *b.clone()), and(*a.clone(), *c.clone())),
            _ => x(),
        },
        (2, Expr::Or(a, bc)) => match &**bc {
            Expr::And(b, c) => and(or(*a.clone(), *b.clone()), or(*a.clone(), *c.clone())),
            _ => x(),
        },
        (3, Expr::And(ab, c)) => match &**ab {
            Expr::And(a, b) => and(*a.clone(), and(*b.clone(), *c.clone())),
            _ => x(),
        },
        (4, _) => not(not(x())),
        (5, _) => or(x(), and(x(), y())),
        (6, _) => and(x(), or(y(), x())),
        (7, _) => and(or(y(), not(y())), x()),
        (8, _) => or(and(x(), y()), and(not(y()), x())),
        // No device is of two architectures.
        (9, _) => or(x(), and(Expr::Leaf(Leaf::Architecture(1)), Expr::Leaf(Leaf::Architecture(30)))),
        (10, Expr::Leaf(Leaf::Architecture(2))) => and(not(Expr::Leaf(Leaf::Architecture(1))), x()),
        // A number that reaches a bound reaches smaller ones.
        (11, _) => or(x(), and(not(NUMBERS[0][0].into()), NUMBERS[0][1].into())),
        (12, Expr::Leaf(leaf)) if *leaf == NUMBERS[0][2] => and(NUMBERS[0][0].into(), x()),
        (12, Expr::Leaf(leaf)) if *leaf == NUMBERS[1][0] => or(NUMBERS[1][1].into(), x()),
        _ => x(),
    }
}

/// Nests chains to the right, and changes nothing else.
fn nest_right(expr: &Expr) -> Expr {
    match expr {
        Expr::True | Expr::False | Expr::Leaf(_) => expr.clone(),
        Expr::Not(operand) => not(nest_right(operand)),
        Expr::And(ab, c) => match &**ab {
            Expr::And(a, b) => nest_right(&and(*a.clone(), and(*b.clone(), *c.clone()))),
            _ => and(nest_right(ab), nest_right(c)),
        },
        Expr::Or(ab, c) => match &**ab {
            Expr::Or(a, b) => nest_right(&or(*a.clone(), or(*b.clone(), *c.clone()))),
            _ => or(nest_right(ab), nest_right(c)),
        },
    }
}

/// Names of some leaves, including words of the text form.
struct WordLikeNames;

const NAMED: [(Leaf, &str); 5] = [
    (Leaf::Aspect(5), "fp16"),
    (Leaf::Aspect(6), "true"),
    (Leaf::Architecture(2), "cap"),
    (Leaf::Architecture(30), "fp16"),
    (Leaf::Capability(5), "Int16"),
];

impl LeafNames for WordLikeNames {
    fn number(&self, kind: LeafKind, name: &str) -> Option<u32> {
        NAMED
            .iter()
            .find(|(leaf, other)| leaf.kind() == kind && *other == name)
            .and_then(|(leaf, _)| leaf.number())
    }

    fn name(&self, leaf: Leaf) -> Option<&str> {
        NAMED.iter().find(|(other, _)| *other == leaf).map(|(_, name)| *name)
    }

    fn is_number(&self, name: FeatureName) -> bool {
        name.name() == "number" || ["vulkan", "driver"].contains(&name.provider())
    }
}

/// Returns partial knowledge of a device: the values of some leaves.
fn knowledge() -> impl Strategy<Value = BTreeMap<Leaf, bool>> {
    let architecture = prop_oneof![
        // One is known to hold. Some of the others are known not to hold.
        (prop::sample::select(ARCHITECTURES.to_vec()), vec(any::<bool>(), 3)).prop_map(|(one, is_known)| {
            let known = ARCHITECTURES
                .into_iter()
                .zip(is_known)
                .filter(|&(number, is_known)| is_known || number == one);
            known.map(|(number, _)| (Leaf::Architecture(number), number == one)).collect::<Vec<_>>()
        }),
        // Some are known not to hold.
        prop::sample::subsequence(ARCHITECTURES.to_vec(), 0..=3)
            .prop_map(|none| none.into_iter().map(|number| (Leaf::Architecture(number), false)).collect()),
    ];
    let others = vec(any::<Option<bool>>(), OTHERS.len());
    // Of a number, how many bounds it reaches, and of which that is known.
    let numbers = NUMBERS.each_ref().map(|bounds| (0..=bounds.len(), vec(any::<bool>(), bounds.len())));
    (architecture, others, numbers).prop_map(|(architecture, others, numbers)| {
        let others =
            (*OTHERS).into_iter().zip(others).filter_map(|(leaf, value)| value.map(|value| (leaf, value)));
        let numbers = NUMBERS.iter().zip(numbers).flat_map(|(bounds, (reached, is_known))| {
            let values = bounds.iter().enumerate().zip(is_known).filter(|(_, is_known)| *is_known);
            values.map(move |((at, leaf), _)| (*leaf, at < reached))
        });
        architecture.into_iter().chain(others).chain(numbers).collect()
    })
}

fn consistent(known: &BTreeMap<Leaf, bool>) -> Vec<TrueLeaves> {
    let agrees = |device: &TrueLeaves| known.iter().all(|(leaf, value)| device.contains(leaf) == *value);
    all_devices().iter().filter(|device| agrees(device)).cloned().collect()
}

fn truth(expr: &Expr, devices: &[TrueLeaves]) -> Truth {
    let possible: BTreeSet<bool> = devices.iter().map(|device| holds(expr, device)).collect();
    match (possible.contains(&true), possible.contains(&false)) {
        (true, true) => Truth::Unknown,
        (true, false) => Truth::True,
        _ => Truth::False,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn canonical_preserves_the_truth_table(expr in any_tree()) {
        let canonical = expr.canonical().unwrap();
        prop_assert_eq!(table(&canonical), table(&expr));
        prop_assert_eq!(canonical.canonical().unwrap(), canonical.clone());
        prop_assert_eq!(canonical.leaves(), {
            let mut conditions = Conditions::new();
            let condition = conditions.of_expr(&expr).unwrap();
            conditions.leaves(condition)
        });
        match canonical {
            Expr::True => prop_assert!(table(&expr).into_iter().all(|holds| holds)),
            Expr::False => prop_assert!(!table(&expr).into_iter().any(|holds| holds)),
            canonical => {
                prop_assert_eq!(Expr::from_series(&canonical.to_series().unwrap()), Ok(canonical));
            }
        }
    }

    #[test]
    fn the_same_if_and_only_if_equivalent(
        exprs in vec(tree(
            vec![Leaf::Architecture(1), Leaf::Architecture(2), OTHERS[0], NUMBERS[0][0], NUMBERS[0][1]],
            true,
            8,
        ), 2..12)
    ) {
        let mut conditions = Conditions::new();
        let all: Vec<_> = exprs
            .iter()
            .map(|expr| {
                let canonical = expr.canonical().unwrap();
                let handle = conditions.of_expr(expr).unwrap();
                assert_eq!(conditions.expr_of(handle).unwrap(), canonical, "whatever the arena holds");
                (table(expr), handle, canonical.to_series().ok(), canonical)
            })
            .collect();
        for (table, handle, series, canonical) in &all {
            for (other_table, other_handle, other_series, other_canonical) in &all {
                let equivalent = table == other_table;
                prop_assert_eq!(handle == other_handle, equivalent);
                prop_assert_eq!(canonical == other_canonical, equivalent);
                prop_assert!(!equivalent || series == other_series);
                let implied = table.iter().zip(other_table).all(|(a, b)| !a || *b);
                prop_assert_eq!(conditions.implies(*handle, *other_handle).unwrap(), implied);
            }
        }
    }

    #[test]
    fn the_laws_change_nothing(
        expr in any_tree(),
        steps in vec((any::<prop::sample::Index>(), 0..=12_u8, tree(leaves(), false, 3)), 1..10),
    ) {
        let mut rewritten = expr.clone();
        for (place, law, other) in steps {
            if size(&rewritten) < 500 {
                let mut place = place.index(size(&rewritten));
                rewritten = replace(&rewritten, &mut place, &|expr| apply_law(expr, law, &other));
            }
        }
        prop_assert_eq!(table(&rewritten), table(&expr), "the law itself is wrong");
        prop_assert_eq!(rewritten.canonical().unwrap(), expr.canonical().unwrap());
    }

    #[test]
    fn operations_are_those_of_truth_tables(a in any_tree(), b in any_tree()) {
        let mut conditions = Conditions::new();
        let (x, y) = (conditions.of_expr(&a).unwrap(), conditions.of_expr(&b).unwrap());
        let results = [
            (conditions.not(x).unwrap(), not(a.clone())),
            (conditions.and(x, y).unwrap(), and(a.clone(), b.clone())),
            (conditions.or(x, y).unwrap(), or(a, b)),
        ];
        for (result, expr) in results {
            prop_assert_eq!(table(&conditions.expr_of(result).unwrap()), table(&expr));
        }
    }

    #[test]
    fn unknown_exactly_if_both_are_possible(expr in any_tree(), mut known in knowledge()) {
        // Only leaves that the expression mentions are looked up.
        let mentioned = expr.leaves();
        known.retain(|leaf, _| mentioned.contains(leaf));
        let truth = truth(&expr, &consistent(&known));
        prop_assert_eq!(evaluate(&expr, &|leaf| known.get(&leaf).copied()), Ok(truth));
    }

    #[test]
    fn restricting_leaves_what_is_not_known(expr in any_tree(), known in knowledge()) {
        let of_one = ARCHITECTURES.iter().any(|number| known.get(&Leaf::Architecture(*number)) == Some(&true));
        let excluded = |leaf: Leaf| (of_one && leaf.kind() == LeafKind::Architecture).then_some(false);
        // What is known of a number decides all of its bounds.
        let possible = consistent(&known);
        let decided = |leaf: Leaf| {
            let values: BTreeSet<bool> = possible.iter().map(|device| device.contains(&leaf)).collect();
            let value = values.first().copied().filter(|_| values.len() == 1);
            value.filter(|_| leaf.kind() == LeafKind::Limit)
        };
        let lookup =
            |leaf| known.get(&leaf).copied().or_else(|| excluded(leaf)).or_else(|| decided(leaf));

        let mut conditions = Conditions::new();
        let condition = conditions.of_expr(&expr).unwrap();
        let restricted = conditions.restrict(condition, &lookup).unwrap();
        prop_assert!(conditions.leaves(restricted).into_iter().all(|leaf| lookup(leaf).is_none()));
        let truth = truth(&expr, &consistent(&known));
        prop_assert_eq!(restricted.is_true(), truth == Truth::True);
        prop_assert_eq!(restricted.is_false(), truth == Truth::False);
        let restricted = conditions.expr_of(restricted).unwrap();
        for device in consistent(&known) {
            prop_assert_eq!(holds(&restricted, &device), holds(&expr, &device));
        }
    }

    #[test]
    fn architectures_take_the_condition_apart(expr in any_tree()) {
        let mut conditions = Conditions::new();
        let condition = conditions.of_expr(&expr).unwrap();
        let architectures = conditions.architectures(condition);
        let mut residual_of = |residual| conditions.expr_of(residual).unwrap();
        let each: Vec<_> =
            architectures.each.iter().map(|&(number, residual)| (number, residual_of(residual))).collect();
        let otherwise = residual_of(architectures.otherwise);
        for residual in each.iter().map(|(_, residual)| residual).chain([&otherwise]) {
            prop_assert!(residual.leaves().iter().all(|leaf| leaf.kind() != LeafKind::Architecture));
        }
        for device in all_devices() {
            let residual = each
                .iter()
                .find(|(number, _)| device.contains(&Leaf::Architecture(*number)))
                .map_or(&otherwise, |(_, residual)| residual);
            prop_assert_eq!(holds(residual, device), holds(&expr, device));
        }
    }

    #[test]
    fn text_round_trip(expr in tree([leaves_of_all_kinds(), vec![Leaf::Constant(7)]].concat(), true, 40)) {
        let text = expr.display(&WordLikeNames).to_string();
        let parsed = Expr::parse(&text, &WordLikeNames).unwrap();
        prop_assert_eq!(nest_right(&parsed), nest_right(&expr), "{}", text);
    }

    #[test]
    fn series_round_trip(expr in tree(leaves_of_all_kinds(), false, 40)) {
        prop_assert_eq!(Expr::from_series(&expr.to_series().unwrap()), Ok(expr));
    }

    #[test]
    fn any_series_is_read_or_refused(series in vec(-7..4_i32, 0..12)) {
        if let Ok(expr) = Expr::from_series(&series) {
            prop_assert_eq!(expr.to_series().unwrap(), series);
        }
    }

    #[test]
    fn any_text_is_read_or_refused(
        words in vec(prop::sample::select(vec![
            "!", "&&", "||", "(", ")", "fp16", "arch", "aspect(", "cap(Int16)", "constant(%", "7", ")", "true", "&", "é",
            "number", "limit(vulkan:maxA.0)", " >= ", " == ", "<", "!=", "7",
        ]), 0..10)
    ) {
        let text = words.concat();
        if let Ok(expr) = Expr::parse(&text, &WordLikeNames) {
            let again = Expr::parse(&expr.display(&WordLikeNames).to_string(), &WordLikeNames).unwrap();
            prop_assert_eq!(nest_right(&again), nest_right(&expr));
        }
    }
}

/// Checks that every Boolean function over some leaves has its own canonical expression.
fn every_function(leaves: [Leaf; 4], devices: &[TrueLeaves]) {
    assert_eq!(devices.len(), 12);
    let mut conditions = Conditions::new();
    let mut seen = BTreeMap::new();
    for function in 0..1_u32 << devices.len() {
        let mut expr = Expr::False;
        for (index, device) in devices.iter().enumerate() {
            if function >> index & 1 == 1 {
                let literals =
                    leaves.map(
                        |leaf| {
                            if device.contains(&leaf) { Expr::Leaf(leaf) } else { not(Expr::Leaf(leaf)) }
                        },
                    );
                expr = or(expr, literals.into_iter().reduce(and).unwrap());
            }
        }
        let handle: ConditionId = conditions.of_expr(&expr).unwrap();
        let canonical = conditions.expr_of(handle).unwrap();
        for (index, device) in devices.iter().enumerate() {
            assert_eq!(holds(&canonical, device), function >> index & 1 == 1, "{canonical:?} on {device:?}");
        }
        if let Some(other) = seen.insert((handle, canonical), function) {
            panic!("functions {other:#x} and {function:#x} are taken for the same");
        }
    }
    let handles: BTreeSet<ConditionId> = seen.keys().map(|(handle, _)| *handle).collect();
    let exprs: BTreeSet<&Expr> = seen.keys().map(|(_, expr)| expr).collect();
    assert_eq!((handles.len(), exprs.len()), (4096, 4096));
}

#[test]
fn every_function_of_architectures() {
    let [first, second] = [1, 2].map(Leaf::Architecture);
    every_function([first, second, OTHERS[0], OTHERS[1]], &devices(&[1, 2], &OTHERS[..2], &[]));
}

#[test]
fn every_function_of_a_number() {
    let bounds = NUMBERS[1].clone();
    every_function([OTHERS[0], OTHERS[1], bounds[0], bounds[1]], &devices(&[], &OTHERS[..2], &[bounds]));
}
