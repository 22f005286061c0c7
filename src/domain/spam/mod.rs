//! Signals that a submission is spam. Each has a few points and a reason that the dashboard shows;
//! no signal alone reaches the points at which a request is held. A held request is stored like
//! any other, sends no emails, and waits for a person.

mod links;
mod offers;
pub mod recent_texts;
mod signal;
mod signals;
mod submission;
mod words;

pub use signal::{Reason, Signal};
use signals::reasons;
pub use submission::{Agent, Texts, Visit};

/// Name of the signal of a filled trap.
pub const TRAP: &str = "trap";
/// Points at which a request is held.
pub const HOLD_AT: u8 = 5;
/// Points of the strongest signals.
pub const MAX_POINTS: u8 = 3;
/// Texts of fewer letters and digits are often the same by chance.
const MIN_TEXT: usize = 40;
/// Other clients that have sent the same text.
pub const MANY_CLIENTS: usize = 2;

/// What a submission looks like before it meets the others in the store.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Assessment {
    /// The signals that the submission gives by itself.
    pub reasons: Vec<Reason>,
    /// A hash of its text, to be compared with those of others.
    pub text_hash: Option<u64>,
    /// The sender's email address, by which a known customer is recognized.
    pub email: String,
    /// It is never held: the visitor asks for a call right away. `Request::is_unanswerable` says
    /// whether it causes an email to the visitor.
    pub is_urgent: bool,
}

/// Assesses a submission by itself.
pub fn assess(texts: &Texts<'_>, visit: Visit) -> Assessment {
    Assessment {
        reasons: reasons(texts, visit),
        text_hash: text_hash(texts.message),
        email: texts.email.to_owned(),
        is_urgent: texts.is_urgent,
    }
}

/// The signal of a text that `others` other clients have sent as well, counted up to
/// `MANY_CLIENTS`.
pub fn same_text(others: usize) -> Option<Reason> {
    let detail = || format!("{MANY_CLIENTS} or more other visitors have sent the same text");
    (others >= MANY_CLIENTS).then(|| Reason::new(Signal::SameText, 3, detail()))
}

/// Whether these signals hold a request.
pub fn is_held(reasons: &[Reason]) -> bool {
    let points = reasons.iter().map(|reason| u32::from(reason.points));
    points.sum::<u32>() >= u32::from(HOLD_AT)
}

/// Whether a raw text contains an HTML link or forum markup. Cleaning removes the tags.
pub fn has_markup(raw: &str) -> bool {
    // Hardly any text has one of these.
    if memchr::memchr3(b'<', b'[', b'=', raw.as_bytes()).is_none() {
        return false;
    }
    let raw = raw.to_ascii_lowercase();
    ["<a ", "[url", "[link", "[/url", "href="]
        .iter()
        .any(|mark| raw.contains(mark))
}

/// A hash of a message's letters and digits, in lower case; `None` if there are few of them.
fn text_hash(message: &str) -> Option<u64> {
    // FNV-1a.
    let (mut hash, mut length) = (0xcbf2_9ce4_8422_2325_u64, 0);
    for c in message.chars().filter(|c| c.is_alphanumeric()) {
        for c in c.to_lowercase() {
            hash = (hash ^ u64::from(u32::from(c))).wrapping_mul(0x0100_0000_01b3);
        }
        length += 1;
    }
    (length >= MIN_TEXT).then_some(hash)
}

#[cfg(test)]
mod tests;
