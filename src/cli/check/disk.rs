//! The disk: free space, how long it will last, and the log of a replicated database.

use std::path::Path;

use super::report::Report;
use config::Data;
use http::server::system_status::{MAX_REPLICATED_LOG, log_bytes};
use store::database::disk::request_reserve::{self, free_bytes};

const MEBIBYTE: u64 = 1 << 20;

/// Days until the disk is full below which a warning is printed.
const MIN_DAYS: u64 = 30;

pub(super) fn check_free_space(data: &Data, report: &mut Report) {
    let free = match free_bytes(&data.dir) {
        Ok(free) => free / MEBIBYTE,
        Err(error) => {
            let what = format!("cannot read the free space: {error}");
            return report.data_fault(&data.dir, what);
        }
    };
    if free < data.min_free_mb {
        let what = format!(
            "no space is left: {free} MB are free, data.min_free_mb requires {}",
            data.min_free_mb
        );
        report.data_fault(&data.dir, what);
    }
}

/// The space that is kept for requests: a part of it is missing while the disk is full.
pub(super) fn check_request_reserve(data: &Data, report: &mut Report) {
    // Without the file, no server has run.
    let Some(left) = request_reserve::size_in(&data.dir) else {
        return;
    };
    // An error is reported by the check of the free space.
    let Ok(whole) = request_reserve::whole_in(&data.dir, data.request_reserve_mb) else {
        return;
    };
    if left < whole {
        let text = format!(
            "the disk space kept for requests is {} MB of {} MB (data.request_reserve_mb): the \
             server completes it as soon as there is space",
            left / MEBIBYTE,
            whole / MEBIBYTE
        );
        report.warning("data", text);
    }
}

/// When the disk will be full, if the data grows by `daily` bytes a day.
pub(super) fn check_days_left(folder: &Path, daily: u64, report: &mut Report) {
    // An error is reported by the check of the free space.
    let Ok(free) = free_bytes(folder) else {
        return;
    };
    let days = free / daily.max(1);
    let (free, daily) = (free / MEBIBYTE, daily.div_ceil(MEBIBYTE));
    let text = format!(
        "disk: {free} MB are free, enough for {days} days at the {daily} MB a day of the last month"
    );
    match days < MIN_DAYS {
        true => report.warning("data", text),
        false => report.fine("data", text),
    }
}

/// A WAL that only Litestream may empty, and does not.
pub(super) fn check_log(data: &Data, report: &mut Report) {
    let bytes = log_bytes(data);
    if bytes > MAX_REPLICATED_LOG {
        report.data_fault(
            &data.dir.join("guardpost.db-wal"),
            format!(
                "has grown to {} MB: Litestream does not empty it, is it running? \
                 (data.replicated)",
                bytes / MEBIBYTE
            ),
        );
    }
}
