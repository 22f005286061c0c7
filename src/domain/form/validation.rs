//! Cleans and checks the values of a form.

use std::borrow::Cow;

use super::definition::{Check, Format};
use super::{Field, FieldError, Form, INVALID, RawValue, Values};
use crate::text::{clean, tagged};

impl Form {
    /// Cleans and validates every field. `raw` returns a field's value by its `snake_case` key;
    /// `today` is the earliest day, `YYYY-MM-DD`, that a `not_past` check accepts (empty: any).
    /// Errors: one message per invalid field, in the form's order.
    pub fn validate<'a, E: Into<RawValue<'a>>>(
        &self,
        raw: impl Fn(&str) -> E,
        today: &str,
    ) -> Result<Values<'_>, Vec<FieldError>> {
        self.validate_fields(|_| true, raw, today)
    }

    /// As `validate`, for the fields whose keys are `wanted`.
    pub fn validate_fields<'a, E: Into<RawValue<'a>>>(
        &self,
        wanted: impl Fn(&str) -> bool,
        raw: impl Fn(&str) -> E,
        today: &str,
    ) -> Result<Values<'_>, Vec<FieldError>> {
        let mut values = Values::new();
        let mut errors = Vec::new();
        for field in self.fields.iter().filter(|field| wanted(&field.key)) {
            let text = match raw(&field.key).into() {
                RawValue::Missing => "",
                RawValue::Text(text) => text,
                RawValue::Mistyped => {
                    errors.push(field.error(field.type_error()));
                    continue;
                }
            };
            if let Some(message) = field.length_error(text) {
                errors.push(field.error(message));
                continue;
            }
            let value = field.clean(text);
            let refuse = || field.refusal(text, &value);
            let refusal = self.check_uncleaned.then(refuse).flatten();
            if let Some(message) = refusal.or_else(|| field.first_error(&value, today)) {
                errors.push(field.error(message));
            }
            values.insert(&field.key, value);
        }
        if errors.is_empty() {
            Ok(values)
        } else {
            Err(errors)
        }
    }
}

impl Field {
    fn error(&self, message: &str) -> FieldError {
        FieldError {
            field: self.name.clone(),
            key: self.key.clone(),
            message: message.to_owned(),
        }
    }

    /// The message for a value of the wrong type: that of the last check, which tests the format.
    fn type_error(&self) -> &str {
        self.checks.last().map_or(INVALID, |(_, message)| message)
    }

    /// The message for a raw text that is too long to be cleaned: that of its `max` check, or of
    /// the last check. A field without checks accepts any length.
    fn length_error(&self, raw: &str) -> Option<&str> {
        if raw.len() <= self.raw_max || raw.chars().count() <= self.raw_max {
            return None;
        }
        let is_max = |(check, _): &&(Check, String)| matches!(check, Check::Max(_));
        let check = self.checks.iter().find(is_max).or(self.checks.last());
        check.map(|(_, message)| message.as_str())
    }

    fn clean(&self, raw: &str) -> String {
        if self.secret {
            return raw.to_owned();
        }
        if self.boolean {
            return matches!(raw, "true" | "on" | "1").to_string();
        }
        clean(&self.readable(raw), self.multiline)
    }

    /// The value of a phone number or an address as documents and mail programs write it.
    fn readable<'a>(&self, raw: &'a str) -> Cow<'a, str> {
        match self.format {
            Format::Phone => with_plain_separators(raw).into(),
            Format::Email => bare_address(raw).into(),
            Format::Text => raw.into(),
        }
    }

    /// The message for a text of which cleaning removed a part, such as a tag: only that can be
    /// refused before and accepted after it.
    fn refusal(&self, raw: &str, cleaned: &str) -> Option<&str> {
        let may_have_tags = raw.contains('<') && !self.secret && !self.boolean;
        if !may_have_tags || tagged(&self.readable(raw), self.multiline) == cleaned {
            return None;
        }
        let is_format =
            |(check, _): &&(Check, String)| matches!(check, Check::Match(_) | Check::Reject(_));
        let check = self.checks.iter().find(is_format);
        check.map(|(_, message)| message.as_str())
    }

    /// The message of the first failed check.
    pub(super) fn first_error(&self, value: &str, today: &str) -> Option<&str> {
        if self.optional && value.is_empty() {
            return None;
        }
        self.checks
            .iter()
            .find(|(check, _)| !self.passes(check, value, today))
            .map(|(_, message)| message.as_str())
    }

    fn passes(&self, check: &Check, value: &str, today: &str) -> bool {
        match check {
            Check::Required => !value.is_empty(),
            Check::Min(min) => value.chars().count() >= *min,
            Check::Max(max) => value.len() <= *max || value.chars().count() <= *max,
            Check::Match(pattern) => pattern.is_match(value),
            Check::Reject(pattern) => !pattern.is_match(value),
            Check::OneOf => self.options.iter().any(|choice| choice.value == value),
            Check::NotPast => value >= today,
            Check::Date => value.len() == 10 && value.parse::<jiff::civil::Date>().is_ok(),
        }
    }
}

/// The address of `Ana Díaz <ana@dock.example>` or `mailto:ana@dock.example`. `bareAddress` in
/// `frontend/src/forms/rules.ts` does the same.
fn bare_address(raw: &str) -> &str {
    let end = raw.trim_end_matches([' ', ',', ';']);
    let inside = end.strip_suffix('>').and_then(|text| text.rsplit_once('<'));
    let bracketed = inside.filter(|(name, address)| {
        !name.contains(['<', '>']) && !address.contains([' ', '>']) && address.contains('@')
    });
    let address = bracketed
        .map_or(raw, |(_, address)| address)
        .trim_start_matches(' ');
    match address.get(..MAILTO.len()) {
        Some(scheme) if scheme.eq_ignore_ascii_case(MAILTO) => &address[MAILTO.len()..],
        _ => address,
    }
}

const MAILTO: &str = "mailto:";

/// A phone number as pages and documents write it, with the hyphens and spaces of a keyboard.
/// `clean` in `frontend/src/forms/rules.ts` does the same.
fn with_plain_separators(phone: &str) -> String {
    let plain = |c: char| match c {
        '\u{2010}'..='\u{2015}' | '\u{2212}' => '-',
        '\u{a0}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}' => ' ',
        c => c,
    };
    phone.chars().map(plain).collect()
}
