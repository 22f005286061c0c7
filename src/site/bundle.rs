//! The frontend as it was built: prerendered documents and the files beside them. Where the bytes
//! come from is `dist`'s business; `docs/architecture.md` ("The bundle") is the contract.

use std::collections::BTreeMap;

use anyhow::{Context, Result};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::dist;

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

/// One file. Its bytes are found when they are asked for: their pages of the program stay out of memory until then.
#[derive(Debug)]
pub struct File {
    /// Its path on the site, with the leading slash.
    pub path: String,
}

impl File {
    /// What it holds.
    pub fn bytes(&self) -> &'static [u8] {
        self.twin("").unwrap_or_default()
    }

    /// The same compressed by the build, where it was: in the coding with this extension.
    pub fn twin(&self, extension: &str) -> Option<&'static [u8]> {
        dist::read(&format!("{}{extension}", self.path.trim_start_matches('/')))
    }
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
        let rows: Vec<Row> = list("pages.json")?;
        let paths: Vec<String> = list("files.json")?;
        Ok(Self {
            documents: rows.into_iter().map(document).collect::<Result<_>>()?,
            files: paths.into_iter().map(|path| File { path }).collect(),
        })
    }

    /// Whether there is a file under this path of the site.
    pub fn has(&self, path: &str) -> bool {
        self.files.iter().any(|file| file.path == path)
    }
}

fn document(row: Row) -> Result<Document> {
    let html = dist::read(&row.file)
        .and_then(|html| std::str::from_utf8(html).ok())
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

/// One of the build's lists; empty where the frontend is not built.
fn list<T: DeserializeOwned>(name: &'static str) -> Result<Vec<T>> {
    dist::read(name).map_or(Ok(Vec::new()), |text| {
        serde_json::from_slice(text).context(name)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_but_documents_lists_and_compressed_twins_is_served_with_its_bytes() {
        let bundle = Bundle::embedded().unwrap();
        let mut served: Vec<_> = bundle.files.iter().map(|file| file.path.clone()).collect();
        let is_twin = |path: &str| {
            let original = path.strip_suffix(".br").or(path.strip_suffix(".gz"));
            original.is_some_and(|original| bundle.has(original))
        };
        let mut built = dist::names();
        built.retain(|path| !path.starts_with("/pages") && path != "/files.json" && !is_twin(path));
        built.sort();
        served.sort();
        assert_eq!(served, built);
        assert!(bundle.files.iter().all(|file| !file.bytes().is_empty()));
    }
}
