//! Every path of the source tree that a document or a comment names exists.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use regex::Regex;

const DOCUMENTS: &[&str] = &[
    "README.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    "docs/architecture.md",
    "docs/decisions.md",
    "docs/operate.md",
    "docs/performance.md",
];

/// Folders that a path may start from.
const BASES: &[&str] = &["", "src", "src/http", "frontend", "frontend/src"];

#[test]
fn the_documents_and_comments_name_only_paths_that_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut sources = Vec::new();
    for folder in ["src", "frontend", "benches"] {
        add_files(&root.join(folder), &mut sources);
    }
    let names = sources.iter().filter_map(|file| file.file_name()?.to_str());
    let sources: Vec<String> = names.map(str::to_owned).collect();
    let read = |document: &&str| {
        let text = fs::read_to_string(root.join(document)).unwrap();
        ((*document).to_owned(), text)
    };
    let texts = DOCUMENTS.iter().map(read).chain(comments(root));
    let mut missing = Vec::new();
    for (document, text) in texts {
        for path in named_paths(&text) {
            let found = match path.split_once('/') {
                None => sources.contains(&path),
                Some((first, _)) => exists(root, first, &path),
            };
            if !found {
                missing.push(format!("{document}: {path}"));
            }
        }
    }
    assert!(missing.is_empty(), "{missing:#?}");
}

/// The comments of the sources below these folders, by file.
fn comments(root: &Path) -> Vec<(String, String)> {
    let mut files = Vec::new();
    for folder in [
        "src",
        "frontend/src",
        "frontend/build",
        "frontend/scripts",
        "benches",
    ] {
        add_files(&root.join(folder), &mut files);
    }
    let comment = Regex::new(r"(?m)^\s*(?://|/\*|\*|--|#).*$").unwrap();
    let of = |file: &PathBuf| {
        let text = fs::read_to_string(file).ok()?;
        let lines = comment.find_iter(&text).map(|line| line.as_str());
        Some((
            file.display().to_string(),
            lines.collect::<Vec<_>>().join("\n"),
        ))
    };
    files.iter().filter_map(of).collect()
}

#[test]
fn the_source_tree_of_the_readme_names_each_folder_of_the_server() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let readme = fs::read_to_string(root.join("README.md")).unwrap();
    let tree = readme.split("## Source tree").nth(1).unwrap();
    for entry in fs::read_dir(root.join("src")).unwrap().map(Result::unwrap) {
        let name = entry.file_name().into_string().unwrap();
        let is_named = tree.contains(&format!("\n  {name}/ "));
        assert!(is_named || entry.path().is_file(), "{name}");
    }
}

/// Paths below a folder, and names of source files, in backticks. Paths with wildcards or
/// placeholders (`NAME`), and files that only a build has (`.br`), are left out.
fn named_paths(text: &str) -> Vec<String> {
    static PATH: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"`([.\w-]+/[\w./-]+|[\w-]+\.(?:rs|tsx?|mjs))`").unwrap());
    static PLACEHOLDER: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"\b[A-Z]{4,}\b|\.br$").unwrap());
    PATH.captures_iter(text)
        .map(|found| found[1].trim_end_matches('/').to_owned())
        .filter(|path| !PLACEHOLDER.is_match(path))
        .collect()
}

/// Whether a path exists below one of the bases that contain its first folder. A path whose first
/// folder is in none of them is not one of the source tree.
fn exists(root: &Path, first: &str, path: &str) -> bool {
    let bases: Vec<PathBuf> = BASES
        .iter()
        .map(|base| root.join(base))
        .filter(|base| base.join(first).is_dir())
        .collect();
    let names_output = ["data", "target", "dist", "generated"].contains(&first);
    bases.is_empty()
        || names_output
        || bases
            .iter()
            .any(|base| base.join(path).exists() || base.join(format!("{path}.rs")).exists())
}

fn add_files(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let is_made = ["node_modules", "dist", "generated"]
            .iter()
            .any(|name| path.ends_with(name));
        match path.is_dir() {
            true if is_made => {}
            true => add_files(&path, files),
            false => files.push(path),
        }
    }
}
