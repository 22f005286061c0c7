//! Quotes that are marked line by line. One quote above or below the author's words is folded;
//! quotes between them are shown, since the answers stand below the questions.

use super::super::line::{Line, Mark, Quote};
use super::thread::Thread;
use super::{attribution, signature};

/// A quote, with what introduces it.
#[derive(Debug)]
struct Block {
    start: usize,
    end: usize,
    is_ours: bool,
}

/// Marks the lines of quotes to be hidden.
pub(super) fn hide(lines: &[Line], thread: &Thread<'_>, hidden: &mut [bool]) {
    let blocks = blocks(lines, thread);
    let end = signature::start(lines, thread.author);
    let has_words = |from: usize, to: usize| {
        let to = to.min(end);
        (from..to).any(|at| !lines[at].is_blank())
    };
    let (Some(first), Some(last)) = (blocks.first(), blocks.last()) else {
        return;
    };
    let is_between = blocks
        .windows(2)
        .any(|pair| has_words(pair[0].end, pair[1].start));
    let (is_before, is_after) = (has_words(0, first.start), has_words(last.end, lines.len()));
    if is_between {
        // The last one has no answer.
        if !is_after && last.is_ours {
            hidden[last.start..last.end].fill(true);
        }
        return;
    }
    if is_before != is_after {
        for block in blocks.iter().filter(|block| block.is_ours) {
            hidden[block.start..block.end].fill(true);
        }
    }
}

/// The quotes among the lines, in their order.
fn blocks(lines: &[Line], thread: &Thread<'_>) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        if !is_quoted(lines, at) {
            at += 1;
            continue;
        }
        let below = blocks.last().map_or(0, |block| block.end);
        let end = end_of_quote(lines, at);
        let introduced = attribution::at_end(&lines[below..at]);
        let inside = || attribution::at_start(&lines[at..end]).map(|(text, _)| (text, at - below));
        let found = introduced.or_else(inside);
        // Quotes below the first one are of the same email.
        let is_ours = match &found {
            Some((introduction, _)) => thread.is_ours(introduction),
            None => blocks.last().is_some_and(|block| block.is_ours),
        };
        let start = found.map_or(at, |(_, start)| below + start);
        let is_known = lines[at].quote == Quote::Cited || is_ours;
        if is_known {
            blocks.push(Block {
                start,
                end,
                is_ours,
            });
        }
        at = end;
    }
    blocks
}

/// Whether a line is quoted: by its mark, or indented below an attribution.
fn is_quoted(lines: &[Line], at: usize) -> bool {
    match lines[at].quote {
        _ if lines[at].is_blank() && lines[at].text.trim().is_empty() => false,
        Quote::Cited => true,
        Quote::Indented => attribution::at_end(&lines[..at]).is_some(),
        Quote::None => false,
    }
}

/// The end of the quote that begins at `at`, without empty lines below it.
fn end_of_quote(lines: &[Line], at: usize) -> usize {
    let quote = lines[at].quote;
    let is_inside = |line: &&Line| {
        line.quote == quote || line.text.trim().is_empty() && line.mark == Mark::None
    };
    let count = lines[at..].iter().take_while(is_inside).count();
    let last = lines[at..at + count]
        .iter()
        .rposition(|line| !line.text.trim().is_empty());
    at + last.map_or(count, |last| last + 1)
}
