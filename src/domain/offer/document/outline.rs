//! The parts of an offer in the order of reading, which text, page and PDF show alike.

use serde::Serialize;

use super::prices::{PriceRow, post_title};
use super::schedule;
use super::summary::summary;
use super::types::{Document, Paragraph};
use super::words::{date, long_date, term};

/// A part of a document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Block {
    Heading(String),
    Text(String),
    Titled(Paragraph),
    /// Labels and what they stand for.
    Facts(Vec<(String, String)>),
    Posts(Vec<PostRow>),
    Price(Vec<PriceRow>),
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PostRow {
    pub title: String,
    pub place: String,
    pub staff: String,
    pub schedule: Vec<String>,
    /// May be empty.
    pub equipment: String,
}

/// What is said of rates and conditions that the office has not confirmed.
pub const SAMPLE: &str = "Sample: the rates and conditions of this offer are those Guardpost ships \
    with. The office has not confirmed them.";

impl Document {
    /// As `Offer GP-2K7Q-1`.
    pub fn title(&self) -> String {
        format!("Offer {}", self.number)
    }

    /// The lines of the letterhead below the name; none is empty.
    pub fn letterhead(&self) -> Vec<String> {
        let own = &self.company;
        let is_same = own.legal_name == own.name;
        let legal = if is_same { "" } else { own.legal_name.as_str() };
        let place = format!("{} {}", own.region, own.postal_code);
        let lines = [
            legal.to_owned(),
            joined(&[&own.street, &own.city, &place], ", "),
            joined(&[&own.phone, &own.email], " · "),
            own.website.clone(),
        ];
        lines.into_iter().filter(|line| !line.is_empty()).collect()
    }

    /// What is known of the offer itself.
    pub fn facts(&self) -> Vec<(String, String)> {
        facts([
            ("Version", self.version.to_string()),
            ("Sent", date(self.sent_on)),
            ("Valid through", self.last_day()),
            ("Your request", self.reference.clone()),
        ])
    }

    /// From when to when, as `Friday, December 4 to Thursday, December 10, 2026 (7 days)`.
    pub fn term(&self) -> String {
        term(&self.terms)
    }

    /// The last day on which it can be accepted, as `December 9, 2026`.
    pub fn last_day(&self) -> String {
        date(self.valid_until)
    }

    /// Who it is for.
    pub fn recipient(&self) -> Vec<(String, String)> {
        let customer = &self.customer;
        facts([
            ("Name", customer.name.clone()),
            ("Company", customer.company.clone().unwrap_or_default()),
            ("Email", customer.email.clone()),
            ("Phone", customer.phone.clone()),
            ("Location", customer.location.clone()),
        ])
    }

    /// What follows the letterhead, the title, the facts and the recipient in a file.
    pub fn outline(&self) -> Vec<Block> {
        let mut blocks = self.offered();
        blocks.push(heading(self.price_title()));
        blocks.push(Block::Price(self.price_rows()));
        blocks.extend(self.price_notes().into_iter().map(Block::Text));
        blocks.extend(self.agreed());
        blocks.push(heading("How to answer"));
        blocks.push(Block::Text(format!(
            "Open the link in the email that came with this offer. There you can accept it, \
             decline it or ask a question, through {}. Or call {}.",
            long_date(self.valid_until),
            self.company.phone,
        )));
        blocks.extend(self.consented());
        blocks
    }

    /// What follows the price and the forms on the page behind the link; of an offer that can no
    /// longer be answered, without what is said of the answer.
    pub fn page_outline(&self, is_open: bool) -> Vec<Block> {
        let mut blocks = self.offered();
        blocks.extend(self.agreed());
        if is_open {
            blocks.push(heading("Your acceptance"));
            blocks.extend(self.consented());
        }
        blocks
    }

    /// The heading of the price.
    pub fn price_title(&self) -> &'static str {
        match self.terms.end {
            None => "Price of a week",
            Some(_) => "Price",
        }
    }

    /// What is offered, but for the price.
    fn offered(&self) -> Vec<Block> {
        let mut blocks = Vec::new();
        if self.is_sample {
            blocks.push(Block::Text(SAMPLE.to_owned()));
        }
        blocks.push(Block::Text(summary(self)));
        if let Some(message) = self
            .message
            .as_deref()
            .filter(|text| !text.trim().is_empty())
        {
            blocks.push(heading("From our office"));
            blocks.push(Block::Text(message.trim().to_owned()));
        }
        blocks.push(heading("Service"));
        blocks.push(Block::Facts(facts([("Term", self.term())])));
        if !self.terms.posts.is_empty() {
            blocks.push(Block::Posts(self.posts()));
        }
        blocks
    }

    /// The conditions, and the licenses and the insurance.
    fn agreed(&self) -> Vec<Block> {
        let mut blocks = vec![heading("Conditions")];
        blocks.extend(self.conditions.iter().cloned().map(Block::Titled));
        let credentials = self.credentials();
        if !credentials.is_empty() {
            blocks.push(heading("Licenses and insurance"));
            blocks.push(Block::Facts(credentials));
        }
        blocks
    }

    /// What the customer says by accepting.
    fn consented(&self) -> Vec<Block> {
        let consent = self.consent.text.trim();
        let mut blocks = vec![Block::Text(format!("By accepting you say: “{consent}”"))];
        if !self.consent.disclosures.is_empty() {
            blocks.push(heading("Accepting electronically"));
        }
        let disclosures = self.consent.disclosures.iter().cloned();
        blocks.extend(disclosures.map(Block::Titled));
        blocks
    }

    fn posts(&self) -> Vec<PostRow> {
        let posts = self.terms.posts.iter().enumerate();
        let rows = posts.map(|(number, post)| PostRow {
            title: post_title(number, post),
            place: schedule::place(post),
            staff: self.staff(post),
            schedule: schedule::schedule(&post.schedule),
            equipment: self.equipment(post),
        });
        rows.collect()
    }

    fn credentials(&self) -> Vec<(String, String)> {
        let licenses = self.licenses.iter().map(|license| {
            let until = license.expires.parse().map(date);
            let until =
                until.map_or_else(|_| String::new(), |day| format!(", valid through {day}"));
            let name = format!("License, {}", license.state);
            (
                name,
                format!("{}, held by {}{until}", license.number, license.holder),
            )
        });
        let mut all: Vec<_> = licenses.collect();
        all.extend(facts([("Insurance", self.insurance.trim().to_owned())]));
        all
    }
}

fn heading(text: &str) -> Block {
    Block::Heading(text.to_owned())
}

/// Parts without the empty ones.
fn joined(parts: &[&str], between: &str) -> String {
    let parts = parts.iter().map(|part| part.trim());
    let parts: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
    parts.join(between)
}

/// Facts without the empty ones.
pub(super) fn facts<const N: usize>(all: [(&str, String); N]) -> Vec<(String, String)> {
    let named = all.into_iter().filter(|(_, value)| !value.is_empty());
    named
        .map(|(label, value)| (label.to_owned(), value))
        .collect()
}
