//! Writing scenarios, and what a length means in them.

use super::Scenario;
use highroad::Path;
use highroad::grid::{Grid, MovementRule, StepCosts};
use std::f64::consts::SQRT_2;
use std::fmt::Write;
use thiserror::Error;

/// By how much lengths differ from one bucket to the next, as in MovingAI's files.
pub const BUCKET_LENGTH: f64 = 4.0;

/// Why a scenario cannot be written.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum WriteError {
    /// The format separates its fields by white space.
    #[error("the map's name '{0}' has white space in it, which separates the fields of a scenario")]
    Name(String),
}

/// The length that a scenario gives a path: a straight step between cells that cost 1 has length 1, a
/// diagonal one √2 with exact step costs and otherwise what they say; elsewhere a step's length is
/// multiplied by the mean of what its two cells cost.
///
/// On uniform terrain of cost 1 that is [`Path::length`], on mixed terrain it is the path's cost in units of
/// a straight step on the cheapest terrain.
pub fn published_length(grid: &Grid, path: &Path) -> f64 {
    let steps = grid.movement().steps();
    if steps != StepCosts::EXACT {
        return path.cost().0 as f64 / f64::from(2 * steps.straight());
    }
    // Sums of the costs at both ends of each step, straight and diagonal: whole numbers.
    let mut sums = [0u64; 2];
    for step in path.cells().windows(2) {
        let is_diagonal = step[0].x != step[1].x && step[0].y != step[1].y;
        let cost = |at: usize| u64::from(grid.cost_of(step[at]).unwrap_or(0));
        sums[usize::from(is_diagonal)] += cost(0) + cost(1);
    }
    sums[0] as f64 / 2.0 + sums[1] as f64 / 2.0 * SQRT_2
}

impl Scenario {
    /// The text of the file: eight decimals, as newer files have, and the rules as comments if they are not
    /// the benchmarks' own.
    ///
    /// ```
    /// use highroad_lab::scenario::Scenario;
    /// let text = "version 1\n0\tx.map\t9\t9\t1\t1\t2\t2\t1.41421356\n";
    /// assert_eq!(Scenario::parse(text)?.to_text()?, text);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn to_text(&self) -> Result<String, WriteError> {
        if self.map_name.is_empty() || self.map_name.contains(char::is_whitespace) {
            return Err(WriteError::Name(self.map_name.clone()));
        }
        let mut text = String::from("version 1\n");
        let (name, (width, height)) = (&self.map_name, self.size);
        for query in &self.queries {
            let (start, goal, length) = (query.start, query.goal, query.length.unwrap_or(0.0));
            _ = writeln!(
                text,
                "{}\t{name}\t{width}\t{height}\t{}\t{}\t{}\t{}\t{length:.8}",
                query.bucket, start.x, start.y, goal.x, goal.y
            );
        }
        if self.rule != MovementRule::default() {
            _ = writeln!(text, "# rule {}", self.rule.name());
        }
        if self.steps != StepCosts::default() {
            _ = writeln!(text, "# steps {}/{}", self.steps.straight(), self.steps.diagonal());
        }
        Ok(text)
    }
}
