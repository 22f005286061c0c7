//! The frontend build: prerendered documents and static files, read through `dist`. The format is
//! specified in `docs/architecture.md` ("The bundle").

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

use anyhow::{Context, Result, ensure};
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

/// One prerendered document. Its HTML is read on use, as the bytes of a file are.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
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
    /// The paths of the files that are put into it (`inline_files`).
    pub inline: Vec<String>,
    /// The name of the file that the build has written.
    file: String,
    /// What replaces the output of the components.
    #[serde(skip)]
    edited: Option<String>,
}

impl Document {
    /// Its name in the output of the page renderer.
    pub fn id(&self) -> String {
        format!("{} {}?{}", self.key, self.path, self.query)
    }

    /// The document, with placeholders for the company facts.
    pub fn html(&self) -> String {
        let built = dist::read(&self.file).unwrap_or_default();
        let mut html = String::from_utf8(built.into_owned()).unwrap_or_default();
        if let (Some(body), Some(range)) = (&self.edited, body_range(&html)) {
            html.replace_range(range, body);
        }
        html
    }

    /// The output of the components as built: the content of the element `app`.
    pub fn built_body(&self) -> Option<String> {
        let built = dist::read(&self.file)?;
        let html = str::from_utf8(&built).ok()?;
        html.get(body_range(html)?).map(str::to_owned)
    }

    /// Replaces the output of the components.
    pub fn set_body(&mut self, body: &str) {
        self.edited = Some(body.to_owned());
    }
}

/// Where the content of the element `app` is.
fn body_range(html: &str) -> Option<Range<usize>> {
    let app = html.find("<div id=\"app\"")?;
    let start = app + html[app..].find('>')? + 1;
    let end = html.rfind("</div>\n    <script type=\"application/json\" id=\"company\">")?;
    (start <= end).then_some(start..end)
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
    pub fn bytes(&self) -> Cow<'static, [u8]> {
        dist::read(self.name()).unwrap_or_default()
    }

    /// Its content as the build has compressed it with brotli; `None` if it has not.
    pub fn compressed(&self) -> Option<&'static [u8]> {
        dist::bytes(&format!("{}{}", self.name(), dist::COMPRESSED))
    }

    fn name(&self) -> &str {
        self.path.trim_start_matches('/')
    }
}

impl Bundle {
    /// Reads the bundle. Fails if `pages.json` is invalid or names a missing file.
    pub fn embedded() -> Result<Self> {
        let documents: Vec<Document> = read_list("pages.json")?;
        for Document { file, .. } in &documents {
            ensure!(dist::has(file), "pages.json names {file}, which is missing");
        }
        let paths: Vec<String> = read_list("files.json")?;
        Ok(Self {
            documents,
            files: paths.into_iter().map(|path| File { path }).collect(),
        })
    }

    /// Whether there is a static file at this URL path.
    pub fn has(&self, path: &str) -> bool {
        self.files.iter().any(|file| file.path == path)
    }
}

/// Parses one of the bundle's JSON lists; empty if the frontend is not built.
fn read_list<T: DeserializeOwned>(name: &'static str) -> Result<Vec<T>> {
    dist::read(name).map_or(Ok(Vec::new()), |text| {
        serde_json::from_slice(&text).context(name)
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
            path.strip_suffix(dist::COMPRESSED)
                .is_some_and(|original| bundle.has(original))
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
