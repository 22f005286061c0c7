//! The lines of a body, with what the mail program says of them.

/// What a mail program says of a line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Mark {
    #[default]
    None,
    /// It introduces a quote.
    Attribution,
    /// From here on everything is an earlier email.
    History,
}

/// How a line is quoted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Quote {
    #[default]
    None,
    /// Indented, perhaps by its author.
    Indented,
    /// A quote of another email.
    Cited,
}

/// A line of a body.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Line {
    /// Of plain text, with its `>`.
    pub text: String,
    pub quote: Quote,
    pub mark: Mark,
    /// The content ids of the pictures that it shows.
    pub pictures: Vec<String>,
}

impl Line {
    /// A line of plain text.
    pub(super) fn plain(text: &str) -> Self {
        let is_quoted = text.trim_start().starts_with('>');
        Self {
            text: text.to_owned(),
            quote: if is_quoted { Quote::Cited } else { Quote::None },
            ..Self::default()
        }
    }

    pub(super) fn is_blank(&self) -> bool {
        self.unquoted().is_empty()
    }

    /// The text without marks of quotes and emphasis around it.
    pub(super) fn unquoted(&self) -> &str {
        self.text
            .trim_matches(|c: char| c.is_whitespace() || c == '>' || c == '*')
    }
}
