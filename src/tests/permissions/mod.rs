//! Who may call what: every call of the API description that needs a role, by visitors, users
//! without a role, dispatchers and admins.

mod recent_sign_in;

use reqwest::{Method, Response};
use serde_json::{Value, json};

use crate::support::app::TestApp;

/// The operations that dispatchers may call. A new operation is decided here, too.
const OF_DISPATCHERS: &[&str] = &[
    "acknowledgeAlarm",
    "addNote",
    "addReplyTemplate",
    "answerOffer",
    "attachEmail",
    "beginOffer",
    "changeReplyTemplate",
    "changeRequest",
    "changeRequests",
    "confirmOffer",
    "correctRequest",
    "deleteFilter",
    "deleteNote",
    "deleteReplyTemplate",
    "discardEmail",
    "discardOffer",
    "discardRequest",
    "editRequest",
    "forwardMessage",
    "getOffer",
    "getOfferFile",
    "getOnCall",
    "getQuote",
    "getRates",
    "keepDraft",
    "listAlarms",
    "listFilledReplyTemplates",
    "listFilters",
    "listInbox",
    "listInboxIds",
    "listOffers",
    "listPeople",
    "listPushDevices",
    "listQuotes",
    "listReplyTemplates",
    "listRequestOffers",
    "listTaps",
    "listUnmatched",
    "logCall",
    "makeOfferPreview",
    "makeQuoteOfEmail",
    "makeQuoteOfMessage",
    "makeRequestOfEmail",
    "markAsSpam",
    "markRead",
    "mergeRequests",
    "moveQuote",
    "objectInfo",
    "passOnAlarm",
    "priceOffer",
    "readEmailFields",
    "readObject",
    "readObjectAsAdmin",
    "readPhoneDraft",
    "readProfile",
    "releaseRequest",
    "removeRequestFile",
    "replyToRequest",
    "restoreEmail",
    "retryEmail",
    "saveFilter",
    "saveOffer",
    "saveProfile",
    "sendOffer",
    "separateRequest",
    "setFollowUp",
    "setMessagesAside",
    "setOutcome",
    "setPresence",
    "signObject",
    "signObjects",
    "subscribeToPush",
    "takePhoneRequest",
    "testPush",
    "undoBulkChange",
    "undoChange",
    "unsubscribeFromPush",
    "watchRequests",
    "withdrawOffer",
];

/// A call of the API description, with values for the variables of its path.
struct Operation {
    method: Method,
    path: String,
    id: String,
}

impl Operation {
    /// The operations of the admin side: those that need an access token and a role.
    fn all() -> Vec<Self> {
        let document: Value = serde_json::from_str(include_str!("../golden/openapi.json")).unwrap();
        let mut all = Vec::new();
        for (path, methods) in document["paths"].as_object().unwrap() {
            let needs_role = ["/api/admin/", "/auth/v1/admin/", "/storage/v1/"]
                .iter()
                .any(|prefix| path.starts_with(prefix));
            for (method, operation) in methods.as_object().unwrap() {
                if needs_role && operation.get("security").is_some() {
                    all.push(Self {
                        method: method.to_uppercase().parse().unwrap(),
                        path: filled(path),
                        id: operation["operationId"].as_str().unwrap().to_owned(),
                    });
                }
            }
        }
        all
    }

    async fn call(&self, app: &TestApp, token: Option<&str>) -> Response {
        let mut request = app.http.request(self.method.clone(), app.url(&self.path));
        request = request.header("tus-resumable", "1.0.0");
        if let Some(token) = token {
            request = request.bearer_auth(token);
        }
        if self.method != Method::GET {
            request = request.json(&json!({}));
        }
        request.send().await.unwrap()
    }
}

/// The path with a bucket of requests' files and ids that do not exist.
fn filled(path: &str) -> String {
    let of_requests = path.replace("{bucket}", "quotes");
    let with_key = of_requests.replace("{key}", "none/none.jpg");
    let mut filled = String::new();
    for part in with_key.split_inclusive('}') {
        match part.split_once('{') {
            Some((before, _)) => {
                filled += before;
                filled += "00000000-0000-4000-8000-000000000000";
            }
            None => filled += part,
        }
    }
    filled
}

