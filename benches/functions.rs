//! Microbenchmarks of functions on hot paths (criterion).

#![allow(
    clippy::unwrap_used,
    reason = "a measurement that cannot go on should stop"
)]

use std::hint::black_box;

use auth::keys;
use auth::sessions::access_token;
use auth::sessions::access_token::Claims;
use config::Config;
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use domain::account::Aal;
use domain::clock::{Clock, Time};
use domain::form::{Forms, RawValue};
use domain::offer::document;
use domain::request::quote::NewQuote;
use domain::spam::{self, Visit};
use domain::text::clean;
use guardpost::app::page_settings;
use http::forms::submit::RawForm;
use http::pages::page_map::PageMap;
use poem::http::{HeaderMap, Method, Uri};

/// A quote as posted.
fn filled() -> RawForm<'static> {
    [
        ("first_name", "María"),
        ("last_name", "O’Brien"),
        ("email", "maria@property.example"),
        ("phone", "(713) 555-0188"),
        ("company", "Bayou Property & Sons"),
        ("service_type", "fire-watch"),
        ("location", "Houston, TX"),
        ("start_date", "2099-12-01"),
        ("duration", "1-week"),
        (
            "description",
            "Panel is down on floors 3 to 9, two guards around the clock until the \
                         contractor is done",
        ),
    ]
    .map(|(key, value)| (key, value.to_owned()))
    .into_iter()
    .collect()
}

fn forms(bench: &mut Criterion) {
    let forms = Forms::bundled().unwrap();
    let raw = filled();
    bench.bench_function("judge a quote by the form's rules", |b| {
        b.iter(|| {
            NewQuote::parse(
                &forms.quote,
                |key| black_box(&raw).entry(key),
                None,
                "2026-11-20",
            )
            .unwrap()
        });
    });
    bench.bench_function("fingerprint a submission", |b| {
        b.iter(|| black_box(&raw).fingerprint())
    });
}

/// The longest text that the forms accept, and a usual one.
fn spam_signals(bench: &mut Criterion) {
    let forms = Forms::bundled().unwrap();
    let usual = filled();
    let long = "Panel on flöör three is down. ".repeat(2000 / 30);
    for (name, description) in [("usual", None), ("the greatest", Some(long.as_str()))] {
        let entry = |key: &str| match description {
            Some(text) if key == "description" => RawValue::Text(text),
            _ => usual.entry(key),
        };
        let quote = NewQuote::parse(&forms.quote, entry, None, "").unwrap();
        bench.bench_function(&format!("assess a quote of {name} length for spam"), |b| {
            b.iter(|| spam::assess(&black_box(&quote).texts(), Visit::default()))
        });
    }
}

/// Tags that never close, of growing length: time by byte stays the same.
fn cleaning(bench: &mut Criterion) {
    let mut group = bench.benchmark_group("clean a hostile text");
    for size in [4_096, 16_384, 65_536] {
        let spread = format!("<{}{}", " ".repeat(size / 2), ">".repeat(size / 2));
        let nested = "<a".repeat(size / 3) + &">".repeat(size / 3);
        for (name, text) in [("spread", spread), ("nested", nested)] {
            group.throughput(Throughput::Bytes(text.len() as u64));
            group.bench_function(BenchmarkId::new(name, size), |b| {
                b.iter(|| clean(black_box(&text), true));
            });
        }
    }
    group.finish();
}

fn tokens(bench: &mut Criterion) {
    let now = Time::parse("2026-11-21T12:00:00Z").unwrap();
    let ring = keys::parse(&keys::generate().unwrap()).unwrap().keys;
    let claims = Claims {
        sub: "0192f1de-7b5a-7000-8000-000000000001".to_owned(),
        session_id: "0192f1de-7b5a-7000-8000-000000000002".to_owned(),
        aud: access_token::AUDIENCE.to_owned(),
        iss: "http://127.0.0.1:8080/auth/v1".to_owned(),
        role: access_token::AUDIENCE.to_owned(),
        aal: Aal::Aal1,
        amr: Vec::new(),
        iat: now.to_string(),
        nbf: now.to_string(),
        exp: now.plus_seconds(900).to_string(),
    };
    let signed = access_token::sign(&ring, &claims, now).unwrap();
    bench.bench_function("verify an access token", |b| {
        b.iter(|| access_token::verify(&ring, black_box(&signed), &claims.iss, now).unwrap());
    });
}

fn pages(bench: &mut Criterion) {
    let mut config = Config::default();
    let data = tempfile::tempdir().unwrap();
    config.data.dir = data.path().to_owned();
    let settings = page_settings(&config, &Clock::system());
    let pages = PageMap::open(&config.company, &settings).unwrap();
    let mut headers = HeaderMap::new();
    headers.insert(
        "accept-encoding",
        "gzip, deflate, br, zstd".parse().unwrap(),
    );
    for path in ["/fire-watch", "/nothing-here"] {
        let uri: Uri = path.parse().unwrap();
        bench.bench_function(&format!("look up the page {path}"), |b| {
            b.iter(|| {
                pages
                    .response(&Method::GET, black_box(&uri), &headers)
                    .unwrap()
            });
        });
    }
}

/// An offer of two pages.
fn offers(bench: &mut Criterion) {
    let offer = include_bytes!("../src/tests/golden/offer.json");
    let offer = document::from_json(offer).unwrap();
    bench.bench_function("make the PDF of an offer", |b| {
        b.iter(|| document::pdf(black_box(&offer)).unwrap());
    });
}

criterion_group!(
    functions,
    forms,
    spam_signals,
    cleaning,
    tokens,
    pages,
    offers
);
criterion_main!(functions);
