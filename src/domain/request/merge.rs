//! Which of two requests of one customer stays when they are merged.

use super::Request;

/// The one that stays, and the other: an emergency that waits for a call, else one with an email
/// that did not arrive, else the one whose number the customer has from our emails, else the older
/// one. `asked` decides between two that have both been answered by email.
pub fn kept_first(one: Request, other: Request, asked: Option<&str>) -> (Request, Request) {
    let is_asked = |request: &Request| asked == Some(&request.id);
    let other_stays = match have_both_emails(&one, &other) && (is_asked(&one) || is_asked(&other)) {
        true => is_asked(&other),
        false => rank(&other) < rank(&one),
    };
    if other_stays {
        (other, one)
    } else {
        (one, other)
    }
}

/// Whether the customer has the numbers of both from our emails, so that a person chooses.
pub fn have_both_emails(one: &Request, other: &Request) -> bool {
    let is_open_choice = |request: &Request| {
        request.emailed_at.is_some() && request.failed_reply.is_none() && !waits_for_call(request)
    };
    is_open_choice(one) && is_open_choice(other)
}

/// The lowest stays.
fn rank(request: &Request) -> (bool, bool, bool, i64) {
    (
        !waits_for_call(request),
        request.failed_reply.is_none(),
        request.emailed_at.is_none(),
        request.seq,
    )
}

fn waits_for_call(request: &Request) -> bool {
    request.emergency_contact && request.awaits_answer()
}
