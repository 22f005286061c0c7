//! Pictures that the office uploads in the place of scenes.

mod kept;

use base64::prelude::{BASE64_STANDARD, Engine};
use image::codecs::jpeg::JpegEncoder;
use image::{DynamicImage, GenericImageView, ImageEncoder, ImageFormat};
use reqwest::{Method, Response};
use serde_json::{Value, json};

use super::{Editor, ORIGIN, body};
use crate::pages::{get, text};
use crate::storage::pictures::{exif, picture};
use crate::support::app::TestApp;

async fn upload(editor: &Editor<'_>, bytes: &[u8]) -> Response {
    let data = BASE64_STANDARD.encode(bytes);
    let path = "/pictures";
    editor
        .call(Method::POST, path, json!({ "data": data }))
        .await
}

/// Uploads a picture; returns its name.
pub(super) async fn stored(editor: &Editor<'_>, bytes: &[u8]) -> String {
    let answer = upload(editor, bytes).await;
    assert_eq!(answer.status(), 201, "{:?}", answer.text().await);
    let answer: Value = answer.json().await.unwrap();
    answer["picture"].as_str().unwrap().to_owned()
}

fn of_scene(scene: &str, picture: &str, alt: &str) -> Value {
    json!([{ "scene": scene, "picture": picture, "alt": alt }])
}

/// The URL of the picture of a page that has this description.
fn url_of(html: &str, alt: &str) -> String {
    let (before, _) = html
        .split_once(&format!("\" alt=\"{alt}\" width=\"640\""))
        .unwrap();
    before.rsplit_once("<img src=\"").unwrap().1.to_owned()
}

async fn file(app: &TestApp, url: &str) -> (Vec<u8>, Response) {
    let answer = get(app, url).await;
    assert_eq!(answer.status(), 200, "{url}");
    assert_eq!(text(answer.headers(), "content-type"), "image/jpeg");
    let again = get(app, url).await;
    (answer.bytes().await.unwrap().to_vec(), again)
}

#[tokio::test]
async fn an_uploaded_picture_is_made_small_previewed_and_shown_with_its_description() {
    let app = TestApp::with(|config| config.server.base_url = ORIGIN.into()).await;
    let editor = Editor::of(&app).await;
    assert!(
        body(&app, "/fire-watch")
            .await
            .contains(r#"data-scene="fire-watch" aria-hidden="true""#)
    );

    // Lies on its side: the camera says by EXIF how to turn it, and where it was.
    let flat = image::load_from_memory(&picture(ImageFormat::Png, 1200, 2000)).unwrap();
    let mut sideways = Vec::new();
    let mut encoder = JpegEncoder::new(&mut sideways);
    encoder.set_exif_metadata(exif(6)).unwrap();
    flat.write_with_encoder(encoder).unwrap();
    let name = stored(&editor, &sideways).await;
    assert_eq!(stored(&editor, &sideways).await, name, "the same bytes");
    let kept = editor.get(&format!("/pictures/{name}")).await;
    let kept = BASE64_STANDARD
        .decode(kept["data"].as_str().unwrap())
        .unwrap();

    let alt = "A guard <b>\"on\" the third floor";
    let shown = "A guard &lt;b&gt;&quot;on&quot; the third floor";
    let pictures = of_scene("fire-watch", &name, alt);
    assert_eq!(editor.save("pictures", 0, &pictures).await.status(), 200);
    let preview = editor.preview().await;
    let page = body(&app, &format!("{preview}?path=/fire-watch")).await;
    let url = url_of(&page, shown);
    assert!(url.starts_with(&preview), "{url}");
    assert_eq!(file(&app, &url).await.0, kept);

    assert_eq!(editor.publish(0, "pictures").await.status(), 200);
    let page = body(&app, "/fire-watch").await;
    assert!(
        !page.contains(r#"data-scene="fire-watch" aria-hidden"#),
        "not hidden from anybody"
    );
    assert!(
        page.contains(r#"{"edited":true,"#),
        "the browser's code has no description"
    );
    let url = url_of(&page, shown);
    let (bytes, answer) = file(&app, &url).await;
    assert!(text(answer.headers(), "cache-control").contains("immutable"));
    assert_eq!(bytes, kept);
    assert!(!bytes.windows(3).any(|window| window == b"GPS"));
    let image: DynamicImage = image::load_from_memory(&bytes).unwrap();
    assert_eq!(image.dimensions(), (1280, 800));
    let [top, bottom] = [0, 799].map(|y| image.get_pixel(640, y).0);
    assert!(
        top[0] > 180 && bottom[2] > 180,
        "{top:?} {bottom:?}: what was left is above"
    );
    assert!(!body(&app, "/about").await.contains("<img src=\"/media/"));

    let mut kept_below = pictures;
    kept_below[0]["focus"] = "bottom".into();
    editor.show(1, "pictures", &kept_below).await;
    let page = body(&app, "/fire-watch").await;
    let cut = url_of(&page, shown);
    assert_eq!(
        cut,
        format!("{url}#bottom"),
        "the stylesheet places it by its end"
    );
    assert!(
        page.contains(&format!("\"fire-watch\":\"{cut}\"")),
        "for the browser's code"
    );
}

#[tokio::test]
async fn what_is_no_fitting_picture_is_refused_with_the_reason() {
    let app = TestApp::start().await;
    let editor = Editor::of(&app).await;
    for (bytes, reason) in [
        (
            b"<svg onload=x>".to_vec(),
            "must be a JPEG, PNG or WebP picture",
        ),
        (
            b"\x89PNG\r\n\x1a\nnone".to_vec(),
            "cannot be read as a picture",
        ),
        (
            picture(ImageFormat::Png, 639, 900),
            "must have at least 640 by 400 pixels",
        ),
        (
            picture(ImageFormat::Jpeg, 900, 399),
            "must have at least 640 by 400 pixels",
        ),
    ] {
        let refused = upload(&editor, &bytes).await;
        assert_eq!(refused.status(), 422);
        let problem: Value = refused.json().await.unwrap();
        assert_eq!(problem["detail"], format!("The picture {reason}."));
    }
    let answer = upload(&editor, &vec![0; 2 * 1024 * 1024]).await;
    assert_eq!(answer.status(), 413);
    for (picture, alt, place) in [
        ("", "A guard", "pictures/0/picture"),
        ("../../etc/passwd", "A guard", "pictures/0/picture"),
        ("000000000000000000000000.jpg", "", "pictures/0/alt"),
    ] {
        let refused = editor
            .save("pictures", 0, &of_scene("hero", picture, alt))
            .await;
        assert_eq!(refused.status(), 422, "{picture}");
        let problem: Value = refused.json().await.unwrap();
        assert_eq!(problem["fields"][0]["field"], place);
    }
    let unknown = of_scene("hero", "000000000000000000000000.jpg", "A guard");
    assert_eq!(editor.save("pictures", 0, &unknown).await.status(), 200);
    let refused = editor.publish(0, "pictures").await;
    assert_eq!(refused.status(), 422);
    let problem: Value = refused.json().await.unwrap();
    assert_eq!(
        problem["fields"][0]["message"],
        "is not stored here; upload it again"
    );
    let nobody = app.http.post(app.url("/api/admin/site/pictures"));
    let nobody = nobody.json(&json!({ "data": "" })).send().await.unwrap();
    assert_eq!(nobody.status(), 401);
}
