//! What a visitor sends from the status page: a message to the office, or that nothing more is
//! needed. It works without JavaScript and is rate limited like the forms.

use poem::http::StatusCode;
use poem::{Body, Request};
use sha2::{Digest, Sha256};

use super::FormPages;
use crate::request::client_address::Client;
use crate::request::posted_fields;
use domain::spam::Assessment;
use domain::text::clean;
use store::inbox::submissions::{Submission, Submitted};
use store::status_page::Said;

/// Maximum code points of a message.
const MAX_TEXT: usize = 2000;

/// A form that was not taken.
#[derive(Default)]
pub(super) struct Refused {
    pub status: StatusCode,
    /// The note on the page: a value of `data-note`.
    pub note: &'static str,
    /// What the visitor has typed.
    pub text: String,
    /// Which files were not taken, and why.
    pub files: String,
}

/// Takes a post of the page. Returns what was done, `sent` or `settled`.
pub(super) async fn take(
    app: &FormPages<'_>,
    client: &Client,
    request: &Request,
    body: Body,
    reference: String,
) -> Result<&'static str, Refused> {
    let (fields, read): (Vec<_>, _) =
        posted_fields::read(app.bodies, client, request, body, "").await;
    let field = |name: &str| fields.iter().find(|(found, _)| found == name);
    let typed = field("text")
        .map(|(_, text)| text.as_str())
        .unwrap_or_default();
    let refused = |status, note| Refused {
        status,
        note,
        text: typed.to_owned(),
        ..Refused::default()
    };
    if read.is_err() {
        return Err(refused(StatusCode::BAD_REQUEST, "failed"));
    }
    let text = clean(typed, true);
    let (said, done) = match field("settled") {
        Some(_) => (Said::Settled, "settled"),
        None if text.is_empty() => {
            return Err(refused(StatusCode::UNPROCESSABLE_ENTITY, "empty"));
        }
        None if text.chars().count() > MAX_TEXT => {
            return Err(refused(StatusCode::UNPROCESSABLE_ENTITY, "long"));
        }
        None => (Said::Message(text), "sent"),
    };
    let submission = submission(app, client, &reference, &said);
    let now = app.clock.now();
    let said = app
        .store
        .say_on_status_page(reference, said, submission, now);
    match said.await {
        Ok(Submitted::Stored(_) | Submitted::Duplicate(_)) => Ok(done),
        Ok(Submitted::TooMany { .. } | Submitted::KeyReused) => {
            Err(refused(StatusCode::TOO_MANY_REQUESTS, "too-many"))
        }
        Err(error) => {
            tracing::warn!(%error, "a message of the status page was not stored");
            Err(refused(StatusCode::SERVICE_UNAVAILABLE, "failed"))
        }
    }
}

fn submission(app: &FormPages<'_>, client: &Client, reference: &str, said: &Said) -> Submission {
    let text = match said {
        Said::Message(text) => text.as_str(),
        Said::Settled => "",
    };
    let fingerprint = Sha256::new_with_prefix(reference)
        .chain_update([0])
        .chain_update(text);
    Submission {
        client: client.key.clone(),
        site: client.site.clone(),
        key: None,
        fingerprint: hex::encode(fingerprint.finalize()),
        max: app.limits.form_max,
        window_ms: app.limits.form_window_ms,
        spam: Assessment::default(),
    }
}
