//! Import rules: modules use each other as the table in `docs/architecture.md` allows, and files
//! have no import cycles.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use regex::Regex;

use super::imports::{Modules, Names, without_tests};

fn backticked(text: &str) -> Names {
    let name = Regex::new(r"`(\w+)`").unwrap();
    name.captures_iter(text)
        .map(|found| found[1].to_owned())
        .collect()
}

/// The table of `docs/architecture.md`: each module with the modules that it may use.
fn table() -> BTreeMap<String, Names> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/architecture.md");
    let text = fs::read_to_string(file).unwrap();
    let header = |line: &&str| !line.starts_with("| module | may use");
    let rows = text.lines().skip_while(header).skip(2);
    let mut allowed = BTreeMap::new();
    for row in rows.take_while(|line| line.starts_with('|')) {
        let cells: Vec<&str> = row.split('|').collect();
        for module in backticked(cells[1]) {
            allowed.insert(module, backticked(cells[2]));
        }
    }
    allowed
}

#[test]
fn modules_use_each_other_as_the_architecture_table_allows() {
    let (modules, allowed) = (Modules::read(), table());
    let top = |path: &str| path.split('/').next().unwrap().to_owned();
    let tops: Names = modules.code.keys().map(|module| top(module)).collect();
    let listed: Names = allowed.keys().cloned().collect();
    assert_eq!(listed, tops, "the table lists every module");
    for (module, code) in &modules.code {
        let own = top(module);
        for used in modules.uses(module) {
            let target = used.first().cloned().unwrap_or_default();
            let is_allowed = target == own || allowed[&own].contains(&target);
            assert!(
                is_allowed || !tops.contains(&target),
                "{module} may not use {}",
                used.join("::")
            );
        }
        let takes_all = code.contains("config::Config") || code.contains("config::{Config");
        assert!(
            !takes_all || ["config", "app", "cli"].contains(&own.as_str()),
            "{module} takes more than its section of config"
        );
    }
}

#[test]
fn the_domain_names_no_web_framework_and_commands_name_no_database_library() {
    for (module, code) in Modules::read().code {
        assert!(
            !module.starts_with("domain") || !code.contains("poem"),
            "{module} names the web framework"
        );
        assert!(
            !module.starts_with("cli") || !code.contains("rusqlite"),
            "{module} names the database library"
        );
    }
}

/// All files that `start` uses, directly or through others.
fn reachable(start: &str, graph: &BTreeMap<String, Names>) -> Names {
    let (mut seen, mut open) = (Names::new(), vec![start]);
    while let Some(module) = open.pop() {
        for used in &graph[module] {
            if seen.insert(used.clone()) {
                open.push(used);
            }
        }
    }
    seen
}

/// The groups of files that use each other in circles.
fn cycles(graph: &BTreeMap<String, Names>) -> BTreeSet<Vec<String>> {
    let reach: BTreeMap<&String, Names> = graph
        .keys()
        .map(|module| (module, reachable(module, graph)))
        .collect();
    let in_cycle = graph
        .keys()
        .filter(|module| reach[module].contains(*module));
    let groups = in_cycle.map(|module| {
        let mutual = |other: &&String| reach[other].contains(module);
        reach[module].iter().filter(mutual).cloned().collect()
    });
    groups.collect()
}

#[test]
fn files_have_no_import_cycles() {
    let cycles = cycles(&Modules::read().graph());
    assert!(cycles.is_empty(), "import cycles: {cycles:#?}");
}

/// Children count like other files; the line that declares one is no use of it.
#[test]
fn a_cycle_of_a_file_and_its_child_is_found_in_every_spelling() {
    let cycles_of = |parent: &str, child: &str| {
        let sources = [("a", parent), ("a/b", child), ("a/c", ""), ("d", "")];
        let sources = sources.map(|(module, code)| (module.to_owned(), without_tests(code)));
        cycles(&Modules::of(sources.into()).graph()).len()
    };
    for parent in [
        "use b::X;",
        "use self::b::X;",
        "pub use b::{Y, X};",
        "pub(in crate::d) use crate::{a::b, d};",
        "mod b;\nfn f() { b::run() }",
        "#[cfg(test)]\nmod tests;\nfn f(x: b::X) {}",
    ] {
        for child in ["use super::Z;", "use super::*;", "fn g() { crate::a::Z }"] {
            assert_eq!(cycles_of(parent, child), 1, "{parent} {child}");
        }
        assert_eq!(cycles_of(parent, "use crate::d::Z;"), 0, "{parent}");
    }
    for (parent, child) in [
        ("mod b;", "use super::Z;"),
        ("mod b; use crate::d::Z;", "use super::Z;"),
        ("use b::X; pub use c::Z;", "use super::Z;"),
        ("use b::X;", "pub(in crate::a) fn g() {}"),
        (
            "#[cfg(test)]\nmod tests { use super::b::X; }",
            "use super::Z;",
        ),
    ] {
        assert_eq!(cycles_of(parent, child), 0, "{parent} {child}");
    }
}
