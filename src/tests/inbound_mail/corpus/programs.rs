//! Answers of people: what the mail programs write, in four situations each.

use super::{Belongs, Facts, Kind, SERVER, Sample, crlf, verified};

/// A mail program: its name, fields and body of an answer, with the texts that are shown and
/// folded.
struct Program {
    name: &'static str,
    fields: &'static str,
    body: &'static str,
    shown: &'static [&'static str],
    folded: &'static [&'static str],
    files: &'static [&'static str],
}

const PROGRAMS: &[Program] = &[
    Program {
        name: "Gmail",
        fields: "MIME-Version: 1.0\nContent-Type: multipart/alternative; boundary=\"000000000000a1b2\"\n",
        body: "--000000000000a1b2\nContent-Type: text/plain; charset=\"UTF-8\"\nContent-Transfer-Encoding: quoted-printable\n\nTuesday works for us. Can two officers come at 6 pm?\n\nOn Tue, Nov 24, 2026 at 11:58=E2=80=AFAM Dana, Acme Guard <office@guard.exam=\nple> wrote:\n\n> Thank you for your request.\n> When shall we start?\n>\n\n--000000000000a1b2\nContent-Type: text/html; charset=\"UTF-8\"\n\n<div dir=\"ltr\">Tuesday works for us. Can two officers come at 6 pm?</div><br><div class=\"gmail_quote\">On Tue <blockquote>Thank you for your request.</blockquote></div>\n\n--000000000000a1b2--\n",
        shown: &["Tuesday works for us. Can two officers come at 6 pm?"],
        folded: &["When shall we start?", "wrote:"],
        files: &[],
    },
    Program {
        name: "Gmail, HTML only",
        fields: "MIME-Version: 1.0\nContent-Type: text/html; charset=UTF-8\n",
        body: "<html><head><style>p{color:red}</style></head><body><div dir=\"ltr\"><div>Tuesday works.</div><div>The gate is on Elm&nbsp;Street &amp; 5th.</div></div><br><div class=\"gmail_quote gmail_quote_container\"><div dir=\"ltr\" class=\"gmail_attr\">On Tue, Nov 24, 2026 Acme wrote:<br></div><blockquote class=\"gmail_quote\"><div>When shall we start?</div></blockquote></div></body></html>\n",
        shown: &["Tuesday works.\n", "Elm"],
        folded: &["When shall we start?"],
        files: &[],
    },
    Program {
        name: "Outlook for Windows",
        fields: "MIME-Version: 1.0\nX-Mailer: Microsoft Outlook 16.0\nThread-Index: AQHbPn9q2Z0=\nContent-Language: en-us\nContent-Type: multipart/related; boundary=\"----=_NextPart_000_0023\"; type=\"multipart/alternative\"\n",
        body: "This is a multipart message in MIME format.\n\n------=_NextPart_000_0023\nContent-Type: multipart/alternative; boundary=\"----=_NextPart_001_0024\"\n\n------=_NextPart_001_0024\nContent-Type: text/plain; charset=\"us-ascii\"\nContent-Transfer-Encoding: 7bit\n\nHi Dana,\n\n \n\nwe need the guard until January 15.\n\n \n\nBest,\n\nMaria Lopez\nProperty Manager\n\n \n\nFrom: Acme Guard <office@guard.example> \nSent: Tuesday, November 24, 2026 11:58 AM\nTo: Maria Lopez <maria@property.example>\nSubject: Re: Your request GP-2K7Q\n\n \n\nWhen shall we start?\n\n------=_NextPart_001_0024\nContent-Type: text/html; charset=\"us-ascii\"\n\n<html><body><p class=MsoNormal>Hi Dana,</p><img src=\"cid:image001.png@01DB3E9F\"></body></html>\n\n------=_NextPart_001_0024--\n\n------=_NextPart_000_0023\nContent-Type: image/png; name=\"image001.png\"\nContent-Transfer-Encoding: base64\nContent-ID: <image001.png@01DB3E9F>\n\niVBORw0KGgo=\n\n------=_NextPart_000_0023--\n",
        shown: &["we need the guard until January 15.", "Property Manager"],
        folded: &["Sent: Tuesday", "When shall we start?"],
        files: &[],
    },
    Program {
        name: "Outlook on the web",
        fields: "MIME-Version: 1.0\nAccept-Language: en-US\nX-MS-Has-Attach:\nX-MS-TNEF-Correlator:\nContent-Type: text/html; charset=\"Windows-1252\"\nContent-Transfer-Encoding: quoted-printable\n",
        body: "<html><head><meta http-equiv=3D\"Content-Type\"></head><body dir=3D\"ltr\"><div class=3D\"elementToProof\">It=92s =93urgent=94: the caf=E9 opens Friday.</div><div id=3D\"appendonsend\"></div><hr tabindex=3D\"-1\"><div id=3D\"divRplyFwdMsg\"><b>From:</b> Acme Guard<br><b>Sent:</b> Tuesday</div><div>When shall we start?</div></body></html>\n",
        shown: &["It\u{2019}s \u{201c}urgent\u{201d}: the caf\u{e9} opens Friday."],
        folded: &["When shall we start?"],
        files: &[],
    },
    Program {
        name: "Outlook for iOS",
        fields: "MIME-Version: 1.0\nContent-Type: text/plain; charset=\"utf-8\"\nContent-Transfer-Encoding: base64\n",
        body: "WWVzLCBwbGVhc2Ugc2VuZCB0aGUgY29udHJhY3QuDQoNCkdldCBPdXRsb29rIGZvciBpT1M8aHR0\ncHM6Ly9ha2EubXMvbzB1a2VmPg0KX19fX19fX19fX19fX19fX19fX19fX19fX19fX19fX18NCkZy\nb206IEFjbWUgR3VhcmQgPG9mZmljZUBndWFyZC5leGFtcGxlPg0KU2VudDogVHVlc2RheSwgTm92\nZW1iZXIgMjQsIDIwMjYgMTE6NTg6MDAgQU0NClRvOiBNYXJpYQ0KU3ViamVjdDogWW91ciByZXF1\nZXN0DQoNCldoZW4gc2hhbGwgd2Ugc3RhcnQ/DQo=\n",
        shown: &["Yes, please send the contract."],
        folded: &["Get Outlook for iOS", "When shall we start?"],
        files: &[],
    },
    Program {
        name: "Outlook for Mac",
        fields: "MIME-Version: 1.0\nUser-Agent: Microsoft-MacOutlook/16.89\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\n",
        body: "Fine with me – see you Tuesday.\n\n-- \nMaria Lopez\n\n\n*From: *Acme Guard <office@guard.example>\n*Date: *Tuesday, November 24, 2026 at 11:58 AM\n*To: *Maria Lopez <maria@property.example>\n*Subject: *Your request\n\nWhen shall we start?\n",
        shown: &["Fine with me \u{2013} see you Tuesday."],
        folded: &["Maria Lopez", "When shall we start?"],
        files: &[],
    },
    Program {
        name: "iPhone",
        fields: "MIME-Version: 1.0 (1.0)\nX-Mailer: iPhone Mail (22B83)\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: quoted-printable\n",
        body: "Please call me after 5\n\nSent from my iPhone\n\n> On Nov 24, 2026, at 11:58=E2=80=AFAM, Dana, Acme Guard <office@guard.example> wrote:\n>=20\n> =EF=BB=BFWhen shall we start?\n",
        shown: &["Please call me after 5"],
        folded: &["Sent from my iPhone", "When shall we start?"],
        files: &[],
    },
    Program {
        name: "iPhone with a photo",
        fields: "MIME-Version: 1.0 (1.0)\nX-Mailer: iPhone Mail (22B83)\nContent-Type: multipart/mixed; boundary=Apple-Mail-1F2E\nContent-Transfer-Encoding: 7bit\n",
        body: "--Apple-Mail-1F2E\nContent-Type: text/plain; charset=us-ascii\nContent-Transfer-Encoding: 7bit\n\nThe broken fence:\n\n--Apple-Mail-1F2E\nContent-Type: image/jpeg; name=IMG_0042.jpeg; x-apple-part-url=1\nContent-Disposition: inline; filename=IMG_0042.jpeg\nContent-Transfer-Encoding: base64\n\n/9j/4AAQSkZJRgABAQ==\n\n--Apple-Mail-1F2E\nContent-Type: text/plain; charset=us-ascii\nContent-Transfer-Encoding: 7bit\n\n\nSent from my iPhone\n--Apple-Mail-1F2E--\n",
        shown: &["The broken fence:"],
        folded: &["Sent from my iPhone"],
        files: &["IMG_0042.jpeg"],
    },
    Program {
        name: "Apple Mail",
        fields: "MIME-Version: 1.0 (Mac OS X Mail 16.0)\nX-Mailer: Apple Mail (2.3826)\nContent-Type: multipart/alternative; boundary=\"Apple-Mail=_77\"\n",
        body: "--Apple-Mail=_77\nContent-Transfer-Encoding: 7bit\nContent-Type: text/plain; charset=us-ascii\n\nTwo entrances, one dock.\n\n> On Nov 24, 2026, at 11:58 AM, Acme Guard <office@guard.example> wrote:\n> \n> How many entrances are there?\n\n--Apple-Mail=_77\nContent-Type: text/html; charset=us-ascii\n\n<html><body>Two entrances, one dock.<br><blockquote type=\"cite\">How many</blockquote></body></html>\n--Apple-Mail=_77--\n",
        shown: &["Two entrances, one dock."],
        folded: &["How many entrances are there?"],
        files: &[],
    },
    Program {
        name: "Thunderbird, answer below the quote",
        fields: "MIME-Version: 1.0\nUser-Agent: Mozilla Thunderbird\nContent-Type: text/plain; charset=UTF-8; format=flowed\nContent-Transfer-Encoding: 8bit\n",
        body: "On 11/24/26 11:58, Acme Guard wrote:\n> When shall we start?\nOn Monday at six.\n> For how long?\nUntil the new year.\n\n-- \nMaria\n",
        shown: &[
            "On Monday at six.",
            "Until the new year.",
            "> For how long?",
        ],
        folded: &["Maria"],
        files: &[],
    },
    Program {
        name: "Thunderbird, answer above the quote",
        fields: "MIME-Version: 1.0\nUser-Agent: Mozilla Thunderbird\nContent-Type: multipart/mixed; boundary=\"------------0pQ\"\n",
        body: "This is a multi-part message in MIME format.\n--------------0pQ\nContent-Type: text/plain; charset=UTF-8; format=flowed\nContent-Transfer-Encoding: 8bit\n\nThe plan of the site is attached.\n\nAm 24.11.26 um 11:58 schrieb Acme Guard:\n> Do you have a plan?\n\n--------------0pQ\nContent-Type: application/pdf; name=\"=?UTF-8?Q?Grundri=C3=9F.pdf?=\"\nContent-Disposition: attachment; filename*=UTF-8''Grundri%C3%9F.pdf\nContent-Transfer-Encoding: base64\n\nJVBERi0xLjQKJSVFT0YK\n\n--------------0pQ--\n",
        shown: &["The plan of the site is attached."],
        folded: &["Do you have a plan?"],
        files: &["Grundri\u{df}.pdf"],
    },
    Program {
        name: "Yahoo",
        fields: "MIME-Version: 1.0\nX-Mailer: WebService/1.1.22876 YMailNovation\nContent-Type: multipart/alternative; boundary=\"----=_Part_11\"\n",
        body: "------=_Part_11\nContent-Type: text/plain; charset=UTF-8\nContent-Transfer-Encoding: 7bit\n\n Sounds good, thanks!\n    On Tuesday, November 24, 2026 at 11:58:00 AM PST, Acme Guard <office@guard.example> wrote:  \n \n When shall we start?\n  \n------=_Part_11\nContent-Type: text/html; charset=UTF-8\n\n<html><div>Sounds good, thanks!</div><div class=\"yahoo_quoted\">x</div></html>\n------=_Part_11--\n",
        shown: &["Sounds good, thanks!"],
        folded: &["When shall we start?"],
        files: &[],
    },
    Program {
        name: "Proton Mail",
        fields: "MIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: quoted-printable\n",
        body: "The alarm code changed.\n\nSent with [Proton Mail](https://proton.me/) secure email.\n\nOn Tuesday, November 24th, 2026 at 11:58, Acme Guard <office@guard.example> wro=\nte:\n\n> Is the alarm code still valid?\n",
        shown: &["The alarm code changed."],
        folded: &["Is the alarm code still valid?"],
        files: &[],
    },
    Program {
        name: "Samsung Email",
        fields: "MIME-Version: 1.0\nContent-Type: text/html; charset=utf-8\nContent-Transfer-Encoding: 8bit\n",
        body: "<html><body><div dir=\"auto\">We have 3 floors</div><div dir=\"auto\"><br></div><div id=\"composer_signature\">Sent from my Galaxy</div><div><br></div><div>-------- Original message --------</div><div>From: Acme Guard &lt;office@guard.example&gt;</div><div>Date: 11/24/26</div><div>To: maria</div><div>Subject: Re</div><div>How many floors?</div></body></html>\n",
        shown: &["We have 3 floors"],
        folded: &["How many floors?"],
        files: &[],
    },
    Program {
        name: "Roundcube in Latin-1",
        fields: "MIME-Version: 1.0\nUser-Agent: Roundcube Webmail/1.6\nContent-Type: text/plain; charset=ISO-8859-1\nContent-Transfer-Encoding: quoted-printable\n",
        body: "S=ED, el martes est=E1 bien.\n\nEl 2026-11-24 11:58, Acme Guard escribi=F3:\n> When shall we start?\n",
        shown: &["S\u{ed}, el martes est\u{e1} bien."],
        folded: &["When shall we start?"],
        files: &[],
    },
    Program {
        name: "QQ Mail in GB18030",
        fields: "MIME-Version: 1.0\nX-Mailer: QQMail 2.x\nContent-Type: text/plain; charset=\"gb18030\"\nContent-Transfer-Encoding: base64\n",
        body: "0MfG2rb+v8nS1A==\n",
        shown: &["\u{661f}\u{671f}\u{4e8c}\u{53ef}\u{4ee5}"],
        folded: &[],
        files: &[],
    },
    Program {
        name: "Lotus Notes",
        fields: "MIME-Version: 1.0\nX-Mailer: HCL Domino Release 12.0\nContent-Type: text/plain; charset=\"US-ASCII\"\n",
        body: "Approved by the board.\n\n-----Original Message-----\nFrom: Acme Guard\nTo: Maria\nSubject: offer\n\nDoes the board agree?\n",
        shown: &["Approved by the board."],
        folded: &["Does the board agree?"],
        files: &[],
    },
    Program {
        name: "No MIME at all",
        fields: "",
        body: "plain words without any MIME\n",
        shown: &["plain words without any MIME"],
        folded: &[],
        files: &[],
    },
    Program {
        name: "A forwarded email",
        fields: "MIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n",
        body: "See below what our landlord wrote.\n\n---------- Forwarded message ---------\nFrom: Landlord <l@landlord.example>\nDate: Mon, Nov 23, 2026\nSubject: keys\nTo: Maria\n\nThe keys are with the concierge.\n",
        shown: &[
            "See below what our landlord wrote.",
            "The keys are with the concierge.",
        ],
        folded: &[],
        files: &[],
    },
    Program {
        name: "An agent of a ticket system",
        fields: "MIME-Version: 1.0\nX-Mailer: Zendesk Mailer\nContent-Type: text/plain; charset=utf-8\n",
        body: "Our facility team agrees to your offer.\n\n##- Please type your reply above this line -##\n\nTicket 4711 history\n",
        shown: &["Our facility team agrees to your offer."],
        folded: &["Ticket 4711 history"],
        files: &[],
    },
];

