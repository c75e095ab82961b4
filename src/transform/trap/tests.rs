use super::Trap;

#[test]
fn traps_as_text() {
    for text in ["abort", "silent", "store:dst:0", "store:0.1:64", "store:a:b:4294967292"] {
        assert_eq!(text.parse::<Trap>().unwrap().to_string(), text);
    }
    for text in ["", "store", "store:dst", "store::0", "store:dst:2", "store:dst:-4", "store:dst:4294967296"]
    {
        assert!(text.parse::<Trap>().unwrap_err().to_string().starts_with(&format!("invalid trap '{text}'")));
    }
}
