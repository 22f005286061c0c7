//! The report of figures as a PDF.

use super::report::{Report, ReportFigure};
use super::report_pdf::report_pdf;
use super::to_do::{SystemToDo, ToDo, ToDoLine};
use crate::offer::document::pdf::tests::{check, judged, reads, words};

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
    let parts = [
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
    ];
    if reads(&bytes, &parts).is_none() {
        return;
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
