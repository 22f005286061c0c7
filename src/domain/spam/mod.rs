//! Signals that a submission is spam. Each has a few points and a reason that the desk shows; no
//! signal alone reaches the points at which a request is held. A held request is stored like any
//! other, sends no emails, and waits for a person.

mod links;
mod offers;
mod signals;
mod words;

use serde::{Deserialize, Serialize};

use self::signals::reasons;

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

/// The kind of a signal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Signal {
    /// The field that people do not see was filled in.
    Trap,
    /// The form was sent too soon after its page was opened.
    Fast,
    /// It was sent by a program that says so, or does not say what it is.
    Program,
    /// A plain form was posted by a client that has not opened its page.
    Unopened,
    /// Links, except to the site of the sender's own email address.
    Links,
    /// Phrases of unsolicited offers.
    Offer,
    /// Words with letters of two scripts, as in look-alike spellings.
    MixedScripts,
    /// Random letters in two fields.
    RandomWords,
    /// Several clients have sent the same text.
    SameText,
    /// An email address with dots scattered over it.
    ScatteredDots,
    /// First and last name are the same.
    SameNames,
    /// An impossible phone number.
    Phone,
}

/// Why a submission may be spam.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reason {
    pub signal: Signal,
    /// Its points, one to `MAX_POINTS`.
    pub points: u8,
    /// A sentence for the desk.
    pub detail: String,
}

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

/// The texts of a submission that signals look at, cleaned; empty where not given.
#[derive(Clone, Copy, Debug, Default)]
pub struct Texts<'a> {
    pub first_name: &'a str,
    /// Family name.
    pub last_name: &'a str,
    /// Email address.
    pub email: &'a str,
    /// Phone number.
    pub phone: &'a str,
    pub company: &'a str,
    /// Where guards are wanted.
    pub location: &'a str,
    /// What the visitor writes.
    pub message: &'a str,
    /// The visitor asks for a call right away.
    pub is_urgent: bool,
}

/// What sent a form, by its `User-Agent`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Agent {
    /// A browser, as far as it says.
    #[default]
    Browser,
    /// A program that is no browser, such as one that uses the API.
    Program,
    /// A browser without a screen.
    HeadlessBrowser,
}

/// What is known of how the form was filled in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Visit {
    /// The field that people do not see was filled in.
    pub trap_filled: bool,
    /// Time since the client first opened the form's page, if it did so lately.
    pub fill_millis: Option<i64>,
    /// It was posted without script, by a client that has not opened its page lately.
    pub is_unopened: bool,
    /// What sent it.
    pub agent: Agent,
    /// The raw texts contain HTML links or forum markup.
    pub has_markup: bool,
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

impl Agent {
    /// Reads a `User-Agent`. Those of browsers begin with `Mozilla/`.
    pub fn of(user_agent: Option<&str>) -> Self {
        let agent = user_agent.unwrap_or_default();
        match agent.starts_with("Mozilla/") {
            true if agent.contains("Headless") => Self::HeadlessBrowser,
            true => Self::Browser,
            false => Self::Program,
        }
    }
}

/// Whether a raw text contains an HTML link or forum markup. Cleaning removes the tags.
pub fn has_markup(raw: &str) -> bool {
    // Hardly any text has one of these.
    if !raw.contains(['<', '[', '=']) {
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

impl Reason {
    fn new(signal: Signal, points: u8, detail: impl Into<String>) -> Self {
        Self {
            signal,
            points,
            detail: detail.into(),
        }
    }
}

#[cfg(test)]
mod tests;
