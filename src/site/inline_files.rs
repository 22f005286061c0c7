//! Inlines files into the documents: the stylesheets, which saves the browser one round trip before
//! the first paint, and the script that loads the others after it. The build marks the elements to
//! replace (`data-inline`). `http/pages/security_headers.rs` allows each file by its hash.

use std::borrow::Cow;

use base64::prelude::{BASE64_STANDARD, Engine};
use sha2::{Digest, Sha256};

use super::bundle::Bundle;

/// A marked stylesheet: how its element begins, with the path after it.
const STYLESHEET: &str = "<link data-inline rel=\"stylesheet\" crossorigin href=\"";
/// A marked script.
const SCRIPT: &str = "<script data-inline type=\"module\" src=\"";

/// The files that are marked anywhere; none if the frontend is not built.
#[derive(Clone, Debug, Default)]
pub struct InlineFiles(Vec<InlineFile>);

/// Hash sources for a Content Security Policy (CSP level 3, `hash-source`), each after a space.
#[derive(Clone, Debug, Default)]
pub struct Hashes {
    /// Those of scripts.
    pub scripts: String,
    /// Those of stylesheets.
    pub styles: String,
}

/// A file, and the element that it replaces.
#[derive(Clone, Debug)]
struct InlineFile {
    element: &'static str,
    is_script: bool,
    /// The element with the file in it.
    inlined: String,
    hash: String,
}

impl InlineFiles {
    /// The files that the bundle's documents mark.
    pub fn from_bundle(bundle: &Bundle) -> Self {
        let mut found = Vec::<InlineFile>::new();
        for document in &bundle.documents {
            let Cow::Borrowed(html) = document.html else {
                continue;
            };
            for (start, end) in [(STYLESHEET, ">"), (SCRIPT, "</script>")] {
                for element in marked(head(html), start, end) {
                    if found.iter().all(|known| known.element != element) {
                        found.extend(InlineFile::of(element, start, bundle));
                    }
                }
            }
        }
        Self(found)
    }

    /// Replaces the marked elements in `html` by the files.
    pub fn inline_into(&self, html: String) -> String {
        self.0.iter().fold(html, |html, file| {
            match head(&html).contains(file.element) {
                true => html.replacen(file.element, &file.inlined, 1),
                false => html,
            }
        })
    }

    /// The hashes of all files.
    pub fn hashes(&self) -> Hashes {
        Hashes::of(self.0.iter())
    }

    /// The hashes of those that `inline_into` puts into `html`.
    pub fn hashes_in(&self, html: &str) -> Hashes {
        let inlined = self.0.iter();
        Hashes::of(inlined.filter(|file| head(html).contains(file.element)))
    }
}

impl Hashes {
    fn of<'a>(files: impl Iterator<Item = &'a InlineFile>) -> Self {
        let mut hashes = Self::default();
        for file in files {
            match file.is_script {
                true => hashes.scripts += &file.hash,
                false => hashes.styles += &file.hash,
            }
        }
        hashes
    }
}

impl InlineFile {
    /// `None` if the bundle lacks the file.
    fn of(element: &'static str, start: &str, bundle: &Bundle) -> Option<Self> {
        let path = element[start.len()..].split('"').next()?;
        let file = bundle.files.iter().find(|file| file.path == path)?;
        let text = std::str::from_utf8(file.bytes()).ok()?;
        let is_script = start == SCRIPT;
        let inlined = match is_script {
            true => format!(r#"<script type="module">{text}</script>"#),
            // The path tells the frontend that it need not load the file.
            false => format!(r#"<style data-href="{path}">{text}</style>"#),
        };
        let hash = BASE64_STANDARD.encode(Sha256::digest(text));
        Some(Self {
            element,
            is_script,
            inlined,
            hash: format!(" 'sha256-{hash}'"),
        })
    }
}

/// The head of a document: it has all marked elements, and is a small part.
fn head(html: &str) -> &str {
    html.split_once("</head>").map_or(html, |(head, _)| head)
}

/// The elements of a head that begin with `start` and end with `end`.
fn marked<'a>(head: &'a str, start: &'a str, end: &'a str) -> impl Iterator<Item = &'a str> {
    let starts = head.match_indices(start);
    starts.filter_map(move |(at, _)| {
        let element = &head[at..];
        Some(&element[..element.find(end)? + end.len()])
    })
}
