//! Inlines the stylesheet into the documents, which saves the browser one round trip before the
//! first paint. The build marks the link to replace (`data-inline`); `http/pages/security_headers.rs`
//! allows the inline style by its hash.

use std::borrow::Cow;

use base64::prelude::{BASE64_STANDARD, Engine};
use sha2::{Digest, Sha256};

use super::bundle::Bundle;

/// Start of the marked link in a document.
const LINK_START: &str = "<link data-inline rel=\"stylesheet\" crossorigin href=\"";

/// The stylesheet, and the link it replaces.
#[derive(Clone, Copy, Debug)]
pub struct InlineStylesheet {
    link: &'static str,
    path: &'static str,
    css: &'static str,
}

impl InlineStylesheet {
    /// The stylesheet marked in the bundle's documents; `None` if the frontend is not built.
    pub fn from_bundle(bundle: &Bundle) -> Option<Self> {
        let link = bundle
            .documents
            .iter()
            .find_map(|document| match document.html {
                Cow::Borrowed(html) => find_link(html),
                Cow::Owned(_) => None,
            })?;
        let path = link[LINK_START.len()..].split('"').next()?;
        let file = bundle.files.iter().find(|file| file.path == path)?;
        let css = std::str::from_utf8(file.bytes()).ok()?;
        Some(Self { link, path, css })
    }

    /// Replaces the link in `html` by the stylesheet. `data-href` keeps the path, so that the
    /// frontend does not load it again.
    pub fn inline_into(&self, html: &str) -> String {
        let Self { link, path, css } = self;
        let style = format!(r#"<style data-href="{path}">{css}</style>"#);
        html.replacen(link, &style, 1)
    }

    /// Its hash source for a Content Security Policy (CSP level 3, `hash-source`).
    pub fn hash(&self) -> String {
        let digest = Sha256::digest(self.css);
        format!("'sha256-{}'", BASE64_STANDARD.encode(digest))
    }
}

fn find_link(html: &'static str) -> Option<&'static str> {
    let link = &html[html.find(LINK_START)?..];
    Some(&link[..=link.find('>')?])
}
