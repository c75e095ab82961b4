use super::*;
use crate::test_support::{instruction, module_of};

/// Returns a module with a function for each list, which calls the functions of that list in order.
fn module(callees: &[&[usize]]) -> Vec<u32> {
    let id = |function: usize| 10 + function as u32;
    let mut next = 10 + callees.len() as u32;
    let mut define = || {
        next += 1;
        next - 1
    };
    let mut parts = vec![instruction(19, &[1]), instruction(33, &[2, 1])];
    for (at, called) in callees.iter().enumerate() {
        parts.push(instruction(54, &[1, id(at), 0, 2]));
        parts.push(instruction(248, &[define()]));
        parts.extend(called.iter().map(|&callee| instruction(57, &[1, define(), id(callee)])));
        parts.push(instruction(253, &[]));
        parts.push(instruction(56, &[]));
    }
    module_of(100, &parts)
}

#[test]
fn calls_are_found_by_both_ends() {
    let words = module(&[&[1, 2, 1], &[2], &[]]);
    let module = Module::from_words(&words[..]).unwrap();
    let calls = DirectCalls::new(&module);
    let callees = |at| calls.callees(at).collect::<Vec<_>>();
    assert_eq!([callees(0), callees(1), callees(2)], [vec![1, 2, 1], vec![2], vec![]]);
    let callers = |at| calls.calls_of(at).map(|call| call.caller).collect::<Vec<_>>();
    assert_eq!([callers(0), callers(1), callers(2)], [vec![], vec![0, 0], vec![0, 1]]);
    assert_eq!([0, 1, 2].map(|at| calls.is_called(at)), [false, true, true]);
    let is_call = |call: &DirectCall| module.instruction(call.offset).is(Op::FunctionCall);
    assert!((0..3).flat_map(|at| calls.calls_in(at)).all(is_call));
}

#[test]
fn only_functions_in_a_cycle_are_recursive() {
    // %1 and %3 call themselves, over %4 the latter; %2 is between them.
    let words = module(&[&[1], &[1, 2], &[3], &[4], &[3]]);
    let calls = DirectCalls::new(&Module::from_words(&words[..]).unwrap());
    assert_eq!([0, 1, 2, 3, 4].map(|at| calls.is_recursive(at)), [false, true, false, true, true]);
    let order: Vec<usize> = calls.callees_first().collect();
    let place = |function| order.iter().position(|&at| at == function);
    assert!(place(3) < place(2) && place(2) < place(1) && place(1) < place(0));
}

#[test]
fn calls_lead_to_functions() {
    let words = module(&[&[2], &[], &[3], &[2]]);
    let calls = DirectCalls::new(&Module::from_words(&words[..]).unwrap());
    let mut reached = calls.reached([0]);
    reached.sort_unstable();
    assert_eq!(reached, [0, 2, 3]);
}
