//! The text that a wallet shows and signs: EIP-4361, also with Solana's heading. This file only
//! parses; `web3` checks the values.

use std::collections::BTreeMap;

use reqwest::Url;

use super::{Chain, Error};
use domain::clock::Time;

/// A parsed message.
#[derive(Debug)]
pub(super) struct Message {
    /// The scheme before the domain, if present.
    pub scheme: Option<String>,
    /// The requesting site: host, and port if it is not the scheme's default.
    pub domain: String,
    /// The address of the signer, not verified yet.
    pub address: String,
    /// The requesting page.
    pub uri: Url,
    /// `Issued At`.
    pub issued_at: Time,
    /// `Expiration Time`.
    pub expires_at: Option<Time>,
    /// `Not Before`.
    pub not_before: Option<Time>,
}

/// The fields below the statement. Each may appear once.
const FIELDS: [&str; 8] = [
    "URI",
    "Version",
    "Chain ID",
    "Nonce",
    "Issued At",
    "Expiration Time",
    "Not Before",
    "Request ID",
];

impl Message {
    /// Parses `text` as a message of `chain`.
    pub(super) fn parse(chain: Chain, text: &str) -> Result<Self, Error> {
        let lines: Vec<&str> = text.split('\n').collect();
        let [heading, address, blank, rest @ ..] = lines.as_slice() else {
            return Err(Error::Malformed("message has too few lines"));
        };
        let site = heading
            .strip_suffix(&format!(
                " wants you to sign in with your {} account:",
                chain.title()
            ))
            .ok_or(Error::Malformed("message has no sign-in heading"))?;
        if !blank.is_empty() {
            return Err(Error::Malformed(
                "message has no empty line below the address",
            ));
        }
        let fields = read_fields(below_statement(rest))?;
        let field = |name| fields.get(name).copied();
        if field("Version") != Some("1") {
            return Err(Error::Malformed("message is not of version 1"));
        }
        let (scheme, domain) = match site.split_once("://") {
            Some((scheme, domain)) => (Some(scheme.to_owned()), domain),
            None => (None, site),
        };
        Ok(Self {
            scheme,
            domain: domain.to_owned(),
            address: (*address).to_owned(),
            uri: field("URI")
                .and_then(|uri| Url::parse(uri).ok())
                .ok_or(Error::Malformed("message has no valid URI"))?,
            issued_at: time(field("Issued At"))?
                .ok_or(Error::Malformed("message has no Issued At"))?,
            expires_at: time(field("Expiration Time"))?,
            not_before: time(field("Not Before"))?,
        })
    }
}

/// The lines after the statement and its empty line, or after the empty line if there is no
/// statement.
fn below_statement<'a, 'b>(rest: &'b [&'a str]) -> &'b [&'a str] {
    match rest {
        ["", fields @ ..] | [_, "", fields @ ..] => fields,
        fields => fields,
    }
}

fn read_fields<'a>(lines: &[&'a str]) -> Result<BTreeMap<&'a str, &'a str>, Error> {
    let mut fields = BTreeMap::new();
    let mut lines = lines.iter();
    for line in &mut lines {
        // The public client omits the colon in its own messages.
        if matches!(*line, "Resources:" | "Resources") {
            break;
        }
        let (key, value) = line
            .split_once(": ")
            .ok_or(Error::Malformed("message has a line that is no field"))?;
        if !FIELDS.contains(&key) {
            return Err(Error::Malformed("message has an unknown field"));
        }
        if fields.insert(key, value).is_some() {
            return Err(Error::Malformed("message has a field twice"));
        }
    }
    if lines.any(|line| !line.starts_with("- ")) {
        return Err(Error::Malformed("message has a line that is no resource"));
    }
    Ok(fields)
}

/// Parses a time with its offset; a date alone is rejected.
fn time(text: Option<&str>) -> Result<Option<Time>, Error> {
    text.map(|text| {
        Time::parse(text)
            .filter(|_| text.contains('T'))
            .ok_or(Error::Malformed("message has a time that is not RFC 3339"))
    })
    .transpose()
}
