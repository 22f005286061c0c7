//! The HTML of the page: the facts of its template, `page.html`.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use minijinja::value::Serde;
use minijinja::{Environment, Error};
use serde::Serialize;
use serde_json::{Value, json};

use super::form::{Form, Opened, masked};
use super::parts::OfferPages;
use crate::request::problem::Problem;
use domain::clock::Time;
use domain::clock::local_time::{customer_time, long_time};
use domain::offer::document::{Block, Consent, Document, from_json, summary, text, what};
use domain::offer::lines::dollars;
use domain::offer::state::OfferState;
use site::offer_page::fill;
use site::placeholders::escape_html;
use site::templates::environment;

/// The path of the stylesheet.
pub const STYLE: &str = "/offer/page.css";
/// The path of the script.
pub const SCRIPT: &str = "/offer/page.js";

/// What the page says of the post before it.
#[derive(Clone, Copy, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Notice {
    Asked,
    CodeSent,
    /// The version was no longer open.
    NotTaken,
}

/// The page of a version.
pub(super) struct Page<'a> {
    pub app: &'a OfferPages<'a>,
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
        app: &'a OfferPages<'a>,
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
        let (opened, form) = (self.opened, self.form);
        let (number, version) = (&opened.link.number, opened.link.version);
        let heading = match version {
            1 => format!("Offer {number}"),
            _ => format!("Offer {number}, version {version}"),
        };
        let (sent, offer) = (&opened.sent, &opened.offer);
        let stored = from_json(&opened.stored.json).ok();
        let consent = stored
            .as_ref()
            .map(|document| document.consent.text.clone());
        // The words are those that were sent: an offer of a release with other words is shown as
        // its stored text.
        let shown = stored.filter(|document| text(document).as_bytes() == opened.stored.text);
        let reference = offer.request.as_ref().map(|request| &request.reference);
        let errors: BTreeMap<_, _> = form.errors.iter().cloned().collect();
        let body = render(json!({
            "is_preview": self.is_preview,
            "is_open": self.state == OfferState::Sent,
            "notice": self.notice,
            "problem": self.problem.map(Problem::detail),
            "first_error": form.errors.first().map(|(field, _)| *field),
            "errors": errors,
            "form": form,
            "state": self.state.as_str(),
            "by": sent.answered_by.as_deref().unwrap_or_default(),
            "on": sent.answered_at.map(|at| self.time(at)).unwrap_or_default(),
            "ended": self.time(sent.expires_at),
            "path": self.path,
            "newest": offer.version,
            "newest_path": self.app.offer_keys.path(number, offer.version),
            "reference": reference,
            "status_path": reference.map(|reference| self.app.status_links.path(reference)),
            "consent": consent.unwrap_or_else(|| Consent::sample().text),
            "as_sent": String::from_utf8_lossy(&opened.stored.text),
            "offer": shown.map(|document| self.facts(&document)),
        }));
        let html = document(self.app, &heading, &body);
        match self.is_preview {
            true => as_preview(&html),
            false => html,
        }
    }

    /// What the page says of an offer. The customer's address is masked.
    fn facts(&self, document: &Document) -> Value {
        let short = summary(document);
        let mut blocks = document.page_outline(self.state == OfferState::Sent);
        // What is first on the page says it.
        blocks.retain(|block| !matches!(block, Block::Text(text) if *text == short));
        let mut recipient = document.recipient();
        for (label, value) in &mut recipient {
            if label == "Email" {
                *value = masked(&document.customer.email);
            }
        }
        // Until when it can be accepted is said on the customer's clock.
        let mut facts = document.facts();
        facts.retain(|(label, _)| label != "Valid through");
        json!({
            "total": dollars(document.price.total),
            "per": if document.terms.end.is_none() { "a week" } else { "total" },
            "has_tax": !document.price.taxes.is_empty(),
            "what": what(document),
            "term": document.term(),
            "until": self.until(document),
            "notes": document.price_notes(),
            "price_title": document.price_title(),
            "prices": document.price_rows(),
            "blocks": blocks,
            "recipient": recipient,
            "facts": facts,
            "company": document.company.name,
            "letterhead": document.letterhead(),
        })
    }

    /// The last day on which it can be accepted; where the day of the customer's place ends at
    /// another time than that of the office, the last minute.
    fn until(&self, document: &Document) -> String {
        let last = self.opened.sent.last_minute();
        let here = self.time(last);
        match here == long_time(self.app.time_zone, last) {
            true => document.last_day(),
            false => here,
        }
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

/// The page with these facts, without its frame.
fn render(facts: Value) -> String {
    static PAGE: LazyLock<Result<Environment<'static>, Error>> = LazyLock::new(|| {
        let mut env = environment()?;
        env.add_template("page.html", include_str!("page.html"))?;
        Ok(env)
    });
    let page = PAGE.as_ref().map_err(Error::to_string);
    let html = page.and_then(|env| {
        let page = env.get_template("page.html");
        page.and_then(|page| page.render(minijinja::Value::from(Serde(facts))))
            .map_err(|error| format!("{error:#}"))
    });
    html.unwrap_or_else(|error| {
        tracing::error!(error, "the page of an offer cannot be rendered");
        String::new()
    })
}

/// A sentence that stands out.
pub(super) fn note(kind: &str, text: &str) -> String {
    let text = escape_html(text);
    format!("<p class=\"offer-note {kind}\" role=\"status\">{text}</p>\n")
}

/// A page with a heading and a body, in the frame of the site.
pub(super) fn document(app: &OfferPages<'_>, heading: &str, body: &str) -> String {
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
