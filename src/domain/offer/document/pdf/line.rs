//! Texts as lines of glyphs: fallback between fonts, and breaks where a line is full.

use std::ops::Range;

use icu_normalizer::ComposingNormalizerBorrowed;
use krilla::text::KrillaGlyph;

use super::fonts::{Fonts, Weight};
use super::style::Style;
use crate::text::is_invisible;

/// A text in one style.
#[derive(Clone, Debug)]
pub struct Span {
    pub text: String,
    pub style: Style,
}

/// Glyphs of one face.
#[derive(Clone, Debug)]
pub struct Piece {
    pub face: usize,
    pub weight: Weight,
    pub text: String,
    pub glyphs: Vec<KrillaGlyph>,
    /// In points.
    pub width: f32,
}

/// Pieces in one style, after each other.
#[derive(Clone, Debug)]
pub struct Run {
    pub style: Style,
    pub pieces: Vec<Piece>,
    pub width: f32,
}

/// One line.
#[derive(Clone, Debug, Default)]
pub struct Line {
    pub runs: Vec<Run>,
    /// Without the space at its end.
    pub width: f32,
    pub leading: f32,
}

pub fn span(text: impl Into<String>, style: Style) -> Span {
    Span {
        text: text.into(),
        style,
    }
}

/// Whether a font lacks a character of a text.
pub fn has_replacements(fonts: &Fonts, text: &str) -> bool {
    let text = cleaned(text);
    let mut characters = text.chars().filter(|one| !joins(*one) && *one != '\n');
    characters.any(|one| fonts.glyph(Weight::Regular, one).is_replacement)
}

/// Breaks spans into lines of at most `width` points. Newlines end a line.
pub fn wrap(fonts: &Fonts, spans: &[Span], width: f32) -> Vec<Line> {
    let mut lines = Lines {
        fonts,
        width,
        done: Vec::new(),
        line: Line::default(),
        pen: 0.0,
    };
    for span in spans {
        let text = cleaned(&span.text);
        for (number, paragraph) in text.split('\n').enumerate() {
            if number > 0 {
                lines.end(span.style);
            }
            for word in words(paragraph) {
                lines.add(word, span.style);
            }
        }
    }
    if let Some(last) = spans.last() {
        lines.end(last.style);
    }
    lines.done
}

struct Lines<'a> {
    fonts: &'a Fonts,
    width: f32,
    done: Vec<Line>,
    line: Line,
    /// With the space at the end of the line.
    pen: f32,
}

impl Lines<'_> {
    fn add(&mut self, word: &str, style: Style) {
        let bare = width(&shape(self.fonts, word.trim_end(), style));
        if self.pen + bare > self.width && self.pen > 0.0 {
            self.end(style);
        }
        if bare <= self.width {
            self.push(word, style);
            return;
        }
        // A word that no line holds is broken anywhere.
        let mut begin = 0;
        let mut taken = 0.0;
        for (at, character) in word.char_indices() {
            let advance = self.fonts.glyph(style.weight, character).advance * style.size;
            if taken + advance > self.width && at > begin && !joins(character) {
                self.push(&word[begin..at], style);
                self.end(style);
                (begin, taken) = (at, 0.0);
            }
            taken += advance;
        }
        self.push(&word[begin..], style);
    }

    fn push(&mut self, word: &str, style: Style) {
        let pieces = shape(self.fonts, word, style);
        let trailing = word[word.trim_end().len()..].chars();
        let space: f32 = trailing
            .map(|one| self.fonts.glyph(style.weight, one).advance * style.size)
            .sum();
        let added = width(&pieces);
        self.pen += added;
        self.line.width = self.pen - space;
        self.line.leading = self.line.leading.max(style.leading());
        match self.line.runs.last_mut() {
            Some(run) if run.style == style => {
                run.width += added;
                for piece in pieces {
                    run.append(piece);
                }
            }
            _ => self.line.runs.push(Run {
                style,
                pieces,
                width: added,
            }),
        }
    }

    fn end(&mut self, style: Style) {
        let mut line = std::mem::take(&mut self.line);
        line.leading = line.leading.max(style.leading());
        self.done.push(line);
        self.pen = 0.0;
    }
}

