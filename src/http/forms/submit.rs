//! Shared by the JSON API and the HTML forms: validate the fields, store once, report the result.

use std::collections::{BTreeMap, BTreeSet};

use poem::http::StatusCode;
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::FormPages;
use crate::request::client_address::Client;
use crate::request::problem::Problem;
use crate::request::strict_json::UniqueKeys;
use domain::clock::Time;
use domain::form::{FieldError, Form, Forms, INVALID, RawValue};
use domain::ids;
use domain::request::attribution::Attribution;
use domain::request::contact::NewContact;
use domain::request::quote::{NewQuote, Receipt, earliest_start};
use domain::spam::{self, Visit};
use store::inbox::submissions::{Submission, Submitted};

/// The key of the spam trap, a hidden field (`seeds/forms/README.md`).
const TRAP: &str = "motto";

/// A submitted form, by `snake_case` key, before validation.
#[derive(Default)]
pub struct RawForm<'a> {
    texts: BTreeMap<&'a str, String>,
    mistyped: BTreeSet<&'a str>,
    attribution: Option<Attribution>,
    /// Errors outside the form's fields.
    other_errors: Vec<FieldError>,
}

impl<'a> RawForm<'a> {
    /// Takes the form's fields and the attribution from a JSON object. `null` counts as absent;
    /// unknown members are ignored.
    pub fn from_json(form: &'a Form, UniqueKeys(members): UniqueKeys) -> Self {
        let mut form_data = Self::default();
        for (name, value) in members {
            let field = form.fields().iter().find(|field| field.key == name);
            match (field, value) {
                (_, Value::Null) => {}
                (None, value) if name == "attribution" => match parse_attribution(value) {
                    Ok(attribution) => form_data.attribution = attribution,
                    Err(error) => form_data.other_errors.push(error),
                },
                (None, _) => {}
                (Some(field), Value::String(text)) if !field.boolean => {
                    form_data.texts.insert(&field.key, text);
                }
                (Some(field), Value::Bool(ticked)) if field.boolean => {
                    form_data.texts.insert(&field.key, ticked.to_string());
                }
                (Some(field), _) => {
                    form_data.mistyped.insert(&field.key);
                }
            }
        }
        form_data
    }

    /// The submitted value of a field.
    pub fn entry(&self, key: &str) -> RawValue<'_> {
        if self.mistyped.contains(key) {
            return RawValue::Mistyped;
        }
        self.texts.get(key).map(String::as_str).into()
    }

    /// How the form was filled in by `client`; `is_plain` without script. Removes the trap, which
    /// is not a field of the form otherwise.
    fn take_visit(&mut self, app: &FormPages<'_>, client: &Client, is_plain: bool) -> Visit {
        let trap = self.texts.remove(TRAP);
        let fill_millis = app.form_views.since_first(&client.key, app.clock.now());
        Visit {
            trap_filled: trap.is_some_and(|text| !text.is_empty()) | self.mistyped.remove(TRAP),
            fill_millis,
            is_unopened: is_plain && fill_millis.is_none(),
            agent: client.agent,
            has_markup: self.texts.values().any(|text| spam::has_markup(text)),
        }
    }

    /// A hash of all submitted fields; each is prefixed with its length, so it is unambiguous.
    pub fn fingerprint(&self) -> String {
        let mut hash = Sha256::new();
        for text in self.texts.iter().flat_map(|(key, value)| [*key, value]) {
            hash.update((text.len() as u64).to_be_bytes());
            hash.update(text);
        }
        hex::encode(hash.finalize())
    }
}

/// Parses an attribution that is not `null`; the error names the wrong member.
fn parse_attribution(value: Value) -> Result<Option<Attribution>, FieldError> {
    let invalid = |field: String| FieldError {
        key: field.clone(),
        field,
        message: INVALID.to_owned(),
    };
    if !value.is_object() {
        return Err(invalid("attribution".to_owned()));
    }
    serde_path_to_error::deserialize(value)
        .map_err(|error| invalid(format!("attribution.{}", error.path())))
}

