//! How many officers, and whether they are armed.

use std::sync::LazyLock;

use regex::Regex;

static COUNT: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r"\b(?P<range>[0-9]{1,2}\s*(?:-|to|or)\s*)?(?P<count>[0-9]{1,2}|an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve|a couple(?: of)?|a pair of)\s*(?:x\s+)?(?:\([0-9]+\)\s*)?(?:(?:armed|unarmed|non-armed|uniformed|licensed|more|additional|front|door|desk|fire|watch|security|professional|experienced|trained|lobby|gate|single|male|female|bilingual|standing|roving|and|/|night|overnight)\s+)*(?:guards?|officers?|security personnel|sec\.? guards?|watchm[ae]n|concierges?|receptionists?)\b",
    )
    .ok()
});

static ARMED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?:(?P<no>(?:not|n't|no|non|without)[ -]+(?:(?:need(?:ed)?|required|have) )?(?:to be )?)?\b(?P<word>un-?armed|armed))\b").ok()
});

const NUMBERS: [(&str, u32); 17] = [
    ("a", 1),
    ("an", 1),
    ("one", 1),
    ("two", 2),
    ("three", 3),
    ("four", 4),
    ("five", 5),
    ("six", 6),
    ("seven", 7),
    ("eight", 8),
    ("nine", 9),
    ("ten", 10),
    ("twelve", 12),
    ("a couple", 2),
    ("a couple of", 2),
    ("a pair of", 2),
    ("single", 1),
];

/// The number of officers at once, if a text names one only.
pub(super) fn officers(text: &str) -> Option<(u32, &str)> {
    let mut named: Option<(u32, &str)> = None;
    for found in COUNT.as_ref()?.captures_iter(text) {
        let words = found.get(0)?.as_str();
        let count = found.name("count")?.as_str();
        let known = NUMBERS.iter().find(|(word, _)| *word == count);
        let count = known
            .map(|(_, number)| *number)
            .or_else(|| count.parse().ok())?;
        // "2-3 guards" is for a person to decide, as two different numbers are.
        if found.name("range").is_some() || count == 0 {
            return None;
        }
        match named {
            Some((other, _)) if other != count => return None,
            Some(_) => {}
            None => named = Some((count, words)),
        }
    }
    named
}

/// Whether they are armed, if a text says only one of both.
pub(super) fn armed(text: &str) -> Option<(bool, &str)> {
    let mut named: Option<(bool, &str)> = None;
    for found in ARMED.as_ref()?.captures_iter(text) {
        let is_armed = found.name("word")?.as_str() == "armed" && found.name("no").is_none();
        match named {
            Some((other, _)) if other != is_armed => return None,
            Some(_) => {}
            None => named = Some((is_armed, found.get(0)?.as_str())),
        }
    }
    named
}
