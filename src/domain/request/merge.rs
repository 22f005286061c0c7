//! Which of two requests of one customer stays when they are merged, and what of the other can
//! still be undone.

use super::Request;
use super::event::Event;

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
        request.emailed_at.is_some() && request.failed_reply.is_none() && !request.awaits_call()
    };
    is_open_choice(one) && is_open_choice(other)
}

/// The lowest stays.
fn rank(request: &Request) -> (bool, bool, bool, i64) {
    (
        !request.awaits_call(),
        request.failed_reply.is_none(),
        request.emailed_at.is_none(),
        request.seq,
    )
}

/// Whether an event of a duplicate can be undone in the request that shows it: its offers are sent
/// and confirmed there.
pub const fn is_undone_where_shown(event: &Event) -> bool {
    matches!(event, Event::OfferSent(_) | Event::OfferConfirmed(_))
}
