//! How long pictures are kept, and how they move with exports, imports and backups.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::sync::Arc;

use image::ImageFormat;
use reqwest::Method;
use serde_json::{Value, json};

use super::{file, of_scene, stored, url_of};
use crate::content::{Editor, body};
use crate::storage::pictures::picture;
use crate::support::app::TestApp;
use crate::support::cli_process::{Cli, ServerProcess};

#[tokio::test]
async fn a_picture_is_kept_while_a_version_or_a_draft_names_it_and_forgotten_after() {
    let app = TestApp::start().await;
    let editor = Editor::of(&app).await;
    let shown = stored(&editor, &picture(ImageFormat::Png, 800, 500)).await;
    let unused = stored(&editor, &picture(ImageFormat::Png, 1000, 625)).await;
    let drafted = stored(&editor, &picture(ImageFormat::Png, 960, 600)).await;
    editor
        .show(0, "pictures", &of_scene("hero", &shown, "A guard"))
        .await;
    editor.show(1, "pictures", &json!([])).await;
    let draft = of_scene("hero", &drafted, "A guard");
    assert_eq!(editor.save("pictures", 0, &draft).await.status(), 200);
    app.clock.advance(2 * 86_400_000);
    let editor = Editor::of(&app).await;
    let back = async |version: i64, to: i64| {
        let body = json!({ "version": version, "to": to });
        let answer = editor.call(Method::POST, "/back", body).await;
        assert_eq!(answer.status(), 200);
    };
    back(2, 0).await;
    for (name, status) in [(&shown, 200), (&drafted, 200), (&unused, 404)] {
        let path = format!("/pictures/{name}");
        let answer = editor.call(Method::GET, &path, Value::Null).await;
        assert_eq!(answer.status(), status, "{name}");
    }
    back(3, 1).await;
    assert!(
        body(&app, "/")
            .await
            .contains(&format!("/media/hero-{shown}"))
    );
}

#[tokio::test]
async fn pictures_are_exported_imported_and_shown_after_a_restart() {
    let mut app = TestApp::start().await;
    let editor = Editor::of(&app).await;
    let name = stored(&editor, &picture(ImageFormat::WebP, 800, 500)).await;
    editor
        .show(0, "pictures", &of_scene("guards", &name, "Two guards"))
        .await;
    let cli = Cli::on_data_of(&app);
    cli.run_ok(&["content", "export", "content"]);
    let exported = fs::read(cli.path(&format!("content/pictures/{name}"))).unwrap();
    assert!(
        cli.run_ok(&["content", "import", "content"])
            .contains("Nothing has changed")
    );

    let mut folder = tempfile::Builder::new();
    let folder = folder.permissions(Permissions::from_mode(0o700)).tempdir();
    let other = app.on(Arc::new(folder.unwrap())).await;
    let elsewhere = Cli::on_data_of(&other);
    let folder = cli.path("content");
    let folder = folder.to_str().unwrap();
    elsewhere.run_ok(&["content", "import", folder]);
    assert!(other.renew_pages().await);
    let url = url_of(&body(&other, "/security-services").await, "Two guards");
    assert!(url.starts_with("/media/guards-"));
    file(&other, &url).await;

    fs::write(
        cli.path("content/pictures/lobby.png"),
        picture(ImageFormat::Png, 700, 700),
    )
    .unwrap();
    let named = of_scene("guards", "lobby.png", "A lobby").to_string();
    fs::write(cli.path("content/pictures.json"), &named).unwrap();
    cli.run_ok(&["content", "import", "content/pictures.json"]);
    app.restart().await;
    let url = url_of(&body(&app, "/security-services").await, "A lobby");
    assert_ne!(file(&app, &url).await.0, exported);

    fs::remove_file(cli.path("content/pictures/lobby.png")).unwrap();
    let missing = cli.run(&["content", "import", "content/pictures.json"]);
    assert!(!missing.success);
    assert!(missing.stderr.contains("lobby.png"), "{}", missing.stderr);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_published_picture_survives_backup_and_restore_and_is_served() {
    let app = TestApp::start().await;
    let editor = Editor::of(&app).await;
    let name = stored(&editor, &picture(ImageFormat::Jpeg, 800, 500)).await;
    let pictures = of_scene("surveillance", &name, "Cameras above a yard");
    editor.show(0, "pictures", &pictures).await;
    let page = body(&app, "/surveillance").await;
    let url = url_of(&page, "Cameras above a yard");
    let (shown, _) = file(&app, &url).await;

    let cli = Cli::on_data_of(&app);
    cli.run_ok(&["backup", "--to", "backups"]);
    editor.show(1, "pictures", &json!([])).await;
    assert!(!body(&app, "/surveillance").await.contains(&url));
    cli.run_ok(&["verify-backup", "backups"]);
    cli.run_ok(&["restore", "backups", "--to", "restored"]);

    let server = ServerProcess::start(&cli, &["--data", "restored"]);
    let get = async |path: &str| {
        let answer = app.http.get(format!("{}{path}", server.origin())).send();
        let answer = answer.await.unwrap();
        assert_eq!(answer.status(), 200, "{path}");
        answer.bytes().await.unwrap()
    };
    let again = get("/surveillance").await;
    let again = std::str::from_utf8(&again).unwrap();
    assert_eq!(url_of(again, "Cameras above a yard"), url);
    assert_eq!(get(&url).await, shown);
    server.kill();
}
