//! A report as PDF: what needs doing, and the ten figures beside those before. One page.

use super::report::{Report, ReportFigure};
use crate::offer::document::PdfError;
use crate::offer::document::pdf::fonts::Fonts;
use crate::offer::document::pdf::layout::{Column, Layout, Tag};
use crate::offer::document::pdf::line::span;
use crate::offer::document::pdf::parts::{heading, name_and_lines, table};
use crate::offer::document::pdf::style::{BODY, LEAD, MUTED, STRONG, Style, TITLE};
use crate::offer::document::pdf::writer::{About, write};

/// The widths of the columns: name, this period, the one before, the change.
const WIDTHS: [f32; 4] = [90.0, 168.0, 118.0, 88.0];

/// Links stand out by their color, and by the list that they are in.
const LINK: Style = Style {
    color: [20, 82, 160],
    ..BODY
};
const QUIET: Style = Style {
    color: MUTED,
    ..BODY
};

/// The PDF of a report of the company with this name, whose desk is at `origin`.
///
/// # Errors
/// If a font cannot be read or the library refuses the file.
pub fn report_pdf(report: &Report, company: &str, origin: &str) -> Result<Vec<u8>, PdfError> {
    let mut layout = Layout::new(Fonts::get()?);
    name_and_lines(&mut layout, company, &[origin.to_owned()]);
    let title = format!("Figures, {}", report.days());
    let tag = Tag::Heading(1, title.clone());
    layout.paragraph(tag, &[span(title.as_str(), TITLE)]);
    layout.gap(6.0);
    let compared = format!("Compared with {}.", report.days_before());
    layout.paragraph(Tag::Paragraph, &[span(compared, LEAD)]);

    heading(&mut layout, "What needs doing");
    match report.to_do.is_empty() {
        true => layout.paragraph(Tag::Paragraph, &[span("Nothing waits for you.", BODY)]),
        false => to_do(&mut layout, report, origin),
    }
    heading(&mut layout, "Ten figures");
    figures(&mut layout, &report.figures);
    layout.gap(10.0);
    let how = "Requests count on the day they came in, won ones on the day they were signed, and \
               offers on the day they were first sent, all with what became of them until this \
               report was made. Prices for a week and one-time prices are never \
               added up.";
    layout.paragraph(Tag::Paragraph, &[span(how, QUIET)]);
    layout.gap(6.0);
    let address = format!(
        "{origin}/admin/figures?from={}&to={}",
        report.from, report.until
    );
    link(&mut layout, Tag::Paragraph, "Open these figures", address);
    let about = About {
        footer: format!("{title}   ·   {company}"),
        title: format!("{title}, {company}"),
        subject: "What needs doing, and ten figures".to_owned(),
        author: company.to_owned(),
        date: report.until,
    };
    write(layout, &about)
}

fn to_do(layout: &mut Layout<'_>, report: &Report, origin: &str) {
    layout.tagged(Tag::List, |layout| {
        for line in &report.to_do {
            layout.tagged(Tag::Item, |layout| {
                let text = line.text.as_str();
                match &line.path {
                    Some(path) => link(layout, Tag::Body, text, format!("{origin}{path}")),
                    None => layout.paragraph(Tag::Body, &[span(text, BODY)]),
                }
            });
            layout.gap(2.0);
        }
    });
}

/// A text that leads to an address, in a part of its own.
fn link(layout: &mut Layout<'_>, part: Tag, text: &str, address: String) {
    layout.tagged(part, |layout| {
        layout.paragraph(Tag::Link(address), &[span(text, LINK)]);
    });
}

fn figures(layout: &mut Layout<'_>, all: &[ReportFigure]) {
    let columns = Column::row(&WIDTHS, 10.0);
    let rows = all.iter().map(|figure| {
        let cell = |tag, text: &str, style: Style| (tag, vec![span(text, style.tabular())]);
        vec![
            cell(Tag::RowHead(1), &figure.name, BODY),
            cell(Tag::Cell, &figure.now, STRONG),
            cell(Tag::Cell, &figure.before, QUIET),
            cell(Tag::Cell, &figure.change, BODY),
        ]
    });
    let heads = ["Figure", "This period", "The period before", "Change"];
    table(layout, &columns, &heads, rows.collect());
}
