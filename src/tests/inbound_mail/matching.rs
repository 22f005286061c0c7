//! By what an email finds its request: the signed address, then the emails that it answers, and
//! never the subject.

use reqwest::Method;
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

#[tokio::test]
async fn an_email_to_two_signed_addresses_is_in_both_requests_each_with_its_own_files() {
    let mut desk = Desk::start().await;
    let first = desk.id.clone();
    let other = json!({"emergency_contact": false, "email": "bob@property.example"});
    desk.id = desk.app.stored(other).await;
    desk.app.run_outbox().await;
    let reply_to = desk.reply("And here?").await.reply_to.unwrap();
    let second = std::mem::replace(&mut desk.id, first.clone());
    let fields =
        format!("Cc: {reply_to}\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n");
    let parts = "--b\n\nBoth sites.\n--b\nContent-Type: application/pdf; name=plan.pdf\n\n\
                 %PDF-1.4 plan\n--b--";
    let head = super::desk::verified("property.example");
    let email = desk.email(1, &head, &desk.facts.customer, &fields, parts);
    desk.receive(&email).await;
    desk.receive(&email).await;
    for (id, known) in [(&first, true), (&second, false)] {
        assert_eq!(texts(&desk, id).await, ["Both sites."]);
        let request = desk.get(&format!("/api/admin/inbox/{id}")).await;
        let history = request["history"].as_array().unwrap();
        let wrote = history.iter().find(|event| event["verb"] == "wrote");
        assert_eq!(wrote.unwrap()["detail"]["known"], known);
        assert_eq!(request["unread"], true);
    }
    let body = json!({"email": "bob@property.example", "confirm": "bob@property.example"});
    desk.post("/api/admin/person/erase", body).await;
    let file = &desk.events("wrote").await[0]["detail"]["files"][0];
    let path = format!("/storage/v1/object/mail/{}", file["key"].as_str().unwrap());
    let response = desk.call(Method::GET, &path, json!({})).await;
    assert_eq!(response.status(), 200, "{file}");
    assert!(response.text().await.unwrap().contains("%PDF-1.4 plan"));
    let mail = "objects WHERE bucket_id = 'mail'";
    assert_eq!(desk.app.rows(mail).await, 2, "the copy of bob's ended");
}
