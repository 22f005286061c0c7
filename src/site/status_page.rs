//! The status page of a request: a document of the bundle (`frontend/src/sections/case-status.tsx`)
//! that is filled in for each visitor. It contains nothing personal.

use lol_html::html_content::ContentType;
use lol_html::{RewriteStrSettings, element, rewrite_str};

use super::bundle::Document;
use super::documents;
use super::inline_files::InlineFiles;
use super::placeholders::{Placeholders, escape_html};

/// The key of the document in the bundle.
pub const KEY: &str = "case";

/// The tags of the head; the page is not in the manifest, which defines those of other pages. Its
/// styles are a file, so that other pages do not carry them.
const HEAD: &str = r#"<title>Your request | {{company.name}}</title>
    <meta name="robots" content="noindex" />
    <link rel="stylesheet" href="/status-page.css" />"#;

domain::text_enum! {
    /// The state of a request, for the visitor.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum CaseState {
        /// Not answered yet, and not overdue.
        Waiting = "waiting",
        Overdue = "overdue",
        /// The visitor was answered.
        Answered = "answered",
        /// The visitor wants a call, which is not overdue.
        CallWaiting = "call-waiting",
        /// The visitor wants a call, which is overdue.
        CallOverdue = "call-overdue",
        /// The visitor wants a call, got a reply by email, and was not reached by phone.
        CallEmailed = "call-emailed",
        /// The visitor wanted a call and was reached by phone.
        Called = "called",
        /// Cancelled, or completed without an answer.
        Closed = "closed",
    }
}

/// The facts on the page. Times are in the company's time zone.
#[derive(Clone, Debug)]
pub struct CaseFacts {
    /// As `GP-2K7Q`.
    pub reference: String,
    /// When the request was received.
    pub received: String,
    /// The due time of the answer.
    pub due: String,
    pub answered: Option<String>,
    /// When the first reply was delivered.
    pub emailed: Option<String>,
    pub state: CaseState,
    /// The steps of the conversation with their times, oldest first.
    pub steps: Vec<(&'static str, String)>,
    /// The path of the page.
    pub path: String,
    /// The result of what the visitor has just sent: a value of `data-note`; empty if there is
    /// none.
    pub note: &'static str,
    /// The text that the visitor has typed and could not send.
    pub text: String,
}

/// The document with the company's facts, for `fill`.
pub fn render(
    document: &Document,
    placeholders: &Placeholders,
    inline_files: &InlineFiles,
) -> String {
    documents::render_with_head(&document.html(), HEAD, placeholders, inline_files)
}

/// Fills in the facts of one request. Fails if the document cannot be rewritten.
pub fn fill(html: &str, facts: &CaseFacts) -> Result<String, lol_html::errors::RewritingError> {
    let state = facts.state.as_str();
    let others = element!("[data-case]", |element| {
        let states = element.get_attribute("data-case").unwrap_or_default();
        if !states.split(' ').any(|name| name == state) {
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
    let steps = element!("[data-steps]", |element| {
        element.replace(&steps_html(&facts.steps), ContentType::Html);
        Ok(())
    });
    let handlers = RewriteStrSettings::new()
        .append_element_content_handler(others)
        .append_element_content_handler(notes)
        .append_element_content_handler(steps);
    let html = rewrite_str(html, handlers)?;
    let or_not_yet = |time: &'_ Option<String>| time.clone().unwrap_or("Not yet".to_owned());
    let (answered, emailed) = (or_not_yet(&facts.answered), or_not_yet(&facts.emailed));
    let values = [
        ("{{case.reference}}", facts.reference.as_str()),
        ("{{case.received}}", &facts.received),
        ("{{case.due}}", &facts.due),
        ("{{case.answered}}", &answered),
        ("{{case.emailed}}", &emailed),
        ("{{case.path}}", &facts.path),
        // The last one: a text may have the names of the others.
        ("{{case.text}}", &facts.text),
    ];
    Ok(values.into_iter().fold(html, |html, (name, value)| {
        html.replace(name, &escape_html(value))
    }))
}

/// The steps as items of the list.
fn steps_html(steps: &[(&'static str, String)]) -> String {
    let item = |(name, at): &(&'static str, String)| {
        let (name, at) = (escape_html(name), escape_html(at));
        format!("<li class=\"case-step done\"><strong>{name}</strong><span>{at}</span></li>")
    };
    steps.iter().map(item).collect()
}
