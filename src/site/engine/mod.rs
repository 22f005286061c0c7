//! Runs the page renderer, built from the site's components, in a small JavaScript engine. The
//! engine runs in a child process (`renderer`), whose memory ends with it, without access to files,
//! the network or the host's clock.

use std::io::{self, Read, Write};
use std::time::Duration;

use anyhow::{Context as _, Result, anyhow};
use rquickjs::{CatchResultExt, Context, Function, Module, Promise, Runtime};
use rustix::time::{ClockId, clock_gettime};

use super::dist;

#[cfg(test)]
mod tests;

/// The renderer in the bundle.
pub(super) const RENDERER: &str = "pages/renderer.js";
/// Memory limit of the engine, in bytes; rendering needs 14 MB.
const MEMORY_LIMIT: usize = 128 << 20;
/// Stack size of the engine, in bytes.
const STACK_LIMIT: usize = 1 << 20;
/// Limit of processor time, which a busy machine does not shorten; rendering takes a third of a
/// second.
const TIME_LIMIT: Duration = Duration::from_secs(20);

/// Reads all sections as JSON, writes the HTML of every document as JSON. Fails if the renderer is
/// not built, or it fails or exceeds its memory or time.
pub fn run(input: impl Read, mut output: impl Write) -> Result<()> {
    let content = io::read_to_string(input).context("reading the content")?;
    let rendered = evaluate(&renderer_code()?, content, TIME_LIMIT)?;
    output
        .write_all(rendered.as_bytes())
        .context("writing the pages")
}

fn renderer_code() -> Result<Vec<u8>> {
    let code = dist::read(RENDERER).context("the frontend is not built")?;
    Ok(code.into_owned())
}

fn evaluate(code: &[u8], content: String, limit: Duration) -> Result<String> {
    let runtime = Runtime::new()?;
    runtime.set_memory_limit(MEMORY_LIMIT);
    runtime.set_max_stack_size(STACK_LIMIT);
    let end = processor_time() + limit;
    runtime.set_interrupt_handler(Some(Box::new(move || processor_time() > end)));
    let context = Context::full(&runtime)?;
    context.with(|ctx| {
        let result = (|| {
            ctx.globals().set("content", ctx.json_parse(content)?)?;
            let (module, evaluated) = Module::declare(ctx.clone(), "renderer", code)?.eval()?;
            evaluated.finish::<()>()?;
            let render: Function = module.get("renderDocuments")?;
            let rendered: Promise = render.call(())?;
            rendered.finish::<String>()
        })();
        result
            .catch(&ctx)
            .map_err(|error| match processor_time() > end {
                true => anyhow!("rendering took more than {limit:?} of processor time"),
                false => anyhow!("{error}"),
            })
    })
}

/// What this thread has used, the only one of the child process.
fn processor_time() -> Duration {
    let used = clock_gettime(ClockId::ThreadCPUTime);
    used.try_into().unwrap_or_default()
}
