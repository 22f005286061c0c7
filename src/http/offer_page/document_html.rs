//! An offer as HTML: what matters in one box, the price, then all else that its PDF says.

use std::fmt::Write;

use domain::offer::document::{
    Block, Document, Paragraph, PostRow, PriceKind, PriceRow, summary, what,
};
use domain::offer::lines::dollars;
use site::placeholders::escape_html;

/// What it costs, what is offered and when, until when it can be accepted if it still can, the
/// links to the forms (`answers`), and the price in its lines.
pub(super) fn lead(document: &Document, until: Option<&str>, answers: &str) -> String {
    let price = &document.price;
    let per = match document.terms.end {
        None => "a week",
        Some(_) => "total",
    };
    let tax = match price.taxes.is_empty() {
        true => "",
        false => ", including tax",
    };
    let until = until.map_or_else(String::new, |until| {
        format!(
            "<p class=\"muted\">Valid through {}.</p>\n",
            escape_html(until)
        )
    });
    let notes: String = document
        .price_notes()
        .iter()
        .map(|note| format!("<p class=\"muted\">{}</p>\n", escape_html(note)))
        .collect();
    format!(
        "<section class=\"lead\" aria-label=\"In short\">\n\
         <p class=\"sum\"><b>{}</b> <span>{per}{tax}</span></p>\n\
         <p class=\"what\">{}</p>\n<p>{}</p>\n{until}{answers}</section>\n\
         <section aria-labelledby=\"price\">\n<h2 id=\"price\">{}</h2>\n{}{notes}</section>\n",
        dollars(price.total),
        escape_html(&what(document)),
        escape_html(&document.term()),
        document.price_title(),
        price_table(&document.price_rows()),
    )
}

/// All other parts of an offer; `address` is shown in place of the customer's email address.
pub(super) fn article(document: &Document, address: &str, is_open: bool) -> String {
    let mut html = String::from("<article aria-label=\"The offer\">\n");
    let short = summary(document);
    let mut blocks = document.page_outline(is_open).into_iter().peekable();
    while let Some(block) = blocks.next() {
        match block {
            Block::Heading(text) => add(&mut html, format!("<h2>{}</h2>", escape_html(&text))),
            // The box says it.
            Block::Text(text) if text == short => {}
            Block::Text(text) => text.lines().for_each(|line| {
                add(&mut html, format!("<p>{}</p>", escape_html(line)));
            }),
            Block::Titled(first) => {
                let mut all = vec![first];
                while let Some(Block::Titled(next)) =
                    blocks.next_if(|next| matches!(next, Block::Titled(_)))
                {
                    all.push(next);
                }
                html += &folded(&all);
            }
            Block::Facts(all) => html += &facts(&all),
            Block::Posts(rows) => rows.iter().for_each(|row| html += &post(row)),
            Block::Price(rows) => html += &price_table(&rows),
        }
    }
    html += &both_sides(document, address);
    html += "</article>\n";
    html
}

/// Who offers, and to whom: last on the page, since both know it. Until when it can be accepted is
/// said above, on the customer's clock: the office's last day can be another one there.
fn both_sides(document: &Document, address: &str) -> String {
    let mut recipient = document.recipient();
    for (label, value) in &mut recipient {
        if label == "Email" {
            address.clone_into(value);
        }
    }
    let mut own = document.facts();
    own.retain(|(label, _)| label != "Valid through");
    let lines = document.letterhead();
    let lines: Vec<_> = lines.iter().map(|line| escape_html(line)).collect();
    format!(
        "<div class=\"sides\">\n<div>\n<h2>Prepared for</h2>\n{}</div>\n\
         <div>\n<h2>Offered by</h2>\n\
         <p>{}<br>{}</p>\n{}</div>\n</div>\n",
        facts(&recipient),
        escape_html(&document.company.name),
        lines.join("<br>"),
        facts(&own),
    )
}

fn add(html: &mut String, line: String) {
    // Writing to a String cannot fail.
    let _ = writeln!(html, "{line}");
}

fn facts(all: &[(String, String)]) -> String {
    let mut html = String::from("<dl>\n");
    for (label, value) in all {
        let (label, value) = (escape_html(label), escape_html(value));
        add(
            &mut html,
            format!("<div><dt>{label}</dt> <dd>{value}</dd></div>"),
        );
    }
    html + "</dl>\n"
}

fn post(row: &PostRow) -> String {
    let mut lines = vec![row.staff.clone()];
    lines.extend(row.schedule.iter().cloned());
    if !row.equipment.is_empty() {
        lines.push(format!("With {}", row.equipment));
    }
    let lines: Vec<_> = lines.iter().map(|line| escape_html(line)).collect();
    format!(
        "<h3>{}, {}</h3>\n<p>{}</p>\n",
        escape_html(&row.title),
        escape_html(&row.place),
        lines.join("<br>")
    )
}

fn price_table(rows: &[PriceRow]) -> String {
    let mut html = String::from(
        "<table class=\"price\">\n<thead class=\"visually-hidden\"><tr><th scope=\"col\">What</th>\
         <th scope=\"col\">Amount</th></tr></thead>\n",
    );
    for row in rows {
        let title = escape_html(&row.title);
        let parts: String = row
            .parts
            .iter()
            .map(|part| format!("<span class=\"how\">{}</span>", escape_html(part)))
            .collect();
        let class = match row.kind {
            PriceKind::Post => {
                let line = format!("<tr class=\"post\"><th colspan=\"2\">{title}</th></tr>");
                add(&mut html, line);
                continue;
            }
            PriceKind::Line => "",
            PriceKind::Subtotal => " class=\"subtotal\"",
            PriceKind::Total => " class=\"total\"",
        };
        let amount = escape_html(&row.amount);
        add(
            &mut html,
            format!("<tr{class}><th scope=\"row\">{title}{parts}</th><td>{amount}</td></tr>"),
        );
    }
    html + "</table>\n"
}

/// Paragraphs that open by their titles; a printed page has them all.
fn folded(all: &[Paragraph]) -> String {
    let mut html = String::new();
    for part in all {
        let (title, text) = (escape_html(&part.title), escape_html(&part.text));
        let line = format!("<details><summary>{title}</summary><p>{text}</p></details>");
        add(&mut html, line);
    }
    html
}
