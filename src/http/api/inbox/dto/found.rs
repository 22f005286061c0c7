//! Where a search has found the requests of a list.

use poem_openapi::{Enum, Object};

use crate::domain::request::Request;
use crate::store::{FoundIn, FoundPart};

/// The kind of a text that the list does not show.
#[derive(Enum)]
#[oai(rename = "FoundPart", rename_all = "snake_case")]
pub enum Part {
    Reference,
    Email,
    Phone,
    /// The description, the text of a contact message, or a further field of the form.
    Words,
    Note,
    Call,
    Reply,
    /// An email of the customer.
    Message,
    /// The name of a file.
    File,
    /// That of a duplicate or of the outcome.
    Other,
}

/// Where a search has found a request.
#[derive(Object)]
#[oai(rename = "FoundIn")]
pub struct Found {
    /// The id of the request.
    request: String,
    part: Part,
    /// The text around the word; empty for `other`.
    excerpt: String,
}

impl Found {
    pub fn new(request: &Request, found: FoundIn) -> Self {
        Self {
            request: request.id.clone(),
            part: match found.part {
                FoundPart::Reference => Part::Reference,
                FoundPart::Email => Part::Email,
                FoundPart::Phone => Part::Phone,
                FoundPart::Words => Part::Words,
                FoundPart::Note => Part::Note,
                FoundPart::Call => Part::Call,
                FoundPart::Reply => Part::Reply,
                FoundPart::Message => Part::Message,
                FoundPart::File => Part::File,
                FoundPart::Other => Part::Other,
            },
            excerpt: found.excerpt,
        }
    }
}
