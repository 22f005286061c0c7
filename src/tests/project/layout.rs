//! The size of folders and files, so that the tree can be read from the top.

use std::fs;
use std::path::{Path, PathBuf};

use regex::Regex;

/// Most files and folders of a folder.
const FOLDER: usize = 25;
/// Most lines of a file, without the unit tests at its end.
const FILE: usize = 300;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap();
    entries.map(|entry| entry.unwrap().path()).collect()
}

/// All folders below `src`, itself included.
fn folders() -> Vec<PathBuf> {
    let (mut all, mut open) = (Vec::new(), vec![root().join("src")]);
    while let Some(folder) = open.pop() {
        let below = entries(&folder);
        open.extend(below.into_iter().filter(|entry| entry.is_dir()));
        all.push(folder);
    }
    all
}

fn name(path: &Path) -> &str {
    path.strip_prefix(root()).unwrap().to_str().unwrap()
}

/// The names and texts of the Rust files outside tests.
pub(super) fn code() -> impl Iterator<Item = (String, String)> {
    let is_code = |file: &PathBuf| file.extension().is_some_and(|end| end == "rs");
    let in_tests = |file: &PathBuf| name(file).contains("/tests");
    let files = folders().into_iter().flat_map(|folder| entries(&folder));
    let files = files.filter(move |file| is_code(file) && !in_tests(file));
    files.map(|file| (name(&file).to_owned(), fs::read_to_string(&file).unwrap()))
}

#[test]
fn a_folder_has_at_most_25_files_and_folders() {
    for folder in folders() {
        let entries = entries(&folder).into_iter();
        let count = entries
            .filter(|entry| !entry.ends_with("Cargo.toml"))
            .count();
        assert!(count <= FOLDER, "{}: {count}", name(&folder));
    }
}

#[test]
fn a_module_of_a_folder_says_what_belongs_in_it() {
    for folder in folders() {
        for file in ["lib.rs", "mod.rs"].map(|file| folder.join(file)) {
            let Ok(text) = fs::read_to_string(&file) else {
                continue;
            };
            assert!(text.starts_with("//! "), "{}", name(&file));
        }
    }
}

#[test]
fn a_file_has_at_most_300_lines_outside_tests() {
    let tests = Regex::new(r"\n#\[cfg\(test\)\]\n(?:pub[^\n]* )?mod \w+ \{").unwrap();
    for (name, text) in code() {
        let count = tests.split(&text).next().unwrap().lines().count();
        assert!(count <= FILE, "{name}: {count} lines");
    }
}

/// The folders that are named in the first cell of a row, or, by their own name, in the row of
/// their parent.
fn is_on_the_map(map: &str, folder: &str) -> bool {
    let (parent, own) = folder.rsplit_once('/').unwrap_or_default();
    let names = |row: &str, name: &str| row.contains(&format!("`{name}/`"));
    map.lines().any(|row| {
        let head = row.split('|').nth(1).unwrap_or_default();
        names(head, folder) || (names(head, parent) && names(row, own))
    })
}

#[test]
fn the_map_of_the_architecture_names_each_folder() {
    let text = fs::read_to_string(root().join("docs/architecture.md")).unwrap();
    let map = text.split("\n## ").find(|part| part.starts_with("Map"));
    let map = map.unwrap();
    let below = |folder: &str| {
        let entries = entries(&root().join(folder)).into_iter();
        let folders = entries.filter(|entry| entry.is_dir());
        folders.map(|entry| name(&entry).to_owned())
    };
    let modules: Vec<String> = below("src").collect();
    let inner = modules.iter().filter(|module| *module != "src/tests");
    let inner: Vec<String> = inner.flat_map(|module| below(module)).collect();
    let frontend = below("frontend/src").map(|folder| folder["frontend/".len()..].to_owned());
    let admin = below("frontend/src/admin");
    let admin = admin.map(|folder| folder["frontend/src/admin/".len()..].to_owned());
    let all = modules
        .into_iter()
        .chain(inner)
        .chain(frontend)
        .chain(admin);
    let missing: Vec<String> = all.filter(|folder| !is_on_the_map(map, folder)).collect();
    assert_eq!(missing, Vec::<String>::new());
}
