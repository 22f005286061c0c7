//! Hostile searches and cursors of the quote list.

use domain::request::quote::Status;
use serde_json::json;
use store::Error;
use store::lists::quote_list::QuoteQuery;

use crate::support::app::TestApp;

#[tokio::test]
async fn no_search_and_no_cursor_causes_a_server_error() {
    let app = TestApp::start().await;
    app.stored(json!({})).await;
    let long = "a ".repeat(5000);
    let hostile = [
        "\"",
        "*",
        "\"\"",
        "a\"b*",
        "NEAR(",
        "NEAR(a b, 2)",
        "a AND",
        "OR",
        "NOT",
        "-a",
        "^a",
        "{words}: a",
        "words:a",
        "a + b",
        "(",
        "))",
        "'",
        "';--",
        "\u{301}",
        "\u{301}a",
        "e\u{301}\u{301}\u{301}",
        "👮🏽‍♀️",
        "a👮b",
        "\u{0}",
        "a\u{0}b",
        "\u{24b6}",
        "a\u{24b6}b",
        "कि",
        "\u{345}",
        "\u{200d}",
        "\u{feff}x",
        "ﬀ",
        "İ",
        "ß",
        "\u{10ffff}",
        "\u{e000}",
        "x\u{e000}y",
        "%",
        "_",
        "\\",
        &long,
    ];
    for words in hostile {
        for status in [None, Some(Status::Pending)] {
            let query = QuoteQuery {
                status,
                search: words.to_owned(),
                limit: 10,
                cursor: None,
            };
            app.store
                .quotes(query)
                .await
                .unwrap_or_else(|error| panic!("{words:?}: {error}"));
        }
    }
    for cursor in [
        "",
        "_",
        "x",
        "w",
        "b",
        "wx",
        "w1_",
        "t",
        "t_",
        "t1x",
        "t-99999999999999999999999",
        "é",
        "é1",
        "9999",
        "w99999999999999999999999",
    ] {
        for words in ["", "houston"] {
            let query = QuoteQuery {
                search: words.into(),
                limit: 10,
                cursor: Some(cursor.into()),
                ..QuoteQuery::default()
            };
            match app.store.quotes(query).await {
                Ok(_) | Err(Error::Conflict(_)) => {}
                Err(error) => panic!("{cursor:?}: {error}"),
            }
        }
    }
}
