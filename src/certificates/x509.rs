//! Reads an X.509 certificate (RFC 5280, section 4.1) from its DER bytes: its dates and its names.

use x509_parser::extensions::GeneralName;
use x509_parser::parse_x509_certificate;
use x509_parser::time::ASN1Time;

use domain::clock::Time;

/// The validity of the certificate. `None` if the bytes are not a certificate.
pub fn validity(der: &[u8]) -> Option<(Time, Time)> {
    let (_, certificate) = parse_x509_certificate(der).ok()?;
    let dates = certificate.validity();
    let time = |at: ASN1Time| Time::from_millis(at.timestamp().saturating_mul(1000));
    Some((time(dates.not_before), time(dates.not_after)))
}

/// The DNS names for which the certificate is valid, in lower case.
pub fn dns_names(der: &[u8]) -> Vec<String> {
    let certificate = parse_x509_certificate(der).ok();
    let certificate = certificate.as_ref().map(|(_, certificate)| certificate);
    let names = certificate.and_then(|it| it.subject_alternative_name().ok()?);
    let names = names.iter().flat_map(|names| &names.value.general_names);
    let dns_name = |name: &GeneralName<'_>| match name {
        GeneralName::DNSName(name) => Some(name.to_ascii_lowercase()),
        _ => None,
    };
    names.filter_map(dns_name).collect()
}
