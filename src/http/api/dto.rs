//! Wire types of the product's API that mirror domain types: the domain knows no OpenAPI.

use poem_openapi::{Enum, Object};

use domain::request::{attribution, quote};

/// A stored quote.
#[derive(Object)]
pub struct Quote {
    /// UUIDv7.
    pub id: String,
    /// When it was submitted, RFC 3339 UTC with milliseconds.
    pub created_at: String,
    /// When its status last changed.
    pub updated_at: String,
    /// Given name.
    pub first_name: String,
    /// Family name.
    pub last_name: String,
    /// The email address.
    pub email: String,
    /// The phone number.
    pub phone: String,
    /// The visitor's company, null if none.
    pub company: Option<String>,
    /// The service's value, as in `fire-watch`.
    pub service_type: String,
    /// The duration's value, as in `1-month`.
    pub duration: String,
    /// The first day, `YYYY-MM-DD`.
    pub start_date: String,
    /// The location to be guarded.
    pub location: String,
    /// The visitor's description, null if none.
    pub description: Option<String>,
    /// The status.
    pub status: QuoteStatus,
    /// Whether the visitor wants a call right away.
    pub emergency_contact: bool,
    /// Attribution of the visit, null if unknown.
    pub attribution: Option<Attribution>,
    /// Short, for use on the phone, as `GP-2K7Q`.
    pub reference: String,
}

impl From<quote::Quote> for Quote {
    fn from(quote: quote::Quote) -> Self {
        Self {
            id: quote.id,
            created_at: quote.created_at,
            updated_at: quote.updated_at,
            first_name: quote.first_name,
            last_name: quote.last_name,
            email: quote.email,
            phone: quote.phone,
            company: quote.company,
            service_type: quote.service_type,
            duration: quote.duration,
            start_date: quote.start_date,
            location: quote.location,
            description: quote.description,
            status: quote.status.into(),
            emergency_contact: quote.emergency_contact,
            attribution: quote.attribution.map(Attribution::from),
            reference: quote.reference,
        }
    }
}

/// The status of a quote.
#[derive(Enum)]
#[oai(rename = "Status", rename_all = "snake_case")]
pub enum QuoteStatus {
    /// Received, not accepted yet.
    Pending,
    /// Accepted.
    InProgress,
    /// Done.
    Completed,
    /// Rejected.
    Cancelled,
}

impl From<quote::Status> for QuoteStatus {
    fn from(status: quote::Status) -> Self {
        match status {
            quote::Status::Pending => Self::Pending,
            quote::Status::InProgress => Self::InProgress,
            quote::Status::Completed => Self::Completed,
            quote::Status::Cancelled => Self::Cancelled,
        }
    }
}

/// First-party attribution: the page first seen, the referrer's host and the campaign's parameters.
#[derive(Object)]
pub struct Attribution {
    /// The first page of the visit.
    #[oai(skip_serializing_if_is_none)]
    pub landing: Option<String>,
    /// The host of the referring page.
    #[oai(skip_serializing_if_is_none)]
    pub referrer_host: Option<String>,
    /// Campaign source.
    #[oai(skip_serializing_if_is_none)]
    pub utm_source: Option<String>,
    /// Campaign medium.
    #[oai(skip_serializing_if_is_none)]
    pub utm_medium: Option<String>,
    /// Campaign name.
    #[oai(skip_serializing_if_is_none)]
    pub utm_campaign: Option<String>,
    /// Campaign keyword.
    #[oai(skip_serializing_if_is_none)]
    pub utm_term: Option<String>,
    /// Campaign variant.
    #[oai(skip_serializing_if_is_none)]
    pub utm_content: Option<String>,
    /// The advertisement click's id.
    #[oai(skip_serializing_if_is_none)]
    pub gclid: Option<String>,
}

impl From<attribution::Attribution> for Attribution {
    fn from(attribution: attribution::Attribution) -> Self {
        Self {
            landing: attribution.landing,
            referrer_host: attribution.referrer_host,
            utm_source: attribution.utm_source,
            utm_medium: attribution.utm_medium,
            utm_campaign: attribution.utm_campaign,
            utm_term: attribution.utm_term,
            utm_content: attribution.utm_content,
            gclid: attribution.gclid,
        }
    }
}