/// Each program in four situations: an answer to the signed address, one that only has the
/// Message-ID (a program that drops `Reply-To`), one of a colleague to whom it was forwarded, and a
/// new email.
pub fn samples(facts: &Facts) -> Vec<Sample> {
    let mut all = Vec::new();
    for (at, program) in PROGRAMS.iter().enumerate() {
        let id = |n: usize| format!("<{n}.{at}.CAF+x@mail.property.example>");
        let references = format!("<first@property.example>\n\t{}", facts.ours);
        let (signed, ours, customer) = (&facts.signed, &facts.ours, &facts.customer);
        let answer = |n: usize, head: &str, from: &str, to: &str, thread: &str| {
            let raw = format!(
                "{head}From: {from}\nTo: {to}\nSubject: Re: Your request GP-2K7Q\nDate: Tue, 24 Nov 2026 12:04:0{n} -0800\nMessage-ID: {}\n{thread}{}\n{}",
                id(n),
                program.fields,
                program.body
            );
            // Pipes deliver LF, IMAP and SMTP CRLF.
            if at % 2 == 0 {
                crlf(&raw)
            } else {
                raw.into_bytes()
            }
        };
        let trusted = verified("property.example");
        let named = format!("\"Maria Lopez\" <{customer}>");
        let thread = format!("In-Reply-To: {ours}\nReferences: {references}\n");
        let only_references = format!("References: {references} <unknown@elsewhere.example>\n");
        let upper = signed.replace("office+", "Office+");
        let cases = [
            (
                "signed address",
                trusted.as_str(),
                named.as_str(),
                format!("Acme Guard <{upper}>"),
                thread.as_str(),
                Belongs::ByAddress,
                true,
            ),
            (
                "Message-ID only",
                &trusted,
                &named,
                "office@guard.example".to_owned(),
                &only_references,
                Belongs::ById,
                true,
            ),
            (
                "a colleague",
                &trusted,
                "Bob <bob@property.example>",
                format!("Maria <{customer}>\nCc: \"Acme, Guard\" <{signed}>"),
                &thread,
                Belongs::ByAddress,
                false,
            ),
            (
                "a new email",
                &trusted,
                &named,
                "office@guard.example".to_owned(),
                "",
                Belongs::Nowhere,
                true,
            ),
        ];
        for (n, (situation, head, from, to, thread, belongs, is_verified)) in
            cases.into_iter().enumerate()
        {
            all.push(Sample {
                name: format!("{}: {situation}", program.name),
                raw: answer(n, head, from, &to, thread),
                kind: Kind::Human,
                belongs,
                is_verified,
                shown: program.shown.to_vec(),
                folded: program.folded.to_vec(),
                files: program.files.to_vec(),
            });
        }
    }
    debug_assert!(!SERVER.is_empty());
    all
}