/// Whether an answer refuses the caller: 401 or 403, which the storage service has in its body.
async fn refuses(answer: Response) -> bool {
    let status = answer.status().as_u16();
    if [401, 403].contains(&status) {
        return true;
    }
    if status != 400 {
        return false;
    }
    let body: Value = answer.json().await.unwrap_or_default();
    ["401", "403"]
        .iter()
        .any(|code| body["statusCode"] == *code)
}

#[tokio::test]
async fn every_call_decides_by_role() {
    let app = TestApp::with(|config| config.limits.api_per_minute = 100_000).await;
    let (admin, dispatcher) = (app.admin().await, app.dispatcher().await);
    let member = app.member().await;
    let operations = Operation::all();
    assert!(operations.len() > 75, "{}", operations.len());
    for operation in &operations {
        let Operation { method, path, id } = operation;
        let name = format!("{id}: {method} {path}");
        for token in [None, Some("nonsense")] {
            let visitor = operation.call(&app, token).await;
            assert!(visitor.status().is_client_error(), "visitor: {name}");
            if path.starts_with("/api/admin/") {
                assert_eq!(visitor.status(), 401, "visitor: {name}");
                let problem = "application/problem+json";
                assert_eq!(visitor.headers()["content-type"], problem, "{name}");
            }
        }
        let member = operation.call(&app, Some(&member.access_token)).await;
        assert!(refuses(member).await, "member: {name}");
        let refused = refuses(operation.call(&app, Some(&dispatcher.access_token)).await).await;
        let allowed = OF_DISPATCHERS.contains(&id.as_str());
        assert_eq!(refused, !allowed, "dispatcher: {name}");
        let admin = operation.call(&app, Some(&admin.access_token)).await;
        assert!(!refuses(admin).await, "admin: {name}");
    }
}

#[tokio::test]
async fn dispatchers_do_not_read_other_files_nor_change_any() {
    let app = TestApp::start().await;
    app.bucket(&app.admin().await, "site").await;
    let token = app.dispatcher().await.access_token;
    for (method, path) in [
        (Method::GET, "/storage/v1/object/site/none.jpg"),
        (
            Method::GET,
            "/storage/v1/object/authenticated/site/none.jpg",
        ),
        (Method::POST, "/storage/v1/object/sign/site"),
        (Method::POST, "/storage/v1/object/sign/site/none.jpg"),
        (Method::POST, "/storage/v1/object/sign/%71uotes"),
        (Method::POST, "/storage/v1/object/quotes/none.jpg"),
        (
            Method::POST,
            "/storage/v1/object/upload/sign/quotes/none.jpg",
        ),
        (Method::DELETE, "/storage/v1/object/quotes/none.jpg"),
        (Method::POST, "/storage/v1/object/list/quotes"),
    ] {
        let answer = app.call(&token, method.clone(), path, json!({})).await;
        let status = answer.status();
        assert!(refuses(answer).await, "{method} {path}: {status}");
    }
}

#[tokio::test]
async fn requests_are_assigned_to_dispatchers_and_stay_when_the_role_changes() {
    let app = TestApp::start().await;
    let admin = app.admin().await;
    let dispatcher = app.dispatcher().await;
    let id = app.stored(json!({})).await;
    let call = async |method: Method, path: &str, body: Value| {
        app.call(&admin.access_token, method, path, body).await
    };
    let people = call(Method::GET, "/api/admin/people", Value::Null).await;
    let people: Value = people.json().await.unwrap();
    assert_eq!(people["people"][1]["email"], dispatcher.email.as_str());
    let path = format!("/api/admin/inbox/{id}");
    let read = app.call(&dispatcher.access_token, Method::GET, &path, Value::Null);
    assert_eq!(read.await.status(), 200);
    let body = json!({ "assignee": dispatcher.id });
    assert_eq!(call(Method::PATCH, &path, body).await.status(), 200);

    let user = format!("/auth/v1/admin/users/{}", dispatcher.id);
    for (role, kept) in [("admin", 1), ("dispatcher", 1), ("authenticated", 0)] {
        let set = call(Method::PUT, &user, json!({ "role": role })).await;
        assert_eq!(set.status(), 200, "{role}");
        let assigned = app.rows("requests WHERE assignee IS NOT NULL").await;
        assert_eq!(assigned, kept, "{role}");
    }
    let unknown = call(Method::PUT, &user, json!({ "role": "owner" })).await;
    assert_eq!(unknown.status(), 400);
    assert_eq!(app.rows("user_roles").await, 1);
}
