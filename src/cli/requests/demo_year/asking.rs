//! Customers ask: by a form, twice at times, or by phone.

use anyhow::Result;
use domain::clock::Time;
use domain::request::quote::NewQuote;
use domain::spam::Assessment;
use store::{Actor, PhoneRequest};

use super::office::{Office, SENT_MS, id_of, submission};

impl Office<'_> {
    /// Stores a quote; three of a hundred customers send it twice, and a colleague merges both.
    pub(super) async fn quote(
        &mut self,
        quote: NewQuote,
        key: String,
        by: Actor,
        now: Time,
    ) -> Result<String> {
        let sent = submission(key.clone(), Assessment::default());
        let id = id_of(self.store.submit_quote(quote.clone(), sent, now).await?)?;
        let again = now.plus_millis(SENT_MS);
        if !quote.emergency_contact && again < self.until && self.random.chance(3) {
            let sent = submission(format!("{key}-again"), Assessment::default());
            let second = id_of(self.store.submit_quote(quote, sent, again).await?)?;
            let merged = self
                .store
                .merge_requests(id.clone(), second, None, by, again);
            merged.await?;
            self.deliver(again).await?;
        }
        Ok(id)
    }

    pub(super) async fn take_call(
        &self,
        quote: NewQuote,
        key: String,
        by: Actor,
        now: Time,
    ) -> Result<String> {
        let request = PhoneRequest {
            quote,
            acknowledge: false,
            promise: None,
            alarm: false,
            fingerprint: key.clone(),
            key,
        };
        Ok(self
            .store
            .take_phone_request(request, by, now)
            .await?
            .request
            .id)
    }
}
