//! Separates what an author wrote from earlier emails and the signature below it. Only what is
//! surely ours is folded: it names our address, or a mail program has quoted it in an answer to us.
//! Everything else is shown: a quote too many is the smaller fault.

mod attribution;
mod header_block;
mod history;
mod quotes;
mod signature;
mod thread;

pub(super) use thread::{Thread, is_answer};

use super::line::{Line, Quote};

/// Lines of a text that are looked at; the rest is shown.
const MAX_LINES: usize = 20_000;

/// What an author wrote, and the rest of the email.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Folded {
    pub text: String,
    pub folded: String,
    /// The content ids of the pictures among what the author wrote.
    pub pictures: Vec<String>,
}

/// Folds the lines of an email.
pub(super) fn fold(lines: &[Line], thread: &Thread<'_>) -> Folded {
    let searched = &lines[..lines.len().min(MAX_LINES)];
    let forward = searched.iter().position(history::is_forward);
    let own = &searched[..forward.unwrap_or(searched.len())];
    let mut hidden = vec![false; lines.len()];
    let start = history::start(own, thread);
    if let Some(start) = start {
        hidden[start..].fill(true);
    }
    quotes::hide(&own[..start.unwrap_or(own.len())], thread, &mut hidden);
    signature::hide(own, thread.author, &mut hidden);
    let is_empty = lines
        .iter()
        .zip(&hidden)
        .all(|(line, hidden)| *hidden || line.is_blank());
    if is_empty {
        hidden.fill(false);
    }
    let of = |is_hidden: bool| {
        let lines = lines.iter().zip(&hidden);
        lines
            .filter(move |(_, hidden)| **hidden == is_hidden)
            .map(|(line, _)| line)
    };
    Folded {
        text: joined(of(false)),
        folded: joined(of(true)),
        pictures: of(false)
            .flat_map(|line| line.pictures.iter().cloned())
            .collect(),
    }
}

/// The lines without empty ones around them and with at most one between two others.
fn joined<'a>(lines: impl Iterator<Item = &'a Line>) -> String {
    let mut text = String::new();
    let mut is_after_empty = true;
    for line in lines {
        let words = line.text.trim_end();
        if words.is_empty() && is_after_empty {
            continue;
        }
        is_after_empty = words.is_empty();
        if line.quote == Quote::Cited && !words.is_empty() && !words.trim_start().starts_with('>') {
            text.push_str("> ");
        }
        text.push_str(words);
        text.push('\n');
    }
    text.trim().to_owned()
}
