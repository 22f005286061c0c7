//! What needs doing, for the page of figures and for reports, and the reports.

use super::system_status::{System, SystemStatus};
use domain::figures::period::Period;
use domain::figures::report::Report;
use domain::figures::to_do::{SystemToDo, ToDoLine};
use site::unfinished;

/// What needs doing now, the most urgent first.
pub async fn to_do(app: &System<'_>) -> store::Result<Vec<ToDoLine>> {
    let now = app.clock.now();
    let facts = unfinished::facts(&app.publisher.site().company).into_iter();
    let system = SystemToDo {
        problems: SystemStatus::read(app).await?.problems(app).await?,
        has_no_backups: app.backup.to.is_empty() && !app.role.is_drill(),
        sample_facts: facts.map(|(key, _)| key).collect(),
    };
    Ok(app
        .store
        .to_do(*app.answer_times, now)
        .await?
        .lines(&system))
}

/// The report of a period, with what needs doing now.
pub async fn report(app: &System<'_>, period: Period) -> store::Result<Report> {
    let figures = app.figures.read(app.store, period, app.clock.now()).await?;
    Ok(Report::new(&figures, *app.answer_times, to_do(app).await?))
}
