//! Every path of the source tree that the documents name exists.

use std::fs;
use std::path::{Path, PathBuf};

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
fn the_documents_name_only_paths_that_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut sources = Vec::new();
    for folder in ["src", "frontend/src", "frontend/build", "frontend/scripts"] {
        add_file_names(&root.join(folder), &mut sources);
    }
    let mut missing = Vec::new();
    for document in DOCUMENTS {
        let text = fs::read_to_string(root.join(document)).unwrap();
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

/// Paths below a folder, and names of source files, in backticks. Paths with wildcards or
/// placeholders (`NAME`), and files that only a build has (`.br`), are left out.
fn named_paths(text: &str) -> Vec<String> {
    let path = Regex::new(r"`([.\w-]+/[\w./-]+|[\w-]+\.(?:rs|tsx?|mjs))`").unwrap();
    let placeholder = Regex::new(r"\b[A-Z]{4,}\b|\.br$").unwrap();
    path.captures_iter(text)
        .map(|found| found[1].trim_end_matches('/').to_owned())
        .filter(|path| !placeholder.is_match(path))
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

fn add_file_names(folder: &Path, names: &mut Vec<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        if entry.file_type().unwrap().is_dir() {
            add_file_names(&entry.path(), names);
        } else {
            names.push(entry.file_name().into_string().unwrap());
        }
    }
}
