//! The service that words name.

/// What each service is called, as whole words in lower case; the more special services come first.
const WORDS: [(&str, &str); 8] = [
    ("fire-watch", "fire watch|firewatch"),
    (
        "construction-security",
        "construction|job site|jobsite|building site",
    ),
    (
        "event-security",
        "event|events|concert|wedding|festival|conference",
    ),
    ("concierge", "concierge|doorman|front desk|lobby"),
    ("mobile-patrol", "patrol|patrols|patrolling|drive by"),
    ("surveillance", "surveillance|camera|cameras|cctv"),
    ("unarmed-security", "unarmed|un armed"),
    ("armed-security", "armed"),
];

/// The value of the service; `None` if the words name none.
pub(super) fn service(words: &str) -> Option<&'static str> {
    let plain = words.to_lowercase();
    let plain = plain.split(|c: char| !c.is_alphanumeric());
    let plain = plain.filter(|word| !word.is_empty()).collect::<Vec<_>>();
    let plain = format!(" {} ", plain.join(" ")).replace(" in the event ", " ");
    let is_said = |name: &str| plain.contains(&format!(" {name} "));
    let found = WORDS
        .iter()
        .find(|(_, names)| names.split('|').any(is_said));
    found.map(|(service, _)| *service)
}
