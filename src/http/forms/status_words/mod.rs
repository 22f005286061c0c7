//! What the status page says: each sentence comes from an event that has happened.

mod answer;
mod happened;
mod offers;

use domain::clock::Time;
use domain::offer::state::OfferState;
use domain::request::Request;
use domain::request::history::{HistoryEvent, in_effect};
use domain::request::quote::Status;
use site::status_page::{Link, StatusWords, Step};

use self::happened::What::*;
use self::happened::{ANSWERS, CONTACTS, Happened, What, of_files};

/// The newest steps that are shown.
const MAX_STEPS: usize = 20;

/// An offer, as its newest version is now.
pub(super) struct CurrentOffer {
    pub number: String,
    pub version: u32,
    pub state: OfferState,
    /// The path of its page.
    pub path: String,
    /// The last moment at which it can be accepted.
    pub until: Time,
    pub first_shift: Option<String>,
}

/// What is known of a request.
pub(super) struct Known<'a> {
    pub request: &'a Request,
    pub history: &'a [HistoryEvent],
    pub offers: &'a [CurrentOffer],
    /// When each of the customer's files arrived.
    pub files: &'a [Time],
    /// When the first answer is due.
    pub due: Time,
    pub now: Time,
    pub phone: &'a str,
    /// A time as the customer reads it.
    pub time: &'a dyn Fn(Time) -> String,
}

/// What the page says of a request.
pub(super) fn words(known: &Known<'_>) -> StatusWords {
    let mut happened: Vec<_> = in_effect(known.history)
        .into_iter()
        .filter_map(Happened::of)
        .chain(of_files(known.files))
        .collect();
    happened.sort_by_key(|one| one.at);
    Page { known, happened }.words()
}

struct Page<'a> {
    known: &'a Known<'a>,
    /// In the order of time.
    happened: Vec<Happened<'a>>,
}

