use std::time::{Duration, Instant};

use proptest::prelude::*;

use super::*;

fn check(raw: &str, short: &str, full: &str) {
    let name = FunctionName::new(raw);
    assert_eq!((&*name.short(), &*name.full()), (short, full));
}

#[test]
fn control_characters_are_escaped() {
    let name = FunctionName::new("first\nsecond\t\u{1b}[31m");
    assert_eq!(name.to_string(), r"first\nsecond\t\u{1b}[31m");
    assert_eq!(name.in_chain(), r"first\nsecond\t\u{1b}[31m()");
}

#[test]
fn itanium() {
    check("_Z3foov", "foo", "foo()");
    check("_Z3foofj", "foo", "foo(float, unsigned int)");
    check("_Z3fooIfET_S0_", "foo", "foo<float>(float)");
    check("_ZN1a1bIiE1cIfEEvT_", "a::b::c", "a::b<int>::c<float>(float)");
    check("_ZNK1SltERKS_", "S::operator<", "S::operator<(S const&) const");
    check("_ZlsIiEvR1ST_", "operator<<", "operator<< <int>(S&, int)");
    check("_Z3addDv4_fPU3AS1f", "add", "add(float __vector(4), float AS1*)");
    check("_Z1fILi4EEvv", "f", "f<4>()");
    // The pointee of `this` is in an address space.
    check("_ZZ5meansENU3AS4K3$_0clEv", "means::$_0::operator() const", "means::$_0::operator()() const");
    check("_ZNU3AS46hornerIdEclEv", "horner::operator()", "horner<double>::operator()()");
    check(
        "_ZZZ1kENU3AS4K3$_1clEvENU3AS4KUlvE_clEv",
        "k::$_1::operator()() const::{lambda()#1}::operator() const",
        "k::$_1::operator()() const::{lambda()#1}::operator()() const",
    );
    check("_Z8NU3AS4xxv", "NU3AS4xx", "NU3AS4xx()");
}

#[test]
fn kernels_of_dpcpp() {
    check("_ZTS6Kernel", "Kernel", "Kernel");
    check("_ZTSN2ns6KernelIiLj8EEE", "ns::Kernel", "ns::Kernel<int, 8>");
    check(
        "_ZTSZZ4mainENKUlRN4sycl7handlerEE_clES1_EUlvE_",
        "main::{lambda(sycl::handler&)#1}::operator()(sycl::handler&) const::{lambda()#1}",
        "main::{lambda(sycl::handler&)#1}::operator()(sycl::handler&) const::{lambda()#1}",
    );
}

#[test]
fn glslang() {
    check("main(", "main", "main()");
    check("sum(u1;u1;", "sum", "sum(uint, uint)");
    check(
        "f(vf162;mf44;md23;vu83;b1;i641;vbf164;",
        "f",
        "f(f16vec2, mat4, dmat2x3, u8vec3, bool, int64_t, bf16vec4)",
    );
    check("f(u1[2];f1[s216172782][3];", "f", "f(uint[2], float[][3])");
    check("f(u1;struct-S-u11;", "f", "f(...)");
    for raw in
        ["f(v;", "f(1;", "f(m4;", "f(vf5;", "f(mf51;", "f(f2;", "f(;", "f([;", "f(u1[;", "f(é;", "f(mé;"]
    {
        assert_eq!(FunctionName::new(raw).full(), "f(...)", "{raw}");
    }
}

#[test]
fn other_names_are_not_changed() {
    for raw in ["foo", "foo(int)", "a::b", "%12", "_Zzz", "_Z", "_Z3foov_more", "operator()", "", "("] {
        assert_eq!(FunctionName::new(raw).full(), raw);
    }
    assert_eq!(FunctionName::new("foo(int)").short(), "foo");
    assert_eq!(FunctionName::new("(x").short(), "(x");
}

#[test]
fn a_call_path_shows_parentheses() {
    assert_eq!(FunctionName::new("foo").in_chain(), "foo()");
    assert_eq!(FunctionName::new("foo(u1;").in_chain(), "foo(uint)");
    assert_eq!(FunctionName::new("_Z3fooi").in_chain(), "foo(int)");
    assert_eq!(FunctionName::new("_ZTS6Kernel").in_chain(), "Kernel()");
}

#[test]
fn long_names_are_shortened_from_the_inside() {
    let name = FunctionName::new("_Z5mergeI1AI1BIiEEfEvT_T0_");
    for (limit, expected) in [
        (47, "merge<A<B<int> >, float>(A<B<int> >, float)"),
        (42, "merge<A<...>, float>(A<B<...> >, float)"),
        (30, "merge<...>(A<...>, float)"),
        (12, "merge(...)"),
        (6, "_Z5..."),
    ] {
        assert_eq!(name.within(limit), expected);
    }
    let plain = "é".repeat(SHOWN);
    let shown = FunctionName::new(&*plain).to_string();
    assert!(shown.len() <= SHOWN && shown.ends_with("é..."));
}

/// Each class doubles the one before: 36 of them expand to gigabytes.
#[test]
fn names_that_expand_to_gigabytes_are_not_demangled() {
    let mut raw = String::from("_Z1f1AIiiE");
    for at in 0..36 {
        let digit = |at: u32| char::from_digit(at, 36).unwrap().to_ascii_uppercase();
        let before = if at == 0 { "S_".to_string() } else { format!("S{}_", digit(at - 1)) };
        raw += &format!("1BI{before}{before}E");
    }
    let start = Instant::now();
    let name = FunctionName::new(&*raw);
    assert!(
        name.full().len() <= MAX_NAME_LENGTH
            && name.short().len() <= SHOWN
            && name.to_string().len() <= SHOWN
    );
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
}

#[test]
fn deep_and_long_garbage_takes_little_time() {
    let units = [
        "P", "I", "N", "Z", "1fI", "S_", "DpT_", "F", "FvP", "X", "cvT_", "ZN1aE", "XplT_", "UlvE_", "M1aF",
        "DTcl", "T_",
    ];
    for unit in units {
        for prefix in ["_Z", "_Z1f", "_ZTS", "_Z1fI", "_ZZ"] {
            for length in [100, 1000, 4000, 100_000] {
                let raw = format!("{prefix}{}{}", unit.repeat(length / unit.len()), "E".repeat(length % 7));
                let start = Instant::now();
                let name = FunctionName::new(&*raw);
                assert!(name.full().len() <= MAX_NAME_LENGTH && name.short().len() <= SHOWN);
                assert!(
                    start.elapsed() < Duration::from_secs(10),
                    "{prefix}{unit}...: {:?}",
                    start.elapsed()
                );
            }
        }
    }
}

proptest! {
    #[test]
    fn any_text_is_a_name(raw in "(_Z)?[A-Za-z0-9_(;é\\[\\]]{0,80}", limit in 0usize..100) {
        let name = FunctionName::new(&*raw);
        let (short, within) = (name.short(), name.within(limit));
        prop_assert!(short.len() <= SHOWN && within.len() <= limit.max(3));
        prop_assert!(raw.is_empty() || !short.is_empty());
    }
}
