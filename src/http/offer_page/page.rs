//! The HTML of the page.

use std::fmt::Write;

use super::address::masked;
use super::document_html::{article, lead};
use super::form::Form;
use super::html;
use super::opened::Opened;
use crate::AppState;
use crate::request::problem::Problem;
use domain::clock::Time;
use domain::clock::local_time::long_time;
use domain::offer::document::{from_json, text};
use domain::offer::state::OfferState;
use site::placeholders::escape_html;

/// The path of the stylesheet.
pub const STYLE: &str = "/offer/page.css";
/// The path of the script.
pub const SCRIPT: &str = "/offer/page.js";

/// The company's mark, as at the top of the PDF.
const MARK: &str = "<svg width=\"26\" height=\"26\" viewBox=\"0 0 26 26\" aria-hidden=\"true\">\
    <path class=\"ground\" d=\"M0 0h26v26H0z\"/><path fill=\"#ffb224\" \
    d=\"M6 7h6.4v12H6zm7.6 0H20v12h-6.4z\"/></svg>";

/// What the page says of the post before it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Notice {
    Asked,
    CodeSent,
    /// The version was no longer open.
    NotTaken,
}

/// The page of a version.
pub(super) struct Page<'a> {
    pub app: &'a AppState,
    pub opened: &'a Opened,
    pub form: &'a Form,
    pub notice: Option<Notice>,
    /// Why the post before it was refused as a whole.
    pub problem: Option<&'a Problem>,
    pub state: OfferState,
    pub path: String,
    /// Whether it is shown at the desk, before the version is sent.
    pub is_preview: bool,
}

impl<'a> Page<'a> {
    pub fn new(
        app: &'a AppState,
        opened: &'a Opened,
        form: &'a Form,
        notice: Option<Notice>,
    ) -> Self {
        Self {
            app,
            opened,
            form,
            notice,
            problem: None,
            state: opened.sent.state_at(app.clock.now()),
            path: app
                .offer_keys
                .path(&opened.link.number, opened.link.version),
            is_preview: false,
        }
    }

    pub fn html(&self) -> String {
        let (number, version) = (&self.opened.link.number, self.opened.link.version);
        let heading = match version {
            1 => format!("Offer {number}"),
            _ => format!("Offer {number}, version {version}"),
        };
        let mut body = String::new();
        body += &self.banners();
        if self.state == OfferState::Superseded {
            return document(self.app, &heading, &body);
        }
        body += &self.offer();
        body += &self.files();
        if self.state == OfferState::Sent {
            body += &self.accept_form();
            body += &self.decline_form();
        }
        body += &self.question_form();
        match self.is_preview {
            true => with_head(self.app, &heading, &body, ""),
            false => document(self.app, &heading, &body),
        }
    }

    /// What is offered. The words are those that were sent: an offer of a release with other words
    /// is shown as its stored text.
    fn offer(&self) -> String {
        let stored = &self.opened.stored;
        let document = from_json(&stored.json).ok();
        match document.filter(|document| text(document).as_bytes() == stored.text) {
            Some(document) => {
                let address = masked(&document.customer.email);
                let is_open = self.state == OfferState::Sent;
                lead(&document, &self.answers()) + &article(&document, &address, is_open)
            }
            None => {
                let text = html::of_text(&String::from_utf8_lossy(&stored.text));
                let answers = self.answers();
                format!("{answers}<article aria-label=\"The offer\">{text}</article>\n")
            }
        }
    }

    /// The ways to the forms: nothing is accepted by one press.
    fn answers(&self) -> String {
        let ask = "<a class=\"plain\" href=\"#ask\">Ask a question</a>\n";
        match self.state {
            OfferState::Sent => format!(
                "<p class=\"answers\"><a class=\"accept\" href=\"#name\">Accept</a>\n{ask}\
                 <a class=\"plain\" href=\"#decline\">Decline</a></p>\n"
            ),
            _ => format!("<p class=\"answers\">{ask}</p>\n"),
        }
    }

