//! The frontend as it was built: prerendered documents and the files beside them, embedded in the program.
//! `docs/architecture.md` ("The bundle") is the contract.

use std::collections::BTreeMap;

use anyhow::{Context, Result};
use include_dir::{Dir, include_dir};
use serde::Deserialize;

static DIST: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/frontend/dist");

/// Everything the frontend's build left.
#[derive(Debug)]
pub struct Bundle {
    /// The prerendered documents; none where the frontend is not built.
    pub documents: Vec<Document>,
    /// The other files, under their path on the site.
    pub files: Vec<File>,
}

/// One prerendered document.
#[derive(Debug)]
pub struct Document {
    /// Where it is served; empty for the not-found page.
    pub path: String,
    /// The exact query pair it answers, as in `sent=1`; empty for the page itself.
    pub query: String,
    /// The page's key in `seeds/site/pages.json`.
    pub key: String,
    /// What the path's pattern took, as in `slug`.
    pub params: BTreeMap<String, String>,
    /// The status it is answered with.
    pub status: u16,
    /// The document, with placeholders for the company's facts.
    pub html: &'static str,
}

/// One file.
#[derive(Debug)]
pub struct File {
    /// Its path on the site, with the leading slash.
    pub path: String,
    /// What it holds.
    pub bytes: &'static [u8],
    /// The same compressed by the build, where it was.
    pub brotli: Option<&'static [u8]>,
    /// The same compressed by the build, where it was.
    pub gzip: Option<&'static [u8]>,
}

/// A row of `pages.json` in the bundle.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    path: String,
    query: String,
    key: String,
    params: BTreeMap<String, String>,
    status: u16,
    file: String,
}

impl Bundle {
    /// The bundle this program was built with.
    ///
    /// # Errors
    /// When its list of pages does not fit its files.
    pub fn embedded() -> Result<Self> {
        let rows: Vec<Row> = match DIST.get_file("pages.json") {
            Some(file) => serde_json::from_slice(file.contents()).context("pages.json")?,
            None => Vec::new(),
        };
        let documents = rows.into_iter().map(document).collect::<Result<_>>()?;
        let mut files = Vec::new();
        collect(&DIST, &mut files);
        Ok(Self { documents, files })
    }

    /// Whether there is a file under this path of the site.
    pub fn has(&self, path: &str) -> bool {
        self.files.iter().any(|file| file.path == path)
    }
}

fn document(row: Row) -> Result<Document> {
    let html = DIST
        .get_file(&row.file)
        .and_then(include_dir::File::contents_utf8)
        .with_context(|| format!("pages.json names {}, which is not there", row.file))?;
    Ok(Document {
        path: row.path,
        query: row.query,
        key: row.key,
        params: row.params,
        status: row.status,
        html,
    })
}

/// Every file but the documents and their list; a compressed twin goes with its original.
fn collect(dir: &'static Dir<'static>, files: &mut Vec<File>) {
    for file in dir.files() {
        let Some(path) = file.path().to_str().map(|path| path.replace('\\', "/")) else {
            continue;
        };
        let twin = |extension: &str| DIST.get_file(format!("{path}.{extension}"));
        let is_twin = [".br", ".gz"].iter().any(|extension| {
            path.strip_suffix(extension)
                .is_some_and(|original| DIST.get_file(original).is_some())
        });
        if is_twin || path == "pages.json" || path.starts_with("pages/") {
            continue;
        }
        files.push(File {
            path: format!("/{path}"),
            bytes: file.contents(),
            brotli: twin("br").map(include_dir::File::contents),
            gzip: twin("gz").map(include_dir::File::contents),
        });
    }
    dir.dirs().for_each(|dir| collect(dir, files));
}
