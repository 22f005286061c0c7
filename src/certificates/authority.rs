//! The certificate authority (RFC 8555): the account with it, its renewal hints, and an order from
//! the first call to the certificate.

use std::path::Path;
use std::pin::Pin;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use bytes::Bytes;
use http_body_util::BodyExt;
use hyper::http;
use instant_acme::{
    Account, AuthorizationStatus, BodyWrapper, BytesResponse, CertificateIdentifier, ChallengeType,
    Error, HttpClient, Identifier, NewAccount, NewOrder, Order, OrderStatus, RetryPolicy,
};

use super::challenges::Challenges;
use super::files::{self, SavedAccount};
use config::Server;
use domain::clock::Time;

/// How long one call may take.
const CALL_TIMEOUT: Duration = Duration::from_secs(30);
/// How long the authority may take to check a challenge, and to issue.
const POLLING: RetryPolicy = RetryPolicy::new()
    .initial_delay(Duration::from_millis(250))
    .backoff(1.5)
    .timeout(Duration::from_secs(90));

/// The HTTP client of the calls.
struct Client(reqwest::Client);

/// A client of the authority: it trusts only `server.acme_ca_file` if that is set. Fails if that
/// file cannot be read.
pub fn http_client(server: &Server, timeout: Duration) -> Result<reqwest::Client> {
    let mut client = reqwest::Client::builder().timeout(timeout);
    let file = &server.acme_ca_file;
    if !file.is_empty() {
        let read = || anyhow::Ok(reqwest::Certificate::from_pem(&std::fs::read(file)?)?);
        let root =
            read().with_context(|| format!("setting `server.acme_ca_file`: cannot read {file}"))?;
        client = client.tls_certs_only([root]);
    }
    Ok(client.build()?)
}

impl HttpClient for Client {
    fn request(
        &self,
        request: http::Request<BodyWrapper<Bytes>>,
    ) -> Pin<Box<dyn Future<Output = Result<BytesResponse, Error>> + Send>> {
        let client = self.0.clone();
        Box::pin(async move {
            let other = |error: reqwest::Error| Error::Other(Box::new(error));
            let (parts, body) = request.into_parts();
            let Ok(body) = body.collect().await;
            let request = http::Request::from_parts(parts, body.to_bytes());
            let request = reqwest::Request::try_from(request).map_err(other)?;
            let response = client.execute(request).await.map_err(other)?;
            Ok(BytesResponse::from(http::Response::<reqwest::Body>::from(
                response,
            )))
        })
    }
}

/// The account at the authority of the settings: the saved one, or a new one. Fails if the
/// authority cannot be reached or refuses, or the account cannot be saved.
pub(super) async fn account(server: &Server, folder: &Path) -> Result<Account> {
    let builder = Account::builder_with_http(Box::new(Client(http_client(server, CALL_TIMEOUT)?)));
    let directory = server.acme_directory.clone();
    if let Some(saved) = files::account(folder)?
        && saved.directory == directory
    {
        return Ok(builder.from_credentials(saved.credentials).await?);
    }
    let terms = NewAccount {
        contact: &[],
        terms_of_service_agreed: true,
        only_return_existing: false,
    };
    let (account, credentials) = builder.create(&terms, directory.clone(), None).await?;
    let saved = SavedAccount {
        directory,
        credentials,
    };
    files::save_account(folder, &saved)?;
    Ok(account)
}

/// Whether the authority reports the account as unknown.
pub(super) fn is_unknown_account(error: &anyhow::Error) -> bool {
    let unknown = "urn:ietf:params:acme:error:accountDoesNotExist";
    match error.downcast_ref::<Error>() {
        Some(Error::Api(problem)) => problem.r#type.as_deref() == Some(unknown),
        _ => false,
    }
}

/// The period in which the authority suggests renewing the certificate; `None` if it has no such
/// hints (RFC 9773). Fails if the authority does not answer.
pub(super) async fn renewal_window(
    account: &Account,
    certificate: &CertificateIdentifier<'_>,
) -> Result<Option<(Time, Time)>> {
    let window = match account.renewal_info(certificate).await {
        Err(Error::Unsupported(_)) => return Ok(None),
        answer => answer?.0.suggested_window,
    };
    let time = |seconds: i64| Time::from_millis(seconds.saturating_mul(1000));
    let (start, end) = (window.start.unix_timestamp(), window.end.unix_timestamp());
    Ok(Some((time(start), time(end))))
}

/// Orders a certificate for `domains` in place of `replaces`, and proves control over them by
/// `kind`. Returns the chain and its new key as PEM. Errors: the answer of the authority.
pub(super) async fn order(
    account: &Account,
    domains: &[String],
    replaces: Option<CertificateIdentifier<'_>>,
    kind: ChallengeType,
    challenges: &Challenges,
) -> Result<String> {
    let names: Vec<_> = domains.iter().cloned().map(Identifier::Dns).collect();
    let mut order = place(account, &names, replaces).await?;
    answer_challenges(&mut order, &kind, challenges).await?;
    let status = order.poll_ready(&POLLING).await;
    if !matches!(status, Ok(OrderStatus::Ready)) {
        let refusals = refusals(&mut order).await;
        if !refusals.is_empty() {
            bail!("{}", refusals.join("; "));
        }
        bail!("the order is not ready: {:?}", status?);
    }
    let key = order.finalize().await?;
    let chain = order.poll_certificate(&POLLING).await?;
    Ok(format!("{}\n{key}", chain.trim_end()))
}

/// Places the order; without `replaces` if the authority does not accept that.
async fn place(
    account: &Account,
    names: &[Identifier],
    replaces: Option<CertificateIdentifier<'_>>,
) -> Result<Order> {
    if let Some(replaces) = replaces {
        match account
            .new_order(&NewOrder::new(names).replaces(replaces))
            .await
        {
            Ok(order) => return Ok(order),
            Err(error) => tracing::debug!(%error, "the order does not name the old certificate"),
        }
    }
    Ok(account.new_order(&NewOrder::new(names)).await?)
}

async fn answer_challenges(
    order: &mut Order,
    kind: &ChallengeType,
    challenges: &Challenges,
) -> Result<()> {
    let mut authorizations = order.authorizations();
    while let Some(authorization) = authorizations.next().await {
        let mut authorization = authorization?;
        match authorization.status {
            AuthorizationStatus::Valid => continue,
            AuthorizationStatus::Pending => {}
            status => bail!("the authorization is {status:?}"),
        }
        let domain = authorization.identifier().to_string();
        let mut challenge = authorization
            .challenge(kind.clone())
            .with_context(|| format!("the authority does not offer {kind:?} for {domain}"))?;
        let proof = challenge.key_authorization();
        challenges.present(kind, &domain, &challenge.token, &proof)?;
        // A fast authority has checked already: the error is its refusal.
        let ready = challenge.set_ready().await;
        ready.with_context(|| format!("{kind:?}: {domain}"))?;
    }
    Ok(())
}

/// The authority's reason for rejecting the challenges.
async fn refusals(order: &mut Order) -> Vec<String> {
    let mut refusals = Vec::new();
    let mut authorizations = order.authorizations();
    while let Some(Ok(mut authorization)) = authorizations.next().await {
        if let Ok(state) = authorization.refresh().await {
            let errors = state.challenges.iter().filter_map(|challenge| {
                let detail = challenge.error.as_ref()?.detail.as_ref()?;
                Some(format!("{:?}: {detail}", challenge.r#type))
            });
            refusals.extend(errors.collect::<Vec<_>>());
        }
    }
    refusals
}
