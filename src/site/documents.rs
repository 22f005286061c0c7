//! Makes a prerendered document whole: head, facts, and elements whose fact is empty taken out. Done once for each document, never for a request.

use lol_html::{RewriteStrSettings, element, rewrite_str};

use super::bundle::Document;
use super::facts::{Facts, Place};
use super::seo::Seo;

/// Where the head's tags go.
const HEAD: &str = "<!--head-->";

/// The finished document.
pub fn finish(document: &Document, seo: &Seo, facts: &Facts) -> String {
    let body = without_empty(document.html, facts);
    let (before, after) = body.split_once(HEAD).unwrap_or(("", &body));
    let mut whole = facts.fill(before, Place::Html);
    whole.push_str(&seo.head(document, facts));
    whole.push_str(&facts.fill(after, Place::Html));
    whole
}

/// The document without the elements that say `data-if="company.KEY"` of a fact the company does not have.
fn without_empty(html: &str, facts: &Facts) -> String {
    if !html.contains("data-if=") {
        return html.to_owned();
    }
    let handler = element!("[data-if]", |element| {
        let condition = element.get_attribute("data-if").unwrap_or_default();
        let key = condition.strip_prefix("company.").unwrap_or(&condition);
        if facts.get(key).is_empty() {
            element.remove();
        }
        Ok(())
    });
    let settings = RewriteStrSettings::new().append_element_content_handler(handler);
    // Fails only on a document that is not UTF-8 or a handler's own error; neither happens here.
    rewrite_str(html, settings).unwrap_or_else(|_| html.to_owned())
}
