//! Reads an email: who wrote it, to which request it belongs, what it says, and its files. Nothing
//! here fails: an email that cannot be understood is one without text, and its bytes are kept.

mod attached;
mod authentication;
mod author;
mod body;
mod charset;
mod classify;
mod fingerprint;
mod flowed;
mod folding;
mod headers;
mod html;
mod line;
mod mime;
mod own;
mod parts;
pub mod process;
mod report;
mod results;
mod sealed;
mod words;

use mail_parser::{Message, MessageParser};

pub use attached::AttachedFile;
use attached::Pictures;
use author::{Author, author};
use classify::Known;
pub use fingerprint::fingerprint;
use folding::Thread;
use headers::Headers;
use report::{Reported, Suspect, reported};

use domain::email::message_id::{EmailId, MessageIds};
use domain::email::received_email::{EmailClass, EmailMark, ReceivedEmail};
use domain::email::reply_address::ReplyAddresses;
use domain::text::one_line;

/// Maximum code points of each of the two texts.
const MAX_TEXT: usize = 20_000;
/// Maximum bytes of the words in which a report is looked for.
const MAX_REPORT: usize = 64 * 1024;
/// Maximum code points of a subject.
const MAX_SUBJECT: usize = 300;
/// Maximum Message-IDs of a conversation that are looked at.
const MAX_IDS: usize = 100;
/// Maximum fields in which recipients are looked for.
const MAX_FIELDS: usize = 200;
/// Maximum requests to which an email belongs.
const MAX_REQUESTS: usize = 5;

/// Fields that name the recipients of an email, those of the envelope first.
const RECIPIENTS: [&str; 14] = [
    "delivered-to",
    "x-delivered-to",
    "x-original-to",
    "envelope-to",
    "x-envelope-to",
    "x-rcpt-to",
    "to",
    "cc",
    "bcc",
    "resent-to",
    "resent-cc",
    "x-forwarded-to",
    "x-forwarded-for",
    "received",
];

/// What the reader has to know.
#[derive(Clone)]
pub struct Reader {
    pub addresses: ReplyAddresses,
    pub message_ids: MessageIds,
    /// The name of our own mail server in `Authentication-Results`; empty: no sender is verified.
    pub authserv_id: String,
    /// The addresses from which the office writes and at which it receives, in lower case.
    pub own_addresses: Vec<String>,
    /// The names with which the office writes.
    pub own_names: Vec<String>,
}

/// An email with its files.
#[derive(Debug)]
pub struct Read {
    pub email: ReceivedEmail,
    pub files: Vec<AttachedFile>,
}

impl Reader {
    /// Reads an email. `recipient` is the address of its envelope, if it is known. A hostile email
    /// may take any time and memory, or end the process: `process` reads those of strangers.
    pub fn read(&self, bytes: &[u8], recipient: Option<&str>) -> Read {
        let bytes = mime::without_envelope_line(bytes);
        let repaired = mime::repaired(bytes);
        let message = MessageParser::default().parse(repaired.as_ref());
        let message = message.unwrap_or_default();
        let headers = Headers::of(&message);
        let mut email = self.described(&headers, recipient);
        email.fingerprint = fingerprint(bytes);
        let pictures = self.add_words(&mut email, &headers, &message);
        self.classify(&mut email, &headers, &message);
        let files = match headers.word("content-type").as_deref() {
            Some("multipart/report") => Vec::new(),
            _ => {
                let (files, left_out) = attached::files(&message, &pictures);
                email.left_out = left_out;
                files
            }
        };
        Read { email, files }
    }

    /// Reads the header of an email that cannot be read whole.
    pub fn read_header(&self, bytes: &[u8], recipient: Option<&str>) -> Read {
        let bytes = mime::without_envelope_line(bytes);
        let message = headers::raw(bytes).unwrap_or_default();
        let headers = Headers::of(&message);
        let mut email = self.described(&headers, recipient);
        email.fingerprint = fingerprint(bytes);
        email.is_cut = true;
        self.classify(&mut email, &headers, &message);
        email.marks.push(EmailMark::Unreadable);
        Read {
            email,
            files: Vec::new(),
        }
    }

    /// What the header says.
    fn described(&self, headers: &Headers, recipient: Option<&str>) -> ReceivedEmail {
        let Author {
            address: from,
            name: from_name,
        } = author(headers, "from");
        let reply_to = author(headers, "reply-to");
        let has_other = !reply_to.address.is_empty() && reply_to.address != from;
        let subject = words::decoded(headers.first("subject").unwrap_or_default());
        let message_id = headers.message_ids("message-id").into_iter().next();
        ReceivedEmail {
            fingerprint: String::new(),
            // A relay may give it another id, and keeps where answers go.
            is_ours: message_id.as_deref().is_some_and(|id| self.is_ours(id))
                || self.addresses.find(&reply_to.address).is_some(),
            message_id,
            class: EmailClass::Human,
            is_verified: authentication::is_verified(headers, &self.authserv_id, &from),
            from,
            from_name,
            reply_to: has_other.then_some(reply_to.address),
            reply_to_name: reply_to.name.filter(|_| has_other),
            subject: one_line(&subject, MAX_SUBJECT),
            addressed: self.addressed(headers, recipient),
            ancestors: self.ancestors(headers),
            references: last(headers.message_ids("references")),
            text: String::new(),
            folded: String::new(),
            is_cut: false,
            marks: Vec::new(),
            left_out: 0,
        }
    }

