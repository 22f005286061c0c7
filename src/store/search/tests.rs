use rusqlite::{Connection, params};

use super::index::index_pending;
use super::nearest::nearest;
use super::words::split_words;
use super::{expressions, terms};
use crate::Store;
use domain::ids;

/// Adds a quote at this `seq`.
const QUOTE: &str = "INSERT INTO requests (seq, kind, id, reference, created_at, updated_at,
       first_name, last_name, email, phone, service, duration, start_date, location,
       emergency_contact, company, merged_into)
     VALUES (?1, 'quote', ?2, '', '', '', '', '', '', '', '', '', '', '', 0, ?3, ?4)";

fn store() -> (tempfile::TempDir, Store) {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(&folder.path().join("guardpost.db")).unwrap();
    (folder, store)
}

fn has(conn: &Connection, words: &str) -> bool {
    let sql = "SELECT 1 FROM request_words WHERE request_words MATCH ?1";
    conn.prepare(sql).unwrap().exists([words]).unwrap()
}

#[tokio::test]
async fn what_other_rows_hold_of_a_request_is_indexed_with_it() {
    let note = "INSERT INTO events (seq, kind, at, verb, detail)
        VALUES (160, 'quote', '', 'noted', '{\"text\":\"gatehouse\"}')";
    let file = "INSERT INTO storage_buckets (id, name, public, created_at, updated_at)
          VALUES ('quotes', 'quotes', 0, '', '');
        INSERT INTO objects (id, bucket_id, name, version, sha256, size, media_type,
          cache_control, created_at, updated_at)
        SELECT '1', 'quotes', id || '/gatehouse.pdf', '', '', 0, '', '', '', '' FROM requests";
    let duplicate = QUOTE.replace("?1, 'quote', ?2", "161, 'quote', '2'");
    let duplicate = duplicate.replace("?3, ?4", "'gatehouse', 160");
    for (related, sql) in [("note", note), ("file", file), ("duplicate", &duplicate)] {
        let (_folder, store) = store();
        let sql = sql.to_owned();
        let is_found = move |conn: &Connection| {
            let id = ids::from_seq(160).to_string();
            conn.execute(QUOTE, params![160, id, "mill", None::<i64>])?;
            conn.execute_batch(&sql)?;
            index_pending(conn)?;
            Ok(has(conn, "gatehouse mill"))
        };
        assert!(store.write(is_found).await.unwrap(), "{related}");
    }
}

#[test]
fn the_last_word_of_a_search_is_a_prefix_and_signs_are_no_words() {
    let of = |search| expressions(&terms(search)).map(|[_, prefix]| prefix);
    assert_eq!(of("fire wat").as_deref(), Some("\"fire\" AND \"wat\"*"));
    assert_eq!(of("fire w").as_deref(), Some("\"fire\" AND \"w\""));
    for none in ["", "\"", "%", " * "] {
        assert_eq!(of(none), None, "{none}");
    }
}

#[tokio::test]
async fn a_search_without_a_hit_offers_the_nearest_words() {
    let (_folder, store) = store();
    let offered = |conn: &Connection| {
        let words = "Houston Household watch 7135550188 Núñez";
        conn.execute(
            "INSERT INTO request_words (rowid, words) VALUES (16, ?1)",
            [words],
        )?;
        let of = |search| nearest(conn, &terms(search));
        let searches = [
            "huoston",
            "Hosuton watch",
            "watc houston",
            "houston wacth",
            "nunes",
            "zebra",
            "wat",
            "7135550189",
            "hxy",
        ];
        searches
            .into_iter()
            .map(of)
            .collect::<crate::Result<Vec<_>>>()
    };
    let expected = [
        Some("houston"),
        Some("houston watch"),
        Some("watch houston"),
        Some("houston watch"),
        Some("nunez"),
        None,
        None,
        None,
        None,
    ];
    let offered = store.write(offered).await.unwrap();
    assert_eq!(
        offered.iter().map(Option::as_deref).collect::<Vec<_>>(),
        expected
    );
}

#[tokio::test]
async fn the_tokenizer_of_the_index_splits_no_word_again() {
    let (_folder, store) = store();
    let split_again = |conn: &Connection| {
        let mut index = conn.prepare("INSERT INTO request_words (rowid, words) VALUES (?1, ?2)")?;
        for c in (1..=u32::from(char::MAX)).filter_map(char::from_u32) {
            let text = format!("qa{c}zq");
            if split_words(&text).eq([text.as_str()]) {
                index.execute((u32::from(c), &text))?;
            }
        }
        let words = "SELECT count(*) FROM request_words";
        let words: i64 = conn.query_row(words, [], |row| row.get(0))?;
        Ok((has(conn, "qa"), words))
    };
    let (split_again, words) = store.write(split_again).await.unwrap();
    assert!(words > 100_000, "{words} letters, digits and accents");
    assert!(!split_again);
    let words: Vec<_> =
        split_words("O’Brien & Sons, “N\u{303}a”: 713-555 किसान a\u{24b6}b").collect();
    let expected = "O Brien Sons N\u{303}a 713 555 क स न a b";
    assert_eq!(words, expected.split(' ').collect::<Vec<_>>());
}
