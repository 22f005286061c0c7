//! Parameters have names: a tuple of unrelated values does not stand for them.

use regex::Regex;

use super::layout;

#[test]
fn no_parameter_is_a_tuple_that_is_taken_apart() {
    let tests = Regex::new(r"(?m)^#\[cfg\(test\)\]\n(?:pub[^\n]* )?mod \w+ \{").unwrap();
    let tuple = Regex::new(r"[(,]\s*\((?:mut )?\w+, [\w, ]+\): \(").unwrap();
    let mut found = Vec::new();
    for (name, text) in layout::code() {
        let code = tests.split(&text).next().unwrap();
        found.extend(tuple.find_iter(code).map(|part| {
            let line = code[..part.end()].lines().count();
            format!("{name}:{line}")
        }));
    }
    assert_eq!(found, Vec::<String>::new());
}
