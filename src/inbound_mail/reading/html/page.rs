//! The page while it is read: its lines, and what holds at the place that is read.

use super::attributes::Attributes;
use super::cells::Row;
use super::inside::Inside;
use super::link::Link;
use super::lists::Lists;
use crate::reading::line::{Line, Mark, Quote};

/// The page so far.
#[derive(Default)]
pub(super) struct Page {
    pub(super) lines: Vec<Line>,
    pub(super) line: Line,
    /// Bytes of the text.
    pub(super) size: usize,
    /// Whether a space comes before the next word.
    pub(super) is_space: bool,
    /// Whether nothing is in the cell or beside the bullet yet.
    pub(super) is_fresh: bool,
    /// What the next line with words is.
    pub(super) mark: Mark,
    pub(super) pre: usize,
    pub(super) unseen: Option<Inside>,
    pub(super) struck: Option<Inside>,
    /// A quote that is no `blockquote`.
    pub(super) quoted: Option<Inside>,
    /// The open `blockquote`s: whether each is a quote of another email.
    pub(super) blockquotes: Vec<bool>,
    pub(super) link: Option<Link>,
    pub(super) row: Row,
    pub(super) lists: Lists,
}

impl Page {
    pub(super) fn text(&mut self, text: &str) {
        if self.unseen.is_some() {
            return;
        }
        if self.pre > 0 {
            let mut lines = text.split('\n');
            self.push(lines.next().unwrap_or_default());
            for line in lines {
                self.break_line();
                self.push(line.trim_end_matches('\r'));
            }
            return;
        }
        let is_space = |c: char| c.is_ascii_whitespace();
        self.is_space |= text.starts_with(is_space);
        for word in text.split(is_space).filter(|word| !word.is_empty()) {
            self.push(word);
            self.is_space = true;
        }
        self.is_space = text.ends_with(is_space);
    }

    /// Appends to the line, after a space if one is due.
    pub(super) fn push(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        let is_glued = self.line.text.is_empty() || self.line.text.ends_with(' ');
        if std::mem::take(&mut self.is_space) && !is_glued {
            self.line.text.push(' ');
        }
        self.is_fresh = false;
        self.size += text.len() + 1;
        self.line.text.push_str(&text.replace('\u{a0}', " "));
        if let Some(link) = &mut self.link {
            link.add(text);
        }
    }

    /// A field of a form shows its value.
    pub(super) fn field(&mut self, attributes: &Attributes<'_>) {
        let kind = attributes.text("type").to_ascii_lowercase();
        if matches!(
            kind.as_str(),
            "" | "text" | "email" | "tel" | "number" | "date" | "time"
        ) {
            self.is_space = true;
            self.push(&attributes.text("value"));
            self.is_space = true;
        }
    }

    pub(super) fn picture(&mut self, attributes: &Attributes<'_>) {
        let source = attributes.text("src");
        if let Some(id) = source.strip_prefix("cid:") {
            self.line.pictures.push(id.to_owned());
        }
        // An emoji that is drawn.
        let name = attributes.text("alt");
        if name.chars().count() <= 8 && !name.is_empty() && !name.is_ascii() {
            self.push(&name);
        }
    }

    pub(super) fn open_link(&mut self, address: String) {
        self.close_link();
        self.link = Link::to(address);
    }

    pub(super) fn close_link(&mut self) {
        if let Some(address) = self.link.take().and_then(Link::address_to_show) {
            self.is_space = true;
            self.push(&format!("<{address}>"));
        }
    }

    /// Begins a cell: it stands beside the one before it, if that is one line.
    pub(super) fn cell(&mut self) {
        self.is_fresh = self.row.begin_cell(&mut self.lines, &mut self.line);
        self.is_space = false;
    }

    /// Begins a line at a block, unless there is nothing on it.
    pub(super) fn block(&mut self) {
        if !self.is_fresh {
            self.end_line();
            self.line.text.clear();
        }
        self.is_space = false;
    }

    pub(super) fn break_line(&mut self) {
        self.line.quote = self.quote();
        let mark = match self.line.text.trim().is_empty() {
            true => Mark::None,
            false => std::mem::take(&mut self.mark),
        };
        let mut line = std::mem::take(&mut self.line);
        line.mark = mark;
        self.size += 1;
        self.lines.push(line);
        (self.is_space, self.is_fresh) = (false, false);
    }

    /// Ends a line that has something on it.
    pub(super) fn end_line(&mut self) {
        if !self.line.text.trim().is_empty() || !self.line.pictures.is_empty() {
            self.break_line();
        }
    }

    pub(super) fn quote(&self) -> Quote {
        match (self.quoted.is_some(), self.blockquotes.as_slice()) {
            (true, _) => Quote::Cited,
            (_, []) => Quote::None,
            (_, open) if open.contains(&true) => Quote::Cited,
            _ => Quote::Indented,
        }
    }
}
