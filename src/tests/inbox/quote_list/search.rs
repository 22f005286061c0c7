//! The search of the quote list: words, prefixes, and quotes that were just stored.

use domain::request::quote::Status;
use serde_json::{Value, json};

use crate::support::app::TestApp;

#[tokio::test]
async fn the_list_is_searched_by_words_of_which_the_last_may_be_a_prefix() {
    let app = TestApp::start().await;
    let lots: &[Value] = &[
        json!({"location": "Galveston", "first_name": "José", "last_name": "Núñez",
            "company": "Müller & Söhne", "phone": "(713) 555-0188"}),
        json!({"location": "Dallas", "first_name": "Anna", "last_name": "D'Angelo",
            "email": "anna.d@port-security.example", "phone": "+1 214.555.0199"}),
        json!({"location": "Waco", "first_name": "Zoe\u{301}", "last_name": "Adams-Lee",
            "phone": "832-555-0123", "description": "Concert on Friday night, doors at 6 pm"}),
        json!({"location": "Austin", "first_name": "Иван", "last_name": "Петров",
            "phone": "281 555 0145", "description": "कक्षा की सुरक्षा"}),
    ];
    for lot in lots {
        app.clock.advance(1);
        app.stored(lot.clone()).await;
    }
    for (words, found) in [
        ("galveston", &["Galveston"][..]),
        ("GALV", &["Galveston"]),
        ("jose nunez", &["Galveston"]),
        ("Nún\u{303}ez", &["Galveston"]),
        ("nun\u{303}", &["Galveston"]),
        ("muller sohne", &["Galveston"]),
        ("7135550188", &["Galveston"]),
        ("713555", &["Galveston"]),
        ("(713) 555-01", &["Galveston"]),
        ("555-01", &["Austin", "Waco", "Dallas", "Galveston"]),
        ("214 0199", &["Dallas"]),
        ("d'angelo", &["Dallas"]),
        ("anna.d@port-security.example", &["Dallas"]),
        ("zoe", &["Waco"]),
        ("concert friday doo", &["Waco"]),
        ("adams-lee", &["Waco"]),
        ("friday adams", &["Waco"]),
        ("петров", &["Austin"]),
        ("ПЕТ", &["Austin"]),
        ("सुरक्षा", &["Austin"]),
        ("o’brien", &["Austin"][..0]),
        ("friday galveston", &[]),
        ("ustin", &[]),
    ] {
        assert_eq!(app.found(None, words).await, found, "{words}");
    }
    assert_eq!(app.found(Some(Status::Pending), "concert").await, ["Waco"]);
    assert_eq!(app.found(Some(Status::Completed), "concert").await, [""; 0]);
}

#[tokio::test]
async fn a_quote_just_stored_by_another_process_is_found() {
    let app = TestApp::start().await;
    let other = app.beside().await;
    for stored in 1..=3 {
        app.stored(json!({"location": "Galveston"})).await;
        let words = ["galveston", "galvest"][stored % 2];
        assert_eq!(other.found(None, words).await.len(), stored, "{words}");
    }
}
