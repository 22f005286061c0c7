//! An offer as plain text.

use super::outline::{Block, PostRow};
use super::prices::{PriceKind, PriceRow};
use super::types::Document;

/// The text of a document, in the order of its page and its PDF.
pub fn text(document: &Document) -> String {
    let mut out = Vec::new();
    out.push(document.company.name.clone());
    out.extend(document.letterhead());
    out.push(String::new());
    out.push(document.title().to_uppercase());
    facts(&document.facts(), &mut out);
    out.push(String::new());
    out.push("PREPARED FOR".to_owned());
    facts(&document.recipient(), &mut out);
    out.extend([String::new(), "IN SHORT".to_owned()]);
    let mut follows_heading = true;
    for block in document.outline() {
        if !follows_heading {
            out.push(String::new());
        }
        follows_heading = matches!(block, Block::Heading(_));
        match block {
            Block::Heading(text) => out.push(text.to_uppercase()),
            Block::Text(text) => out.push(text),
            Block::Titled(part) => out.push(format!("{}. {}", part.title, part.text)),
            Block::Facts(all) => facts(&all, &mut out),
            Block::Posts(rows) => posts(&rows, &mut out),
            Block::Price(rows) => price(&rows, &mut out),
        }
    }
    let mut text = out.join("\n");
    text.push('\n');
    text
}

fn facts(all: &[(String, String)], out: &mut Vec<String>) {
    out.extend(all.iter().map(|(label, value)| format!("{label}: {value}")));
}

fn posts(rows: &[PostRow], out: &mut Vec<String>) {
    for (place, row) in rows.iter().enumerate() {
        if place > 0 {
            out.push(String::new());
        }
        out.push(format!("{}, {}", row.title, row.place));
        out.push(format!("  {}", row.staff));
        out.extend(row.schedule.iter().map(|line| format!("  {line}")));
        if !row.equipment.is_empty() {
            out.push(format!("  With {}", row.equipment));
        }
    }
}

fn price(rows: &[PriceRow], out: &mut Vec<String>) {
    for row in rows {
        match row.kind {
            PriceKind::Post => out.push(format!("{}:", row.title)),
            _ => out.push(format!("{}: {}", row.title, row.amount)),
        }
        out.extend(row.parts.iter().map(|part| format!("  {part}")));
    }
}
