//! The pages of an offer.

use super::error::PdfError;
use super::fonts::Fonts;
use super::layout::{Align, Column, Layout, Place, Tag, height, row_height};
use super::line::{Line, has_replacements, span, wrap};
use super::parts::{facts, facts_at, heading, letterhead, table, titled};
use super::style::{
    AMBER, BODY, FIGURE, HAIRLINE, INK, LABEL, LEAD, MARGIN, MIST, SMALL, STRONG, TITLE, TOTAL,
    WIDTH,
};
use super::writer::{About, write};
use crate::offer::document::outline::{Block, PostRow};
use crate::offer::document::prices::{PriceKind, PriceRow};
use crate::offer::document::summary::{amount, summary};
use crate::offer::document::types::Document;

/// The width of amounts.
const AMOUNTS: f32 = 96.0;
const GAP: f32 = 12.0;
/// The height of a heading.
const HEAD: f32 = 40.0;
/// So much of a price stays with its heading.
const TOGETHER: f32 = 90.0;

/// The PDF of a version.
///
/// # Errors
/// If a font cannot be read or the library refuses the file.
pub fn pdf(document: &Document) -> Result<Vec<u8>, PdfError> {
    let fonts = Fonts::get()?;
    let mut layout = Layout::new(fonts);
    letterhead(&mut layout, document);
    head(&mut layout, document);
    let mut blocks = document.outline().into_iter().peekable();
    while let Some(block) = blocks.next() {
        match block {
            Block::Heading(text) => {
                if let Some(Block::Price(rows)) = blocks.peek() {
                    let tall = price_height(&price_table(&layout, rows)) + HEAD;
                    layout.need(tall.min(TOGETHER));
                }
                heading(&mut layout, &text);
            }
            Block::Text(text) if text == summary(document) => lead(&mut layout, document, &text),
            Block::Text(text) => {
                layout.paragraph(Tag::Paragraph, &[span(text, BODY)]);
                layout.gap(4.0);
            }
            Block::Titled(first) => {
                let mut parts = vec![first];
                while let Some(Block::Titled(next)) = blocks.peek() {
                    parts.push(next.clone());
                    blocks.next();
                }
                titled(&mut layout, &parts);
            }
            Block::Facts(all) => facts(&mut layout, &all),
            Block::Posts(rows) => posts(&mut layout, rows),
            Block::Price(rows) => price(&mut layout, &rows),
        }
    }
    let own = &document.company;
    let title = document.title();
    let about = About {
        footer: format!(
            "{title}, version {}   ·   {}   ·   {}",
            document.version, own.name, own.phone
        ),
        title: format!("{title}, version {}, {}", document.version, own.name),
        subject: summary(document),
        author: own.name.clone(),
        date: document.sent_on,
    };
    write(layout, &about)
}

/// The title, what is known of the offer, and beside it for whom it is.
fn head(layout: &mut Layout<'_>, document: &Document) {
    let title = document.title();
    layout.paragraph(Tag::Heading(1, title.clone()), &[span(title, TITLE)]);
    layout.gap(8.0);
    let from = layout.at;
    // A place takes more room than a day.
    let left_width = 190.0;
    let right = MARGIN + left_width + GAP;
    facts_at(layout, &document.facts(), MARGIN, left_width);
    let left = layout.at;
    layout.at = from;
    let mut recipient = document.recipient();
    if let Some((label, _)) = recipient.first_mut() {
        *label = "Prepared for".to_owned();
    }
    facts_at(layout, &recipient, right, MARGIN + WIDTH - right);
    if left > layout.at {
        layout.at = left;
    }
    let mut shown = recipient.iter().map(|(_, value)| value);
    if shown.any(|value| has_replacements(layout.fonts, value)) {
        layout.gap(4.0);
        let note = "A ? in a name stands for a character that this file cannot print. The page of \
                    this offer shows it.";
        layout.paragraph(Tag::Paragraph, &[span(note, SMALL)]);
    }
    layout.gap(12.0);
}