impl<'a> FromIterator<(&'a str, String)> for RawForm<'a> {
    fn from_iter<I: IntoIterator<Item = (&'a str, String)>>(fields: I) -> Self {
        Self {
            texts: fields.into_iter().collect(),
            ..Self::default()
        }
    }
}

/// Validates the `Idempotency-Key` header: a token of 8 to 64 letters, digits, `-` or `_`, bare or
/// quoted. A call without one gets a new key, so it is never a duplicate. Errors: 400 for anything
/// else.
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

/// The kind of form.
#[derive(Clone, Copy, Debug)]
pub enum FormKind {
    /// The contact form.
    Contact,
    /// The quote form.
    Quote,
}

impl FormKind {
    /// The form's rules and messages.
    pub fn form(self, forms: &Forms) -> &Form {
        match self {
            Self::Contact => &forms.contact,
            Self::Quote => &forms.quote,
        }
    }
}

/// A valid form.
enum ValidForm {
    Contact(NewContact),
    Quote(NewQuote),
}

/// Validates and stores a form. Without a key, as from a browser without JavaScript, equal content
/// from one client within the rate window is stored once. Errors: 422 with the fields' messages,
/// 429, or the store's error.
pub async fn submit(
    app: &FormPages<'_>,
    client: &Client,
    kind: FormKind,
    form_data: RawForm<'_>,
    key: Option<String>,
) -> Result<Receipt, Problem> {
    let now = app.clock.now();
    let submitted = match validate(app, client, kind, form_data, key)? {
        (ValidForm::Contact(contact), submission) => {
            app.store.submit_contact(contact, submission, now).await?
        }
        (ValidForm::Quote(quote), submission) => {
            app.store.submit_quote(quote, submission, now).await?
        }
    };
    match submitted {
        Submitted::Stored(receipt) => {
            app.form_views.forget(&client.key);
            Ok(receipt)
        }
        Submitted::Duplicate(receipt) => Ok(receipt),
        Submitted::TooMany { wait_ms } => {
            let seconds = u32::try_from((wait_ms + 999) / 1000).unwrap_or(u32::MAX);
            let outcome = kind.form(app.forms).outcome("rate_limited");
            Err(Problem::too_many(outcome, seconds))
        }
        Submitted::KeyReused => {
            let detail =
                "This Idempotency-Key was used for other content. Make a new key for new content.";
            Err(Problem::new(StatusCode::UNPROCESSABLE_ENTITY, detail))
        }
    }
}

/// Validates a form and assesses it for spam.
fn validate(
    app: &FormPages<'_>,
    client: &Client,
    kind: FormKind,
    mut form_data: RawForm<'_>,
    key: Option<String>,
) -> Result<(ValidForm, Submission), Problem> {
    let form = kind.form(app.forms);
    let from = form_data.attribution.take().and_then(Attribution::cleaned);
    let unreadable = std::mem::take(&mut form_data.other_errors);
    let visit = form_data.take_visit(app, client, key.is_none());
    let field = |key: &str| form_data.entry(key);
    let (valid, spam) = match kind {
        FormKind::Contact => {
            let contact = accepted(form, NewContact::parse(form, field, from), unreadable)?;
            let spam = spam::assess(&contact.texts(), visit);
            (ValidForm::Contact(contact), spam)
        }
        FormKind::Quote => {
            let earliest = earliest_start(app.clock.now());
            let quote = NewQuote::parse(form, field, from, &earliest);
            let quote = accepted(form, quote, unreadable)?;
            let spam = spam::assess(&quote.texts(), visit);
            (ValidForm::Quote(quote), spam)
        }
    };
    let submission = Submission {
        client: client.key.clone(),
        site: client.site.clone(),
        key,
        fingerprint: form_data.fingerprint(),
        max: app.limits.form_max,
        window_ms: app.limits.form_window_ms,
        spam,
    };
    Ok((valid, submission))
}

/// The parsed value if nothing was rejected; otherwise all errors together.
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
