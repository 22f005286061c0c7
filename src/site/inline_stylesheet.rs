//! The stylesheet that stands in the documents themselves: a browser that reads it there draws a page one journey sooner than one that must fetch it first.
//! The build marks the link which it replaces (`data-inline`), and which documents do so; `http/headers.rs` allows it by its hash.

use base64::prelude::{BASE64_STANDARD, Engine};
use sha2::{Digest, Sha256};

use super::bundle::Bundle;

/// What marks the link in a document.
const MARK: &str = "<link data-inline rel=\"stylesheet\" crossorigin href=\"";

/// The sheet, and the link that it stands in place of.
#[derive(Clone, Copy, Debug)]
pub struct InlineStylesheet {
    link: &'static str,
    path: &'static str,
    css: &'static str,
}

impl InlineStylesheet {
    /// The sheet that a bundle's documents mark; none where the frontend is not built.
    pub fn of(bundle: &Bundle) -> Option<Self> {
        let link = bundle.documents.iter().find_map(|one| link_in(one.html))?;
        let path = link[MARK.len()..].split('"').next()?;
        let file = bundle.files.iter().find(|file| file.path == path)?;
        let css = std::str::from_utf8(file.bytes()).ok()?;
        Some(Self { link, path, css })
    }

    /// `html` with the sheet in place of its link. The path stays with it, so that the browser's code knows what is there already.
    pub fn put_into(&self, html: &str) -> String {
        let Self { link, path, css } = self;
        let style = format!(r#"<style data-href="{path}">{css}</style>"#);
        html.replacen(link, &style, 1)
    }

    /// The sheet as a Content Security Policy names it (CSP level 3, `hash-source`).
    pub fn hash(&self) -> String {
        let digest = Sha256::digest(self.css);
        format!("'sha256-{}'", BASE64_STANDARD.encode(digest))
    }
}

fn link_in(html: &'static str) -> Option<&'static str> {
    let link = &html[html.find(MARK)?..];
    Some(&link[..=link.find('>')?])
}
