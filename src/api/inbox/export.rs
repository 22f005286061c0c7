//! Downloads of a list: the same filters as the inbox, streamed while the requests are read.

use std::io::{self, Write};

use bytes::Bytes;
use futures_util::stream;
use poem::Body;
use poem_openapi::OpenApi;
use poem_openapi::param::Query;
use poem_openapi::payload::Attachment;
use tokio::sync::mpsc::{Receiver, Sender, channel};

use super::params;
use super::parts::Inbox;
use crate::desk::RecentAdmin;
use crate::filter_params::FilterParams;
use crate::tags::Tag;
use http::request::error_responses::AdminError;
use http::request::problem::bad_parameter;
use store::Store;
use store::export::{ExportWriter, Format};
use store::inbox::export::ExportRow;
use store::inbox::export_columns::INBOX_COLUMNS;
use store::lists::filter::RequestFilter;

type Writer = ExportWriter<io::BufWriter<Pieces>>;

/// Pieces buffered for the client.
const MAX_PIECES: usize = 8;

/// The call that exports a list.
pub struct ExportApi;

#[OpenApi(prefix_path = "/api/admin", tag = "Tag::Desk")]
impl ExportApi {
    /// Export a list of requests
    ///
    /// All requests that pass the filters of the inbox, oldest first, in one snapshot. In CSV, a
    /// cell that a spreadsheet would evaluate as a formula starts with an apostrophe.
    #[oai(path = "/export", method = "get", operation_id = "exportInbox")]
    async fn export(
        &self,
        desk: RecentAdmin<Inbox<'_>>,
        /// `csv` (default) or `json`.
        format: Query<Option<String>>,
        /// `false`: a CSV file without the byte order mark from which Excel detects UTF-8.
        bom: Query<Option<bool>>,
        filters: FilterParams,
    ) -> Result<Attachment<Body>, AdminError> {
        let format = match format.0.as_deref() {
            None | Some("" | "csv") => Format::Csv {
                bom: bom.0.unwrap_or(true),
            },
            Some("json") => Format::Json,
            Some(_) => return Err(bad_parameter("format", "`format` is csv or json.").into()),
        };
        let (filter, search) = params::read(&filters, &desk)?;
        let suffix = match format {
            Format::Csv { .. } => "csv",
            Format::Json | Format::Jsonl => "json",
        };
        let name = format!(
            "requests-{}.{suffix}",
            desk.time_zone.format(desk.now, "%F")
        );
        let body = export_body(desk.store.clone(), format, filter, search);
        Ok(Attachment::new(body).filename(name))
    }
}

/// The body of the export. The reading thread waits for the client, and ends with it.
fn export_body(store: Store, format: Format, filter: RequestFilter, search: String) -> Body {
    let (pieces, received) = channel(MAX_PIECES);
    let failed = pieces.clone();
    tokio::spawn(async move {
        if let Err(error) = export(&store, format, filter, search, Pieces(pieces)).await {
            tracing::warn!(%error, "an export ended early");
            // Without the end of the body, the client does not take it for a complete one.
            let _ = failed.send(Err(error)).await;
        }
    });
    let next = async |mut received: Receiver<io::Result<Bytes>>| {
        let piece = received.recv().await?;
        Some((piece, received))
    };
    Body::from_bytes_stream(stream::unfold(received, next))
}

async fn export(
    store: &Store,
    format: Format,
    filter: RequestFilter,
    search: String,
    out: Pieces,
) -> io::Result<()> {
    let out = io::BufWriter::with_capacity(1 << 16, out);
    let started = move || ExportWriter::start(format, INBOX_COLUMNS, out);
    let writer = tokio::task::spawn_blocking(started).await??;
    let push = |writer: &mut Writer, row: &ExportRow<'_>| writer.push(row);
    let written = store.export_requests(filter, search, writer, push).await;
    let writer = written.map_err(io::Error::other)??;
    tokio::task::spawn_blocking(move || writer.finish().map(drop)).await?
}

/// Sends the written bytes to the client, piece by piece.
struct Pieces(Sender<io::Result<Bytes>>);

impl Write for Pieces {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let piece = Ok(Bytes::copy_from_slice(bytes));
        let sent = self.0.blocking_send(piece);
        sent.map_err(|_| io::Error::from(io::ErrorKind::BrokenPipe))?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
