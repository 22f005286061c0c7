//! Import rules: the picture of the crates in `docs/architecture.md` is that of their manifests,
//! only the program takes the whole configuration, and files have no import cycles. That crates use
//! each other in one direction is the compiler's to check.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use super::imports::{Modules, Names, PROGRAM, without_tests};

fn read(name: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(name)).unwrap()
}

/// The crates of the workspace that a manifest depends on, outside tests.
fn used_crates(manifest: &str, crates: &Names) -> Names {
    let manifest: toml::Table = read(manifest).parse().unwrap();
    let dependencies = manifest["dependencies"].as_table().unwrap().keys();
    dependencies
        .filter(|name| crates.contains(*name))
        .cloned()
        .collect()
}

/// Each crate with those that it uses.
fn crates() -> BTreeMap<String, Names> {
    let manifest: toml::Table = read("Cargo.toml").parse().unwrap();
    let members = manifest["workspace"]["members"].as_array().unwrap().iter();
    let members = members.map(|path| path.as_str().unwrap()["src/".len()..].to_owned());
    let members: Names = members.collect();
    let uses = |name: &String| used_crates(&format!("src/{name}/Cargo.toml"), &members);
    let mut crates: BTreeMap<_, _> = members
        .iter()
        .map(|name| (name.clone(), uses(name)))
        .collect();
    crates.insert("guardpost".to_owned(), used_crates("Cargo.toml", &members));
    crates
}

/// The picture as text: an arrow for each use that no longer way of arrows shows.
fn picture(crates: &BTreeMap<String, Names>) -> String {
    let mut picture = "flowchart TD\n".to_owned();
    for (name, used) in crates {
        let is_shown = |target: &&String| {
            let others = used.iter().filter(|other| other != target);
            !others
                .into_iter()
                .any(|other| reachable(other, crates).contains(*target))
        };
        let used: Vec<_> = used.iter().filter(is_shown).map(String::as_str).collect();
        if !used.is_empty() {
            picture += &format!("    {name} --> {}\n", used.join(" & "));
        }
    }
    picture
}

#[test]
fn the_picture_of_the_crates_is_that_of_their_manifests() {
    let picture = picture(&crates());
    let text = read("docs/architecture.md");
    assert!(
        text.contains(&picture),
        "docs/architecture.md should show:\n{picture}"
    );
}

/// What stands at the top of the store, folders and files, each with those that it uses.
fn store() -> BTreeMap<String, Names> {
    let top = |module: &str| {
        let rest = module.strip_prefix("store/")?;
        Some(rest.split('/').next().unwrap().to_owned())
    };
    let mut tops = BTreeMap::<String, Names>::new();
    for (module, uses) in Modules::read().graph() {
        if let Some(own) = top(&module) {
            let others = uses.iter().filter_map(|used| top(used));
            let others = others.filter(|other| *other != own).collect::<Names>();
            tops.entry(own).or_default().extend(others);
        }
    }
    tops
}

#[test]
fn the_folders_of_the_store_have_layers_which_are_those_of_their_picture() {
    let store = store();
    assert_eq!(cycles(&store), BTreeSet::new(), "folders in circles");
    let picture = picture(&store);
    let text = read("docs/architecture.md");
    assert!(
        text.contains(&picture),
        "docs/architecture.md should show:\n{picture}"
    );
}

#[test]
fn a_crate_takes_its_sections_of_the_configuration_only() {
    for (module, code) in Modules::read().code {
        let takes_all = code.contains("config::Config") || code.contains("config::{Config");
        let own = module.split('/').next().unwrap();
        assert!(
            !takes_all || own == "config" || PROGRAM.contains(&own),
            "{module} takes more than its section of config"
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
        let sources = [
            ("k/a", parent),
            ("k/a/b", child),
            ("k/a/c", ""),
            ("k/d", ""),
        ];
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
