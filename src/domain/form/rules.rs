//! Parses the form rules in `seeds/forms/`; its README describes the format.

use std::collections::BTreeMap;

use regex::Regex;
use serde::Deserialize;

use super::definition::{Check, Choice, Field, Form, Format, Outcome};

/// `max` of a field without a `max` check (specification section 5).
const DEFAULT_MAX: usize = 1000;
/// Maximum length of a raw text as a multiple of `max`; cleaning removes tags and so shortens it.
const RAW_MAX_FACTOR: usize = 10;

/// The compiled patterns by name.
type Patterns = BTreeMap<String, Regex>;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawForm {
    #[serde(rename = "form")]
    _form: String,
    #[serde(default)]
    check_uncleaned: bool,
    fields: Vec<RawField>,
    outcomes: BTreeMap<String, Outcome>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawField {
    field: String,
    label: String,
    checks: Vec<RawCheck>,
    #[serde(default)]
    options: Vec<Choice>,
    #[serde(default)]
    optional: bool,
    #[serde(default)]
    multiline: bool,
    #[serde(default)]
    secret: bool,
    #[serde(default)]
    boolean: bool,
    #[serde(default)]
    free_text: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawCheck {
    message: String,
    #[serde(default)]
    required: bool,
    min: Option<usize>,
    max: Option<usize>,
    #[serde(rename = "match")]
    matches: Option<String>,
    reject: Option<String>,
    one_of: Option<String>,
    #[serde(default)]
    date: bool,
    #[serde(default)]
    not_past: bool,
}

/// A form of the dashboard: the rules of a form for visitors with exceptions.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawDerivedForm {
    #[serde(rename = "form")]
    _form: String,
    #[serde(rename = "rules")]
    _rules: String,
    /// Fields that may be empty.
    optional: Vec<String>,
    /// Other labels, by field.
    labels: BTreeMap<String, String>,
    /// Other messages, by message.
    messages: BTreeMap<String, String>,
    /// The pattern that texts are refused for, in place of those for visitors.
    reject: String,
    outcomes: BTreeMap<String, Outcome>,
}

/// A form of the dashboard, from its exceptions and the form of visitors.
pub(super) fn parse_derived(text: &str, base: Form, patterns: &Patterns) -> Result<Form, String> {
    let raw: RawDerivedForm = serde_json::from_str(text).map_err(|e| e.to_string())?;
    let mut form = Form {
        outcomes: raw.outcomes,
        ..base
    };
    let rejected = patterns.get(&raw.reject).ok_or("unknown pattern")?;
    let checks = form.fields.iter_mut().flat_map(|field| &mut field.checks);
    for (check, message) in checks {
        if let Check::Reject(pattern) = check {
            pattern.clone_from(rejected);
        }
        if let Some(other) = raw.messages.get(message) {
            message.clone_from(other);
        }
    }
    let named = raw.optional.iter().chain(raw.labels.keys());
    for name in named {
        let field = form.fields.iter_mut().find(|field| field.name == *name);
        let field = field.ok_or_else(|| format!("unknown field `{name}`"))?;
        field.optional |= raw.optional.contains(name);
        if let Some(label) = raw.labels.get(name) {
            field.label.clone_from(label);
        }
    }
    Ok(form)
}

/// Compiles each pattern once, to be shared: a pattern over Unicode letters takes half a megabyte.
pub(super) fn patterns(text: &str) -> Result<Patterns, String> {
    let texts: BTreeMap<String, String> = serde_json::from_str(text).map_err(|e| e.to_string())?;
    let compiled = texts.into_iter().map(|(name, text)| {
        let pattern = Regex::new(&text).map_err(|e| format!("pattern `{name}`: {e}"))?;
        Ok((name, pattern))
    });
    compiled.collect()
}

pub(super) fn parse(text: &str, patterns: &Patterns) -> Result<Form, String> {
    let raw: RawForm = serde_json::from_str(text).map_err(|e| e.to_string())?;
    let fields = raw
        .fields
        .into_iter()
        .map(|field| parse_field(field, patterns))
        .collect::<Result<_, _>>()?;
    Ok(Form {
        check_uncleaned: raw.check_uncleaned,
        fields,
        outcomes: raw.outcomes,
    })
}

fn parse_field(raw: RawField, patterns: &Patterns) -> Result<Field, String> {
    let max = raw.checks.iter().find_map(|check| check.max);
    let format = match raw.checks.iter().find_map(|check| check.matches.as_deref()) {
        Some("phone" | "contact_phone") => Format::Phone,
        Some("email") => Format::Email,
        _ => Format::Text,
    };
    let checks = raw
        .checks
        .into_iter()
        .map(|check| Ok((parse_check(&check, patterns)?, check.message)))
        .collect::<Result<_, String>>()?;
    Ok(Field {
        key: snake_case(&raw.field),
        name: raw.field,
        label: raw.label,
        options: raw.options,
        optional: raw.optional,
        multiline: raw.multiline,
        secret: raw.secret,
        boolean: raw.boolean,
        free_text: raw.free_text,
        format,
        raw_max: RAW_MAX_FACTOR * max.unwrap_or(DEFAULT_MAX),
        checks,
    })
}

fn parse_check(raw: &RawCheck, patterns: &Patterns) -> Result<Check, String> {
    let pattern = |name: &String| {
        let known = patterns.get(name).cloned();
        known.ok_or_else(|| format!("unknown pattern `{name}`"))
    };
    match raw {
        RawCheck { required: true, .. } => Ok(Check::Required),
        RawCheck { min: Some(min), .. } => Ok(Check::Min(*min)),
        RawCheck { max: Some(max), .. } => Ok(Check::Max(*max)),
        RawCheck {
            matches: Some(name),
            ..
        } => Ok(Check::Match(pattern(name)?)),
        RawCheck {
            reject: Some(name), ..
        } => Ok(Check::Reject(pattern(name)?)),
        RawCheck {
            one_of: Some(_), ..
        } => Ok(Check::OneOf),
        RawCheck { date: true, .. } => Ok(Check::Date),
        RawCheck { not_past: true, .. } => Ok(Check::NotPast),
        _ => Err(format!(
            "the check with the message `{}` has no condition",
            raw.message
        )),
    }
}

/// `firstName` to `first_name`.
fn snake_case(name: &str) -> String {
    let mut key = String::with_capacity(name.len() + 4);
    for c in name.chars() {
        if c.is_ascii_uppercase() {
            key.push('_');
        }
        key.push(c.to_ascii_lowercase());
    }
    key
}