    /// What has happened, and what is wrong.
    fn banners(&self) -> String {
        let mut html = String::new();
        if self.is_preview {
            html += "<p class=\"soft\">Preview: nothing can be answered here.</p>\n";
        }
        let mut banner = |kind: &str, text: &str| {
            let _ = writeln!(
                html,
                "<p class=\"banner {kind}\" role=\"status\">{text}</p>"
            );
        };
        match self.notice {
            Some(Notice::Asked) => banner("good", "We have your question and will answer it soon."),
            Some(Notice::CodeSent) => {
                let email = escape_html(&self.form.email);
                let text = format!(
                    "This offer was sent to another address. To make sure that {email} is yours, \
                     we have sent a code of six digits there. <a href=\"#accept\">Type it \
                     below</a>."
                );
                banner("", &text);
            }
            Some(Notice::NotTaken) => banner("bad", "Your answer was not taken:"),
            None => {}
        }
        if let Some(problem) = self.problem {
            let detail = escape_html(problem.detail());
            banner("bad", &format!("Your answer was not sent. {detail}"));
        }
        if !self.form.errors.is_empty() {
            let first = self.form.errors[0].0;
            let text = format!(
                "Nothing was sent yet. <a href=\"#{first}\">Please correct what is marked \
                 below</a>."
            );
            banner("bad", &text);
        }
        if let Some((kind, text)) = self.state_in_words() {
            banner(kind, &text);
        }
        html
    }

    fn state_in_words(&self) -> Option<(&'static str, String)> {
        let sent = &self.opened.sent;
        let by = escape_html(sent.answered_by.as_deref().unwrap_or_default());
        let on = sent.answered_at.map(|at| self.time(at)).unwrap_or_default();
        Some(match self.state {
            OfferState::Accepted => {
                let text = format!(
                    "This offer was accepted by {by} on {on}. \
                     <a href=\"{}/receipt.pdf\">Keep the receipt (PDF)</a>.",
                    self.path
                );
                ("good", text)
            }
            OfferState::Declined => {
                let text = format!(
                    "This offer was declined on {on}. If that was a mistake, write to us below or \
                     call us."
                );
                ("", text)
            }
            OfferState::Expired => {
                let text = format!(
                    "This offer was valid until {}. It can no longer be accepted. Ask us for a new \
                     one below.",
                    self.time(sent.expires_at)
                );
                ("bad", text)
            }
            OfferState::Withdrawn => {
                let text = format!(
                    "We withdrew this offer on {on}. It can no longer be accepted. Ask us below, \
                     or call us."
                );
                ("bad", text)
            }
            OfferState::Superseded => {
                let (number, newest) = (&self.opened.link.number, self.opened.offer.version);
                let path = self.app.offer_keys.path(number, newest);
                let text = format!(
                    "Version {newest} has replaced this offer. It can no longer be accepted. \
                     <a href=\"{path}\">Open the new version</a>."
                );
                ("bad", text)
            }
            OfferState::Sent | OfferState::Draft => return None,
        })
    }

    fn files(&self) -> String {
        // The frame of a preview does not show files.
        let target = match self.is_preview {
            true => " target=\"_blank\"",
            false => "",
        };
        format!(
            "<p><a class=\"file\" href=\"{}/offer.pdf\"{target}>Keep this offer as a PDF</a></p>\n",
            self.path
        )
    }

    fn time(&self, at: Time) -> String {
        long_time(&self.app.time_zone, at)
    }
}

/// A page with a heading and a sentence.
pub(super) fn message(app: &AppState, heading: &str, text: &str) -> String {
    let text = format!(
        "<p class=\"banner bad\" role=\"status\">{}</p>\n",
        escape_html(text)
    );
    document(app, heading, &text)
}

/// A page with a heading and a body.
pub(super) fn document(app: &AppState, heading: &str, body: &str) -> String {
    let script = format!("<script src=\"{SCRIPT}\" defer></script>\n");
    with_head(app, heading, body, &script)
}

/// The same with another script, or none.
fn with_head(app: &AppState, heading: &str, body: &str, script: &str) -> String {
    let site = app.site();
    let (company, phone) = (&site.company.name, &site.company.phone);
    let (company, heading) = (escape_html(company), escape_html(heading));
    let (href, phone) = (site.company.phone_href(), escape_html(phone));
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"robots\" content=\"noindex\">\n\
         <title>{heading} – {company}</title>\n<link rel=\"stylesheet\" href=\"{STYLE}\">\n\
         {script}</head>\n<body>\n\
         <header><span>{MARK}{company}</span> <a href=\"{href}\">{phone}</a></header>\n\
         <main>\n<h1>{heading}</h1>\n{body}</main>\n</body>\n</html>\n"
    )
}
