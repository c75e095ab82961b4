//! Examples of operations on decision diagrams.

use super::*;

#[test]
fn at_most_one_architecture() {
    let mut conditions = Conditions::new();
    let a = conditions.leaf(Leaf::Architecture(1)).unwrap();
    let b = conditions.leaf(Leaf::Architecture(2)).unwrap();
    assert!(conditions.and(a, b).unwrap().is_false());
    assert!(conditions.and(b, a).unwrap().is_false());
    let not_a = conditions.not(a).unwrap();
    let not_b = conditions.not(b).unwrap();
    let neither = conditions.and(not_a, not_b).unwrap();
    assert!(!neither.is_false() && !neither.is_true());
    assert!(conditions.or(not_a, not_b).unwrap().is_true());
    assert!(conditions.implies(a, not_b).unwrap());
    assert!(!conditions.implies(not_b, a).unwrap());
}

#[test]
fn architectures_with_residual_conditions() {
    let mut conditions = Conditions::new();
    let mut of = |text: &str| conditions.of_expr(&parse(text)).unwrap();
    let (fp16, fp64) = (of("fp16"), of("fp64"));
    let condition = of("arch(pvc) && fp16 || !arch(pvc) && !arch(sm_50) && fp64");
    let none = of("fp16 && fp64");
    assert_eq!(
        conditions.architectures(condition),
        Architectures { otherwise: fp64, each: vec![(20, fp16), (21, ConditionId::FALSE)] }
    );
    assert_eq!(conditions.architectures(none), Architectures { otherwise: none, each: vec![] });
}

#[test]
fn leaves_are_those_it_depends_on() {
    let mut conditions = Conditions::new();
    let condition =
        conditions.of_expr(&parse("fp16 && (fp64 || !fp64) || arch(pvc) && arch(sm_50)")).unwrap();
    assert_eq!(conditions.leaves(condition).into_iter().collect::<Vec<_>>(), [Leaf::Aspect(5)]);
}

#[test]
fn restricting_to_an_architecture_excludes_the_others() {
    let mut conditions = Conditions::new();
    let condition = conditions.of_expr(&parse("arch(20) && fp16 || arch(21) && fp64")).unwrap();
    let fp64 = conditions.leaf(Leaf::Aspect(6)).unwrap();
    let lookup = |leaf| (leaf == Leaf::Architecture(21)).then_some(true);
    assert_eq!(conditions.restrict(condition, &lookup).unwrap(), fp64);
    let both = |leaf| matches!(leaf, Leaf::Architecture(_)).then_some(true);
    assert_eq!(
        conditions.restrict(condition, &both),
        Err(ConditionError::TwoArchitectures { first: 20, second: 21 })
    );
}

#[test]
fn unknown_only_where_it_matters() {
    let nothing = |_| None;
    assert_eq!(evaluate(&parse("fp16 || !fp16"), &nothing), Ok(Truth::True));
    assert_eq!(evaluate(&parse("arch(pvc) && arch(sm_50)"), &nothing), Ok(Truth::False));
    assert_eq!(evaluate(&parse("fp16"), &nothing), Ok(Truth::Unknown));
}

/// Checks trees that no reader makes, but a caller can.
#[test]
fn oversized_trees_are_refused() {
    let mut deep = Expr::from(Leaf::Aspect(5));
    for _ in 0..MAX_DEPTH {
        deep = Expr::Not(Box::new(deep));
    }
    assert_eq!(deep.canonical(), Err(ConditionError::TooDeep));
    assert_eq!(evaluate(&deep, &|_| None), Err(ConditionError::TooDeep));
}