impl Run {
    /// Adds a piece, to the last one if it has the same face.
    fn append(&mut self, piece: Piece) {
        match self.pieces.last_mut() {
            Some(last) if last.face == piece.face => {
                let offset = last.text.len();
                last.text.push_str(&piece.text);
                last.width += piece.width;
                let moved = piece.glyphs.into_iter().map(|mut glyph| {
                    glyph.text_range =
                        glyph.text_range.start + offset..glyph.text_range.end + offset;
                    glyph
                });
                last.glyphs.extend(moved);
            }
            _ => self.pieces.push(piece),
        }
    }
}

pub fn width(pieces: &[Piece]) -> f32 {
    pieces.iter().map(|piece| piece.width).sum()
}

/// The glyphs of a cleaned text.
fn shape(fonts: &Fonts, text: &str, style: Style) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    for character in text.chars() {
        if let Some(piece) = pieces.last_mut().filter(|_| joins(character)) {
            piece.text.push(character);
            if let Some(glyph) = piece.glyphs.last_mut() {
                glyph.text_range.end += character.len_utf8();
            }
            continue;
        }
        let figure = style
            .is_tabular
            .then(|| fonts.figure(style.weight, character));
        let found = figure.flatten();
        let found = found.unwrap_or_else(|| fonts.glyph(style.weight, character));
        if pieces.last().is_none_or(|piece| piece.face != found.face) {
            pieces.push(Piece {
                face: found.face,
                weight: style.weight,
                text: String::new(),
                glyphs: Vec::new(),
                width: 0.0,
            });
        }
        let Some(piece) = pieces.last_mut() else {
            continue;
        };
        let range: Range<usize> = piece.text.len()..piece.text.len() + character.len_utf8();
        piece.text.push(character);
        piece.width += found.advance * style.size;
        let glyph = KrillaGlyph::new(found.id, found.advance, 0.0, 0.0, 0.0, range, None);
        piece.glyphs.push(glyph);
    }
    pieces
}

/// A text of composed characters without invisible ones, which PDFs cannot show.
fn cleaned(text: &str) -> String {
    let composed = ComposingNormalizerBorrowed::new_nfc().normalize(text);
    let shown = composed.chars().filter_map(|one| match one {
        '\n' => Some(one),
        '\t' | '\u{a0}' => Some(' '),
        '\u{fffe}' | '\u{ffff}' => None,
        one if is_invisible(one) => None,
        one => Some(one),
    });
    shown.collect()
}

/// Whether a character has no width, because it changes the one before it.
fn joins(character: char) -> bool {
    matches!(
        character,
        '\u{300}'..='\u{36f}'
            | '\u{200c}'..='\u{200d}'
            | '\u{20d0}'..='\u{20ff}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{1f3fb}'..='\u{1f3ff}'
            | '\u{e0100}'..='\u{e01ef}'
    )
}

/// The words of a text with the spaces that follow them. A word may end after a hyphen or a slash;
/// `8:00 AM` is one word.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let mut letters = rest.char_indices().peekable();
        let mut end = rest.len();
        while let Some((at, one)) = letters.next() {
            let next = letters.peek().map(|(_, next)| *next);
            let after = &rest[at + one.len_utf8()..];
            let is_end = match one {
                ' ' => {
                    next != Some(' ') && !["AM", "PM"].iter().any(|half| after.starts_with(half))
                }
                '-' | '/' => next.is_some_and(char::is_alphanumeric) && at > 0,
                _ => false,
            };
            if is_end {
                end = at + one.len_utf8();
                break;
            }
        }
        let (word, after) = rest.split_at(end);
        rest = after;
        Some(word)
    })
}
