//! What is wrong with the words and numbers of an offer, for the person who enters them.

use std::ops::RangeInclusive;

use crate::us_state;

/// A fault of a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The field, as `posts.0.officers`.
    pub field: String,
    pub message: String,
}

/// Collects faults.
#[derive(Default)]
pub(super) struct Faults(pub(super) Vec<Fault>);

impl Faults {
    pub(super) fn add(&mut self, field: impl Into<String>, message: impl Into<String>) {
        self.0.push(Fault {
            field: field.into(),
            message: message.into(),
        });
    }

    /// A fault where something is wrong.
    pub(super) fn add_if(
        &mut self,
        is_wrong: bool,
        field: impl Into<String>,
        message: impl Into<String>,
    ) {
        if is_wrong {
            self.add(field, message);
        }
    }

    /// A text that may be empty, of at most `max` characters.
    pub(super) fn length(&mut self, field: impl Into<String>, text: &str, max: usize) {
        let is_wrong = text.chars().count() > max;
        self.add_if(is_wrong, field, format!("At most {max} characters."));
    }

    /// A text of at most `max` characters; `missing` is said of an empty one.
    pub(super) fn text(&mut self, field: impl Into<String>, text: &str, max: usize, missing: &str) {
        match text.trim() {
            "" => self.add(field, missing),
            _ => self.length(field, text, max),
        }
    }

    pub(super) fn within(
        &mut self,
        field: impl Into<String>,
        value: i64,
        range: RangeInclusive<i64>,
    ) {
        let message = format!("Enter {} to {}.", range.start(), range.end());
        self.add_if(!range.contains(&value), field, message);
    }

    /// The code of a state.
    pub(super) fn state(&mut self, field: impl Into<String>, code: &str) {
        let is_wrong = us_state::parse_code(code) != Some(code);
        self.add_if(is_wrong, field, "Choose a state.");
    }
}
