//! Reads which source file uses which: paths from `crate`, `super`, `self`, a child or an imported
//! name, through re-exports to the file that has the item.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use regex::Regex;

pub(super) type Names = BTreeSet<String>;

/// The source files by module path, such as `http::auth`, without comments and unit tests.
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
                && !["main", "lib"].contains(&name)
                && !name.ends_with("/build")
                && !name.ends_with("/tests")
            {
                let text = fs::read_to_string(&path).unwrap();
                let lines = text.lines().map(|line| line.split("//").next().unwrap());
                let folder = name.strip_suffix("/mod").or(name.strip_suffix("/lib"));
                let module = folder.unwrap_or(name).to_owned();
                let code = lines.collect::<Vec<_>>().join("\n");
                sources.insert(module, without_tests(&code));
            }
        }
    }
    sources
}

/// `code` without the items under `#[cfg(test)]`.
pub(super) fn without_tests(code: &str) -> String {
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
        // A brace in a string may hide the end: tests are the last item of a file.
        rest = end.map_or("", |(at, _)| &item[at + 1..]);
    }
    kept + rest
}

/// The modules of the program itself; the other folders of `src` are crates.
pub(super) const PROGRAM: [&str; 3] = ["app", "cli", "maintenance"];

/// A path such as `store::Error`, by its parts.
pub(super) type Segments = Vec<String>;

/// The paths in `code`, as written: those of `use` items, each with the name it is imported under,
/// and those in expressions and types. Visibilities such as `pub(in crate::auth)` are no uses.
fn written_paths(code: &str) -> (Vec<(Segments, String)>, Vec<Segments>) {
    static VISIBILITY: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"pub\(in [^)]*\)").unwrap());
    static IMPORT: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\buse\s+([^;]+);").unwrap());
    static PATH: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"(?:^|[^\w:])((?:\w+::)+(?:\w+|\*))").unwrap());
    let code = VISIBILITY.replace_all(code, "pub");
    let mut imports = Vec::new();
    for found in IMPORT.captures_iter(&code) {
        expand(&[], &found[1], &mut imports);
    }
    let others = IMPORT.replace_all(&code, "");
    let others = PATH.captures_iter(&others);
    let others = others.map(|found| found[1].split("::").map(str::to_owned).collect());
    (imports, others.collect())
}

/// Adds the paths of a tree of imports below `base`, such as `a::{b, c::d as e}`.
fn expand(base: &[String], tree: &str, found: &mut Vec<(Segments, String)>) {
    let parts = |text: &str| -> Segments {
        // A path such as `::store::Error` begins at a crate, whatever has the same name here.
        let text = match text.trim().strip_prefix("::") {
            Some(path) => format!("extern::{path}"),
            None => text.to_owned(),
        };
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
pub(super) struct Modules {
    pub(super) code: BTreeMap<String, String>,
    imports: BTreeMap<String, BTreeMap<String, Segments>>,
}

impl Modules {
    pub(super) fn read() -> Self {
        Self::of(sources())
    }

    pub(super) fn of(code: BTreeMap<String, String>) -> Self {
        let mut modules = Self {
            code,
            imports: BTreeMap::new(),
        };
        let imports = modules.code.iter().map(|(module, code)| {
            let paths = written_paths(code).0.into_iter();
            let named = paths.filter_map(|(path, name)| {
                // An import from a library hides the crate of the same name, as `poem::http` does.
                let path = modules.absolute(module, &path).unwrap_or(path);
                (!name.is_empty()).then_some((name, path))
            });
            (module.clone(), named.collect())
        });
        modules.imports = imports.collect();
        modules
    }

    /// The path from `src` of what `module` writes as `path`: it begins with `crate`, `super`,
    /// `self`, a child, an imported name or a crate of the workspace. `None` for paths into other
    /// crates and local names.
    fn absolute(&self, module: &str, path: &[String]) -> Option<Segments> {
        let own: Segments = module.split('/').map(str::to_owned).collect();
        let (first, rest) = path.split_first()?;
        let child = || self.code.contains_key(&format!("{module}/{first}"));
        let base = match first.as_str() {
            // The program's own modules are at the top of `src`.
            "crate" if PROGRAM.contains(&own[0].as_str()) => Segments::new(),
            "crate" => own[..1].to_vec(),
            "extern" => Segments::new(),
            "self" => own,
            "super" => {
                let levels = path.iter().take_while(|part| *part == "super").count();
                let base = own[..own.len() - levels].to_vec();
                return Some([&base, &path[levels..]].concat());
            }
            _ if child() => [own, vec![first.clone()]].concat(),
            _ => match self.imports.get(module).and_then(|names| names.get(first)) {
                Some(imported) => imported.clone(),
                None if self.code.contains_key(first) => vec![first.clone()],
                None => return None,
            },
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
    pub(super) fn uses(&self, module: &str) -> Vec<Segments> {
        let (imports, others) = written_paths(&self.code[module]);
        let paths = imports.into_iter().map(|(path, _)| path).chain(others);
        paths
            .filter_map(|path| self.absolute(module, &path))
            .collect()
    }

    /// Each file with the others it uses.
    pub(super) fn graph(&self) -> BTreeMap<String, Names> {
        let files = self.code.keys().map(|module| {
            let used = self.uses(module);
            let mut files: Names = used.iter().filter_map(|path| self.file(path)).collect();
            files.remove(module);
            (module.clone(), files)
        });
        files.collect()
    }
}
