//! The frame of the customer's pages of offers: a document of the bundle with the header, the
//! footer and the type of the site.

use super::placeholders::escape_html;

/// The key of the document in the bundle.
pub const KEY: &str = "offer";

/// The tags in the head of the document.
pub const HEAD: &str = r#"<title>{{offer.heading}} | {{company.name}}</title>
    <meta name="robots" content="noindex" />
    <link rel="stylesheet" href="/offer/page.css" />
    <script src="/offer/page.js" defer></script>"#;

/// Puts a heading and a body, as HTML, into the document.
pub fn fill(html: &str, heading: &str, body: &str) -> String {
    html.replace("{{offer.heading}}", &escape_html(heading))
        .replacen("{{offer.body}}", body, 1)
}
