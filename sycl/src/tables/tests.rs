use super::*;

const TEXT: &str = "[Code|Properties|Symbols|Owner]\nout_0.spv|out_0.prop|/tmp/a b/out_0.sym|\nout_1.spv|out_1.prop|out_1.sym|me\n";

fn message(text: &str) -> String {
    FileTable::parse("a.table", text).unwrap_err().to_string()
}

#[test]
fn tables_come_back() {
    let table = FileTable::parse("a.table", TEXT).unwrap();
    assert_eq!(table.to_text(), TEXT);
    assert_eq!(table.column(FileTable::SYMBOLS), Some(2));
    assert_eq!(table.column("Owner"), Some(3), "what we do not know");
    assert_eq!(table.rows().map(|cells| &cells[1]).collect::<Vec<_>>(), ["out_0.prop", "out_1.prop"]);
    assert_eq!(table.line(1), Some(3));
    let table = FileTable::parse("a.table", "\r\n[Code]\r\n\r\na\r\n").unwrap();
    assert_eq!((table.to_text(), table.line(0)), ("[Code]\na\n".to_owned(), Some(4)));
    assert_eq!(FileTable::parse("a.table", "[Code]").unwrap().to_text(), "[Code]\n");
}

#[test]
fn tables_are_made() {
    let mut table = FileTable::new(&[FileTable::CODE, FileTable::PROPERTIES]).unwrap();
    for name in ["a", "b", "c"] {
        table.push(vec![format!("{name}.spv"), String::new()]).unwrap();
    }
    table.retain(|row| row != 1);
    assert_eq!(table.to_text(), "[Code|Properties]\na.spv|\nc.spv|\n");
    assert_eq!(table.line(0), None);
    let error = table.push(vec!["d.spv".to_owned()]).unwrap_err();
    assert_eq!(error.to_string(), "a row has one cell for each column: 2, not 1");
    for cell in ["a|b", "a\nb", "a\rb"] {
        assert!(table.push(vec![cell.to_owned(), String::new()]).is_err());
    }
    let mut alone = FileTable::new(&["Code"]).unwrap();
    assert!(alone.push(vec![String::new()]).is_err(), "it would be a blank line");
    for titles in [["", "a"], ["a|", "b"], ["a]", "b"], ["a", "a"]] {
        assert!(FileTable::new(&titles).is_err());
    }
}

#[test]
fn errors_of_tables_have_a_line() {
    for text in ["", "\n", "a.spv|a.prop\n", "[Code|Properties\n", "Code]\n"] {
        assert!(message(text).starts_with("a.table:1: a file table starts with the titles"), "{text:?}");
    }
    assert_eq!(message("\n[Code|Code]\n"), "a.table:2: column `Code` is defined a second time");
    assert_eq!(message("[Code|]\n"), "a.table:1: `` is not a valid column title");
    assert_eq!(
        message("[Code|Symbols]\na|b\n\nc\n"),
        "a.table:4: a row has one cell for each column: 2, not 1"
    );
    for text in ["[Code]\na\rb\n", "[Code]\na\r\r\n"] {
        assert_eq!(message(text), "a.table:2: a carriage return is not at the end of its line");
    }
    assert_eq!(message("[Code]\na|b\n"), "a.table:2: a row has one cell for each column: 1, not 2");
}

#[test]
fn damaged_tables_are_errors_or_come_back() {
    for at in 0..TEXT.len() {
        for text in [TEXT[..at].to_owned(), TEXT[at..].to_owned(), format!("{}|{}", &TEXT[..at], &TEXT[at..])]
        {
            if let Ok(table) = FileTable::parse("a.table", &text) {
                assert_eq!(table.to_text().trim_end_matches('\n'), text.trim_end_matches('\n'));
            }
        }
    }
}

#[test]
fn symbol_files() {
    let names = ["_ZTS1a", "main with blanks"];
    assert_eq!(symbols_to_text(names).unwrap(), "_ZTS1a\nmain with blanks\n");
    assert_eq!(symbols_to_text(["main", "main"]).unwrap(), "main\n", "of two execution models");
    assert_eq!(
        symbols_to_text(["a\nb"]).unwrap_err().to_string(),
        "`a\\nb` cannot be in a symbol file: it is empty, or contains a separator"
    );
    assert!(symbols_to_text([""]).is_err());
}

#[test]
fn symbol_files_are_read() {
    assert_eq!(symbols_from_text("_ZTS1a\r\n\nmain with blanks\n_ZTS1a"), ["_ZTS1a", "main with blanks"]);
    assert!(symbols_from_text("").is_empty());
}
