//! The form of `seeds/content.json`: what a section consists of.

use serde::Deserialize;

#[derive(Debug, Deserialize)]
pub struct Section {
    /// Its key, which is also the name of its file.
    pub key: String,
    /// Its name for people.
    pub title: String,
    /// What it consists of.
    #[serde(flatten)]
    pub shape: Shape,
}

/// A field of an object.
#[derive(Debug, Deserialize)]
pub struct Field {
    pub key: String,
    /// Its name for people; empty if it is not shown.
    pub label: String,
    /// Whether it may be missing or null.
    #[serde(default)]
    pub optional: bool,
    /// Whether an entry of a list is called by it; without such a field, by its first words.
    #[serde(default)]
    pub is_name: bool,
    /// What it consists of.
    #[serde(flatten)]
    pub shape: Shape,
}

/// What a value consists of.
#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Shape {
    /// An object with exactly these fields.
    Object { fields: Vec<Field> },
    List {
        /// What each entry consists of.
        of: Box<Shape>,
        /// The fewest entries.
        min: usize,
        /// The most entries.
        max: usize,
        /// Whether its entries correspond to the shipped ones: none is added, removed or moved.
        #[serde(default)]
        fixed: bool,
        /// A field that no two entries share.
        unique: Option<String>,
        /// A sibling list that is as long as this one.
        as_wide_as: Option<String>,
    },
    /// A text; lengths are in code points.
    Text {
        /// The minimum length; default: 1.
        #[serde(default = "one")]
        min: usize,
        /// The greatest length.
        max: usize,
        /// Whether it may have several lines.
        #[serde(default)]
        lines: bool,
        /// Whether it may have line breaks, bold words and links (`markup.rs`).
        #[serde(default)]
        markup: bool,
        /// What it must look like.
        format: Option<Format>,
    },
    /// A whole number.
    Number {
        /// The least.
        min: i64,
        /// The greatest.
        max: i64,
    },
    /// True or false.
    Flag,
    /// A day, `YYYY-MM-DD`.
    Date,
    /// One of these values.
    Choice {
        /// The values, or the name of a list of them.
        choices: Choices,
    },
    /// A name in lower-case letters, digits and hyphens.
    Slug,
    /// Whether the entry is a shipped sample.
    Sample,
    /// The name of an uploaded picture.
    Picture,
    /// A value that belongs to the program: as shipped.
    Fixed,
}

/// The values of a choice.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub enum Choices {
    Values(Vec<ChoiceValue>),
    /// The states by their names in URL paths (`states`) or by their codes (`state_codes`).
    Named(String),
}

/// A value of a choice, and what the editor shows for it.
#[derive(Debug, Deserialize)]
pub struct ChoiceValue {
    pub value: String,
    pub label: String,
}

/// What a text must look like.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub enum Format {
    /// An email address.
    Email,
    /// A phone number of 10 to 15 digits.
    Phone,
    /// An `https:` URL.
    Url,
    /// A ZIP code.
    Zip,
}

fn one() -> usize {
    1
}
