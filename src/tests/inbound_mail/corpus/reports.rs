//! Delivery reports (RFC 3464) as mail servers write them, and reports that are none.

use super::{Belongs, Facts, Kind, Sample, crlf};

/// The server, the report's fields for the recipient, and the type and content of the returned
/// part.
const SERVERS: &[(&str, &str, &str)] = &[
    (
        "Postfix",
        "Reporting-MTA: dns; mx.guard.example\nX-Postfix-Queue-ID: 4X\nArrival-Date: Tue, 24 Nov 2026 11:58:00 -0800\n\nFinal-Recipient: rfc822; {customer}\nOriginal-Recipient: rfc822;{customer}\nAction: failed\nStatus: 5.1.1\nRemote-MTA: dns; mail.property.example\nDiagnostic-Code: smtp; 550 5.1.1 <{customer}>: Recipient\n address rejected: User unknown\n",
        "message/rfc822",
    ),
    (
        "Exim",
        "Reporting-MTA: dns; mx.guard.example\n\nAction: failed\nFinal-Recipient: rfc822;{customer}\nStatus: 5.0.0\nDiagnostic-Code: smtp; 550 User unknown\n",
        "message/rfc822",
    ),
    (
        "Exchange",
        "Reporting-MTA: dns;BN8.prod.outlook.example\nReceived-From-MTA: dns;x\n\nFinal-Recipient: rfc822;{customer}\nAction: failed\nStatus: 5.1.10\nDiagnostic-Code: smtp;550 5.1.10 RESOLVER.ADR.RecipientNotFound; User unknown\n",
        "message/rfc822",
    ),
    (
        "Gmail",
        "Reporting-MTA: dns; googlemail.com\nX-Original-Message-ID: {ours}\n\nFinal-Recipient: rfc822; {customer}\nAction: failed\nStatus: 5.1.1\nDiagnostic-Code: smtp; 550-5.1.1 The email account does not exist. User unknown\n",
        "message/rfc822",
    ),
    (
        "sendmail, header only",
        "Reporting-MTA: dns; mx.guard.example\n\nFinal-Recipient: RFC822; {customer}\nAction: failed\nStatus: 5.7.1\nDiagnostic-Code: SMTP; 554 5.7.1 User unknown\n",
        "text/rfc822-headers",
    ),
    (
        "OpenSMTPD",
        "Reporting-MTA: dns; mx.guard.example\n\nFinal-Recipient: rfc822; {customer}\nAction: failed\nStatus: 5.0.0\nDiagnostic-Code: smtp; 550 User unknown\n",
        "message/rfc822",
    ),
    (
        "two recipients",
        "Reporting-MTA: dns; mx.guard.example\n\nFinal-Recipient: rfc822; other@property.example\nAction: delivered\nStatus: 2.0.0\n\nFinal-Recipient: rfc822; {customer}\nAction: failed\nStatus: 5.2.2\nDiagnostic-Code: smtp; 552 User unknown, mailbox full\n",
        "message/rfc822",
    ),
];

pub fn samples(facts: &Facts) -> Vec<Sample> {
    let fill = |text: &str| {
        text.replace("{customer}", &facts.customer)
            .replace("{ours}", &facts.ours)
    };
    let mut all: Vec<_> = SERVERS
        .iter()
        .enumerate()
        .map(|(at, (name, status, returned))| {
            let raw = report(facts, at, "delivery-status", &fill(status), returned);
            sample(name, raw, Kind::Report)
        })
        .collect();
    let delayed = "Reporting-MTA: dns; mx.guard.example\n\nFinal-Recipient: rfc822; {customer}\nAction: delayed\nStatus: 4.4.1\nDiagnostic-Code: x; no answer\n";
    let raw = report(
        facts,
        20,
        "delivery-status",
        &fill(delayed),
        "message/rfc822",
    );
    all.push(sample("a delay", raw, Kind::Automatic));
    let read = "Reporting-UA: mail\nFinal-Recipient: rfc822; {customer}\nDisposition: manual-action/MDN-sent-manually; displayed\n";
    let raw = report(
        facts,
        21,
        "disposition-notification",
        &fill(read),
        "message/rfc822",
    );
    all.push(sample("a read receipt", raw, Kind::Automatic));
    let broken = report(
        facts,
        22,
        "delivery-status",
        "no fields at all\n",
        "message/rfc822",
    );
    all.push(Sample {
        belongs: Belongs::ById,
        ..sample("a report without fields", broken, Kind::Human)
    });
    all
}

fn report(facts: &Facts, at: usize, kind: &str, status: &str, returned: &str) -> Vec<u8> {
    let (signed, ours, customer) = (&facts.signed, &facts.ours, &facts.customer);
    crlf(&format!(
        "Return-Path: <>\nFrom: Mail Delivery System <MAILER-DAEMON@mx.guard.example>\nTo: office@guard.example\nSubject: Undelivered Mail Returned to Sender\nDate: Tue, 24 Nov 2026 12:06:00 -0800\nMessage-ID: <report.{at}@mx.guard.example>\nAuto-Submitted: auto-replied\nMIME-Version: 1.0\nContent-Type: multipart/report; report-type={kind};\n\tboundary=\"4X.1/mx\"\n\nThis is a MIME-encapsulated message.\n\n--4X.1/mx\nContent-Type: text/plain; charset=us-ascii\n\nYour message could not be delivered.\n\n--4X.1/mx\nContent-Description: Delivery report\nContent-Type: message/{kind}\n\n{status}\n--4X.1/mx\nContent-Description: Undelivered Message\nContent-Type: {returned}\n\nReturn-Path: <office@guard.example>\nMessage-ID: {ours}\nFrom: Acme Guard <office@guard.example>\nTo: {customer}\nReply-To: Acme Guard\n <{signed}>\nSubject: Re: Your request\nMIME-Version: 1.0\nContent-Type: text/plain\n\nWhen shall we start?\n\n--4X.1/mx--\n"
    ))
}

fn sample(name: &str, raw: Vec<u8>, kind: Kind) -> Sample {
    Sample {
        name: format!("report: {name}"),
        raw,
        kind,
        belongs: Belongs::Nowhere,
        is_verified: false,
        shown: vec!["Your message could not be delivered."],
        folded: Vec::new(),
        files: Vec::new(),
    }
}
