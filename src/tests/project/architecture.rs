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
                && !name.ends_with("/tests")
            {
                let text = fs::read_to_string(&path).unwrap();
                let lines = text.lines().map(|line| line.split("//").next().unwrap());
                let module = name.strip_suffix("/mod").unwrap_or(name).to_owned();
                let code = lines.collect::<Vec<_>>().join("\n");
                sources.insert(module, without_tests(&code));
            }
        }
    }
    sources
}

/// `code` without the items under `#[cfg(test)]`.
fn without_tests(code: &str) -> String {
    let (mut kept, mut rest) = (String::new(), code);
    while let Some((before, item)) = rest.split_once("#[cfg(test)]") {
        kept.push_str(before);
        let mut depth = 0;
        let end = item.char_indices().find(|(_, character)| {
            match character {
                '{' => depth += 1,
                '}' => depth -= 1,
                _ => {}
            }
            depth == 0 && matches!(character, '}' | ';')
        });
        rest = &item[end.unwrap().0 + 1..];
    }
    kept + rest
}

/// A path such as `crate::store::Error`, by its parts.
type Segments = Vec<String>;

/// The paths in `code`, as written: those of `use` items, each with the name it is imported under,
/// and those in expressions and types. Visibilities such as `pub(in crate::auth)` are no uses.
fn written_paths(code: &str) -> (Vec<(Segments, String)>, Vec<Segments>) {
    let visibility = Regex::new(r"pub\(in [^)]*\)").unwrap();
    let import = Regex::new(r"\buse\s+([^;]+);").unwrap();
    let path = Regex::new(r"(?:^|[^\w:])((?:\w+::)+(?:\w+|\*))").unwrap();
    let code = visibility.replace_all(code, "pub");
    let mut imports = Vec::new();
    for found in import.captures_iter(&code) {
        expand(&[], &found[1], &mut imports);
    }
    let others = import.replace_all(&code, "");
    let others = path.captures_iter(&others);
    let others = others.map(|found| found[1].split("::").map(str::to_owned).collect());
    (imports, others.collect())
}

/// Adds the paths of a tree of imports below `base`, such as `a::{b, c::d as e}`.
fn expand(base: &[String], tree: &str, found: &mut Vec<(Segments, String)>) {
    let parts = |text: &str| -> Segments {
        let parts = text.split("::").map(|part| part.trim().to_owned());
        let parts = parts.filter(|part| !part.is_empty());
        base.iter().cloned().chain(parts).collect()
    };
    if let Some((prefix, items)) = tree.split_once('{') {
        let base = parts(prefix);
        for item in group(items) {
            expand(&base, &item, found);
        }
    } else if !tree.trim().is_empty() {
        let (path, alias) = tree.split_once(" as ").unwrap_or((tree, ""));
        let mut path = parts(path);
        path.pop_if(|last| *last == "self" || *last == "*");
        let name = match alias.trim() {
            "" if tree.trim().ends_with('*') => String::new(),
            "" => path.last().cloned().unwrap_or_default(),
            alias => alias.to_owned(),
        };
        found.push((path, name));
    }
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

/// All modules, with what each imports by name.
struct Modules {
    code: BTreeMap<String, String>,
    imports: BTreeMap<String, BTreeMap<String, Segments>>,
}

impl Modules {
    fn read() -> Self {
        Self::of(sources())
    }

    fn of(code: BTreeMap<String, String>) -> Self {
        let mut modules = Self {
            code,
            imports: BTreeMap::new(),
        };
        let imports = modules.code.iter().map(|(module, code)| {
            let paths = written_paths(code).0.into_iter();
            let named = paths.filter_map(|(path, name)| {
                let path = modules.absolute(module, &path)?;
                (!name.is_empty()).then_some((name, path))
            });
            (module.clone(), named.collect())
        });
        modules.imports = imports.collect();
        modules
    }

    /// The path from the root of what `module` writes as `path`: it begins with `crate`, `super`,
    /// `self`, a child or an imported name. `None` for paths into other crates and local names.
    fn absolute(&self, module: &str, path: &[String]) -> Option<Segments> {
        let own: Segments = module.split('/').map(str::to_owned).collect();
        let (first, rest) = path.split_first()?;
        let child = || self.code.contains_key(&format!("{module}/{first}"));
        let base = match first.as_str() {
            "crate" => Segments::new(),
            "self" => own,
            "super" => {
                let levels = path.iter().take_while(|part| *part == "super").count();
                let base = own[..own.len() - levels].to_vec();
                return Some([&base, &path[levels..]].concat());
            }
            _ if child() => [own, vec![first.clone()]].concat(),
            _ => self.imports.get(module)?.get(first)?.clone(),
        };
        Some([&base, rest].concat())
    }

    /// The file that an absolute path leads to: a name that a module only imports or re-exports is
    /// looked up where it comes from.
    fn file(&self, path: &[String]) -> Option<String> {
        let is_module = |length: &usize| self.code.contains_key(&path[..*length].join("/"));
        let length = (1..=path.len()).rev().find(is_module)?;
        let module = path[..length].join("/");
        let (name, rest) = path[length..].split_first().unzip();
        let source = name.and_then(|name| self.imports[&module].get(name));
        match source.filter(|source| *source != path) {
            Some(source) => self.file(&[source, rest.unwrap()].concat()),
            None => Some(module),
        }
    }

    /// The absolute paths that `module` uses.
    fn uses(&self, module: &str) -> Vec<Segments> {
        let (imports, others) = written_paths(&self.code[module]);
        let paths = imports.into_iter().map(|(path, _)| path).chain(others);
        paths
            .filter_map(|path| self.absolute(module, &path))
            .collect()
    }

    /// Each file with the others it uses.
    fn graph(&self) -> BTreeMap<String, Names> {
        let files = self.code.keys().map(|module| {
            let used = self.uses(module);
            let mut files: Names = used.iter().filter_map(|path| self.file(path)).collect();
            files.remove(module);
            (module.clone(), files)
        });
        files.collect()
    }
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
