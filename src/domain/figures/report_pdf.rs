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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figures::to_do::{SystemToDo, ToDo, ToDoLine};
    use crate::offer::document::pdf::tests::{check, judged, words};

    fn figure([name, now, before, change]: [&str; 4]) -> ReportFigure {
        let [name, now, before, change] = [name, now, before, change].map(str::to_owned);
        ReportFigure {
            name,
            now,
            before,
            change,
        }
    }

    fn report() -> Report {
        let waiting = ToDo {
            emergencies: 1,
            others: 3,
            offers_expiring: 2,
            ..ToDo::default()
        };
        let system = SystemToDo {
            problems: vec![ToDoLine::new(
                "The TX license 7 expires in 12 days.",
                Some("/admin/site?section=licenses"),
                false,
            )],
            has_no_backups: true,
            sample_facts: Vec::new(),
        };
        let figures = [
            ["Page views", "1,412", "1,390", "+22"],
            ["Asked", "22", "19", "+3"],
            ["Emergencies", "4", "6", "\u{2212}2"],
            [
                "Answered",
                "17 of 18 on time, half within 5 hours",
                "12 of 13, half within 6 hours",
                "+2 points",
            ],
            [
                "Emergencies called",
                "3 of 4 on time, half within 17 min",
                "none",
                "",
            ],
            ["Offers sent", "9", "8", "+1"],
            ["Offers accepted", "3", "3", "same"],
            ["Accepted, a week", "$5,904", "$0", "+$5,904"],
            [
                "Accepted, one-time",
                "$12,250",
                "$40,100",
                "\u{2212}$27,850",
            ],
            ["Won", "4", "5", "\u{2212}1"],
        ];
        Report {
            from: "2026-11-16".parse().unwrap(),
            until: "2026-11-22".parse().unwrap(),
            before_from: "2026-11-09".parse().unwrap(),
            before_until: "2026-11-15".parse().unwrap(),
            figures: figures.map(figure).into(),
            to_do: waiting.lines(&system),
        }
    }

    fn pdf(report: &Report) -> Vec<u8> {
        report_pdf(report, "Guardpost Security", "https://guard.example").unwrap()
    }

    #[test]
    fn a_report_is_one_page_that_says_first_what_needs_doing() {
        let bytes = pdf(&report());
        assert_eq!(bytes, pdf(&report()));
        assert!(bytes.len() < 60_000, "{} bytes", bytes.len());
        if let Some(pages) = check(&bytes) {
            assert_eq!(pages, 1);
        }
        let Some(text) = judged("pdftotext", &["-raw", "FILE", "-"], &bytes) else {
            return;
        };
        let text = words(&text);
        let mut rest = text.as_str();
        for part in [
            "Guardpost Security",
            "Figures, November 16 to 22, 2026",
            "Compared with November 9 to 15, 2026.",
            "What needs doing",
            "1 emergency waits for a call",
            "3 other requests need attention",
            "2 offers end within a week",
            "The TX license 7 expires in 12 days",
            "No backups are made",
            "Ten figures",
            "Asked 22 19 +3",
            "Answered 17 of 18 on time, half within 5 hours",
            "Accepted, one-time $12,250 $40,100 \u{2212}$27,850",
            "Won 4 5 \u{2212}1",
            "Open these figures",
        ] {
            let at = rest.find(part);
            assert!(at.is_some(), "{part}: {text}");
            rest = &rest[at.unwrap_or_default()..];
        }
        let data = judged("qpdf", &["--json", "FILE"], &bytes).unwrap();
        for address in [
            "https://guard.example/admin?view=attention&emergency=true",
            "https://guard.example/admin/figures?from=2026-11-16&to=2026-11-22",
        ] {
            assert!(data.contains(address), "{address}");
        }
    }

    #[test]
    fn a_report_without_work_says_so() {
        let calm = Report {
            to_do: Vec::new(),
            ..report()
        };
        let text = judged("pdftotext", &["-raw", "FILE", "-"], &pdf(&calm));
        if let Some(text) = text {
            assert!(words(&text).contains("Nothing waits for you."), "{text}");
        }
    }
}