/// What matters, and beside it the amount.
fn lead(layout: &mut Layout<'_>, document: &Document, text: &str) {
    const PAD: f32 = 12.0;
    let amount = amount(document);
    let (total, per) = amount.split_once(' ').unwrap_or((&amount, ""));
    let figure = [span(total, FIGURE), span(format!("\n{per}"), SMALL)];
    let right = wrap(layout.fonts, &figure, 150.0);
    let left_width = WIDTH - 150.0 - 4.0 * PAD;
    let left = wrap(layout.fonts, &[span(text, LEAD)], left_width);
    let tall = height(&left).max(height(&right));
    layout.need(tall + 2.0 * PAD);
    let at = layout.at;
    layout.fill(at, MARGIN, WIDTH, tall + 2.0 * PAD, MIST);
    layout.fill(at, MARGIN, 3.0, tall + 2.0 * PAD, AMBER);
    let within = |own: f32| Place {
        y: at.y + PAD + (tall - own) / 2.0,
        ..at
    };
    layout.tagged(Tag::Paragraph, |layout| {
        let from = within(height(&left));
        layout.flow(left, MARGIN + PAD + 6.0, left_width, Align::Left, from);
    });
    layout.tagged(Tag::Paragraph, |layout| {
        let from = within(height(&right));
        let x = MARGIN + WIDTH - PAD - 150.0;
        layout.flow(right, x, 150.0, Align::Right, from);
    });
    layout.at.y = at.y + tall + 2.0 * PAD;
}

fn posts(layout: &mut Layout<'_>, rows: Vec<PostRow>) {
    let columns = Column::row(&[176.0, 112.0, WIDTH - 176.0 - 112.0 - 2.0 * GAP], GAP);
    let rows = rows.into_iter().map(|row| {
        let mut staff = vec![span(row.staff, BODY)];
        if !row.equipment.is_empty() {
            staff.push(span(format!("\nWith {}", row.equipment), SMALL));
        }
        let title = vec![
            span(row.title, STRONG),
            span(format!("\n{}", row.place), SMALL),
        ];
        vec![
            (Tag::RowHead(1), title),
            (Tag::Cell, staff),
            (Tag::Cell, vec![span(row.schedule.join("\n"), BODY)]),
        ]
    });
    layout.gap(6.0);
    let heads = ["Post", "Officers", "Schedule"];
    table(layout, &columns, &heads, rows.collect());
}

/// The rows of a price with their cells, in two columns: what, and the amount.
type PriceTable = Vec<PriceCells>;
type PriceCells = (PriceKind, Vec<(Tag, Vec<Line>)>);

fn price_columns() -> [Column; 2] {
    [
        Column {
            x: MARGIN,
            width: WIDTH - AMOUNTS - GAP,
            align: Align::Left,
        },
        Column {
            x: MARGIN + WIDTH - AMOUNTS,
            width: AMOUNTS,
            align: Align::Right,
        },
    ]
}

fn price_table(layout: &Layout<'_>, rows: &[PriceRow]) -> PriceTable {
    let rows = rows.iter().map(|row| {
        let style = match row.kind {
            PriceKind::Post => LABEL,
            PriceKind::Line => BODY,
            PriceKind::Subtotal => STRONG,
            PriceKind::Total => TOTAL,
        };
        let mut title = vec![span(row.title.as_str(), style)];
        let parts = row.parts.iter();
        title.extend(parts.map(|part| span(format!("\n{part}"), SMALL)));
        let cells = match row.kind {
            PriceKind::Post => vec![(Tag::RowHead(2), title)],
            _ => {
                let amount = vec![span(row.amount.as_str(), style.tabular())];
                vec![(Tag::RowHead(1), title), (Tag::Cell, amount)]
            }
        };
        (row.kind, layout.cells(&price_columns(), cells))
    });
    rows.collect()
}

/// The height of rows with what is around them.
fn price_height(rows: &[PriceCells]) -> f32 {
    rows.iter().map(|(_, cells)| row_height(cells) + 12.0).sum()
}

/// The table. The total is never without what it is the total of.
fn price(layout: &mut Layout<'_>, rows: &[PriceRow]) {
    let table = price_table(layout, rows);
    let sums = table
        .iter()
        .position(|(kind, _)| matches!(kind, PriceKind::Subtotal | PriceKind::Total));
    let last = sums.unwrap_or(table.len()).saturating_sub(1);
    let rest = price_height(&table[last..]);
    layout.tagged(Tag::Table, |layout| {
        for (number, (kind, cells)) in table.into_iter().enumerate() {
            let own = row_height(&cells) + 12.0;
            // The post stays with its first line.
            let below = if kind == PriceKind::Post { 40.0 } else { 0.0 };
            layout.need(if number == last { rest } else { own + below });
            match kind {
                PriceKind::Total => layout.rule(1.2, INK, 4.8),
                PriceKind::Post => layout.gap(4.0),
                PriceKind::Subtotal => layout.rule(0.6, HAIRLINE, 3.4),
                PriceKind::Line => {}
            }
            layout.set_row(&price_columns(), cells);
            layout.gap(2.5);
        }
    });
    layout.gap(4.0);
}
