//! The conversions of a period for an advertiser, if the settings allow it.

use poem::http::StatusCode;
use poem_openapi::OpenApi;
use poem_openapi::param::Query;
use poem_openapi::payload::Attachment;

use super::csv_file::csv_file;
use super::period;
use crate::desk::Admin;
use crate::tags::Tag;
use domain::figures::conversions::to_csv;
use http::request::error_responses::AdminError;
use http::request::problem::Problem;

/// The call that downloads conversions.
pub(super) struct ConversionsApi;

#[OpenApi(prefix_path = "/api/admin", tag = "Tag::Figures")]
impl ConversionsApi {
    /// The conversions of a period
    ///
    /// Accepted offers, and requests that were won without one, whose first visit came by an ad:
    /// click identifier, time and value, in the format of offline conversions of Google Ads.
    /// Nothing else about the customer. 404 unless `desk.ad_conversions` is on.
    #[oai(
        path = "/conversions",
        method = "get",
        operation_id = "downloadConversions"
    )]
    async fn download(
        &self,
        desk: Admin,
        /// As in the call of all figures.
        period: Query<Option<String>>,
        from: Query<Option<String>>,
        to: Query<Option<String>>,
    ) -> Result<Attachment<Vec<u8>>, AdminError> {
        if !desk.desk.ad_conversions {
            let detail = "Conversions are not given away. Set `desk.ad_conversions` to allow it.";
            return Err(Problem::new(StatusCode::NOT_FOUND, detail).into());
        }
        let days = period::read(&desk, [period.0, from.0, to.0])?.days;
        let (first, last) = (desk.time_zone.day(days.from), desk.time_zone.day(days.to));
        let conversions = desk.store.conversions(first.start..last.end).await?;
        csv_file(to_csv(&conversions, &desk.time_zone), "conversions", days)
    }
}
