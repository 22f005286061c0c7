use super::templates::Rendered;
use super::*;
use domain::account::account_email::{AccountEmail, AccountEmailKind, CodeAndLink, EmailSecret};
use domain::email::message_id::EmailId;
use domain::email::notice::LicenseNotice;
use domain::email::report_notice::ReportNotice;
use domain::figures::report::{Report, ReportFigure};
use domain::figures::to_do::ToDoLine;
use domain::form::ExtraFields;
use domain::request::attribution::Attribution;
use domain::request::event::Replied;
use domain::request::quote::Status;
use domain::request::{Request, RequestKind};
use domain::storage::ScanState;
use domain::text::one_line;
use serde_json::json;
use store::inbox::replies::StoredReply;
use store::storage::objects::Object;

fn renderer() -> EmailRenderer {
    EmailRenderer::new(
        &Company::default(),
        "https://www.guardpost.example",
        Arc::new(Forms::bundled().unwrap()),
        &config::Mail::default(),
        CompanyTimes {
            zone: TimeZone::parse("America/Chicago").unwrap(),
            answer: AnswerTimes::new(24, 30),
        },
        EmailKeys {
            sealing: SealingKey::new(&[1; 32]).unwrap(),
            status_links: StatusLinks::new(&[1; 32]).unwrap(),
            offers: OfferKeys::new(&[1; 32], &[1; 32]).unwrap(),
            reply_addresses: ReplyAddresses::new(&[1; 32], "").unwrap(),
            message_ids: MessageIds::new(&[1; 32]).unwrap(),
        },
        Arc::new(|_| Box::pin(async { Ok(Vec::new()) })),
    )
    .unwrap()
}

fn request(kind: RequestKind, optional: Option<&str>) -> Request {
    let at = Time::parse("2026-11-21T12:00:00.000Z").unwrap();
    let of_quote = |text: &str| (kind == RequestKind::Quote).then(|| text.to_owned());
    Request {
        seq: 1,
        kind,
        id: "01a1fc3e-39c6-7a77-b418-fd7752849fdb".into(),
        reference: "GP-2K7Q".into(),
        created_at: at,
        updated_at: at,
        first_name: "Ana".into(),
        last_name: "Silva".into(),
        email: "ana@dock.example".into(),
        phone: "713-555-0177".into(),
        company: optional.map(str::to_owned),
        service: "fire-watch".into(),
        duration: of_quote("1-week"),
        start_date: of_quote("2026-12-01"),
        location: of_quote(optional.unwrap_or("Houston")),
        description: optional.map(str::to_owned),
        status: Status::Pending,
        emergency_contact: optional.is_some(),
        attribution: optional.map(|text| Attribution {
            utm_source: Some(text.to_owned()),
            ..Attribution::default()
        }),
        extra_fields: ExtraFields::new(),
        assignee: None,
        source: Default::default(),
        merged_into: None,
        answered_at: None,
        emailed_at: None,
        failed_reply: None,
        unanswered: None,
        unread: false,
        follow_up: None,
        outcome: None,
        held: None,
        signals: None,
    }
}

fn file() -> Object {
    Object {
        id: "01a1fc3e-39c6-7a77-b418-fd7752849fdc".into(),
        bucket_id: "quotes".into(),
        name: "a/plan.pdf".into(),
        owner: None,
        version: "1".into(),
        sha256: "0".repeat(64),
        size: 120_000,
        media_type: "application/pdf".into(),
        cache_control: "no-store".into(),
        user_metadata: None,
        scan: ScanState::Clean,
        created_at: Time::default(),
        updated_at: Time::default(),
    }
}

fn report(optional: Option<&str>) -> ReportNotice {
    ReportNotice {
        to: "owner@guard.example".into(),
        kind: "week".into(),
        report: Report {
            from: "2026-11-16".parse().unwrap(),
            until: "2026-11-22".parse().unwrap(),
            before_from: "2026-11-09".parse().unwrap(),
            before_until: "2026-11-15".parse().unwrap(),
            figures: ["Asked", "Won"].map(figure).into(),
            to_do: optional.map(to_do).into_iter().collect(),
        },
    }
}

fn figure(name: &str) -> ReportFigure {
    ReportFigure {
        name: name.into(),
        now: "12".into(),
        before: "10".into(),
        change: "+2".into(),
    }
}

fn to_do(text: &str) -> ToDoLine {
    ToDoLine {
        text: text.into(),
        path: Some("/admin".into()),
        urgent: true,
    }
}

