//! The customer's page: what it shows, which links open it, and that reading changes nothing.

use reqwest::{Method, Response};
use serde_json::json;

use super::{Desk, acceptance, link};

#[tokio::test]
async fn twenty_scanners_change_nothing_and_nobody_caches_or_indexes_the_page() {
    let desk = Desk::open().await;
    let offer = desk.delivered().await;
    let state = |sql: &'static str| desk.app.rows(sql);
    let before = (state("events").await, state("outbox").await);
    for number in 0..20 {
        let method = if number % 2 == 0 {
            Method::GET
        } else {
            Method::HEAD
        };
        let url = desk.app.url(&link(&offer));
        let request = desk.app.http.request(method, url);
        let response = request.header("purpose", "prefetch").send().await.unwrap();
        assert_eq!(response.status(), 200);
        let headers = response.headers();
        assert_eq!(headers["cache-control"], "no-store");
        assert_eq!(headers["x-robots-tag"], "noindex");
        assert_eq!(headers["referrer-policy"], "same-origin");
    }
    assert_eq!((state("events").await, state("outbox").await), before);
    assert_eq!(desk.app.rows("offer_states WHERE state = 'sent'").await, 1);
}

#[tokio::test]
async fn what_matters_comes_first_then_the_offer_then_the_forms() {
    let desk = Desk::open().await;
    let offer = desk.delivered().await;
    let (_, page) = desk.page(&link(&offer)).await;
    let place = |part: &str| page.find(part).unwrap_or_else(|| panic!("{part}: {page}"));
    let order = [
        "<h1>Offer",
        "<b>$6,392.81</b> <span>total, including tax",
        "Fire watch officer in Houston, TX",
        "Tuesday, December 8 to Monday, December 14, 2026",
        "Valid through",
        "href=\"#name\">Accept</a>",
        "Total for the term",
        "name=\"name\"",
        "name=\"consent\"",
        "<h2>Service</h2>",
        "<h2>Conditions</h2>",
        "Prepared for",
        "Download PDF",
        "<summary class=\"button button-line\">Ask a question",
        "Decline this offer",
    ];
    assert!(order.map(place).is_sorted(), "{page}");
    assert!(!page.contains("Open the link in the email"), "{page}");
    assert!(
        page.contains("<header class=\"site-header\""),
        "the site's header: {page}"
    );
    let status_page = "href=\"/case/GP-";
    assert!(page.contains(status_page), "the way to the request: {page}");
    let style = desk.app.http.get(desk.app.url("/offer/page.css"));
    let style = style.send().await.unwrap();
    assert_eq!(style.headers()["content-type"], "text/css; charset=utf-8");
}

#[tokio::test]
async fn links_that_were_changed_open_nothing_and_do_not_say_what_exists() {
    let desk = Desk::open().await;
    let offer = desk.delivered().await;
    let other = desk.delivered().await;
    let (own, foreign) = (link(&offer), link(&other));
    let (_, tag) = own.rsplit_once('-').unwrap();
    let (_, foreign_tag) = foreign.rsplit_once('-').unwrap();
    let mut seen = Vec::new();
    for wrong in [
        own.replace(tag, foreign_tag),
        own.replace(".1-", ".2-"),
        own[..own.len() - 1].to_owned(),
        "/offer/GP-0000-1.1-00000000000000000000000000000000".to_owned(),
        "/offer/x".to_owned(),
        format!("/offer/{}", "9".repeat(5000)),
    ] {
        let (status, page) = desk.page(&wrong).await;
        assert_eq!(status, 404, "{wrong}");
        seen.push(page);
        let posted = desk.post_form(&wrong, "10.1.1.1", &acceptance(&[])).await;
        assert_eq!(posted.status(), 404, "{wrong}");
    }
    seen.dedup();
    assert_eq!(seen.len(), 1, "the same page for all");
    assert!(seen[0].contains("There is no offer under this link"));
    assert_eq!(desk.app.rows("offer_acceptances").await, 0);
}

