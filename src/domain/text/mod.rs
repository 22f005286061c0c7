//! Cleans visitors' texts: removes HTML tags and invisible characters. Addresses and links in angle
//! brackets, as mail programs write them, keep their content.

pub mod grouped;
pub mod sample;
pub mod text_links;

use std::borrow::Cow;
use std::sync::LazyLock;

use regex::Regex;

/// Format characters (direction marks, zero-width characters, tags), line separators, and fillers
/// that count as letters. Persian, Hindi and emoji need the joiners (U+200C, U+200D).
static INVISIBLE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let all = r"\p{Cf}\p{Zl}\p{Zp}\u{3164}\u{ffa0}";
    Regex::new(&format!(r"[[{all}]--[\u{{200c}}\u{{200d}}]]")).ok()
});

/// Whether `c` is invisible and may change how the surrounding text reads: Unicode control and
/// format characters, but tab and newline. `invisible` in `frontend/src/forms/rules.ts` is the same
/// set.
pub fn is_invisible(c: char) -> bool {
    // Fast path: nearly all characters of nearly all texts.
    if c.is_ascii() || c.is_control() {
        return c.is_control() && !matches!(c, '\t' | '\n');
    }
    let known = INVISIBLE.as_ref();
    known.is_some_and(|known| known.is_match(c.encode_utf8(&mut [0; 4])))
}

/// A cell of a table that a spreadsheet shows as it is: one that it would evaluate as a formula
/// (OWASP, CSV injection) begins with an apostrophe. Its first visible character decides, in ASCII
/// or full width.
pub fn unevaluated(cell: &str) -> Cow<'_, str> {
    // What cleaning removes, white space, and the joiners and selectors that cleaning keeps.
    let is_skipped = |c: char| {
        let is_joiner = matches!(c, '\u{200c}' | '\u{200d}' | '\u{fe00}'..='\u{fe0f}');
        c.is_whitespace() || is_invisible(c) || is_joiner
    };
    let shown = cell.trim_start_matches(is_skipped);
    let is_formula = cell.starts_with(['\t', '\r', '\n'])
        || shown.starts_with(['=', '+', '-', '@', '＝', '＋', '－', '＠']);
    match is_formula {
        true => Cow::Owned(format!("'{cell}")),
        false => Cow::Borrowed(cell),
    }
}

/// Line terminators other than newline and carriage return.
const LINE_ENDS: [char; 3] = ['\u{85}', '\u{2028}', '\u{2029}'];

/// Cleans a visitor's text in linear time: line terminators become newlines (in a single-line
/// field, newlines and tabs become spaces), invisible characters, the brackets of addresses and
/// links, and HTML tags are removed, white space is trimmed. `cleanText` in
/// `frontend/src/forms/rules.ts` does the same.
pub fn clean(raw: &str, multiline: bool) -> String {
    strip_tags(&tagged(raw, multiline)).trim().to_owned()
}

/// The trimmed text as `clean` makes it, with its HTML tags.
pub fn tagged(raw: &str, multiline: bool) -> Cow<'_, str> {
    let text = visible(raw, multiline);
    match text.contains('<') {
        true => Cow::Owned(unwrap_links(&text).into_owned()),
        false => text,
    }
}

/// An address or a link in angle brackets, as in `Ana <ana@dock.example>`. Without them it cannot
/// become an element. `bracketedLink` in `frontend/src/forms/rules.ts` is the same.
static BRACKETED_LINK: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let address = r"[A-Za-z][A-Za-z0-9.!#$%&'*+^_`{|}~-]*@[A-Za-z0-9.-]+";
    let link = r#"(?:[hH][tT][tT][pP][sS]?://|[wW]{3}[.])[^ \t\n<>"'`]+"#;
    let mailto = "(?:[mM][aA][iI][lL][tT][oO]:)?";
    Regex::new(&format!("<{{1,2}}{mailto}({address}|{link})>{{1,2}}")).ok()
});

/// Removes the brackets around addresses and links.
pub(super) fn unwrap_links(text: &str) -> Cow<'_, str> {
    match &*BRACKETED_LINK {
        Some(pattern) => pattern.replace_all(text, "$1"),
        None => Cow::Borrowed(text),
    }
}

/// The trimmed text without invisible characters, with its HTML tags and brackets.
pub fn visible(raw: &str, multiline: bool) -> Cow<'_, str> {
    // Fast paths: most texts only need trimming, and most of those are ASCII.
    let is_printable = |byte| matches!(byte, b' '..=b'~');
    if raw.bytes().all(is_printable) || !raw.chars().any(is_changed) {
        return Cow::Borrowed(raw.trim());
    }
    let mut text = raw.replace("\r\n", "\n").replace('\r', "\n");
    text = text.replace(LINE_ENDS, "\n");
    if !multiline {
        text = text.replace(['\n', '\t'], " ");
    }
    text.retain(|c| !is_invisible(c));
    Cow::Owned(text.trim().to_owned())
}

