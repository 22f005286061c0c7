//! Emails as real mail programs and mail servers write them, each with what a reader must make of
//! it.

mod automatic;
mod hostile;
mod programs;
mod reports;

/// The address to which answers are sent, with and without the signature of a request.
pub struct Facts {
    /// The signed address of the request.
    pub signed: String,
    /// The Message-ID of our email to the customer.
    pub ours: String,
    /// The customer's address.
    pub customer: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Human,
    Automatic,
    Report,
}

/// To which request an email belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Belongs {
    /// To the request, by the signed address.
    ByAddress,
    /// To the request, by a Message-ID.
    ById,
    Nowhere,
}

/// An email and what it is.
pub struct Sample {
    pub name: String,
    pub raw: Vec<u8>,
    pub kind: Kind,
    pub belongs: Belongs,
    /// Whether its author is the customer, verified by our server.
    pub is_verified: bool,
    /// Texts that are shown.
    pub shown: Vec<&'static str>,
    /// Texts that are folded.
    pub folded: Vec<&'static str>,
    /// The names of its files.
    pub files: Vec<&'static str>,
}

/// All of them.
pub fn samples(facts: &Facts) -> Vec<Sample> {
    let mut all = programs::samples(facts);
    all.extend(automatic::samples(facts));
    all.extend(reports::samples(facts));
    all.extend(hostile::samples(facts));
    all
}

/// The name of our own server in `Authentication-Results`.
pub const SERVER: &str = "mx.guard.example";

/// What our own server writes on top of an email that it has verified.
pub fn verified(domain: &str) -> String {
    format!(
        "Return-Path: <customer@{domain}>\n\
         Authentication-Results: {SERVER};\n\
         \tdkim=pass (2048-bit key; unprotected) header.d={domain} header.i=@{domain};\n\
         \tspf=pass (sender IP is 203.0.113.9) smtp.mailfrom=customer@{domain};\n\
         \tdmarc=pass (p=REJECT sp=REJECT dis=NONE) header.from={domain}\n\
         Received: from mail.{domain} (mail.{domain} [203.0.113.9])\n\
         \tby {SERVER} (Postfix) with ESMTPS id 4Xyz; Tue, 24 Nov 2026 20:04:05 +0000 (UTC)\n"
    )
}

/// The bytes of an email, with the ends of lines that SMTP has.
pub fn crlf(text: &str) -> Vec<u8> {
    text.replace("\r\n", "\n")
        .replace('\n', "\r\n")
        .into_bytes()
}
