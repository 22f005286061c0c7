//! Import rules: modules use each other as the table in `docs/architecture.md` allows, and files
//! have no import cycles.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use regex::Regex;

type Names = BTreeSet<String>;

/// The source files by module path, such as `http/auth`, without comments and unit tests.
fn sources() -> BTreeMap<String, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut sources = BTreeMap::new();
    let mut folders = vec![root.clone()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.strip_prefix(&root).unwrap().to_str().unwrap();
            if path.is_dir() && name != "tests" {
                folders.push(path);
            } else if let Some(name) = name.strip_suffix(".rs")
                && !["main", "lib", "build"].contains(&name)
            {
                let text = fs::read_to_string(&path).unwrap();
                let code = text.split("#[cfg(test)]").next().unwrap();
                let lines = code.lines().map(|line| line.split("//").next().unwrap());
                let module = name.strip_suffix("/mod").unwrap_or(name).to_owned();
                sources.insert(module, lines.collect::<Vec<_>>().join("\n"));
            }
        }
    }
    sources
}

/// The paths of all uses of other modules in `code`, which is the code of `module`.
fn uses(module: &str, code: &str) -> Vec<String> {
    let path = Regex::new(r"\b((?:super::)+|crate::)((?:\w+::)*)(\w+|\{)").unwrap();
    let item = Regex::new(r"^\s*\w+(?:::\w+)*").unwrap();
    let mut found = Vec::new();
    for matched in path.captures_iter(code) {
        let mut base: Vec<&str> = match matched[1].matches("super").count() {
            0 => Vec::new(),
            levels => {
                let own: Vec<&str> = module.split('/').collect();
                own[..own.len() - levels].to_vec()
            }
        };
        base.extend(matched[2].split("::").filter(|part| !part.is_empty()));
        let base: Vec<String> = base.into_iter().map(str::to_owned).collect();
        let mut add = |rest: &str| {
            let rest = rest.split("::").map(|part| part.trim().to_owned());
            found.push(
                base.iter()
                    .cloned()
                    .chain(rest)
                    .collect::<Vec<_>>()
                    .join("/"),
            );
        };
        if &matched[3] == "{" {
            let items = group(&code[matched.get(0).unwrap().end()..]);
            items
                .iter()
                .filter_map(|text| item.find(text))
                .for_each(|first| add(first.as_str()));
        } else {
            add(&matched[3]);
        }
    }
    found
}

/// The items of a braced group of imports; `text` starts after its opening brace.
fn group(text: &str) -> Vec<String> {
    let (mut depth, mut items) = (0, vec![String::new()]);
    for character in text.chars() {
        match character {
            '}' if depth == 0 => break,
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                items.push(String::new());
                continue;
            }
            _ => {}
        }
        items.last_mut().unwrap().push(character);
    }
    items
}

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
    let (sources, allowed) = (sources(), table());
    let top = |path: &str| path.split('/').next().unwrap().to_owned();
    let modules: Names = sources.keys().map(|module| top(module)).collect();
    let listed: Names = allowed.keys().cloned().collect();
    assert_eq!(listed, modules, "the table lists every module");
    for (module, code) in &sources {
        let own = top(module);
        for used in uses(module, code) {
            let target = top(&used);
            let is_allowed = target == own || allowed[&own].contains(&target);
            assert!(
                is_allowed || !modules.contains(&target),
                "{module} may not use {used}"
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
    for (module, code) in sources() {
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

/// Whether one of the two modules contains the other.
fn nested(a: &str, b: &str) -> bool {
    let contains = |outer: &str, inner: &str| {
        inner
            .strip_prefix(outer)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    contains(a, b) || contains(b, a)
}

/// The file that a used path is in.
fn file<'a>(used: &'a str, sources: &BTreeMap<String, String>) -> Option<&'a str> {
    let mut path = used;
    while !sources.contains_key(path) {
        path = path.rsplit_once('/')?.0;
    }
    Some(path)
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

#[test]
fn files_have_no_import_cycles() {
    let sources = sources();
    let graph: BTreeMap<String, Names> = sources
        .iter()
        .map(|(module, code)| {
            let used = uses(module, code);
            let files = used.iter().filter_map(|path| file(path, &sources));
            let others = files
                .filter(|other| !nested(module, other))
                .map(str::to_owned);
            (module.clone(), others.collect())
        })
        .collect();
    let reach: BTreeMap<&str, Names> = graph
        .keys()
        .map(|module| (module.as_str(), reachable(module, &graph)))
        .collect();
    let cycles: BTreeSet<Vec<&str>> = graph
        .keys()
        .filter(|module| reach[module.as_str()].contains(*module))
        .map(|module| {
            let mutual = |other: &&str| reach[other].contains(module);
            reach[module.as_str()]
                .iter()
                .map(String::as_str)
                .filter(mutual)
                .collect()
        })
        .collect();
    assert!(cycles.is_empty(), "import cycles: {cycles:?}");
}
