//! What the page says of the answer to a request, and of a call that is owed.

use super::Page;
use super::happened::What::*;
use super::happened::{ANSWERS, ENDS, TRIES};

impl Page<'_> {
    /// What was said last by either side, else when the answer is due.
    pub(super) fn answer(&self) -> (&'static str, Vec<String>) {
        let (request, time) = (self.known.request, self.known.time);
        let mut last = self.happened.iter();
        let last = last.rfind(|one| ANSWERS.contains(&one.what) || ENDS.contains(&one.what));
        let due = time(self.known.due);
        let new_offer = "Ask us for a new one below, or call us.";
        let (title, text) = match (last.map(|one| one.what), request.answered_at) {
            (Some(Emailed), _) => (
                "We have answered",
                "We emailed you on {}. If our email is not there, check your spam folder or call us.",
            ),
            (Some(Reached), _) if request.emergency_contact => (
                "We have called you",
                "We called you on {}. If you have more questions, call us again.",
            ),
            (Some(Reached), _) => (
                "We have answered",
                "We spoke with you by phone on {}. If you have more questions, call us.",
            ),
            (Some(Settled), _) => (
                "You closed this request",
                "You did so on {}. If you need us again, write to us below or call us.",
            ),
            (Some(Declined { by_office: false }), _) => (
                "You declined our offer",
                "You declined it on {}. If that was a mistake, write to us below or call us.",
            ),
            (Some(Declined { by_office: true }), _) => (
                "Our offer is declined",
                "We recorded on {} that you declined it. If that is wrong, call us.",
            ),
            (Some(Expired), _) => ("Our offer has expired", "It could be accepted until {}."),
            (Some(Withdrawn), _) => ("We withdrew our offer", "We withdrew it on {}."),
            (_, Some(at)) => {
                return (
                    "We have answered",
                    vec![format!("We answered you on {}.", time(at))],
                );
            }
            _ => {
                let mut all: Vec<_> = self.tried().into_iter().collect();
                if let Some(at) = self.last(&[NotDelivered]) {
                    all.push(format!(
                        "We emailed you on {}, but the email could not be delivered. Please call us.",
                        time(at)
                    ));
                }
                let is_late = self.known.now > self.known.due;
                all.push(match is_late {
                    true => format!(
                        "We promised an answer by {due} and are late. Please call us, so we can \
                         help you right away."
                    ),
                    false => format!("Someone from our office will call or email you by {due}."),
                });
                return (
                    if is_late {
                        "We owe you an answer"
                    } else {
                        "We are on it"
                    },
                    all,
                );
            }
        };
        let at = last.map(|one| time(one.at)).unwrap_or_default();
        let mut all = vec![text.replace("{}", &at)];
        if matches!(last.map(|one| one.what), Some(Expired | Withdrawn)) {
            all.push(new_offer.to_owned());
        }
        (title, all)
    }

    /// Whether the customer wants a call and was not reached.
    pub(super) fn owes_call(&self) -> bool {
        let request = self.known.request;
        request.emergency_contact && request.answered_at.is_none()
    }

    /// What is said of a call that is owed.
    pub(super) fn call(&self) -> (&'static str, String) {
        let due = (self.known.time)(self.known.due);
        if let Some(tried) = self.tried() {
            let text = format!("{tried} We will try again. You can call us at any hour.");
            return ("We have not reached you by phone", text);
        }
        match self.known.now > self.known.due {
            true => (
                "We owe you a call",
                format!(
                    "We promised a call by {due} and are late. Please call us, so we can help you \
                     right away."
                ),
            ),
            false => (
                "We will call you",
                format!("We will call you by {due}. If you cannot wait, call us now."),
            ),
        }
    }

    /// The last call in which the customer was not reached.
    fn tried(&self) -> Option<String> {
        let last = self
            .happened
            .iter()
            .rfind(|one| TRIES.contains(&one.what))?;
        let end = match last.what {
            Voicemail => "left a message",
            _ => "did not reach you",
        };
        Some(format!(
            "We called you on {} and {end}.",
            (self.known.time)(last.at)
        ))
    }
}
