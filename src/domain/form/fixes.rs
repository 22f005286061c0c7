//! Corrected values for fields that were refused, in the same meaning, for the page of a rejected
//! form. `frontend/src/forms/fixes.ts` does the same, and more; both run `seeds/forms/fixes.json`.

use std::sync::LazyLock;

use regex::{Captures, Regex};

use super::definition::{Check, Field, Form};
use crate::text::{clean, strip_tags, unwrap_links};

/// A valid value in place of a refused one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// The corrected value.
    pub value: String,
    /// The characters that are not accepted, separated by spaces; empty for a company.
    pub found: String,
    /// What of the old value goes to the message.
    pub moved: Option<String>,
}

impl Form {
    /// A fix for the refused value of the field `name`, if there is one that the field accepts.
    pub fn fix(&self, name: &str, raw: &str) -> Option<Fix> {
        let field = self.fields.iter().find(|field| field.name == name)?;
        let fix = field.fix(raw)?;
        let valid = field
            .first_error(&clean(&fix.value, field.multiline), "")
            .is_none();
        (valid && !fix.value.is_empty() && fix.value != raw.trim()).then_some(fix)
    }

    /// The field that takes a free message of several lines.
    pub fn message_field(&self) -> Option<&Field> {
        self.fields.iter().find(|field| field.multiline)
    }
}

impl Field {
    fn fix(&self, raw: &str) -> Option<Fix> {
        let raw = unwrap_links(&raw.replace("\r\n", "\n")).into_owned();
        if self.free_text {
            let denied = self.checks.iter().find_map(|(check, _)| match check {
                Check::Reject(pattern) => Some(pattern),
                _ => None,
            })?;
            return Some(Fix {
                value: fix_text(&raw, denied),
                found: found(&raw, denied)?,
                moved: None,
            });
        }
        if self.name != "company" {
            return None;
        }
        let moved = raw.contains([',', '/', '|', '+', '@', '#', '(']);
        Some(Fix {
            value: fix_company(&raw),
            found: String::new(),
            moved: moved.then(|| format!("{}: {}", self.label, raw.trim())),
        })
    }
}

/// The distinct refused tokens of a text, in order.
fn found(text: &str, denied: &Regex) -> Option<String> {
    let tokens = Regex::new(&format!("</?[A-Za-z!][^<>]*>|{}", denied.as_str())).ok()?;
    let mut found: Vec<&str> = Vec::new();
    for token in tokens.find_iter(text).map(|token| token.as_str().trim()) {
        if !found.contains(&token) {
            found.push(token);
        }
    }
    Some(found.join("  "))
}

/// Words in angle brackets that are no markup, as in `<ASAP>`.
static BRACKETED: LazyLock<Replacements> =
    LazyLock::new(|| compiled(&[("<([A-Z]{3,}|[A-Za-z]+ [^<>=/]+)>", "$1")]));

static TEXT: LazyLock<Replacements> = LazyLock::new(|| {
    compiled(&[
        ("(^|[\\s(\\[{–—-])\"", "$1“"),
        ("(^|[\\s(\\[{–—-])'", "$1‘"),
        ("'", "’"),
        ("\"", "”"),
        ("(?m) *;+[ ;]*$", ""),
        (" *;+[ ;]*", ", "),
        (" *--+ *", " – "),
        ("/\\*|\\*/", " "),
    ])
});

/// The text without refused tokens: `;` becomes a comma, `--` a dash, `<ASAP>` its word.
fn fix_text(text: &str, denied: &Regex) -> String {
    let mut fixed = replace_all(text, &BRACKETED);
    fixed = replace_all(&strip_tags(&fixed), &TEXT);
    while denied.is_match(&fixed) {
        // The match for a prefix such as "xp_" includes the preceding character, which is kept.
        let kept = |found: &Captures<'_>| {
            let first = found[0].chars().next();
            let is_token = |c: &char| c.is_ascii_alphanumeric() || "_;<*/-".contains(*c);
            first
                .filter(|c| !is_token(c))
                .map(String::from)
                .unwrap_or_default()
        };
        fixed = denied.replace(&fixed, kept).into_owned();
    }
    collapse(&fixed)
}

static COMPANY: LazyLock<Replacements> = LazyLock::new(|| {
    compiled(&[
        ("[`´ʼ]", "’"),
        ("(\\S)\\+(\\s|$)", "$1 Plus$2"),
        ("\\+", " & "),
        ("(\\S\\s*)@", "$1 at "),
        ("#\\s*([0-9])", " No. $1"),
        ("[/|\\\\:_‐-―]+", "-"),
        ("[^\\p{L}\\p{M}0-9 &.'’-]+", " "),
    ])
});

/// A company name in the characters of the rule: `Acme, Inc.` becomes `Acme Inc.`.
fn fix_company(text: &str) -> String {
    collapse(&replace_all(text, &COMPANY))
}

/// One space in place of several.
fn collapse(text: &str) -> String {
    let mut collapsed = String::with_capacity(text.len());
    for character in text.chars() {
        if character != ' ' || !collapsed.ends_with(' ') {
            collapsed.push(character);
        }
    }
    collapsed.trim().to_owned()
}

/// Patterns, each with what takes the place of its matches.
type Replacements = Vec<(Regex, &'static str)>;

/// The text after all replacements, in their order.
fn replace_all(text: &str, replacements: &Replacements) -> String {
    let mut replaced = text.to_owned();
    for (pattern, with) in replacements {
        replaced = pattern.replace_all(&replaced, *with).into_owned();
    }
    replaced
}

/// A test finds a pattern that is invalid.
fn compiled(table: &[(&str, &'static str)]) -> Replacements {
    let all = table.iter();
    all.filter_map(|(pattern, with)| Some((Regex::new(pattern).ok()?, *with)))
        .collect()
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use crate::form::Forms;

    #[derive(Deserialize)]
    struct Case {
        field: String,
        text: String,
        value: String,
    }

    #[test]
    fn server_and_browser_fix_alike() {
        let cases: Vec<Case> =
            serde_json::from_str(include_str!("../../../seeds/forms/fixes.json")).unwrap();
        let forms = Forms::bundled().unwrap();
        for Case { field, text, value } in cases {
            let fix = forms.quote.fix(&field, &text);
            let fixed = fix.map(|fix| fix.value).unwrap_or_default();
            assert_eq!(fixed, value, "{text}");
        }
    }
}
