//! What the page says of offers that can be accepted or were.

use super::happened::Happened;
use super::happened::What::*;
use super::{CurrentOffer, Page};

impl Page<'_> {
    /// What an accepted offer means.
    pub(super) fn accepted(&self, offer: &CurrentOffer) -> Vec<String> {
        let (time, number) = (self.known.time, &offer.number);
        let of = |one: &&Happened<'_>| one.offer.is_some_and(|(found, _)| found == number);
        let mut all = Vec::new();
        for one in self.happened.iter().filter(of) {
            let at = time(one.at);
            match one.what {
                Accepted { by_office: false } => {
                    all.push(format!("You accepted offer {number} on {at}."));
                }
                Accepted { by_office: true } => {
                    all.push(format!(
                        "We recorded on {at} that you accepted offer {number}."
                    ));
                }
                _ => {}
            }
        }
        let confirmed = self
            .happened
            .iter()
            .filter(of)
            .rfind(|one| one.what == Confirmed);
        all.push(match confirmed {
            Some(one) => format!(
                "We confirmed on {} that your posts are staffed.",
                time(one.at)
            ),
            None => "We will contact you about the first shift.".to_owned(),
        });
        all.extend(
            offer
                .first_shift
                .as_ref()
                .map(|first| format!("First shift: {first}.")),
        );
        let phone = self.known.phone;
        all.push(format!(
            "At the gate, call {phone} at any hour and give your reference."
        ));
        all
    }

    /// Where an offer is that can be accepted.
    pub(super) fn offered(&self, offer: &CurrentOffer) -> String {
        let (time, number) = (self.known.time, &offer.number);
        let until = time(offer.until);
        match self.sent(offer) {
            Some(one) if one.what == Offered => format!(
                "We emailed you offer {number} on {}. You can accept it, decline it or ask about \
                 it until {until}.",
                time(one.at)
            ),
            _ => format!(
                "Our email with offer {number} could not be delivered to you. You can accept it, \
                 decline it or ask about it here until {until}."
            ),
        }
    }
}