    /// Adds what the author wrote, and what is folded; returns the pictures of the bodies.
    fn add_words(
        &self,
        email: &mut ReceivedEmail,
        headers: &Headers,
        message: &Message<'_>,
    ) -> Pictures {
        let body = body::body(message);
        let author = email.from_name.clone();
        let local = || email.from.split('@').next().unwrap_or_default().to_owned();
        let (names_us, has_own_address) = (
            |text: &str| self.names_us(text),
            |text: &str| self.has_own_address(text),
        );
        let thread = Thread {
            names_us: &names_us,
            has_own_address: &has_own_address,
            is_answer: folding::is_answer(email, headers),
            author: &author.unwrap_or_else(local),
        };
        let folded = folding::fold(&body.lines, &thread);
        let (text, is_text_cut) = limited(&folded.text);
        let folded_text = format!("{}\n\n{}", folded.folded, body.stub);
        let (rest, is_rest_cut) = limited(folded_text.trim());
        (email.text, email.folded) = (text, rest);
        email.is_cut |= body.is_cut || is_text_cut || is_rest_cut;
        let written = folding::fold(&body.html, &thread).pictures;
        let lines = body.lines.into_iter().chain(body.html);
        Pictures {
            all: lines.flat_map(|line| line.pictures).collect(),
            written: folded.pictures.into_iter().chain(written).collect(),
        }
    }

    /// Adds what the email is, and what a reader should know of it.
    fn classify(&self, email: &mut ReceivedEmail, headers: &Headers, message: &Message<'_>) {
        let text = format!("{}\n{}", email.text, email.folded);
        email.marks = sealed::marks(message, &text);
        let suspect = Suspect {
            message,
            headers,
            from: &email.from,
            subject: &email.subject,
            text: &text[..text.floor_char_boundary(MAX_REPORT)],
            addressed: &email.addressed,
            ancestors: &email.ancestors,
            read_id: &|id| self.message_ids.read(id),
            find_reference: &|text| self.addresses.find(text),
            has_own_address: &|text| self.has_own_address(text),
        };
        let found = reported(&suspect);
        let is_message = matches!(found, Some(Reported::Unclear | Reported::Complaint));
        let returned = is_message.then(|| report::returned(&suspect).into_iter().next());
        email.ancestors.extend(returned.flatten());
        let mark = match found {
            Some(Reported::Failure(report)) => return email.class = EmailClass::Report(report),
            Some(Reported::Unclear) => EmailMark::PossibleFailure,
            Some(Reported::Complaint) => {
                email.class = EmailClass::Automatic;
                EmailMark::Complaint
            }
            None => {
                let kind = classify::kind(
                    headers,
                    &Known {
                        from: &email.from,
                        subject: &email.subject,
                        is_trusted: email.is_verified && !email.addressed.is_empty(),
                        own_addresses: &self.own_addresses,
                    },
                );
                if kind.is_automatic || email.is_ours {
                    email.class = EmailClass::Automatic;
                }
                return email.marks.extend(kind.marks);
            }
        };
        email.marks.push(mark);
    }

    fn is_ours(&self, id: &str) -> bool {
        matches!(self.message_ids.read(id), EmailId::Ours(_))
    }

    fn ancestors(&self, headers: &Headers) -> Vec<EmailId> {
        let mut ids = headers.message_ids("in-reply-to");
        for id in headers.message_ids("references").into_iter().rev() {
            if !ids.contains(&id) && ids.len() < MAX_IDS {
                ids.push(id);
            }
        }
        let ids = ids.iter().take(MAX_IDS);
        ids.map(|id| self.message_ids.read(id)).collect()
    }

    /// The references in the signed addresses that the email was sent to.
    fn addressed(&self, headers: &Headers, recipient: Option<&str>) -> Vec<String> {
        let named = RECIPIENTS.iter().flat_map(|name| headers.all(name));
        let mut found: Vec<String> = Vec::new();
        for text in recipient.into_iter().chain(named).take(MAX_FIELDS) {
            // A fold may break an address.
            let whole: String = text.split_whitespace().collect();
            for address in whole.split([',', ';']) {
                let reference = self.addresses.find(address);
                let new = reference.filter(|it| !found.contains(it) && found.len() < MAX_REQUESTS);
                found.extend(new);
            }
        }
        found
    }
}

/// The text up to its limit, and whether there is more.
fn limited(text: &str) -> (String, bool) {
    match text.char_indices().nth(MAX_TEXT) {
        Some((end, _)) => (text[..end].to_owned(), true),
        None => (text.to_owned(), false),
    }
}

fn last(mut ids: Vec<String>) -> Vec<String> {
    let first = ids.len().saturating_sub(MAX_IDS);
    ids.split_off(first)
}

#[cfg(test)]
mod fuzz;