fn is_changed(c: char) -> bool {
    matches!(c, '\n' | '\t') || is_invisible(c)
}

/// Removes invisible characters; a line separator becomes a space. For texts stored before `clean`
/// removed these characters.
pub fn strip_invisible(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_invisible) {
        return Cow::Borrowed(text);
    }
    let shown = |c| match c {
        c if LINE_ENDS.contains(&c) => Some(' '),
        c => Some(c).filter(|c| !is_invisible(*c)),
    };
    Cow::Owned(text.chars().filter_map(shown).collect())
}

/// Removes `</?[A-Za-z!][^<>]*>` until none is left, in one pass and linear time: removing a tag
/// can only complete a tag that starts before it, and a `>` that is kept ends all open ones.
pub(super) fn strip_tags(text: &str) -> Cow<'_, str> {
    if !text.contains('<') {
        return Cow::Borrowed(text);
    }
    let mut stripped = String::with_capacity(text.len());
    let mut open = Vec::new();
    for c in text.chars() {
        if c == '<' {
            open.push(stripped.len());
        }
        stripped.push(c);
        if c == '>' {
            match open.pop() {
                Some(at) if starts_tag(&stripped[at + 1..]) => stripped.truncate(at),
                _ => open.clear(),
            }
        }
    }
    Cow::Owned(stripped)
}

fn starts_tag(inside: &str) -> bool {
    let name = inside.strip_prefix('/').unwrap_or(inside);
    name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '!')
}

/// A text on one line: no line breaks, no control or invisible characters, at most
/// `max` code points.
pub fn one_line(text: &str, max: usize) -> String {
    let separates = |c: char| c.is_control() || c.is_whitespace();
    let printable: String = text
        .chars()
        .filter(|c| separates(*c) || !is_invisible(*c))
        .map(|c| if separates(c) { ' ' } else { c })
        .collect();
    let line = printable.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(max) {
        Some((end, _)) => format!("{}…", line[..end].trim_end()),
        None => line,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde::Deserialize;

    use super::*;

    proptest! {
        #[test]
        fn a_clean_text_is_clean(text in any::<String>(), multiline in any::<bool>()) {
            let cleaned = clean(&text, multiline);
            prop_assert!(!cleaned.chars().any(is_invisible));
            prop_assert_eq!(strip_tags(&cleaned), &*cleaned);
            prop_assert_eq!(clean(&cleaned, multiline), cleaned);
        }

        #[test]
        fn strip_invisible_is_idempotent_and_removes_every_invisible_character(
            text in any::<String>(),
        ) {
            let shown = strip_invisible(&text);
            prop_assert!(!shown.chars().any(is_invisible));
            prop_assert_eq!(strip_invisible(&shown), &*shown);
        }
    }

    /// The browser's results, written by `frontend/src/forms/cleaning.test.ts`.
    #[derive(Deserialize)]
    struct Browser {
        /// First and last code points of the ranges that are removed.
        dropped: Vec<(u32, u32)>,
        /// Raw text, its cleaned form as multiline, and as a single line.
        texts: Vec<(String, String, String)>,
    }

    #[test]
    fn server_and_browser_clean_alike() {
        let browser: Browser =
            serde_json::from_str(include_str!("../../../seeds/forms/cleaning.json")).unwrap();
        for c in '\0'..=char::MAX {
            let point = u32::from(c);
            let ranges = &mut browser.dropped.iter();
            let dropped = ranges.any(|(first, last)| (*first..=*last).contains(&point));
            assert_eq!(clean(&format!("a{c}b"), true) == "ab", dropped, "{c:?}");
        }
        assert_eq!(browser.texts.len(), 1000);
        for (raw, lines, line) in browser.texts {
            assert_eq!(clean(&raw, true), lines, "{raw:?}");
            assert_eq!(clean(&raw, false), line, "{raw:?}");
        }
    }

    #[test]
    fn tags_are_stripped_in_linear_time() {
        let many = 500_000;
        let spread = format!("<{}{}", " ".repeat(many), ">".repeat(many));
        assert_eq!(strip_tags(&spread), spread);
        let nested = format!("{}{}", "<a".repeat(many), ">".repeat(many));
        assert_eq!(strip_tags(&nested), "");
    }

    #[test]
    fn a_stored_text_is_shown_without_invisible_characters() {
        for (stored, shown) in [
            ("Houston, TX", "Houston, TX"),
            ("safe\u{202e}gpj.exe", "safegpj.exe"),
            ("a\u{2066}b\u{2069}c\u{200f}d\u{61c}e", "abcde"),
            ("\u{9b}31mred", "31mred"),
            ("one\u{2028}two\u{85}three", "one two three"),
            ("line\nnext\tcolumn", "line\nnext\tcolumn"),
            (
                "👩\u{200d}🚒 می\u{200c}خواهم ❤\u{fe0f}",
                "👩\u{200d}🚒 می\u{200c}خواهم ❤\u{fe0f}",
            ),
        ] {
            assert_eq!(strip_invisible(stored), shown, "{stored:?}");
        }
    }
}
