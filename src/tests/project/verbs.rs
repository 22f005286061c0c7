//! The verbs of events in SQL, which the compiler does not see.

use std::fs;
use std::path::Path;

use domain::request::event::Verb;
use regex::Regex;

#[test]
fn statements_name_no_other_verbs_of_events_than_the_enum_has() {
    let named = Regex::new(r"verb'? (?:=|<>|(?:NOT )?IN) \(?('\w+'(?:,\s+'\w+')*)").unwrap();
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("src/store")];
    let mut found = 0;
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let text = fs::read_to_string(&path).unwrap();
            for verbs in named.captures_iter(&text) {
                for verb in verbs[1].split(',') {
                    let verb = verb.trim().trim_matches('\'');
                    assert!(Verb::parse(verb).is_some(), "{verb} in {}", path.display());
                    found += 1;
                }
            }
        }
    }
    assert!(found > 40, "{found} verbs were found");
}
