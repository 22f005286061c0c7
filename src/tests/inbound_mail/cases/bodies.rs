//! Bodies: what is shown of HTML, of characters, of transfer encodings and of flowed text.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::answer;

fn shown(fields: &str, body: impl AsRef<[u8]>) -> String {
    answer(fields, body).email.text
}

fn html(body: &str) -> String {
    shown("Content-Type: text/html; charset=utf-8\n", body)
}

#[test]
fn html_is_shown_as_a_person_sees_it() {
    let bodies: Vec<(String, String)> = serde_json::from_str(include_str!("html.json")).unwrap();
    for (body, text) in bodies {
        assert_eq!(html(&body), text, "{body}");
    }
}

#[test]
fn a_large_picture_inside_html_costs_no_word_and_what_is_cut_is_said() {
    let picture = "A".repeat(1_150_000);
    let body = format!(
        "<p><img src=\"data:image/png;base64,{picture}\"></p><p>Please quote this gate.</p>"
    );
    let read = answer("Content-Type: text/html\n", body);
    assert_eq!(read.email.text, "Please quote this gate.");
    assert!(!read.email.is_cut);
    for kind in ["text/html", "text/plain"] {
        let long = answer(
            &format!("Content-Type: {kind}\n"),
            "many words ".repeat(200_000),
        );
        assert!(long.email.is_cut, "{kind}");
        assert!(long.email.text.starts_with("many words"), "{kind}");
    }
}

#[test]
fn characters_are_those_of_the_label_or_of_the_bytes() {
    let named = |label: &str| format!("Content-Type: text/plain; charset={label}\n");
    for (label, bytes, text) in [
        ("utf-8", b"Ma\xc3\xb1ana \x93x\x94".as_slice(), "Mañana “x”"),
        ("us-ascii", b"Ma\xc3\xb1ana", "Mañana"),
        ("iso-8859-1", b"Ma\xc3\xb1ana", "Mañana"),
        ("iso-8859-1", b"Ma\xf1ana", "Mañana"),
        ("\"ISO_8859-1\"", b"Ma\xf1ana", "Mañana"),
        ("latin-1", b"Ma\xf1ana", "Mañana"),
        ("unknown-8bit", b"Ma\xf1ana", "Mañana"),
        ("x-klingon", b"Ma\xc3\xb1ana", "Mañana"),
        ("windows-1251", b"\xcf\xee\xed", "Пон"),
        ("iso-8859-2", b"\xb3\xf3d\xbc", "łódź"),
        ("ks_c_5601-1987", b"\xba\xcf\xb9\xae", "북문"),
        ("big5", b"\xa5_\xaa\xf9", "北門"),
        ("shift_jis", b"\x8c\x8e\x97j", "月曜"),
        ("euc-jp", b"\xb7\xee\xcd\xcb", "月曜"),
        ("us-ascii", b"\x1b$B7nMK\x1b(B ok", "月曜 ok"),
        ("iso-2022-jp", b"\x1b$B7n\x1b(B\x1b$BMK\x1b(B", "月曜"),
        ("iso-2022-kr", b"\x1b$)C\n\x0e:O9.\x0f ok", "북문 ok"),
        ("hz-gb-2312", b"a ~{11CE~} ~~ b", "a 北门 ~ b"),
        ("utf-7", b"Ma+APE-ana", "Mañana"),
        ("cp437", b"Ma\xa4ana", "Mañana"),
    ] {
        assert_eq!(shown(&named(label), bytes), text, "{label}");
    }
    assert_eq!(shown("", b"Ma\xf1ana"), "Mañana", "no label");
    let meta = b"<meta charset='windows-1251'><p>\xcf\xee\xed</p>";
    assert_eq!(shown("Content-Type: text/html\n", meta), "Пон");
}

#[test]
fn subjects_and_names_are_decoded_in_every_character_set() {
    for (field, subject) in [
        ("plain", "plain"),
        ("=?utf-8?Q?Ma=C3=B1ana_a_las_6?=", "Mañana a las 6"),
        ("=?utf-8?Q?Ma=C3?= =?utf-8?Q?=B1ana?=", "Mañana"),
        ("=?utf-8?B?TWHDsWFuYQ?=", "Mañana"),
        ("Re: =?x-unknown?Q?a=F1?= b", "Re: añ b"),
        ("=?utf-8?Q?a?= b =?utf-8?Q?c?=", "a b c"),
        ("=?utf-8?B?@@?= x", "=?utf-8?B?@@?= x"),
        ("=?not a word?=", "=?not a word?="),
    ] {
        let read = answer(&format!("Subject: {field}\n"), "x");
        assert_eq!(read.email.subject, subject, "{field}");
    }
}

