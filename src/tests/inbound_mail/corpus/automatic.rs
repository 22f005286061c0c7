//! Mail of programs, and fields that programs also write into the mail of people.

use super::{Belongs, Facts, Kind, Sample, crlf, verified};

const KINDS: &[(&str, &str)] = &[
    (
        "Exchange out of office",
        "Auto-Submitted: auto-generated\nX-Auto-Response-Suppress: All\nX-MS-Exchange-Inbox-Rules-Loop: maria@property.example\n",
    ),
    (
        "Exchange out of office, old",
        "X-Auto-Response-Suppress: DR, RN, NRN, OOF, AutoReply\n",
    ),
    (
        "Gmail vacation",
        "Precedence: bulk\nX-Autoreply: yes\nAuto-Submitted: auto-replied\n",
    ),
    (
        "Sieve vacation",
        "Auto-Submitted: auto-replied (vacation)\n",
    ),
    ("vacation(1)", "Precedence: junk\n"),
    (
        "Yahoo auto reply",
        "X-Autoreply: yes\nPrecedence: auto_reply\n",
    ),
    (
        "cPanel autoresponder",
        "X-Autorespond: office@guard.example\nAuto-Submitted: auto-replied\nX-Precedence: auto_reply\n",
    ),
    ("Plesk", "Auto-Submitted: auto-replied\nX-Autorespond: x\n"),
    (
        "GroupWise",
        "Auto-Submitted: auto-replied\nX-Mailer: Novell GroupWise\n",
    ),
    (
        "Domino agent",
        "Auto-Submitted: auto-generated\nX-Mailer: HCL Domino\n",
    ),
    (
        "Zendesk trigger",
        "Auto-Submitted: auto-generated\nX-Auto-Response-Suppress: All\nPrecedence: bulk\nX-Zendesk-From-Account-Id: a1\n",
    ),
    (
        "Freshdesk",
        "Auto-Submitted: auto-generated\nX-FD-Account: 1\n",
    ),
    (
        "Jira",
        "Auto-Submitted: auto-generated\nPrecedence: bulk\nX-JIRA-FingerPrint: 7\n",
    ),
    (
        "ServiceNow",
        "X-ServiceNow-Generated: true\nAuto-Submitted: auto-generated\n",
    ),
    (
        "OTRS",
        "X-OTRS-Loop: yes\nX-Loop: otrs@x.example\nPrecedence: bulk\nAuto-Submitted: auto-generated\n",
    ),
    (
        "RT",
        "X-RT-Loop-Prevention: x\nPrecedence: bulk\nManaged-by: RT\n",
    ),
    (
        "osTicket",
        "X-Autoreply: osTicket\nX-Auto-Response-Suppress: DR, RN, OOF, AutoReply\nAuto-Submitted: auto-replied\n",
    ),
    (
        "Salesforce case",
        "X-SFDC-EmailCategory: emailToCaseAutoResponse\nAuto-Submitted: auto-replied\nPrecedence: bulk\n",
    ),
    (
        "HubSpot newsletter",
        "List-Unsubscribe-Post: List-Unsubscribe=One-Click\nList-Id: <1.hs.example>\nFeedback-ID: x:hs\n",
    ),
    (
        "Mailchimp campaign",
        "List-Id: abc list <abc.list-id.mcsv.example>\nFeedback-ID: 1:2:us1:mc\nPrecedence: bulk\n",
    ),
    (
        "Mailman list",
        "List-Id: Owners <owners.property.example>\nList-Post: <mailto:owners@property.example>\nPrecedence: list\n",
    ),
    (
        "Google Group",
        "List-Id: <team.property.example>\nMailing-list: list team@property.example\nX-Google-Group-Id: 1\n",
    ),
    ("Empty return path", "Return-Path: <>\n"),
    (
        "Calendar server",
        "Auto-Submitted: auto-generated\nContent-Class: urn:content-classes:calendarmessage\n",
    ),
    (
        "Voicemail to email",
        "Auto-Submitted: auto-generated\nX-Mailer: Voicemail\n",
    ),
    (
        "Scanner",
        "Auto-Submitted: auto-generated\nX-Mailer: KONICA MINOLTA\n",
    ),
    (
        "Monitoring",
        "Auto-Submitted: auto-generated\nX-Mailer: Nagios\n",
    ),
    (
        "Challenge and response",
        "Auto-Submitted: auto-replied\nX-Mail-Autoreply: spamarrest\n",
    ),
    (
        "Exchange mailbox rule",
        "X-MS-Exchange-Generated-Message-Source: Mailbox Rules Agent\n",
    ),
    (
        "Mailing with a loop mark",
        "X-Loop: maria@property.example\n",
    ),
    (
        "Auto-Submitted with a parameter",
        "Auto-Submitted: auto-notified; owner-email=\"me@x.example\"\n",
    ),
];

const SENDERS: &[(&str, &str)] = &[
    (
        "Mailer daemon without MIME",
        "MAILER-DAEMON@mx.property.example",
    ),
    ("Postmaster", "Postmaster@property.example"),
    ("No reply", "no-reply@property.example"),
    ("Do not reply", "Bank <donotreply@bank.example>"),
];

pub fn samples(facts: &Facts) -> Vec<Sample> {
    let email = |name: &str, at: usize, head: &str, from: &str, fields: &str| {
        let thread = format!("In-Reply-To: {0}\nReferences: {0}\n", facts.ours);
        let raw = format!(
            "{head}From: {from}\nTo: <{}>\nSubject: Automatic reply: Your request\nDate: Tue, 24 Nov 2026 12:05:00 -0800\nMessage-ID: <auto.{at}@property.example>\n{thread}{fields}MIME-Version: 1.0\nContent-Type: text/plain\n\nI am out of the office until Monday.\n",
            facts.signed
        );
        Sample {
            name: name.to_owned(),
            raw: crlf(&raw),
            kind: Kind::Automatic,
            belongs: Belongs::ByAddress,
            is_verified: false,
            shown: vec!["I am out of the office until Monday."],
            folded: Vec::new(),
            files: Vec::new(),
        }
    };
    let mut all = Vec::new();
    for (at, (name, fields)) in KINDS.iter().enumerate() {
        // The fields of the last server come first.
        let head = match fields.starts_with("Return-Path") {
            true => String::new(),
            false => verified("property.example"),
        };
        let from = format!("Maria <{}>", facts.customer);
        let mut sample = email(name, at, &head, &from, fields);
        sample.is_verified = !head.is_empty();
        // A verified author at the signed address is a person, unless the email says otherwise.
        if sample.is_verified && !fields.contains("Auto-Submitted") {
            sample.kind = Kind::Human;
        }
        all.push(sample);
    }
    for (at, (name, from)) in SENDERS.iter().enumerate() {
        let mut sample = email(name, 100 + at, "", from, "");
        sample.kind = Kind::Human;
        all.push(sample);
    }
    all
}
