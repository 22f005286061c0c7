//! `[mail]`

use config::Secret;
use serde_json::json;

use crate::mail::delivery::{app_with, deliver_all};
use crate::support::smtp::SmtpServer;

#[tokio::test]
async fn user_and_password_are_sent_to_the_mail_server() {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), "from a file\n").unwrap();
    for (password, in_file) in [("from the environment", false), ("from a file", true)] {
        let server = SmtpServer::start(&[]).await;
        let app = app_with(&server, |config| {
            config.mail.smtp_user = "night-desk".to_owned();
            if in_file {
                config.mail.smtp_password_file = file.path().to_str().unwrap().to_owned();
            } else {
                config.mail.smtp_password = Secret::new(password);
            }
        })
        .await;
        app.stored(json!({})).await;
        deliver_all(&app.smtp_worker()).await;
        assert_eq!(server.emails().len(), 1);
        let login = (String::from("night-desk"), password.to_owned());
        assert_eq!(server.logins(), [login]);
    }
}