#[tokio::test]
async fn posts_from_other_sites_and_too_many_posts_are_refused() {
    let desk = Desk::open().await;
    let offer = desk.delivered().await;
    let url = desk.app.url(&link(&offer));
    for headers in [
        [
            ("sec-fetch-site", "cross-site"),
            ("x-forwarded-for", "10.2.2.2"),
        ],
        [
            ("origin", "https://evil.example"),
            ("x-forwarded-for", "10.2.2.2"),
        ],
    ] {
        let mut request = desk.app.http.post(&url).form(&acceptance(&[]));
        for (name, value) in headers {
            request = request.header(name, value);
        }
        assert_eq!(request.send().await.unwrap().status(), 403);
    }
    let mut last = 0;
    for _ in 0..12 {
        let fields = acceptance(&[("email", "nobody")]);
        let response = desk.post_form(&link(&offer), "10.3.3.3", &fields).await;
        last = response.status().as_u16();
    }
    assert_eq!(last, 429);
    assert_eq!(desk.app.rows("offer_acceptances").await, 0);
    let answered = desk
        .post_form(&link(&offer), "10.4.4.4", &acceptance(&[]))
        .await;
    assert_eq!(answered.status(), 303, "other clients are not affected");
}

#[tokio::test]
async fn each_field_that_is_wrong_is_named_and_nothing_typed_is_lost() {
    let desk = Desk::open().await;
    let offer = desk.delivered().await;
    let long = "x".repeat(10_000);
    for (number, (changes, part)) in [
        ([("name", " ")], "Type your first and last name"),
        (
            [("name", long.as_str())],
            "The name has 10000 characters; at most 100 fit",
        ),
        ([("title", long.as_str())], "The title has 10000 characters"),
        ([("email", "maria at home")], "Type your email address"),
        ([("answer", "perhaps")], "The form is not complete"),
    ]
    .into_iter()
    .enumerate()
    {
        let mut fields = acceptance(&changes);
        let address = format!("10.5.5.{number}");
        let response = desk.post_form(&link(&offer), &address, &fields).await;
        assert!([400, 422].contains(&response.status().as_u16()));
        let page = response.text().await.unwrap();
        assert!(page.contains(part), "{part}: {page}");
        fields.remove("consent");
        let response = desk.post_form(&link(&offer), &address, &fields).await;
        let page = response.text().await.unwrap();
        if part.contains("email") {
            assert!(page.contains("Check this box"), "{page}");
            assert!(page.contains("value=\"maria at home\""), "{page}");
        }
    }
    let text = "y".repeat(501);
    let fields = [("answer", "decline".to_owned()), ("reason", text)].into();
    let response = desk.post_form(&link(&offer), "10.6.6.6", &fields).await;
    assert_eq!(response.status(), 422);
    let page = response.text().await.unwrap();
    let open = "<details id=\"decline\" class=\"answer\" open><summary";
    assert!(page.contains(open), "{page}");
    assert_eq!(desk.app.rows("offer_states WHERE state = 'sent'").await, 1);
    let accepted = desk.offer(&offer).await;
    assert_eq!(accepted["state"], json!("sent"));
}

