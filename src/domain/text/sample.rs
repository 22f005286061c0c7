//! Texts that are marked as samples: they are examples for the office, and go to no customer.

/// Marks that follow the word "Sample" at the beginning of a line.
const MARKS: [char; 4] = [':', '–', '—', '-'];

/// The first line that is marked as a sample: it begins as `Sample: …`, or has `[sample]` in it.
pub fn sample_line(text: &str) -> Option<&str> {
    text.lines().map(str::trim).find(|line| {
        let line = line.to_lowercase();
        let rest = line.strip_prefix("sample").map(str::trim_start);
        let begins = rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(MARKS));
        begins || line.contains("[sample]")
    })
}

#[cfg(test)]
mod tests {
    use super::sample_line;

    #[test]
    fn a_line_is_a_sample_if_it_is_marked_and_not_if_it_has_the_word() {
        for (text, line) in [
            (
                "Sample: liability $1,000,000",
                Some("Sample: liability $1,000,000"),
            ),
            (
                "Hello\n  SAMPLE – our terms\nBye",
                Some("SAMPLE – our terms"),
            ),
            ("Our rates [Sample]", Some("Our rates [Sample]")),
            ("Sample", Some("Sample")),
            ("Samples of fire watch logs are attached.", None),
            ("Sample logs are attached.", None),
            ("We guard the sample room: gate 4.", None),
            ("", None),
        ] {
            assert_eq!(sample_line(text), line, "{text}");
        }
    }
}
