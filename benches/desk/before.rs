//! Another build of this program, `GUARDPOST_BEFORE=FILE`, compared with this one in the same run:
//! posts and pages, the two builds in turn.

use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::load::{self, Until};
use crate::posts;
use crate::server;
use crate::table::{Budget, Table};

/// How long each load runs.
const TIME: Duration = Duration::from_secs(4);
/// Number of loads of each build. The result is the median of the pairs' ratios: other load on the
/// machine affects both of a pair.
const ROUNDS: usize = 7;

pub fn measure(table: &mut Table) {
    let Some(before) = std::env::var_os("GUARDPOST_BEFORE").map(PathBuf::from) else {
        eprintln!("  not measured: set GUARDPOST_BEFORE to the program of another build");
        return;
    };
    for connections in [1, 64] {
        let what = format!("posts, {connections} at once");
        compare(table, &what, &before, connections, 201, posts::request);
    }
    compare(table, "pages, 64 at once", &before, 64, 200, page);
}

/// Measures both builds in turn, each time on an empty folder.
fn compare(
    table: &mut Table,
    what: &str,
    before: &Path,
    connections: usize,
    status: u16,
    request: fn(u32) -> Vec<u8>,
) {
    let measure = |program: &Path| {
        let folder = server::folder();
        let server = server::program(program, &folder.path().join("data"));
        server.settle();
        let run = |time| {
            load::run(
                server.address,
                connections,
                Until::Time(time),
                status,
                request,
            )
        };
        run(TIME / 4);
        run(TIME).rate
    };
    // The first of a pair may leave writes to the disk: each build is the first in turn.
    let pairs: Vec<(f64, f64)> = (0..ROUNDS)
        .map(|round| {
            let mut builds = [server::binary(), before];
            builds.rotate_left(round % 2);
            let mut rates = builds.map(measure);
            rates.rotate_left(round % 2);
            (rates[0], rates[1])
        })
        .collect();
    let ratio = median(pairs.iter().map(|(now, then)| now / then));
    let now = median(pairs.iter().map(|pair| pair.0));
    let then = median(pairs.iter().map(|pair| pair.1));
    table.row(
        &format!("{what}, compared with the build before"),
        format!("{now:.0}/s"),
        format!("{then:.0}/s"),
        ratio,
        Budget::AtLeast(0.97),
    );
}

fn median(figures: impl Iterator<Item = f64>) -> f64 {
    let mut figures: Vec<_> = figures.collect();
    figures.sort_by(f64::total_cmp);
    figures[figures.len() / 2]
}

fn page(_: u32) -> Vec<u8> {
    b"GET / HTTP/1.1\r\nhost: bench\r\naccept-encoding: br\r\n\r\n".to_vec()
}
