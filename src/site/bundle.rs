//! The frontend build: prerendered documents and static files, read through `dist`. The format is
//! specified in `docs/architecture.md` ("The bundle").

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

use anyhow::{Context, Result};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::dist;

/// The output of the frontend build.
#[derive(Debug)]
pub struct Bundle {
    /// The prerendered documents; empty if the frontend is not built.
    pub documents: Vec<Document>,
    /// The static files.
    pub files: Vec<File>,
}

/// One prerendered document.
#[derive(Debug)]
pub struct Document {
    /// Its URL path; empty for the not-found page.
    pub path: String,
    /// The exact query string it is served for, as in `sent=1`; empty for the page itself.
    pub query: String,
    /// The page's key in `seeds/site/pages.json`.
    pub key: String,
    /// Path parameters, as in `slug`.
    pub params: BTreeMap<String, String>,
    /// Its HTTP status.
    pub status: u16,
    /// The document, with placeholders for the company facts.
    pub html: Cow<'static, str>,
}

impl Document {
    /// Its name in the output of the page renderer.
    pub fn id(&self) -> String {
        format!("{} {}?{}", self.key, self.path, self.query)
    }

    /// The output of the components: the content of the element `app`.
    pub fn body(&self) -> Option<&str> {
        self.html.get(self.body_range()?)
    }

    /// Replaces the output of the components.
    pub fn set_body(&mut self, body: &str) {
        if let Some(range) = self.body_range() {
            self.html.to_mut().replace_range(range, body);
        }
    }

    fn body_range(&self) -> Option<Range<usize>> {
        let app = self.html.find("<div id=\"app\"")?;
        let start = app + self.html[app..].find('>')? + 1;
        let end = self
            .html
            .rfind("</div>\n    <script type=\"application/json\" id=\"company\">")?;
        (start <= end).then_some(start..end)
    }
}

/// One static file. Its bytes are looked up on use, so that unused parts of the binary are not
/// loaded into memory.
#[derive(Debug)]
pub struct File {
    /// Its URL path, with the leading slash.
    pub path: String,
}

impl File {
    /// Its content.
    pub fn bytes(&self) -> &'static [u8] {
        self.precompressed("").unwrap_or_default()
    }

    /// Its content as compressed by the build, with the file extension of the coding (`.br`,
    /// `.gz`); `None` if the build did not compress it.
    pub fn precompressed(&self, extension: &str) -> Option<&'static [u8]> {
        dist::read(&format!("{}{extension}", self.path.trim_start_matches('/')))
    }
}

/// An entry of `pages.json` in the bundle.
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
    /// Reads the bundle. Fails if `pages.json` is invalid or names a missing file.
    pub fn embedded() -> Result<Self> {
        let rows: Vec<Row> = read_list("pages.json")?;
        let paths: Vec<String> = read_list("files.json")?;
        Ok(Self {
            documents: rows.into_iter().map(document).collect::<Result<_>>()?,
            files: paths.into_iter().map(|path| File { path }).collect(),
        })
    }

    /// Whether there is a static file at this URL path.
    pub fn has(&self, path: &str) -> bool {
        self.files.iter().any(|file| file.path == path)
    }
}

fn document(row: Row) -> Result<Document> {
    let html = dist::read(&row.file)
        .and_then(|html| std::str::from_utf8(html).ok())
        .with_context(|| format!("pages.json names {}, which is missing", row.file))?;
    Ok(Document {
        path: row.path,
        query: row.query,
        key: row.key,
        params: row.params,
        status: row.status,
        html: Cow::Borrowed(html),
    })
}

/// Parses one of the bundle's JSON lists; empty if the frontend is not built.
fn read_list<T: DeserializeOwned>(name: &'static str) -> Result<Vec<T>> {
    dist::read(name).map_or(Ok(Vec::new()), |text| {
        serde_json::from_slice(text).context(name)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_static_file_is_served_and_documents_lists_and_compressed_copies_are_not() {
        let bundle = Bundle::embedded().unwrap();
        let mut served: Vec<_> = bundle.files.iter().map(|file| file.path.clone()).collect();
        let is_compressed_copy = |path: &str| {
            let original = path.strip_suffix(".br").or(path.strip_suffix(".gz"));
            original.is_some_and(|original| bundle.has(original))
        };
        let mut built = dist::names();
        built.retain(|path| {
            !path.starts_with("/pages") && path != "/files.json" && !is_compressed_copy(path)
        });
        built.sort();
        served.sort();
        assert_eq!(served, built);
        assert!(bundle.files.iter().all(|file| !file.bytes().is_empty()));
    }
}
