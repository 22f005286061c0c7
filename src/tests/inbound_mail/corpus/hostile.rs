//! Forged, damaged and enormous emails.

use super::{Belongs, Facts, Kind, SERVER, Sample, crlf, verified};

pub fn samples(facts: &Facts) -> Vec<Sample> {
    let (signed, customer) = (&facts.signed, &facts.customer);
    let from = format!("From: Maria <{customer}>\n");
    let to = format!("To: <{signed}>\n");
    let rest = "Subject: x\nDate: Tue, 24 Nov 2026 12:07:00 -0800\nMessage-ID: <h@x.example>\n";
    let trusted = verified("property.example");
    let text = "\nwords\n";
    let tag = signed.rsplit_once('@').unwrap().0;
    let forged = signed.replace(tag, &format!("{}0000", &tag[..tag.len() - 4]));
    let results = |id: &str, result: &str| format!("Authentication-Results: {id}; {result}\n");
    let pass = "dmarc=pass header.from=property.example";
    let plain = |head: &str| format!("{head}{from}{to}{rest}{text}");
    let many_parts = {
        let part = "--b\nContent-Type: text/plain\n\npart\n";
        format!(
            "{trusted}{from}{to}{rest}Content-Type: multipart/mixed; boundary=b\n\n{}--b--\n",
            part.repeat(1_100)
        )
    };
    let nested = {
        let mut body = "Content-Type: text/plain\n\ndeep\n".to_owned();
        for depth in 0..200 {
            body = format!(
                "Content-Type: multipart/mixed; boundary=b{depth}\n\n--b{depth}\n{body}\n--b{depth}--\n"
            );
        }
        format!("{trusted}{from}{to}{rest}{body}")
    };
    let nested_emails = {
        let mut body = "Content-Type: text/plain\n\ndeep\n".to_owned();
        for _ in 0..200 {
            body = format!("Content-Type: message/rfc822\n\n{body}");
        }
        format!("{trusted}{from}{to}{rest}{body}")
    };
    let long_header = format!(
        "{trusted}{from}{to}{rest}X-Long: {}\n{text}",
        "a ".repeat(512 * 1024)
    );
    let many_ids = format!(
        "{trusted}{from}{to}{rest}References: {}\n{text}",
        "<a@b.example> ".repeat(5_000)
    );
    let nul = format!("{trusted}{from}{to}{rest}X: a\0b\n\nwo\0rds\n")
        .replace("Subject: x", "Subject: a\0b");
    // What it is, the email, where it belongs, whether it is verified, and what is shown.
    let cases: Vec<(&str, String, Belongs, bool, Vec<&'static str>)> = vec![
        (
            "a forged address",
            format!("{trusted}{from}To: <{forged}>\n{rest}{text}"),
            Belongs::Nowhere,
            true,
            vec!["words"],
        ),
        (
            "another request in the subject",
            format!("{trusted}{from}To: office@guard.example\n{rest}{text}")
                .replace("Subject: x", "Subject: [GP-2K7Q] x"),
            Belongs::Nowhere,
            true,
            vec!["words"],
        ),
        (
            "no result of a server",
            plain(""),
            Belongs::ByAddress,
            false,
            vec!["words"],
        ),
        (
            "the result of another server",
            plain(&results("mx.evil.example", pass)),
            Belongs::ByAddress,
            false,
            vec!["words"],
        ),
        (
            "a forged result below ours",
            plain(&format!(
                "{}{}",
                results(
                    SERVER,
                    "dmarc=fail header.from=property.example; spf=pass smtp.mailfrom=property.example"
                ),
                results(SERVER, pass)
            )),
            Belongs::ByAddress,
            false,
            vec!["words"],
        ),
        (
            "a pass of another domain",
            plain(&results(
                SERVER,
                "dkim=pass header.d=evil.example; spf=pass smtp.mailfrom=x@evil.example",
            )),
            Belongs::ByAddress,
            false,
            vec!["words"],
        ),
        (
            "a pass in a comment",
            plain(&results(
                SERVER,
                "dmarc=fail (dmarc=pass header.from=property.example)",
            )),
            Belongs::ByAddress,
            false,
            vec!["words"],
        ),
        (
            "a pass of a name that ends alike",
            plain(&results(SERVER, "dkim=pass header.d=notproperty.example")),
            Belongs::ByAddress,
            false,
            vec!["words"],
        ),
        (
            "DKIM of the domain above",
            plain(&results(
                SERVER,
                "dkim=pass header.i=@mail.property.example",
            )),
            Belongs::ByAddress,
            true,
            vec!["words"],
        ),
        (
            "SPF of the domain",
            plain(&results(
                &format!("{SERVER} 1"),
                "dmarc=none; spf=pass smtp.mailfrom=\"m@property.example\"",
            )),
            Belongs::ByAddress,
            true,
            vec!["words"],
        ),
        (
            "two authors",
            format!("{trusted}From: Maria <{customer}>, Eve <eve@evil.example>\n{to}{rest}{text}"),
            Belongs::ByAddress,
            false,
            vec!["words"],
        ),
        (
            "two From fields",
            format!("{trusted}{from}From: eve@evil.example\n{to}{rest}{text}"),
            Belongs::ByAddress,
            false,
            vec!["words"],
        ),
        (
            "a thousand parts",
            many_parts,
            Belongs::ByAddress,
            true,
            vec![],
        ),
        ("nesting of 200", nested, Belongs::ByAddress, true, vec![]),
        (
            "nested emails",
            nested_emails,
            Belongs::ByAddress,
            true,
            vec![],
        ),
        (
            "a header of 1 MB",
            long_header,
            Belongs::ByAddress,
            true,
            vec!["words"],
        ),
        (
            "5,000 references",
            many_ids,
            Belongs::ByAddress,
            true,
            vec!["words"],
        ),
        ("NUL", nul, Belongs::ByAddress, true, vec!["words"]),
        (
            "no body",
            format!("{trusted}{from}{to}{rest}"),
            Belongs::ByAddress,
            true,
            vec![],
        ),
        (
            "a boundary that never comes",
            format!(
                "{trusted}{from}{to}{rest}Content-Type: multipart/mixed; boundary=never\n\nwords\n"
            ),
            Belongs::ByAddress,
            true,
            vec![],
        ),
        (
            "an unknown character set",
            format!(
                "{trusted}{from}{to}{rest}Content-Type: text/plain; charset=x-klingon\n\nwords\n"
            ),
            Belongs::ByAddress,
            true,
            vec!["words"],
        ),
        (
            "broken base64",
            format!(
                "{trusted}{from}{to}{rest}Content-Type: text/plain\nContent-Transfer-Encoding: base64\n\n@@@@ not base64\n"
            ),
            Belongs::ByAddress,
            true,
            vec![],
        ),
        (
            "scripts",
            format!(
                "{trusted}{from}{to}{rest}Content-Type: text/html\n\n<script>alert(1)</script><p onclick=x>words</p>\n"
            ),
            Belongs::ByAddress,
            true,
            vec!["words"],
        ),
    ];
    cases
        .into_iter()
        .enumerate()
        .map(|(at, (name, raw, belongs, is_verified, shown))| Sample {
            // The email inside is kept as a file.
            files: match name {
                "nested emails" => vec!["email.eml"],
                _ => Vec::new(),
            },
            name: format!("hostile: {name}"),
            raw: crlf(&raw.replace("<h@x.example>", &format!("<h{at}@x.example>"))),
            kind: Kind::Human,
            belongs,
            is_verified,
            shown,
            folded: Vec::new(),
        })
        .collect()
}
