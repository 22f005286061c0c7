//! The parts that offers and receipts are made of.

use super::layout::{Align, Cell, Column, Layout, Place, Tag, align, height, row_height};
use super::line::{Span, span, wrap};
use super::style::{
    AMBER, BODY, FINE, FINE_STRONG, HAIRLINE, HEADING, INK, LABEL, MARGIN, NAME, SMALL, WIDTH,
};
use crate::offer::document::types::{Document, Paragraph};

/// The width of labels.
const LABELS: f32 = 104.0;
/// The width of the company's lines at the top.
const ADDRESS: f32 = 270.0;

/// The name of the company with its mark, and what it can be reached by.
pub fn letterhead(layout: &mut Layout<'_>, document: &Document) {
    let mut lines = document.letterhead();
    for license in document.licenses.iter().take(2) {
        lines.push(format!("License, {}: {}", license.state, license.number));
    }
    name_and_lines(layout, &document.company.name, &lines);
}

/// A name with the mark, and lines at the right.
pub fn name_and_lines(layout: &mut Layout<'_>, name: &str, lines: &[String]) {
    mark(layout);
    let from = layout.at;
    let name = wrap(layout.fonts, &[span(name, NAME)], WIDTH - ADDRESS - 48.0);
    let mut below = from;
    layout.tagged(Tag::Paragraph, |layout| {
        let middle = Place {
            y: from.y + (26.0 - NAME.leading()).max(0.0) / 2.0,
            ..from
        };
        below = layout.flow(
            name,
            MARGIN + 36.0,
            WIDTH - ADDRESS - 48.0,
            Align::Left,
            middle,
        );
    });
    let text = lines.join("\n");
    layout.tagged(Tag::Paragraph, |layout| {
        let lines = wrap(layout.fonts, &[span(text, SMALL)], ADDRESS);
        let x = MARGIN + WIDTH - ADDRESS;
        let end = layout.flow(lines, x, ADDRESS, Align::Right, from);
        if end > below {
            below = end;
        }
    });
    layout.at = below;
    layout.gap(10.0);
    layout.rule(1.2, INK, 14.8);
}

/// A lit window at night.
fn mark(layout: &mut Layout<'_>) {
    let Place { page, y } = layout.at;
    let mut part = |x: f32, top: f32, width: f32, height: f32, color| {
        let place = Place { page, y: y + top };
        layout.fill(place, MARGIN + x, width, height, color);
    };
    part(0.0, 0.0, 26.0, 26.0, INK);
    part(6.0, 7.0, 6.4, 12.0, AMBER);
    part(13.6, 7.0, 6.4, 12.0, AMBER);
}

/// A heading of the second level, which stays with what follows.
pub fn heading(layout: &mut Layout<'_>, text: &str) {
    layout.gap(10.0);
    layout.need(64.0);
    let tag = Tag::Heading(2, text.to_owned());
    layout.paragraph(tag, &[span(text, HEADING)]);
    layout.gap(2.0);
    layout.rule(0.6, HAIRLINE, 5.4);
}

/// Labels on the left, what they stand for beside them.
pub fn facts(layout: &mut Layout<'_>, all: &[(String, String)]) {
    facts_at(layout, all, MARGIN, WIDTH);
}

/// The same in a part of the page's width.
pub fn facts_at(layout: &mut Layout<'_>, all: &[(String, String)], x: f32, width: f32) {
    layout.tagged(Tag::List, |layout| {
        for (label, value) in all {
            let (label, value) = (label.as_str(), value.as_str());
            pair(layout, x, width, span(label, LABEL), span(value, BODY));
            layout.gap(1.5);
        }
    });
}

/// Paragraphs with their titles on the left.
pub fn titled(layout: &mut Layout<'_>, all: &[Paragraph]) {
    layout.tagged(Tag::List, |layout| {
        for part in all {
            let title = span(part.title.as_str(), FINE_STRONG);
            let text = span(part.text.as_str(), FINE);
            pair(layout, MARGIN, WIDTH, title, text);
            layout.gap(3.0);
        }
    });
}

fn pair(layout: &mut Layout<'_>, x: f32, width: f32, label: Span, value: Span) {
    let labels = if width < WIDTH { LABELS - 20.0 } else { LABELS };
    let mut set_label = wrap(layout.fonts, &[label], labels - 8.0);
    let mut set_value = wrap(layout.fonts, &[value], width - labels);
    align([&mut set_label, &mut set_value].into_iter());
    layout.need(height(&set_label).max(height(&set_value)));
    let from = layout.at;
    layout.tagged(Tag::Item, |layout| {
        let mut below = from;
        layout.tagged(Tag::Label, |layout| {
            below = layout.flow(set_label, x, labels, Align::Left, from);
        });
        layout.tagged(Tag::Body, |layout| {
            let end = layout.flow(set_value, x + labels, width - labels, Align::Left, from);
            layout.at = if end > below { end } else { below };
        });
    });
}

/// A table with a row of heads.
pub fn table(layout: &mut Layout<'_>, columns: &[Column], heads: &[&str], rows: Vec<Vec<Cell>>) {
    layout.tagged(Tag::Table, |layout| {
        let cells = heads
            .iter()
            .map(|head| (Tag::ColumnHead, vec![span(*head, LABEL)]));
        let cells = layout.cells(columns, cells.collect());
        layout.set_row(columns, cells);
        for row in rows {
            let set = layout.cells(columns, row);
            layout.gap(3.0);
            layout.need(row_height(&set) + 4.0);
            layout.rule(0.6, HAIRLINE, 3.4);
            layout.set_row(columns, set);
        }
    });
}
