//! What can be seen, in words for tests in a browser: pixels alone would say little.

use highroad::Cell;
use highroad_workbench::shell::Shell;
use serde_json::json;
use std::time::Duration;

/// How long the page's own updates take.
#[derive(Default)]
pub(crate) struct Report {
    frames: u64,
    latest_ms: f64,
    longest_ms: f64,
}

impl Report {
    /// Notes how long an update has taken.
    pub(crate) fn note(&mut self, took: Duration) {
        self.frames += 1;
        self.latest_ms = took.as_secs_f64() * 1e3;
        self.longest_ms = self.longest_ms.max(self.latest_ms);
    }

    /// What can be seen after this frame, as JSON.
    pub(crate) fn text(&mut self, shell: &mut Shell) -> String {
        let mode = shell.mode.name();
        let busy = shell.busy().map(|busy| busy.what);
        let news =
            shell.news.as_ref().map(|news| json!({"text": news.text, "isError": news.is_error}));
        let dialog = shell.dialog.is_some();
        let map = &shell.map;
        let spot = |cell: Cell| {
            let (x, y) = map.view.viewport.middle(cell);
            json!([x, y])
        };
        let outcome = map.run.outcome.as_ref().map(|outcome| {
            json!({
                "expanded": outcome.statistics.expanded,
                "solveMicros": outcome.solve_us,
                "buildMicros": outcome.build_us,
            })
        });
        let course = map.teaching.course.as_ref().map(|course| {
            let (step, of) = course.step_number();
            json!({
                "title": course.lesson().title,
                "step": step,
                "of": of,
                "isStepDone": course.is_step_done(),
            })
        });
        let (position, events) = map.player.position();
        let (start, goal) = map.document.places();
        let cell = |cell: Cell| json!([cell.x, cell.y]);
        json!({
            "mode": mode,
            "busy": busy,
            "news": news,
            "dialog": dialog,
            "map": map.document.name,
            "size": [map.document.extent().width(), map.document.extent().height()],
            "revision": map.document.world().revision().0,
            "planner": map.planner.text(),
            "start": cell(start),
            "goal": cell(goal),
            "startSpot": spot(start),
            "goalSpot": spot(goal),
            "scale": map.view.scale,
            "pathCells": map.path_cells().len(),
            "outcome": outcome,
            "position": position,
            "events": events,
            "isPlaying": map.player.is_playing(),
            "beside": map.beside.panes.len(),
            "lesson": course,
            "lessonsDone": shell.preferences.lessons_done,
            "frames": self.frames,
            "updateMs": self.latest_ms,
            "longestUpdateMs": self.longest_ms,
        })
        .to_string()
    }
}
