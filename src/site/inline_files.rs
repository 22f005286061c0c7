//! Inlines files into the documents: the stylesheets, which saves the browser one round trip before
//! the first paint, and the script that loads the others after it. The build marks the elements to
//! replace (`data-inline`). `http/pages/security_headers.rs` allows each file by its hash.

use base64::prelude::{BASE64_STANDARD, Engine};
use sha2::{Digest, Sha256};

use super::bundle::{Bundle, Document};

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
    path: String,
    /// The element as the build writes it.
    element: String,
    is_script: bool,
    /// The element with the file in it.
    inlined: String,
    hash: String,
}

impl InlineFiles {
    /// The files that the bundle's documents mark.
    pub fn from_bundle(bundle: &Bundle) -> Self {
        let mut found = Vec::<InlineFile>::new();
        for path in bundle
            .documents
            .iter()
            .flat_map(|document| &document.inline)
        {
            if found.iter().all(|known| known.path != *path) {
                found.extend(InlineFile::of(path, bundle));
            }
        }
        Self(found)
    }

    /// Replaces the marked elements in `html` by the files.
    pub fn inline_into(&self, html: String) -> String {
        self.0.iter().fold(html, |html, file| {
            match head(&html).contains(&file.element) {
                true => html.replacen(&file.element, &file.inlined, 1),
                false => html,
            }
        })
    }

    /// The hashes of all files.
    pub fn hashes(&self) -> Hashes {
        Hashes::of(self.0.iter())
    }

    /// The hashes of those in `document`.
    pub fn hashes_in(&self, document: &Document) -> Hashes {
        let inlined = self.0.iter();
        Hashes::of(inlined.filter(|file| document.inline.contains(&file.path)))
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
    fn of(path: &str, bundle: &Bundle) -> Option<Self> {
        let file = bundle.files.iter().find(|file| file.path == path)?;
        let text = String::from_utf8(file.bytes().into_owned()).ok()?;
        let is_script = path.ends_with(".js");
        let (element, inlined) = match is_script {
            true => (
                format!(r#"<script data-inline type="module" src="{path}"></script>"#),
                format!(r#"<script type="module">{text}</script>"#),
            ),
            // With the path, the frontend need not load the file.
            false => (
                format!(r#"<link data-inline rel="stylesheet" crossorigin href="{path}">"#),
                format!(r#"<style data-href="{path}">{text}</style>"#),
            ),
        };
        let hash = BASE64_STANDARD.encode(Sha256::digest(&text));
        Some(Self {
            path: path.to_owned(),
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