impl Page<'_> {
    fn words(&self) -> StatusWords {
        let (title, mut sentences) = self.headline();
        let status = self.known.request.status;
        let shown: Vec<_> = self
            .known
            .offers
            .iter()
            .filter(|it| self.is_shown(it))
            .collect();
        let mut links = Vec::new();
        for offer in &shown {
            match offer.state {
                OfferState::Accepted => {
                    if status.is_open() {
                        sentences.extend(self.accepted(offer));
                    }
                    links.push(link("Receipt (PDF)", format!("{}/receipt.pdf", offer.path)));
                }
                _ if status.is_open() => {
                    sentences.push(self.offered(offer));
                    links.push(link("Review the offer", offer.path.clone()));
                }
                _ => {}
            }
        }
        if !shown.is_empty() && self.owes_call() && status.is_open() {
            sentences.push(self.call().1);
        }
        let is_accepted = shown
            .iter()
            .any(|offer| offer.state == OfferState::Accepted);
        let is_settled = self
            .last(&[Settled])
            .is_some_and(|at| !self.is_after(CONTACTS, at));
        StatusWords {
            title: title.to_owned(),
            sentences,
            links,
            steps: self.steps(),
            can_settle: status.is_open() && !is_accepted && !is_settled,
        }
    }

    /// The title, and the sentences about everything but the offers that are shown.
    fn headline(&self) -> (&'static str, Vec<String>) {
        let request = self.known.request;
        let time = self.known.time;
        let on = |at: Option<Time>, text: &str| {
            let at = at.map(|at| text.replace("{}", &time(at)));
            at.into_iter().collect::<Vec<_>>()
        };
        let has = |state| {
            let mut offers = self.known.offers.iter();
            offers.any(|offer| offer.state == state && self.is_shown(offer))
        };
        let again = "If you still need us, please call us or send a new request.".to_owned();
        let wrote = self
            .last(&[Wrote])
            .filter(|at| !self.is_after(ANSWERS, *at));
        let was_answered = request.answered_at.is_some() || self.last(&[Offered]).is_some();
        match request.status {
            Status::Cancelled => {
                let mut all = on(self.last(&[Closed]), "We closed it on {}.");
                all.push(again);
                ("This request is closed", all)
            }
            Status::Completed => {
                let mut all = on(self.last(&[Completed]), "We marked it as completed on {}.");
                all.push(again);
                ("This request is completed", all)
            }
            _ if wrote.is_some() && was_answered => {
                let text = "You wrote to us on {}. We will answer by email or phone.";
                ("We have your message", on(wrote, text))
            }
            _ if has(OfferState::Accepted) => ("Your offer is accepted", Vec::new()),
            _ if has(OfferState::Sent) => ("Your offer is ready", Vec::new()),
            _ if self.owes_call() => {
                let (title, sentence) = self.call();
                let mut all = on(self.last(&[Emailed]), "We emailed you on {}.");
                all.push(sentence);
                (title, all)
            }
            _ => self.answer(),
        }
    }

    /// The steps, oldest first; the last one is the promise that is still to be kept.
    fn steps(&self) -> Vec<Step> {
        let (request, time) = (self.known.request, self.known.time);
        let mut steps: Vec<_> = self.happened.iter().map(|one| self.step(one)).collect();
        let is_answered = self.last(ANSWERS).is_some();
        if let Some(at) = request.answered_at.filter(|_| !is_answered) {
            steps.push(done("We answered you".to_owned(), time(at)));
        }
        let first = steps.len().saturating_sub(MAX_STEPS);
        steps.drain(..first);
        steps.insert(0, done("Received".to_owned(), time(request.created_at)));
        let is_decided = self.happened.iter().any(|one| one.what.is_decision());
        let is_promised = request.status.is_open()
            && match request.emergency_contact {
                true => self.owes_call(),
                false => !is_answered && !is_decided && request.answered_at.is_none(),
            };
        if is_promised {
            let what = if request.emergency_contact {
                "Call"
            } else {
                "Answer"
            };
            let verb = if self.known.now > self.known.due {
                "was promised"
            } else {
                "promised"
            };
            steps.push(Step {
                is_done: false,
                ..done(
                    format!("{what} {verb}"),
                    format!("by {}", time(self.known.due)),
                )
            });
        }
        steps
    }

    fn step(&self, one: &Happened<'_>) -> Step {
        let current = self
            .known
            .offers
            .iter()
            .find(|offer| one.offer == Some((offer.number.as_str(), offer.version)));
        let link = current.and_then(|offer| match (one.what, offer.state) {
            (Offered | OfferNotDelivered, _) => Some(link("Open the offer", offer.path.clone())),
            (Accepted { .. }, OfferState::Accepted) => {
                Some(link("Receipt (PDF)", format!("{}/receipt.pdf", offer.path)))
            }
            _ => None,
        });
        Step {
            link,
            ..done(one.name(), (self.known.time)(one.at))
        }
    }

    /// Whether an offer can be answered or was accepted, and its email has been tried.
    fn is_shown(&self, offer: &CurrentOffer) -> bool {
        match offer.state {
            OfferState::Accepted => true,
            OfferState::Sent => self.sent(offer).is_some(),
            _ => false,
        }
    }

    /// The email with this version of an offer.
    fn sent(&self, offer: &CurrentOffer) -> Option<&Happened<'_>> {
        let id = (offer.number.as_str(), offer.version);
        let mut sent = self.happened.iter();
        sent.rfind(|one| matches!(one.what, Offered | OfferNotDelivered) && one.offer == Some(id))
    }

    /// When one of these happened last.
    fn last(&self, what: &[What]) -> Option<Time> {
        let found = self.happened.iter().rfind(|one| what.contains(&one.what));
        found.map(|one| one.at)
    }

    fn is_after(&self, what: &[What], at: Time) -> bool {
        self.last(what).is_some_and(|last| last > at)
    }
}

fn link(label: &'static str, href: String) -> Link {
    Link { label, href }
}

fn done(name: String, at: String) -> Step {
    Step {
        name,
        at,
        link: None,
        is_done: true,
    }
}
