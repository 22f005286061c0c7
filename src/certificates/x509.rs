//! Reads an X.509 certificate (RFC 5280, section 4.1) from its DER bytes: its dates, its names, and
//! the parts of its ARI identifier. Written here because a parser crate would bring seven more.

use domain::clock::Time;

const BOOLEAN: u8 = 0x01;
const EXTENSIONS: u8 = 0xa3;
const GENERALIZED_TIME: u8 = 0x18;
const INTEGER: u8 = 0x02;
const OBJECT_ID: u8 = 0x06;
const OCTET_STRING: u8 = 0x04;
const SEQUENCE: u8 = 0x30;
const UTC_TIME: u8 = 0x17;
/// The optional version, before the serial number.
const VERSION: u8 = 0xa0;
/// A DNS name among the names of a certificate; a key identifier in that of its authority.
const DNS_NAME: u8 = 0x82;
const KEY_ID: u8 = 0x80;
/// `id-ce-subjectAltName` and `id-ce-authorityKeyIdentifier`.
const ALTERNATIVE_NAMES: [u8; 3] = [0x55, 0x1d, 0x11];
const AUTHORITY_KEY_ID: [u8; 3] = [0x55, 0x1d, 0x23];

/// The validity of the certificate. `None` if the bytes are not a certificate.
pub fn validity(der: &[u8]) -> Option<(Time, Time)> {
    let (_, rest) = serial_and_rest(der)?;
    // Signature algorithm and issuer come first.
    let (_, _, rest) = element(rest)?;
    let (_, _, rest) = element(rest)?;
    let (dates, _) = value(rest, SEQUENCE)?;
    let (kind, from, dates) = element(dates)?;
    let from = time(kind, from)?;
    let (kind, until, _) = element(dates)?;
    Some((from, time(kind, until)?))
}

/// The DNS names for which the certificate is valid, in lower case.
pub fn dns_names(der: &[u8]) -> Vec<String> {
    let names = || -> Option<Vec<String>> {
        let (mut rest, _) = value(extension(der, ALTERNATIVE_NAMES)?, SEQUENCE)?;
        let mut names = Vec::new();
        while let Some((tag, name, more)) = element(rest) {
            if tag == DNS_NAME {
                names.push(String::from_utf8_lossy(name).to_ascii_lowercase());
            }
            rest = more;
        }
        Some(names)
    };
    names().unwrap_or_default()
}

/// The key identifier of the authority and the serial number, which identify the certificate to its
/// authority (RFC 9773, section 4.1).
pub fn renewal_id(der: &[u8]) -> Option<(&[u8], &[u8])> {
    let (serial, _) = serial_and_rest(der)?;
    let (authority, _) = value(extension(der, AUTHORITY_KEY_ID)?, SEQUENCE)?;
    let (key, _) = value(authority, KEY_ID)?;
    Some((key, serial))
}

/// The serial number, and the fields after it.
fn serial_and_rest(der: &[u8]) -> Option<(&[u8], &[u8])> {
    let (certificate, _) = value(der, SEQUENCE)?;
    let (mut rest, _) = value(certificate, SEQUENCE)?;
    if rest.first() == Some(&VERSION) {
        (_, _, rest) = element(rest)?;
    }
    value(rest, INTEGER)
}

/// The content of the extension with this identifier.
fn extension(der: &[u8], id: [u8; 3]) -> Option<&[u8]> {
    let (_, mut rest) = serial_and_rest(der)?;
    let mut extensions = loop {
        let (tag, content, more) = element(rest)?;
        if tag == EXTENSIONS {
            break value(content, SEQUENCE)?.0;
        }
        rest = more;
    };
    while let Some((_, content, more)) = element(extensions) {
        let (found, mut rest) = value(content, OBJECT_ID)?;
        if found == id {
            if rest.first() == Some(&BOOLEAN) {
                (_, _, rest) = element(rest)?;
            }
            return Some(value(rest, OCTET_STRING)?.0);
        }
        extensions = more;
    }
    None
}