#[tokio::test]
async fn a_post_that_is_refused_as_a_whole_returns_the_page_with_what_was_typed() {
    const QUESTION: &str = "Is parking included?";
    let desk = Desk::open().await;
    let offer = desk.delivered().await;
    let own = link(&offer);
    let ask = [
        ("answer", "ask".to_owned()),
        ("question", QUESTION.to_owned()),
    ];
    let from_elsewhere = desk.app.http.post(desk.app.url(&own)).form(&ask);
    let from_elsewhere = from_elsewhere.header("origin", "null").send().await;
    is_returned(from_elsewhere.unwrap(), 403, QUESTION).await;

    let accept = acceptance(&[("email", "nobody"), ("title", "Head of facilities")]);
    for _ in 0..10 {
        let response = desk.post_form(&own, "10.3.3.3", &accept).await;
        assert_eq!(response.status(), 422);
    }
    let too_often = desk.post_form(&own, "10.3.3.3", &accept).await;
    assert!(too_often.headers().contains_key("retry-after"));
    is_returned(too_often, 429, "value=\"Head of facilities\"").await;
    let decline = [
        ("answer", "decline".to_owned()),
        ("reason", "Too late for us".to_owned()),
    ];
    let too_often = desk.post_form(&own, "10.3.3.3", &decline.into()).await;
    is_returned(too_often, 429, "Too late for us</textarea>").await;

    desk.app
        .sql("CREATE TRIGGER full BEFORE INSERT ON events BEGIN SELECT RAISE(ABORT, 'x'); END")
        .await;
    let failed = desk.post_form(&own, "10.4.4.4", &ask.into()).await;
    is_returned(failed, 500, QUESTION).await;
}

/// The response is the page of the offer, with what was typed.
async fn is_returned(response: Response, status: u16, typed: &str) {
    assert_eq!(response.status(), status);
    let page = response.text().await.unwrap();
    assert!(page.contains("Your answer was not sent."), "{page}");
    assert!(page.contains("Accept this offer"), "{page}");
    assert!(page.contains(typed), "{typed}: {page}");
}

#[tokio::test]
async fn a_post_that_does_not_arrive_in_time_returns_what_has_arrived() {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    let desk = Desk::with(|config| config.server.body_seconds = 1).await;
    let offer = desk.delivered().await;
    let mut socket = tokio::net::TcpStream::connect(desk.app.address)
        .await
        .unwrap();
    let sent = format!(
        "POST {} HTTP/1.1\r\nHost: x\r\nContent-Length: 500\r\n\
         Content-Type: application/x-www-form-urlencoded\r\n\r\n\
         answer=ask&question=Is+parking+included%3F",
        link(&offer)
    );
    socket.write_all(sent.as_bytes()).await.unwrap();
    let mut response = String::new();
    socket.read_to_string(&mut response).await.unwrap();
    assert!(response.starts_with("HTTP/1.1 408 "), "{response}");
    let open = "<details id=\"ask\" class=\"answer\" open>";
    assert!(response.contains(open), "{response}");
    assert!(
        response.contains("Is parking included?</textarea>"),
        "{response}"
    );
}