fn license(optional: Option<&str>) -> LicenseNotice {
    LicenseNotice {
        state: "Texas".into(),
        number: "B-1".into(),
        holder: "Guardpost".into(),
        authority: optional.map(str::to_owned),
        expires: "2026-12-01".into(),
        days: 10,
        in_dashboard: optional.is_some(),
        to: None,
    }
}

fn account_email(kind: AccountEmailKind, optional: Option<&str>) -> AccountEmail {
    let (code, link) = ("048213".to_owned(), optional.map(str::to_owned));
    let to = "ana@dock.example";
    let changes = matches!(
        kind,
        AccountEmailKind::EmailChangeCurrent | AccountEmailKind::EmailChangeNew
    );
    AccountEmail {
        kind,
        to: to.into(),
        secret: EmailSecret::seal(
            &CodeAndLink { code, link },
            &SealingKey::new(&[1; 32]).unwrap(),
            to,
        )
        .unwrap(),
        new_email: changes.then(|| "new@dock.example".to_owned()),
        minutes: 60,
    }
}

#[test]
fn every_email_renders_with_and_without_its_optional_facts() {
    let renderer = renderer();
    for optional in [None, Some("<b>more</b>")] {
        let at = Time::default();
        let to = || renderer.staff[0].clone();
        let mut drafts = vec![
            renderer.license_email(to(), &license(optional)),
            renderer.report_email(&report(optional)),
            renderer.generated(
                to(),
                "office_address",
                json!({ "former": "old@guard.example", "current": "new@guard.example" }),
            ),
            renderer.maintenance_email(to(), "backup", "the disk is full", optional.map(|_| at)),
            renderer.maintenance_email(to(), "disk", "1% is free", None),
            renderer.maintenance_email(to(), "disk", "", None),
            renderer.alarm_email(to(), optional.map(|_| at)),
            renderer.generated(
                to(),
                "webhook_off",
                json!({ "name": optional.unwrap_or("CRM"), "error": "it answers 500" }),
            ),
        ];
        for kind in RequestKind::ALL {
            let request = request(kind, optional);
            drafts.push(renderer.acknowledgement(&request));
            let two = [request.clone(), request.clone()];
            drafts.push(renderer.acknowledgements(&request, &two));
            drafts.push(renderer.request_email(to(), &request));
            drafts.push(renderer.files_email(to(), &request, &[file()]));
            for step in [1, 2] {
                drafts.push(renderer.escalation_email(to(), &request, step));
            }
            drafts.push(renderer.reply(&StoredReply {
                request,
                reply: Replied {
                    to: "ana@dock.example".into(),
                    subject: "Your quote".into(),
                    text: "Hello".into(),
                    ..Replied::default()
                },
                earlier: vec![EmailId::Ours(1)],
            }));
        }
        for kind in AccountEmailKind::ALL {
            drafts.push(renderer.account_email(&account_email(kind, optional)));
        }
        for draft in drafts {
            let Rendered {
                subject,
                text,
                html,
            } = draft.unwrap().content;
            assert!(!subject.is_empty());
            assert!(text.ends_with("\n(713) 555-0142\n"), "{text}");
            assert!(!text.contains("none") && !html.contains(">none<"), "{text}");
            assert!(!text.contains("\n\n\n"), "{text}");
            assert!(
                !html.contains("<b>") && !html.contains("&amp;lt;"),
                "{html}"
            );
        }
    }
}

#[test]
fn every_template_is_valid() {
    let renderer = renderer();
    for (name, _) in templates::emails() {
        let compiled = renderer.templates.compile(name);
        assert!(compiled.is_ok(), "{name}: {:?}", compiled.err());
    }
}

#[test]
fn an_email_without_its_facts_is_an_error() {
    for (name, _) in templates::emails() {
        let rendered = renderer().templates.render(name, serde_json::json!({}));
        assert!(rendered.is_err(), "{name}");
    }
}

#[test]
fn a_visitors_text_stays_on_one_line() {
    for (text, line) in [
        ("Houston TX", "Houston TX"),
        ("a\r\nBcc: b@c.example", "a Bcc: b@c.example"),
        ("a\u{202e}b\u{0}c", "ab c"),
        ("  as long as it may be ", "as long as it may be"),
        ("  much   too long to be read ", "much too long to be…"),
    ] {
        assert_eq!(one_line(text, 20), line, "{text:?}");
    }
}

#[test]
fn a_label_wider_than_its_column_stands_apart_from_its_value() {
    let renderer = renderer();
    let to = renderer.staff[0].clone();
    let draft = renderer.maintenance_email(to, "backup", "the disk is full", None);
    let text = draft.unwrap().content.text;
    assert!(text.contains("\nLast success never\n"), "{text}");
}
