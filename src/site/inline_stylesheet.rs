//! Inlines the stylesheets into the documents, which saves the browser one round trip before the
//! first paint. The build marks the links to replace (`data-inline`): the site's stylesheet and
//! that of a kind of page. `http/pages/security_headers.rs` allows each by its hash.

use std::borrow::Cow;

use base64::prelude::{BASE64_STANDARD, Engine};
use sha2::{Digest, Sha256};

use super::bundle::Bundle;

/// Start of the marked links in a document.
const LINK_START: &str = "<link data-inline rel=\"stylesheet\" crossorigin href=\"";

/// The stylesheets that are marked anywhere; none if the frontend is not built.
#[derive(Clone, Debug, Default)]
pub struct InlineStylesheets(Vec<Stylesheet>);

/// A stylesheet, and the link it replaces.
#[derive(Clone, Copy, Debug)]
struct Stylesheet {
    link: &'static str,
    path: &'static str,
    css: &'static str,
}

impl InlineStylesheets {
    /// The stylesheets marked in the bundle's documents.
    pub fn from_bundle(bundle: &Bundle) -> Self {
        let mut found = Vec::<Stylesheet>::new();
        for document in &bundle.documents {
            let Cow::Borrowed(html) = document.html else {
                continue;
            };
            for link in marked_links(html) {
                if found.iter().all(|known| known.link != link) {
                    found.extend(Stylesheet::of(link, bundle));
                }
            }
        }
        Self(found)
    }

    /// Replaces the marked links in `html` by the stylesheets. `data-href` keeps the path, so that
    /// the frontend does not load it again.
    pub fn inline_into(&self, html: String) -> String {
        self.0
            .iter()
            .fold(html, |html, Stylesheet { link, path, css }| {
                if !html.contains(link) {
                    return html;
                }
                let style = format!(r#"<style data-href="{path}">{css}</style>"#);
                html.replacen(link, &style, 1)
            })
    }

    /// Their hash sources for a Content Security Policy (CSP level 3, `hash-source`), each after a
    /// space.
    pub fn hashes(&self) -> String {
        let hash = |sheet: &Stylesheet| {
            let digest = Sha256::digest(sheet.css);
            format!(" 'sha256-{}'", BASE64_STANDARD.encode(digest))
        };
        self.0.iter().map(hash).collect()
    }
}

impl Stylesheet {
    /// `None` if the bundle lacks the file.
    fn of(link: &'static str, bundle: &Bundle) -> Option<Self> {
        let path = link[LINK_START.len()..].split('"').next()?;
        let file = bundle.files.iter().find(|file| file.path == path)?;
        let css = std::str::from_utf8(file.bytes()).ok()?;
        Some(Self { link, path, css })
    }
}

/// The marked links of a document, all in its head.
fn marked_links(html: &'static str) -> impl Iterator<Item = &'static str> {
    let starts = html.match_indices(LINK_START);
    starts.filter_map(|(start, _)| {
        let link = &html[start..];
        Some(&link[..=link.find('>')?])
    })
}
