use super::*;

/// What earlier builds have stored of each verb, one a line.
const STORED: &str = include_str!("stored.txt");

#[test]
fn what_earlier_builds_have_stored_of_each_verb_is_read_and_stored_again_as_it_was() {
    let mut unread = Verb::ALL.map(Verb::as_str).to_vec();
    for (verb, stored) in STORED.lines().filter_map(|line| line.split_once(' ')) {
        let event = Event::parse(verb, stored).unwrap();
        assert_eq!(event.verb().as_str(), verb);
        let detail = event.detail().unwrap();
        let said: Value = serde_json::from_str(stored).unwrap();
        for (key, value) in said.as_object().unwrap() {
            assert_eq!(
                detail.get(key).unwrap_or(&Value::Null),
                value,
                "{verb} {key}"
            );
        }
        assert_eq!(Event::parse(verb, &detail.to_string()).unwrap(), event);
        unread.retain(|other| *other != verb);
    }
    assert_eq!(unread, ["received"], "this verb has no example");
}

#[test]
fn the_api_has_an_event_as_it_is_stored_but_for_the_text_of_a_deleted_note() {
    let shown = |verb: &str, stored: &str| Event::parse(verb, stored).unwrap().to_json().unwrap();
    let stored = json!({ "from": "pending", "to": "in_progress" });
    let moved = json!({ "verb": "moved", "detail": stored });
    assert_eq!(shown("moved", &stored.to_string()), moved);
    let deleted = shown("note_deleted", r#"{"note":7,"text":"Gate code"}"#);
    assert_eq!(deleted["detail"], json!({ "note": 7 }));
    let assigned = shown("assigned", r#"{"from":null,"to":"ada"}"#);
    let ada = json!({ "id": "ada", "email": null, "name": null });
    assert_eq!(assigned["detail"], json!({ "from": null, "to": ada }));
}
