//! Reads the rules of a form as they are written in `seeds/forms/` (its README tells the vocabulary); `form` judges by them.

use std::collections::BTreeMap;

use regex::Regex;
use serde::Deserialize;

use super::{Check, Choice, Field, Form, Outcome};

/// `max` of a field that has none (specification section 5).
const DEFAULT_MAX: usize = 1000;
/// How much longer than `max` a raw text may be, in multiples of it: tags are removed by cleaning.
const RAW_MULTIPLE: usize = 10;

/// The compiled patterns by name.
type Patterns = BTreeMap<String, Regex>;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawForm {
    #[serde(rename = "form")]
    _form: String,
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
    #[serde(default, rename = "free_text")]
    _free_text: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawCheck {
    say: String,
    #[serde(default)]
    required: bool,
    min: Option<usize>,
    max: Option<usize>,
    #[serde(rename = "match")]
    matches: Option<String>,
    refuse: Option<String>,
    one_of: Option<String>,
    #[serde(default)]
    date: bool,
}

/// Each pattern is compiled once and shared: one over Unicode's letters takes half a megabyte.
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
        .map(|field| read_field(field, patterns))
        .collect::<Result<_, _>>()?;
    Ok(Form {
        fields,
        outcomes: raw.outcomes,
    })
}

fn read_field(raw: RawField, patterns: &Patterns) -> Result<Field, String> {
    let max = raw.checks.iter().find_map(|check| check.max);
    let checks = raw
        .checks
        .into_iter()
        .map(|check| Ok((read_check(&check, patterns)?, check.say)))
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
        raw_max: RAW_MULTIPLE * max.unwrap_or(DEFAULT_MAX),
        checks,
    })
}

fn read_check(raw: &RawCheck, patterns: &Patterns) -> Result<Check, String> {
    let pattern = |name: &String| {
        let known = patterns.get(name).cloned();
        known.ok_or_else(|| format!("there is no pattern `{name}`"))
    };
    match raw {
        RawCheck { required: true, .. } => Ok(Check::Required),
        RawCheck {
            min: Some(least), ..
        } => Ok(Check::Min(*least)),
        RawCheck {
            max: Some(most), ..
        } => Ok(Check::Max(*most)),
        RawCheck {
            matches: Some(name),
            ..
        } => Ok(Check::Match(pattern(name)?)),
        RawCheck {
            refuse: Some(name), ..
        } => Ok(Check::Refuse(pattern(name)?)),
        RawCheck {
            one_of: Some(_), ..
        } => Ok(Check::OneOf),
        RawCheck { date: true, .. } => Ok(Check::Date),
        _ => Err(format!("the check that says `{}` checks nothing", raw.say)),
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
