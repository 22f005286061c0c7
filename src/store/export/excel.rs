//! Text that Excel would change on opening: `02138` becomes 2138, `1-2` and `MAR1` become days.

/// The columns with text that people have typed; the others are what they look like.
const TYPED: [&str; 7] = [
    "first_name",
    "last_name",
    "phone",
    "company",
    "location",
    "description",
    "outcome_words",
];

const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

/// The cell as a formula whose value is the text, if Excel would take it for a number, a day, a
/// time or a truth value.
pub(super) fn kept(column: &str, cell: &str) -> Option<String> {
    let text = cell.trim();
    let is_changed = TYPED.contains(&column)
        && (is_truth_value(text) || is_number(text) || is_day_or_time(text));
    is_changed.then(|| format!("=\"{text}\""))
}

fn is_truth_value(text: &str) -> bool {
    text.eq_ignore_ascii_case("true") || text.eq_ignore_ascii_case("false")
}

/// Digits with a fraction, thousands, an exponent, a sign, a currency or a percent sign.
fn is_number(text: &str) -> bool {
    let text = text.trim_start_matches(['+', '-', '$', '(', ' ']);
    let text = text.trim_end_matches(['%', ')', ' ']);
    let (digits, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let exponent = exponent.trim_start_matches(['+', '-']);
    let is_digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    let plain: String = digits.chars().filter(|c| *c != ',').collect();
    is_digits(exponent) && plain.matches('.').count() <= 1 && is_digits(&plain.replace('.', ""))
}

/// Two or three short numbers, or one and the name of a month, with what separates them.
fn is_day_or_time(text: &str) -> bool {
    let is_separator = |c: char| matches!(c, '-' | '/' | '.' | ',' | ':' | ' ');
    let mut known = text
        .chars()
        .all(|c| c.is_ascii_alphanumeric() || is_separator(c));
    let (mut numbers, mut long, mut months) = (0, 0, 0);
    for word in words(text) {
        match word.bytes().all(|b| b.is_ascii_digit()) {
            true => {
                numbers += 1;
                long += usize::from(word.len() > 2);
                known &= word.len() <= 4;
            }
            false if is_month(word) => months += 1,
            false => known &= ["am", "pm", "a", "p"].contains(&&*word.to_ascii_lowercase()),
        }
    }
    known && long <= 1 && months <= 1 && (2..=4).contains(&(numbers + months)) && numbers > 0
}

/// Whether it is the name of a month, or its first letters.
fn is_month(word: &str) -> bool {
    let word = word.to_ascii_lowercase();
    word.len() >= 3 && MONTHS.iter().any(|month| month.starts_with(&word))
}

/// The runs of digits and of letters.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_alphanumeric())
        .flat_map(|part| {
            part.as_bytes()
                .chunk_by(|a, b| a.is_ascii_digit() == b.is_ascii_digit())
        })
        .filter_map(|part| std::str::from_utf8(part).ok())
        .filter(|part| !part.is_empty())
}

#[cfg(test)]
mod tests {
    use super::kept;

    #[test]
    fn text_that_excel_would_change_is_kept_as_it_is_written() {
        for text in [
            "02138",
            "07700900123",
            "7135550188",
            "1-2",
            "MAR1",
            "1 mar",
            "Mar 2026",
            "3/4/2026",
            "10:30",
            "9:30 pm",
            "1E5",
            "12e3",
            "1,234",
            "1.50",
            "$20",
            "5%",
            "(713)",
            "true",
            "FALSE",
            "1 1/2",
            "2026-12-01",
        ] {
            assert_eq!(
                kept("location", text),
                Some(format!("=\"{text}\"")),
                "{text}"
            );
        }
    }

    #[test]
    fn other_text_and_what_is_a_number_stay() {
        for text in [
            "",
            "Katy, TX",
            "713-555-0188",
            "(713) 555-0188",
            "713.555.0188",
            "Gate 4",
            "4 guards",
            "Marta",
            "May",
            "12 Main St",
            "E5",
            "1-2-3-4-5",
            "GP-2K7Q",
            "A 1",
            "é1",
        ] {
            assert_eq!(kept("location", text), None, "{text}");
        }
        assert_eq!(kept("outcome_value", "1200.50"), None);
        assert_eq!(kept("start_date", "2026-12-01"), None);
    }
}