/// What a reader sees of a page.
fn shown(page: &str) -> String {
    let body = page.split_once("<main id=\"main\">").unwrap().1;
    let mut text = String::new();
    for part in body.split('<') {
        let (_, after) = part.split_once('>').unwrap_or(("", part));
        text += after;
        text.push(' ');
    }
    let text = text
        .replace("&amp;", "&")
        .replace("&#39;", "'")
        .replace("&quot;", "\"");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[tokio::test]
async fn the_page_says_all_that_the_text_and_the_pdf_say_but_not_the_address_of_the_customer() {
    let desk = Desk::open().await;
    let offer = desk.begun().await;
    let line = json!([{ "title": "Guard booth & heating", "cents": 18_000, "state": "TX" }]);
    let offer = desk.changed(&offer, "/terms/manual", line).await;
    let message = json!("As agreed: one officer.\n\nPRICE\nWe start at once.");
    let offer = desk
        .sent(&desk.changed(&offer, "/message", message).await)
        .await;
    let (_, page) = desk.page(&link(&offer)).await;
    let stored = "SELECT CAST(text AS TEXT) FROM offer_versions";
    let text = desk.app.sql_text(stored).await;
    let shown = shown(&page);
    let skipped = ["Open the link in the email", "Email: "];
    let lines = text
        .lines()
        .filter(|line| !skipped.iter().any(|it| line.starts_with(it)));
    for line in lines {
        let sentence = line.starts_with("Fire watch officer in");
        let is_title = line == line.to_uppercase();
        // A label and its value, or a title and its paragraph.
        let ends = [line.find(": "), line.find(". ")];
        let parts = match ends.into_iter().flatten().min() {
            Some(end) => vec![&line[..end], &line[end + 2..]],
            None => vec![line],
        };
        for part in parts.into_iter().filter(|_| !sentence && !is_title) {
            let part = part.split_whitespace().collect::<Vec<_>>().join(" ");
            let part = part.trim_end_matches(':');
            assert!(shown.contains(part), "{part} is missing in {shown}");
        }
    }
    assert!(!page.contains("maria@property.example"), "{page}");
    assert!(page.contains("m***@property.example"), "{page}");
    assert!(!shown.contains("by hand"), "{shown}");
}

#[tokio::test]
async fn an_offer_in_the_words_of_an_earlier_release_is_shown_as_it_was_sent() {
    let desk = Desk::open().await;
    let offer = desk.delivered().await;
    desk.app
        .sql("DROP TRIGGER offer_versions_never_change")
        .await;
    desk.app
        .sql(
            "UPDATE offer_versions \
             SET text = CAST('OFFER GP\n\nPRICE\nOld words: $1.00\n' AS BLOB)",
        )
        .await;
    let (_, page) = desk.page(&link(&offer)).await;
    assert!(
        page.contains("PRICE\nOld words: $1.00\n</article>"),
        "{page}"
    );
    assert!(!page.contains("Fire watch officer, 24 hours"), "{page}");
    assert!(page.contains("href=\"#name\">Accept</a>"), "{page}");
}

#[tokio::test]
async fn an_offer_that_was_answered_says_neither_how_to_accept_nor_until_when() {
    for (answer, said) in [
        (
            "accept",
            "was accepted by María O’Brien on Saturday, November 21, 2026 at 6:00 AM CST",
        ),
        (
            "decline",
            "was declined on Saturday, November 21, 2026 at 6:00 AM CST",
        ),
    ] {
        let desk = Desk::open().await;
        let offer = desk.delivered().await;
        let fields = acceptance(&[("answer", answer)]);
        let answered = desk.post_form(&link(&offer), "10.7.7.7", &fields).await;
        assert_eq!(answered.status(), 303);
        let (_, page) = desk.page(&link(&offer)).await;
        assert!(page.contains(said), "{page}");
        for words in [
            "How to answer",
            "You can accept",
            "By accepting you say",
            "Accepting electronically",
            "Valid through",
            "#name",
        ] {
            assert!(!page.contains(words), "{answer}: {words}");
        }
        assert_eq!(
            page.contains("receipt.pdf\">Receipt (PDF)</a>"),
            answer == "accept"
        );
    }
}

#[tokio::test]
async fn the_answer_to_a_question_has_the_focus_and_is_announced() {
    let desk = Desk::open().await;
    let offer = desk.delivered().await;
    let (_, page) = desk.page(&format!("{}?asked", link(&offer))).await;
    let note = "role=\"status\" tabindex=\"-1\" autofocus>We have your question";
    assert!(page.contains(note), "{page}");
}

#[tokio::test]
async fn the_times_of_the_page_are_those_of_the_customers_place_with_the_offices_beside_them() {
    let desk = Desk::open().await;
    let begun = desk.begun_for(json!({ "start_date": "2026-12-01", "location": "96813" }));
    let offer = desk.sent(&begun.await).await;
    let (_, page) = desk.page(&link(&offer)).await;
    assert!(
        page.contains("at 7:59 PM HST (11:59 PM CST at our office)."),
        "{page}"
    );
    assert_eq!(page.matches("Valid through").count(), 1, "{page}");
    desk.post_form(&link(&offer), "10.7.7.7", &acceptance(&[]))
        .await;
    let (_, page) = desk.page(&link(&offer)).await;
    let at = "on Saturday, November 21, 2026 at 2:00 AM HST (6:00 AM CST at our office)";
    assert!(page.contains(at), "{page}");
}
