//! What is wrong with content.

use std::fmt;

/// One broken rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The key of the section.
    pub section: String,
    /// Where in it, as a JSON pointer (RFC 6901); empty: the section as a whole.
    pub path: String,
    /// The rule, as half a sentence.
    pub rule: String,
}

impl Fault {
    pub(super) fn new(section: &str, path: &str, rule: impl Into<String>) -> Self {
        Self {
            section: section.to_owned(),
            path: path.to_owned(),
            rule: rule.into(),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.path.as_str() {
            "" => write!(f, "{}.json: {}", self.section, self.rule),
            path => write!(f, "{}.json: {path}: {}", self.section, self.rule),
        }
    }
}