/// The tag and the content of the first element, and the rest.
fn element(der: &[u8]) -> Option<(u8, &[u8], &[u8])> {
    let (tag, rest) = der.split_first()?;
    let (length, rest) = rest.split_first()?;
    let (length, rest) = match length {
        0..0x80 => (usize::from(*length), rest),
        // The length of the length follows.
        _ => {
            let (bytes, rest) = rest.split_at_checked(usize::from(length & 0x7f))?;
            let add = |sum: usize, byte: &u8| sum.checked_mul(256)?.checked_add((*byte).into());
            (bytes.iter().try_fold(0, add)?, rest)
        }
    };
    let (content, rest) = rest.split_at_checked(length)?;
    Some((*tag, content, rest))
}

/// The content of the first element, which must have this tag, and the rest.
fn value(der: &[u8], tag: u8) -> Option<(&[u8], &[u8])> {
    let (found, content, rest) = element(der)?;
    (found == tag).then_some((content, rest))
}

fn time(kind: u8, text: &[u8]) -> Option<Time> {
    let text = std::str::from_utf8(text)
        .ok()
        .filter(|text| text.is_ascii())?;
    let (year, rest) = match kind {
        UTC_TIME => {
            let (year, rest) = text.split_at_checked(2)?;
            let century = if year.parse::<u8>().ok()? < 50 {
                "20"
            } else {
                "19"
            };
            (format!("{century}{year}"), rest)
        }
        GENERALIZED_TIME => {
            let (year, rest) = text.split_at_checked(4)?;
            (year.to_owned(), rest)
        }
        _ => return None,
    };
    let part = |at: usize| rest.get(at..at + 2);
    Time::parse(&format!(
        "{year}-{}-{}T{}:{}:{}Z",
        part(0)?,
        part(2)?,
        part(4)?,
        part(6)?,
        part(8)?
    ))
}

#[cfg(test)]
mod tests {
    use super::{dns_names, renewal_id, validity};
    use domain::clock::Time;

    #[test]
    fn the_dates_of_a_certificate_are_read() {
        for (from, until) in [
            ((1999, 1, 2), (2020, 3, 4)),
            ((2026, 11, 22), (2150, 12, 31)),
        ] {
            let mut params = rcgen::CertificateParams::new(vec!["guard.test".to_owned()]).unwrap();
            params.not_before = rcgen::date_time_ymd(from.0, from.1, from.2);
            params.not_after = rcgen::date_time_ymd(until.0, until.1, until.2);
            let key = rcgen::KeyPair::generate().unwrap();
            let certificate = params.self_signed(&key).unwrap();
            let day = |(y, m, d)| Time::parse(&format!("{y:04}-{m:02}-{d:02}")).unwrap();
            let expected = Some((day(from), day(until)));
            assert_eq!(validity(certificate.der()), expected);
            for cut in [0, 1, 10, 60] {
                assert_eq!(validity(&certificate.der()[..cut]), None, "{cut}");
            }
        }
    }
    #[test]
    fn the_names_and_the_renewal_identifier_of_a_certificate_are_read() {
        let names = ["guard.test".to_owned(), "www.Guard.test".to_owned()];
        let mut params = rcgen::CertificateParams::new(names).unwrap();
        params.use_authority_key_identifier_extension = true;
        params.serial_number = Some(vec![0x87, 0x65, 0x43].into());
        let authority_key = rcgen::KeyPair::generate().unwrap();
        let mut authority = rcgen::CertificateParams::new(vec![]).unwrap();
        authority.is_ca = rcgen::IsCa::Ca(rcgen::BasicConstraints::Unconstrained);
        authority.key_identifier_method = rcgen::KeyIdMethod::PreSpecified(vec![1, 2, 3]);
        let issuer = rcgen::Issuer::new(authority, authority_key);
        let key = rcgen::KeyPair::generate().unwrap();
        let certificate = params.signed_by(&key, &issuer).unwrap();
        let der = certificate.der();
        assert_eq!(dns_names(der), ["guard.test", "www.guard.test"]);
        // A leading zero keeps the serial number positive.
        let expected = (&[1, 2, 3][..], &[0, 0x87, 0x65, 0x43][..]);
        assert_eq!(renewal_id(der), Some(expected));
        for cut in [0, 1, 10, 60, der.len() - 90] {
            assert_eq!(renewal_id(&der[..cut]), None, "{cut}");
            assert!(dns_names(&der[..cut]).is_empty(), "{cut}");
        }
    }
}
