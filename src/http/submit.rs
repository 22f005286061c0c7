//! What the JSON API and the plain forms have in common: judge the fields, store once, say how it went.

use std::collections::BTreeMap;

use poem::http::StatusCode;
use sha2::{Digest, Sha256};

use super::App;
use super::address::Client;
use super::problem::Problem;
use crate::domain::clock::Time;
use crate::domain::contact::NewContact;
use crate::domain::form::{Form, Forms};
use crate::domain::ids;
use crate::domain::quote::{NewQuote, Receipt};
use crate::domain::visit::Attribution;
use crate::store::{Submission, Submitted};

/// What came in, by `snake_case` key.
pub struct Raw(BTreeMap<String, String>);

impl Raw {
    /// The value of a field, if it came in.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.0.get(key).map(String::as_str)
    }

    /// A hash of everything that came in, unambiguous about where a field ends.
    pub fn fingerprint(&self) -> String {
        let mut hash = Sha256::new();
        for text in self.0.iter().flat_map(|(key, value)| [key, value]) {
            hash.update((text.len() as u64).to_be_bytes());
            hash.update(text);
        }
        hex::encode(hash.finalize())
    }
}

impl<const N: usize> From<[(&str, Option<String>); N]> for Raw {
    fn from(fields: [(&str, Option<String>); N]) -> Self {
        Self(
            fields
                .into_iter()
                .filter_map(|(key, value)| Some((key.to_owned(), value?)))
                .collect(),
        )
    }
}

impl FromIterator<(String, String)> for Raw {
    fn from_iter<I: IntoIterator<Item = (String, String)>>(fields: I) -> Self {
        Self(fields.into_iter().collect())
    }
}

/// The idempotency key as it may stand in its header: a token of 8 to 64 letters, digits, `-` or `_`, bare or quoted. A call without one is a
/// submission of its own, however often it comes.
///
/// # Errors
/// 400 for anything else.
pub fn key(header: Option<String>, now: Time) -> Result<String, Problem> {
    let Some(text) = header else {
        return Ok(ids::new(now).to_string());
    };
    let key = text.trim().trim_matches('"');
    if (8..=64).contains(&key.len())
        && key
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_'))
    {
        return Ok(key.to_owned());
    }
    Err(Problem::new(
        StatusCode::BAD_REQUEST,
        "The Idempotency-Key is 8 to 64 letters, digits, hyphens or underscores, such as a UUID.",
    ))
}

/// Which form was filled in.
#[derive(Clone, Copy, Debug)]
pub enum Filled {
    /// The contact form.
    Contact,
    /// The quote form.
    Quote,
}

impl Filled {
    /// The form's rules and texts.
    pub fn form(self, forms: &Forms) -> &Form {
        match self {
            Self::Contact => &forms.contact,
            Self::Quote => &forms.quote,
        }
    }
}

/// Takes what was filled in from door to store. Without a key, as from a browser without JavaScript, equal content from one client counts once for a while.
///
/// # Errors
/// 422 with the fields' messages, 429, or what the store says.
pub async fn submit(
    app: &App,
    client: &Client,
    filled: Filled,
    raw: &Raw,
    key: Option<String>,
    from: Option<Attribution>,
) -> Result<Receipt, Problem> {
    let form = filled.form(&app.forms);
    let field = |key: &str| raw.get(key);
    let from = from.and_then(Attribution::cleaned);
    let refused = |errors| Problem::invalid(form.outcome("invalid"), errors);
    let submission = Submission {
        client: client.key.clone(),
        key,
        fingerprint: raw.fingerprint(),
        max: app.limits.form_max,
        window_ms: app.limits.form_window_ms,
    };
    let now = app.clock.now();
    let submitted = match filled {
        Filled::Contact => {
            let contact = NewContact::parse(form, field, from).map_err(refused)?;
            app.store.submit_contact(contact, submission, now).await?
        }
        Filled::Quote => {
            let quote = NewQuote::parse(form, field, from).map_err(refused)?;
            app.store.submit_quote(quote, submission, now).await?
        }
    };
    match submitted {
        Submitted::Stored(receipt) | Submitted::Again(receipt) => Ok(receipt),
        Submitted::TooMany { wait_ms } => {
            let seconds = u32::try_from((wait_ms + 999) / 1000).unwrap_or(u32::MAX);
            Err(Problem::too_many(form.outcome("rate_limited"), seconds))
        }
        Submitted::KeyReused => {
            let detail =
                "This Idempotency-Key was used for other content. Make a new key for new content.";
            Err(Problem::new(StatusCode::UNPROCESSABLE_ENTITY, detail))
        }
    }
}
