//! By what an email finds its request: the signed address, then the emails that it answers, and
//! never the subject.

use serde_json::json;

use super::desk::Desk;

/// The texts of the messages of a request.
async fn texts(desk: &Desk, id: &str) -> Vec<String> {
    let request = desk.get(&format!("/api/admin/inbox/{id}")).await;
    let history = request["history"].as_array().unwrap().iter();
    let wrote = history.filter(|event| event["verb"] == "wrote");
    wrote
        .map(|event| event["detail"]["text"].as_str().unwrap().to_owned())
        .collect()
}

#[tokio::test]
async fn the_signed_address_comes_first_then_in_reply_to_then_each_of_the_references() {
    let mut desk = Desk::start().await;
    let (first, signed, first_id) = (
        desk.id.clone(),
        desk.facts.signed.clone(),
        desk.facts.ours.clone(),
    );
    let other = json!({"emergency_contact": false, "location": "Elsewhere, TX"});
    desk.id = desk.app.stored(other).await;
    desk.app.run_outbox().await;
    let second = desk.id.clone();
    let second_id = format!("<{}>", desk.reply("And here?").await.message_id);
    let reference = desk.get(&format!("/api/admin/inbox/{second}")).await["reference"].clone();
    let plain = "office@guardpost.example";
    // The number of the email, its address, In-Reply-To, References, and whose it is.
    for (n, to, answers, references, is_first) in [
        (1, signed.as_str(), &second_id, &second_id, true),
        (2, plain, &first_id, &second_id, true),
        (3, plain, &second_id, &first_id, false),
        (4, plain, &"<unknown@x.example>".to_owned(), &first_id, true),
        (
            5,
            plain,
            &"<unknown@x.example>".to_owned(),
            &format!("{second_id} <a@x.example> <b@x.example> <c@x.example>"),
            false,
        ),
    ] {
        let email = format!(
            "From: maria@property.example\nTo: {to}\nSubject: [{reference}] Your request\n\
             Message-ID: <n{n}@property.example>\nIn-Reply-To: {answers}\n\
             References: {references}\n\nletter {n}\n",
            reference = reference.as_str().unwrap(),
        );
        desk.receive(email).await;
        let owner = if is_first { &first } else { &second };
        let found = texts(&desk, owner).await;
        assert_eq!(found.last().unwrap(), &format!("letter {n}"));
    }
    let by_subject = format!(
        "From: maria@property.example\nTo: {plain}\nSubject: Re: [{}] Your request\n\
         Message-ID: <n6@property.example>\n\nletter 6\n",
        reference.as_str().unwrap()
    );
    desk.receive(by_subject).await;
    let unmatched = desk.get("/api/admin/unmatched").await;
    assert_eq!(unmatched["emails"][0]["detail"]["text"], "letter 6");
    assert_eq!(texts(&desk, &first).await.len(), 3);
    assert_eq!(texts(&desk, &second).await.len(), 2);
}
