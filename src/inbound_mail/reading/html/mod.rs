//! The lines of an HTML body as a person sees them: cells apart, struck words named, links with
//! their addresses, quotes known by what mail programs write around them. The tags come from a
//! tokenizer of the WHATWG standard, which neither recurses nor keeps a tree.

mod attributes;
mod cells;
mod inside;
mod link;
mod lists;
mod page;

use html5gum::{DefaultEmitter, StartTag, Token, Tokenizer};

use self::attributes::Attributes;
use self::cells::Row;
use self::inside::{Inside, closes};
use self::page::Page;
use super::line::{Line, Mark};

/// Maximum bytes of the text that is made of a body.
const MAX_TEXT: usize = 1024 * 1024;
/// Maximum lines of that text.
const MAX_LINES: usize = 60_000;
/// Maximum quotes inside one another that are distinguished.
const MAX_QUOTES: usize = 100;
/// Elements that begin and end a line.
const BLOCKS: &str = "\
    address article aside blockquote body center dd div dl dt fieldset figure footer form \
    h1 h2 h3 h4 h5 h6 header hr html li main nav ol p pre section table textarea tr ul";
/// Elements whose content is not shown.
const UNSEEN: [&str; 4] = ["script", "style", "template", "title"];
/// Elements whose words no longer hold.
const STRUCK: [&str; 3] = ["del", "s", "strike"];
/// What is written around struck words.
const STRUCK_BEGIN: &str = "[struck out: ";

/// The lines of an HTML body, and whether they are only the beginning.
pub(super) fn lines_of_html(html: &str) -> (Vec<Line>, bool) {
    let mut emitter = DefaultEmitter::default();
    emitter.naively_switch_states(true);
    let mut page = Page::default();
    for token in Tokenizer::new_with_emitter(html, emitter) {
        let Ok(token) = token;
        match token {
            Token::StartTag(tag) => page.start(&tag),
            Token::EndTag(tag) => page.end(&String::from_utf8_lossy(&tag.name)),
            Token::String(text) => page.text(&String::from_utf8_lossy(&text)),
            _ => {}
        }
        if page.size > MAX_TEXT || page.lines.len() > MAX_LINES {
            page.end_line();
            return (page.lines, true);
        }
    }
    page.close_link();
    page.end_line();
    (page.lines, false)
}

impl Page {
    fn start(&mut self, tag: &StartTag<()>) {
        let name = String::from_utf8_lossy(&tag.name).into_owned();
        let attributes = Attributes(tag);
        for inside in [&mut self.unseen, &mut self.struck, &mut self.quoted] {
            if let Some(inside) = inside
                .as_mut()
                .filter(|it| it.name == name && !tag.self_closing)
            {
                inside.depth += 1;
            }
        }
        if self.unseen.is_some() {
            return;
        }
        if is_block(&name) {
            self.block();
        }
        match name.as_str() {
            _ if UNSEEN.contains(&name.as_str()) => self.unseen = Inside::of(&name),
            "br" => self.break_line(),
            "pre" | "textarea" => self.pre += 1,
            "a" => self.open_link(attributes.text("href")),
            "img" => self.picture(&attributes),
            "input" => self.field(&attributes),
            "tr" => self.row = Row::begin(self.lines.len()),
            "td" | "th" => self.cell(),
            "ol" | "ul" => self.lists.open(name == "ol", &attributes.text("start")),
            "li" => {
                let bullet = self.lists.bullet();
                self.push(&bullet);
                self.is_fresh = true;
            }
            "blockquote" if self.blockquotes.len() < MAX_QUOTES => {
                self.blockquotes.push(attributes.is_cite());
            }
            _ => {}
        }
        if !tag.attributes.is_empty() || STRUCK.contains(&name.as_str()) {
            self.marks(&name, &attributes);
        }
    }

    /// What the class, the id or the style says of an element.
    fn marks(&mut self, name: &str, attributes: &Attributes<'_>) {
        if attributes.is_attribution() {
            self.mark = Mark::Attribution;
        }
        if attributes.begins_history() {
            self.end_line();
            self.mark = Mark::History;
        }
        if attributes.is_quote() && self.quoted.is_none() {
            self.end_line();
            self.quoted = Inside::of(name);
        }
        if attributes.is_signature_mark() {
            self.end_line();
            self.pre += 1;
            self.push("-- ");
            self.pre -= 1;
            self.end_line();
            self.unseen = Inside::of(name);
        }
        let is_struck = STRUCK.contains(&name) || attributes.is_struck();
        if is_struck && self.struck.is_none() {
            self.struck = Inside::of(name);
            let begin = self.struck.as_ref().map_or("", |_| STRUCK_BEGIN);
            self.push(begin);
        }
    }

    fn end(&mut self, name: &str) {
        if closes(&mut self.unseen, name) || self.unseen.is_some() {
            return;
        }
        if closes(&mut self.struck, name) {
            match self.line.text.strip_suffix(STRUCK_BEGIN) {
                Some(before) => self.line.text = before.to_owned(),
                None => self.line.text.push(']'),
            }
        }
        if is_block(name) {
            self.block();
        }
        if closes(&mut self.quoted, name) {
            self.end_line();
        }
        match name {
            // The browser makes a line of it.
            "br" => self.break_line(),
            "pre" | "textarea" => self.pre = self.pre.saturating_sub(1),
            "a" => self.close_link(),
            "ol" | "ul" => self.lists.close(),
            "blockquote" => drop(self.blockquotes.pop()),
            "tr" | "table" => self.row = Row::default(),
            _ => {}
        }
    }
}

fn is_block(name: &str) -> bool {
    BLOCKS.split(' ').any(|block| block == name)
}