#[test]
fn transfer_encodings_are_read_as_programs_write_them() {
    let packed = STANDARD.encode("Two guards, please.\n");
    for (encoding, body, text) in [
        ("base64 (made by x)", packed.clone(), "Two guards, please."),
        ("\"BASE64\"", packed.clone(), "Two guards, please."),
        (
            "base64",
            format!("{packed}\n_______________\nOwners mailing list\n"),
            "Two guards, please.\n\n_______________\nOwners mailing list",
        ),
        (
            "base64",
            format!("{}\n", packed.trim_end_matches('=')),
            "Two guards, please.",
        ),
        (
            "base64",
            "these are words, no base64".to_owned(),
            "these are words, no base64",
        ),
        (
            "quoted-printable",
            "a=20=\nb=3Dc =zz=".to_owned(),
            "a b=c =zz",
        ),
        ("x-unknown", "as it is = x".to_owned(), "as it is = x"),
    ] {
        let fields = format!("Content-Type: text/plain\nContent-Transfer-Encoding: {encoding}\n");
        assert_eq!(shown(&fields, body), text, "{encoding}");
    }
}

#[test]
fn flowed_lines_are_joined() {
    let flowed = |delsp: &str, body: &str| {
        let fields = format!("Content-Type: text/plain; charset=utf-8; format=flowed{delsp}\n");
        shown(&fields, body)
    };
    for (body, text) in [
        ("a long \nline\nnext", "a long line\nnext"),
        ("a \r\nb \r\nc\r\n", "a b c"),
        (" From here\n >no quote", "From here\n>no quote"),
        ("> a \n> b\nc", "> a b\nc"),
        ("a \n> b", "a\n> b"),
        ("words \n\nmore", "words\n\nmore"),
    ] {
        assert_eq!(flowed("", body), text, "{body:?}");
    }
    assert_eq!(flowed("; delsp=yes", "wo \nrd"), "word");
    let signed = answer(
        "Content-Type: text/plain; format=flowed\n",
        "words \n-- \nMaria",
    );
    assert_eq!(
        (signed.email.text.as_str(), signed.email.folded.as_str()),
        ("words", "--\nMaria")
    );
}

#[test]
fn parts_without_an_end_or_a_boundary_lose_no_word_and_no_file() {
    let text = "Content-Type: text/plain\n\nTwo guards.\n";
    let html = "Content-Type: text/html\n\n<p>Two guards.</p>\n";
    let pdf = "Content-Type: application/pdf; name=plan.pdf\n\n%PDF\n";
    let inner = format!(
        "Content-Type: multipart/alternative;\n\tBoundary=\"in\"\n\n--in\n{text}--in\n{html}"
    );
    for (what, kind, body) in [
        ("no end", "; boundary=b", format!("--b\n{text}--b\n{pdf}")),
        (
            "no end of the inner one",
            "; boundary=b",
            format!("--b\n{inner}--b\n{pdf}--b--\n"),
        ),
        (
            "no end at all",
            "; boundary=b",
            format!("--b\n{inner}--b\n{pdf}"),
        ),
        ("no boundary", "", format!("--b\n{text}--b\n{pdf}--b--\n")),
        ("neither", "", format!("--b\n{inner}--b\n{pdf}")),
        (
            "all",
            "; boundary=b",
            format!("--b\n{inner}--in--\n--b\n{pdf}--b--\n"),
        ),
        (
            "words above",
            "; boundary=b",
            format!("-- \nno part\n--b\n{text}--b\n{pdf}--b--\n"),
        ),
    ] {
        for body in [body.replace('\n', "\r\n"), body] {
            let fields = format!("Content-Type: multipart/mixed{kind}\n");
            let read = answer(&fields, body);
            let names: Vec<_> = read.files.iter().map(|file| file.name.as_str()).collect();
            assert_eq!(
                (read.email.text.as_str(), names),
                ("Two guards.", vec!["plan.pdf"]),
                "{what}"
            );
        }
    }
    let words = answer(
        "Content-Type: multipart/mixed; boundary=never\n",
        "just words",
    );
    assert_eq!(words.email.text, "just words");
}

#[test]
fn html_of_no_more_than_tags_is_read_to_its_end() {
    for part in [
        "<tr><td>",
        "<td>",
        "<td>a",
        "<br><td>",
        "<blockquote>",
        "<s>",
        "</s>",
        "<ul><li>",
        "<a href=http://x>",
        "<pre> ",
        "<div class=x>",
    ] {
        let read = answer("Content-Type: text/html\n", part.repeat(30_000));
        assert!(read.email.text.len() <= 100_000, "{part}");
    }
    let lines = answer(
        "Content-Type: text/plain\n",
        "\n> a\nOn 1:11 2026:".repeat(60_000),
    );
    assert!(lines.email.is_cut);
}

#[test]
fn a_header_of_a_megabyte_costs_no_word() {
    let read = answer(&format!("X-Long: {}\n", "a ".repeat(512 * 1024)), "words\n");
    assert_eq!(read.email.text.trim(), "words");
}
