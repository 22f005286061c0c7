//! The status page of a request: a document of the bundle (`frontend/src/sections/case-status.tsx`)
//! that is filled in for each visitor. It contains nothing personal.

use lol_html::html_content::ContentType;
use lol_html::{RewriteStrSettings, element, rewrite_str};

use super::placeholders::escape_html;

/// The key of the document in the bundle.
pub const KEY: &str = "case";

/// The tags of the head; the page is not in the manifest, which defines those of other pages. Its
/// styles are a file, so that other pages do not carry them.
/// The tags in the head of the document.
pub const HEAD: &str = r#"<title>Your request | {{company.name}}</title>
    <meta name="robots" content="noindex" />
    <link rel="stylesheet" href="/status-page.css" />"#;

/// A link to a page or a file of an offer.
#[derive(Clone, Debug)]
pub struct Link {
    pub label: &'static str,
    pub href: String,
}

/// A step of the request, with its time in words.
#[derive(Clone, Debug)]
pub struct Step {
    pub name: String,
    pub at: String,
    pub link: Option<Link>,
    /// Whether it has happened.
    pub is_done: bool,
}

/// What the page says of the request.
#[derive(Clone, Debug)]
pub struct StatusWords {
    pub title: String,
    pub sentences: Vec<String>,
    /// What can be done next; the first one matters most.
    pub links: Vec<Link>,
    /// Oldest first.
    pub steps: Vec<Step>,
    /// Whether the customer can close the request.
    pub can_settle: bool,
}

/// The facts on the page.
#[derive(Clone, Debug)]
pub struct CaseFacts {
    /// As `GP-2K7Q`.
    pub reference: String,
    pub words: StatusWords,
    /// How many files have not arrived, as `1 file`; none if all have.
    pub missing: Option<String>,
    /// The path of the page.
    pub path: String,
    /// The result of what the visitor has just sent: a value of `data-note`; empty if there is
    /// none.
    pub note: &'static str,
    /// Which files were refused, and why.
    pub refused: String,
    /// The text that the visitor has typed and could not send.
    pub text: String,
}

/// Fills in the facts of one request. Fails if the document cannot be rewritten.
pub fn fill(html: &str, facts: &CaseFacts) -> Result<String, lol_html::errors::RewritingError> {
    let words = &facts.words;
    let parts = element!("[data-part]", |element| {
        let is_shown = match element.get_attribute("data-part").as_deref() {
            Some("settle") => words.can_settle,
            _ => facts.missing.is_some(),
        };
        if !is_shown {
            element.remove();
        }
        Ok(())
    });
    let notes = element!("[data-note]", |element| {
        if element.get_attribute("data-note").as_deref() != Some(facts.note) {
            element.remove();
        }
        Ok(())
    });
    let lists = element!("[data-list]", |element| {
        let html: String = match element.get_attribute("data-list").as_deref() {
            Some("sentences") => words
                .sentences
                .iter()
                .map(|text| sentence_html(text))
                .collect(),
            Some("links") => links_html(&words.links),
            _ => words.steps.iter().map(step_html).collect(),
        };
        element.replace(&html, ContentType::Html);
        Ok(())
    });
    let handlers = RewriteStrSettings::new()
        .append_element_content_handler(parts)
        .append_element_content_handler(notes)
        .append_element_content_handler(lists);
    let html = rewrite_str(html, handlers)?;
    let values = [
        ("{{case.reference}}", facts.reference.as_str()),
        ("{{case.title}}", &words.title),
        (
            "{{case.missing}}",
            facts.missing.as_deref().unwrap_or_default(),
        ),
        ("{{case.path}}", &facts.path),
        // The last ones: they may have the names of the others.
        ("{{case.refused}}", &facts.refused),
        ("{{case.text}}", &facts.text),
    ];
    Ok(values.into_iter().fold(html, |html, (name, value)| {
        html.replace(name, &escape_html(value))
    }))
}

fn sentence_html(text: &str) -> String {
    format!("<p class=\"case-sentence\">{}</p>", escape_html(text))
}

/// The first link as the button that matters most.
fn links_html(links: &[Link]) -> String {
    let looks = std::iter::once("button-signal").chain(std::iter::repeat("button-line"));
    let link = |(Link { label, href }, look): (&Link, &str)| {
        let href = escape_html(href);
        format!("<a class=\"button {look}\" href=\"{href}\">{label}</a>")
    };
    links.iter().zip(looks).map(link).collect()
}

fn step_html(step: &Step) -> String {
    let (name, at) = (escape_html(&step.name), escape_html(&step.at));
    let class = if step.is_done {
        "case-step done"
    } else {
        "case-step"
    };
    let link = step
        .link
        .as_ref()
        .map(|Link { label, href }| format!("<a href=\"{}\">{label}</a>", escape_html(href)));
    let link = link.unwrap_or_default();
    format!("<li class=\"{class}\"><strong>{name}</strong><span>{at}</span>{link}</li>")
}
