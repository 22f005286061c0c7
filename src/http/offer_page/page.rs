//! The HTML of the page.

use std::fmt::Write;

use super::address::masked;
use super::document_html::{article, lead};
use super::form::Form;
use super::opened::Opened;
use crate::AppState;
use crate::request::problem::Problem;
use domain::clock::Time;
use domain::clock::local_time::{customer_time, long_time};
use domain::offer::document::{Document, from_json, text};
use domain::offer::state::OfferState;
use site::offer_page::fill;
use site::placeholders::escape_html;

/// The path of the stylesheet.
pub const STYLE: &str = "/offer/page.css";
/// The path of the script.
pub const SCRIPT: &str = "/offer/page.js";

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
        let mut body = self.banners();
        if self.state != OfferState::Superseded {
            body += &self.offer();
            body += &self.files();
            if self.state == OfferState::Sent {
                body += &self.decline_form();
            }
            body += &self.question_form();
        }
        match self.is_preview {
            true => as_preview(&document(self.app, &heading, &body)),
            false => document(self.app, &heading, &body),
        }
    }

    /// What is offered, with the form of an acceptance below the price. The words are those that
    /// were sent: an offer of a release with other words is shown as its stored text.
    fn offer(&self) -> String {
        let stored = &self.opened.stored;
        let is_open = self.state == OfferState::Sent;
        let accept = if is_open {
            self.accept_form()
        } else {
            String::new()
        };
        let document = from_json(&stored.json).ok();
        match document.filter(|document| text(document).as_bytes() == stored.text) {
            Some(document) => {
                let until = is_open.then(|| self.until(&document));
                let address = masked(&document.customer.email);
                lead(&document, until.as_deref(), &self.answers())
                    + &accept
                    + &article(&document, &address, is_open)
            }
            None => {
                let text = String::from_utf8_lossy(&stored.text);
                format!(
                    "{}<article class=\"as-sent\" aria-label=\"The offer\">{}</article>\n{accept}",
                    self.answers(),
                    escape_html(&text)
                )
            }
        }
    }

    /// The last day on which it can be accepted; where the day of the customer's place ends at
    /// another time than that of the office, the last minute.
    fn until(&self, document: &Document) -> String {
        let last = self.opened.sent.last_minute();
        let here = self.time(last);
        match here == long_time(&self.app.time_zone, last) {
            true => document.last_day(),
            false => here,
        }
    }

    /// The ways to the forms: nothing is accepted by one press.
    fn answers(&self) -> String {
        let ask = "<a class=\"button button-line\" href=\"#ask\">Ask a question</a>\n";
        match self.state {
            OfferState::Sent => format!(
                "<p class=\"answers\"><a class=\"button button-signal\" href=\"#name\">Accept</a>\n\
                 {ask}<a class=\"button button-line\" href=\"#decline\">Decline</a></p>\n"
            ),
            _ => format!("<p class=\"answers\">{ask}</p>\n"),
        }
    }

    /// What has happened, and what is wrong.
    fn banners(&self) -> String {
        let mut html = String::new();
        if self.is_preview {
            html += "<p class=\"muted\">Preview: nothing can be answered here.</p>\n";
        }
        let mut banner = |kind: &str, text: &str| {
            // The first one has the focus of a page that answers.
            let _ = writeln!(
                html,
                "<p class=\"offer-note {kind}\" role=\"status\" tabindex=\"-1\" autofocus>{text}</p>"
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
                     <a href=\"{}/receipt.pdf\">Receipt (PDF)</a>",
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
        let request = self.opened.offer.request.as_ref();
        let status = request.map_or_else(String::new, |request| {
            let (path, reference) = (
                self.app.status_links.path(&request.reference),
                &request.reference,
            );
            format!("<a class=\"button button-quiet\" href=\"{path}\">Your request {reference}</a>")
        });
        format!(
            "<p class=\"answers\"><a class=\"button button-line\" href=\"{}/offer.pdf\"{target}>\
             Download PDF</a>{status}</p>\n",
            self.path
        )
    }

    /// A time as the customer reads it.
    fn time(&self, at: Time) -> String {
        let zone = &self.app.time_zone;
        match &self.opened.offer.request {
            Some(request) => customer_time(request, zone, at),
            None => long_time(zone, at),
        }
    }
}

/// A page with a heading and a sentence.
pub(super) fn message(app: &AppState, heading: &str, text: &str) -> String {
    let text = format!(
        "<p class=\"offer-note bad\" role=\"status\">{}</p>\n",
        escape_html(text)
    );
    document(app, heading, &text)
}

/// A page with a heading and a body, in the frame of the site.
pub(super) fn document(app: &AppState, heading: &str, body: &str) -> String {
    match app.pages.current().offer_page() {
        Some(frame) => fill(&frame, heading, body),
        // The site is not built.
        None => format!("<!doctype html>\n<title>{heading}</title>\n<main>{body}</main>\n"),
    }
}

/// The page without its script, for the frame of a preview, whose header and footer lead nowhere.
fn as_preview(html: &str) -> String {
    let script = format!("<script src=\"{SCRIPT}\" defer></script>");
    html.replacen(&script, "", 1)
        .replacen(
            "<header class=\"site-header\"",
            "<header inert class=\"site-header\"",
            1,
        )
        .replacen(
            "<footer class=\"site-footer\"",
            "<footer inert class=\"site-footer\"",
            1,
        )
}
