//! `guardpost make-picture`, which the server starts to decode a picture; not for people.

use clap::Args;

use storage::pictures::process;

/// Rewrite the picture on standard input to standard output, which is a file. The exit code is the
/// result.
#[derive(Args)]
pub(super) struct MakePicture {
    /// The format of the result: jpeg, png, webp or site.
    task: String,
}

impl MakePicture {
    pub(super) fn run(&self) -> ! {
        std::process::exit(process::run(&self.task).into())
    }
}
