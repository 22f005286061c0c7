//! The frame of the customer's pages of offers: a document of the bundle with the header, the footer
//! and the type of the site.

use super::bundle::Document;
use super::documents;
use super::inline_files::InlineFiles;
use super::placeholders::{Placeholders, escape_html};

/// The key of the document in the bundle.
pub const KEY: &str = "offer";

const HEAD: &str = r#"<title>{{offer.heading}} | {{company.name}}</title>
    <meta name="robots" content="noindex" />
    <link rel="stylesheet" href="/offer/page.css" />
    <script src="/offer/page.js" defer></script>"#;

/// The document with the company's facts, for `fill`.
pub fn render(
    document: &Document,
    placeholders: &Placeholders,
    inline_files: &InlineFiles,
) -> String {
    documents::render_with_head(&document.html(), HEAD, placeholders, inline_files)
}

/// Puts a heading and a body, as HTML, into the document.
pub fn fill(html: &str, heading: &str, body: &str) -> String {
    html.replace("{{offer.heading}}", &escape_html(heading))
        .replacen("{{offer.body}}", body, 1)
}
