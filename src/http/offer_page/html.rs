//! The stored text of an offer as HTML: the same words, with headings and labels marked.

use std::fmt::Write;

use site::placeholders::escape_html;

/// The longest label of a line like `Email: ana@example.com`, in characters.
const MAX_LABEL: usize = 60;

/// The headings whose paragraphs begin with a title: `Invoices. We invoice every two weeks.`
const TITLED: [&str; 2] = ["CONDITIONS", "ACCEPTING ELECTRONICALLY"];

/// The heading of the office's own words, in which nothing is marked.
const WORDS: &str = "FROM OUR OFFICE";

/// The heading that follows the office's own words.
const AFTER_WORDS: &str = "SERVICE";

/// The headings below the title, as `Document::outline` and `text` write them.
const HEADINGS: [&str; 10] = [
    "PREPARED FOR",
    "IN SHORT",
    WORDS,
    AFTER_WORDS,
    "PRICE",
    "PRICE OF A WEEK",
    TITLED[0],
    "LICENSES AND INSURANCE",
    "HOW TO ANSWER",
    TITLED[1],
];

/// The text as HTML. Headings are marked, indented lines belong to the line before, and the rest is
/// text, line by line.
pub(super) fn of_text(text: &str) -> String {
    let mut html = String::new();
    let mut was_blank = true;
    let mut heading = "";
    for line in text.lines() {
        if line.trim().is_empty() {
            was_blank = true;
            continue;
        }
        // Writing to a String cannot fail.
        let _ = match line {
            _ if was_blank && is_heading(line, heading) => {
                heading = line;
                writeln!(html, "<h2>{}</h2>", escape_html(line))
            }
            _ if line.starts_with(' ') => {
                writeln!(html, "<p class=\"how\">{}</p>", escape_html(line.trim()))
            }
            _ if heading == WORDS => writeln!(html, "<p>{}</p>", escape_html(line)),
            _ if TITLED.contains(&heading) => writeln!(html, "<p>{}</p>", titled(line)),
            _ => match amount(line) {
                Some(amount) => writeln!(html, "{amount}"),
                None => writeln!(html, "<p>{}</p>", labeled(line)),
            },
        };
        was_blank = false;
    }
    html
}

/// Whether a line that follows the heading `before` is one too. What the office has typed in
/// capitals is none.
fn is_heading(line: &str, before: &str) -> bool {
    match before {
        "" => line.starts_with("OFFER ") && !line.chars().any(char::is_lowercase),
        WORDS => line == AFTER_WORDS,
        _ => HEADINGS.contains(&line),
    }
}

/// A line of the price, with the amount on the right.
fn amount(line: &str) -> Option<String> {
    let (label, amount) = line.rsplit_once(": ")?;
    let digits = amount
        .strip_prefix('−')
        .unwrap_or(amount)
        .strip_prefix('$')?;
    if !digits
        .chars()
        .all(|one| one.is_ascii_digit() || ",.".contains(one))
    {
        return None;
    }
    let class = match label.starts_with("Total for") {
        true => "amount total",
        false => "amount",
    };
    let (label, amount) = (escape_html(label), escape_html(amount));
    Some(format!(
        "<p class=\"{class}\"><span>{label}:</span> <b>{amount}</b></p>"
    ))
}

/// A paragraph whose title is marked.
fn titled(line: &str) -> String {
    match line.split_once(". ") {
        Some((title, text)) if title.chars().count() <= MAX_LABEL => {
            format!("<b>{}.</b> {}", escape_html(title), escape_html(text))
        }
        _ => escape_html(line).into_owned(),
    }
}

/// A line whose label is marked, and its value if it is short.
fn labeled(line: &str) -> String {
    match line.split_once(": ") {
        Some((label, value)) if label.chars().count() <= MAX_LABEL && !label.contains(". ") => {
            let (label, text) = (escape_html(label), escape_html(value));
            match value.chars().count() <= MAX_LABEL {
                true => format!("<span>{label}:</span> <b>{text}</b>"),
                false => format!("<span>{label}:</span> {text}"),
            }
        }
        _ => escape_html(line).into_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::of_text;

    #[test]
    fn all_words_of_the_text_are_shown_and_markup_is_not() {
        let text = "Guard <Co>\n\nOFFER GP-2K7Q-1\nEmail: a@b.example\n  12 h × $34.00\n\nA & b.\n";
        let html = of_text(text);
        assert_eq!(
            html,
            "<p>Guard &lt;Co&gt;</p>\n<h2>OFFER GP-2K7Q-1</h2>\n\
             <p><span>Email:</span> <b>a@b.example</b></p>\n<p class=\"how\">12 h × $34.00</p>\n\
             <p>A &amp; b.</p>\n"
        );
    }

    #[test]
    fn the_words_of_the_office_are_not_taken_for_labels() {
        let html = of_text(
            "OFFER GP-2K7Q-1\n\nFROM OUR OFFICE\nas agreed: one officer\n\nSERVICE\nTerm: a week\n",
        );
        assert!(html.contains("<p>as agreed: one officer</p>"), "{html}");
        assert!(html.contains("<span>Term:</span>"), "{html}");
    }

    #[test]
    fn capitals_of_the_office_are_no_headings() {
        let html = of_text(
            "ACME GUARDS\n\nOFFER GP-2K7Q-1\nVersion: 1\n\nFROM OUR OFFICE\nHello,\n\nPRICE\n\n\
             ASAP\n\nSERVICE\nGate 1, Houston, TX\n\nEAST, TX\n  Fire watch officer\n\n\
             PRICE\nEXTRA: $5.00\n",
        );
        let headings: Vec<_> = html
            .lines()
            .filter(|line| line.starts_with("<h2>"))
            .collect();
        let expected = ["OFFER GP-2K7Q-1", "FROM OUR OFFICE", "SERVICE", "PRICE"];
        assert_eq!(headings, expected.map(|text| format!("<h2>{text}</h2>")));
        for text in ["ACME GUARDS", "ASAP", "EAST, TX"] {
            assert!(html.contains(&format!("<p>{text}</p>")), "{html}");
        }
    }

    #[test]
    fn the_headings_of_a_whole_offer_are_marked() {
        let text = include_str!("../../tests/golden/offer.txt");
        let capitals = text.lines().filter(|line| {
            line.starts_with(char::is_uppercase) && !line.contains(char::is_lowercase)
        });
        let expected: Vec<_> = capitals.map(|line| format!("<h2>{line}</h2>")).collect();
        let html = of_text(text);
        let headings: Vec<_> = html
            .lines()
            .filter(|line| line.starts_with("<h2>"))
            .collect();
        assert!(headings.len() > 8, "{html}");
        assert_eq!(headings, expected);
    }

    #[test]
    fn amounts_and_the_titles_of_conditions_are_marked() {
        let text = "OFFER GP-2K7Q-1\n\nPRICE\nA: B: −$1,304.50\nTotal for a week: $2.00\n\
                    Note: $5 a day\n\nCONDITIONS\n\
                    Law & order. All of it. $5: paid.\n";
        assert_eq!(
            of_text(text),
            "<h2>OFFER GP-2K7Q-1</h2>\n<h2>PRICE</h2>\n<p class=\"amount\"><span>A: B:</span> \
             <b>−$1,304.50</b></p>\n\
             <p class=\"amount total\"><span>Total for a week:</span> <b>$2.00</b></p>\n\
             <p><span>Note:</span> <b>$5 a day</b></p>\n<h2>CONDITIONS</h2>\n\
             <p><b>Law &amp; order.</b> All of it. $5: paid.</p>\n"
        );
    }
}
