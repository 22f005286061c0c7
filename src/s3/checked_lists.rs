//! Refuses the answer to a list request that is no list. The S3 client reads any other page, such
//! as that of a web server, as the list of an empty bucket.

use std::future::Future;
use std::io;
use std::pin::Pin;

use object_store::ClientOptions;
use object_store::client::{
    HttpClient, HttpConnector, HttpError, HttpErrorKind, HttpRequest, HttpResponse, HttpService,
    ReqwestConnector,
};

/// The error message of a refused answer.
pub(super) const NO_LIST: &str = "the answer is no list of objects";
/// The element that every list has.
const LIST: &[u8] = b"<ListBucketResult";

/// Makes clients that check lists.
#[derive(Debug)]
pub(super) struct CheckedLists;

impl HttpConnector for CheckedLists {
    fn connect(&self, options: &ClientOptions) -> object_store::Result<HttpClient> {
        let client = ReqwestConnector::default().connect(options)?;
        Ok(HttpClient::new(Checked(client)))
    }
}

#[derive(Debug)]
struct Checked(HttpClient);

impl HttpService for Checked {
    fn call<'a, 'b>(
        &'a self,
        request: HttpRequest,
    ) -> Pin<Box<dyn Future<Output = Result<HttpResponse, HttpError>> + Send + 'b>>
    where
        'a: 'b,
        Self: 'b,
    {
        Box::pin(async move {
            let query = request.uri().query().unwrap_or_default();
            let lists = query.split('&').any(|pair| pair.starts_with("list-type="));
            let response = self.0.execute(request).await?;
            if !lists || !response.status().is_success() {
                return Ok(response);
            }
            let (head, body) = response.into_parts();
            let body = body.bytes().await?;
            if !body.windows(LIST.len()).any(|part| part == LIST) {
                let error = io::Error::other(NO_LIST);
                return Err(HttpError::new(HttpErrorKind::Decode, error));
            }
            Ok(HttpResponse::from_parts(head, body.into()))
        })
    }
}
