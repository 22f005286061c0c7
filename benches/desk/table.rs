//! The table of results: the figure, its reference, and whether it is within the budget.

/// Rows in the order they were measured.
#[derive(Default)]
pub struct Table(Vec<[String; 5]>);

/// The budget of the ratio of a row.
#[derive(Clone, Copy)]
pub enum Budget {
    AtLeast(f64),
    AtMost(f64),
    /// For information only.
    None,
}

impl Table {
    /// Adds a row: the figure and its reference as text, and the ratio to compare with the budget.
    pub fn row(
        &mut self,
        what: &str,
        figure: String,
        reference: String,
        ratio: f64,
        budget: Budget,
    ) {
        let (budget, verdict) = match budget {
            Budget::AtLeast(least) => (
                format!("≥ {least}"),
                if ratio >= least { "met" } else { "missed" },
            ),
            Budget::AtMost(most) => (
                format!("≤ {most}"),
                if ratio <= most { "met" } else { "missed" },
            ),
            Budget::None => (String::new(), ""),
        };
        let row = [
            what.to_owned(),
            figure,
            reference,
            format!("{ratio:.2}"),
            format!("{budget} {verdict}").trim().to_owned(),
        ];
        eprintln!("  {}", row.join("  |  "));
        self.0.push(row);
    }

    pub fn print(&self) {
        let head = ["what", "measured", "reference", "ratio", "budget"].map(str::to_owned);
        let all: Vec<_> = std::iter::once(&head).chain(&self.0).collect();
        let widths: Vec<usize> = (0..5)
            .map(|i| {
                all.iter()
                    .map(|row| row[i].chars().count())
                    .max()
                    .unwrap_or(0)
            })
            .collect();
        for (n, row) in all.iter().enumerate() {
            let cells: Vec<_> = row
                .iter()
                .zip(&widths)
                .map(|(cell, width)| format!("{cell:<width$}"))
                .collect();
            println!("| {} |", cells.join(" | "));
            if n == 0 {
                let rule: Vec<_> = widths.iter().map(|width| "-".repeat(*width)).collect();
                println!("|-{}-|", rule.join("-|-"));
            }
        }
    }
}
