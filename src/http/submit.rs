//! What the JSON API and the plain forms have in common: judge the fields, store once, say how it went.

use std::collections::{BTreeMap, BTreeSet};

use poem::http::StatusCode;
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::App;
use super::client_address::Client;
use super::problem::Problem;
use super::strict_json::UniqueKeys;
use crate::domain::attribution::Attribution;
use crate::domain::clock::Time;
use crate::domain::contact::NewContact;
use crate::domain::form::{Entry, FieldError, Form, Forms, INVALID};
use crate::domain::ids;
use crate::domain::quote::{NewQuote, Receipt};
use crate::store::{Submission, Submitted};

/// What came in, by `snake_case` key.
#[derive(Default)]
pub struct Raw<'a> {
    texts: BTreeMap<&'a str, String>,
    mistyped: BTreeSet<&'a str>,
    attribution: Option<Attribution>,
    /// Beside the form's fields: what else cannot be read.
    unreadable: Vec<FieldError>,
}

impl<'a> Raw<'a> {
    /// What a JSON object says of the form's fields and of where the visit came from; `null` says nothing, and what the form does not know is left out.
    pub fn of_json(form: &'a Form, UniqueKeys(mut given): UniqueKeys) -> Self {
        let mut raw = Self::default();
        for field in form.fields() {
            let key = field.key.as_str();
            match given.remove(key) {
                None | Some(Value::Null) => {}
                Some(Value::String(text)) if !field.is_boolean() => {
                    raw.texts.insert(key, text);
                }
                Some(Value::Bool(ticked)) if field.is_boolean() => {
                    raw.texts.insert(key, ticked.to_string());
                }
                Some(_) => {
                    raw.mistyped.insert(key);
                }
            }
        }
        match given.remove("attribution").map(read_attribution) {
            None => {}
            Some(Ok(attribution)) => raw.attribution = attribution,
            Some(Err(error)) => raw.unreadable.push(error),
        }
        raw
    }

    /// What came in for a field.
    pub fn entry(&self, key: &str) -> Entry<'_> {
        if self.mistyped.contains(key) {
            return Entry::Mistyped;
        }
        self.texts.get(key).map(String::as_str).into()
    }

    /// A hash of every field that came in, unambiguous about where one ends.
    pub fn fingerprint(&self) -> String {
        let mut hash = Sha256::new();
        for text in self.texts.iter().flat_map(|(key, value)| [*key, value]) {
            hash.update((text.len() as u64).to_be_bytes());
            hash.update(text);
        }
        hex::encode(hash.finalize())
    }
}

/// Where the visit came from, or what of it is not as described.
fn read_attribution(value: Value) -> Result<Option<Attribution>, FieldError> {
    let invalid = |field: String| FieldError {
        key: field.clone(),
        field,
        message: INVALID.to_owned(),
    };
    if !matches!(value, Value::Null | Value::Object(_)) {
        return Err(invalid("attribution".to_owned()));
    }
    serde_path_to_error::deserialize(value)
        .map_err(|error| invalid(format!("attribution.{}", error.path())))
}

impl<'a> FromIterator<(&'a str, String)> for Raw<'a> {
    fn from_iter<I: IntoIterator<Item = (&'a str, String)>>(fields: I) -> Self {
        Self {
            texts: fields.into_iter().collect(),
            ..Self::default()
        }
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
pub enum FormKind {
    /// The contact form.
    Contact,
    /// The quote form.
    Quote,
}

impl FormKind {
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
    filled: FormKind,
    mut raw: Raw<'_>,
    key: Option<String>,
) -> Result<Receipt, Problem> {
    let form = filled.form(&app.forms);
    let from = raw.attribution.take().and_then(Attribution::cleaned);
    let unreadable = std::mem::take(&mut raw.unreadable);
    let field = |key: &str| raw.entry(key);
    let submission = Submission {
        client: client.key.clone(),
        key,
        fingerprint: raw.fingerprint(),
        max: app.limits.form_max,
        window_ms: app.limits.form_window_ms,
    };
    let now = app.clock.now();
    let submitted = match filled {
        FormKind::Contact => {
            let contact = accepted(form, NewContact::parse(form, field, from), unreadable)?;
            app.store.submit_contact(contact, submission, now).await?
        }
        FormKind::Quote => {
            let quote = accepted(form, NewQuote::parse(form, field, from), unreadable)?;
            app.store.submit_quote(quote, submission, now).await?
        }
    };
    match submitted {
        Submitted::Stored(receipt) | Submitted::Duplicate(receipt) => Ok(receipt),
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

/// What was parsed, if nothing at all was refused; all refusals together otherwise.
fn accepted<T>(
    form: &Form,
    parsed: Result<T, Vec<FieldError>>,
    unreadable: Vec<FieldError>,
) -> Result<T, Problem> {
    let errors = match parsed {
        Ok(value) if unreadable.is_empty() => return Ok(value),
        Ok(_) => unreadable,
        Err(errors) => errors.into_iter().chain(unreadable).collect(),
    };
    Err(Problem::invalid(form.outcome("invalid"), errors))
}
