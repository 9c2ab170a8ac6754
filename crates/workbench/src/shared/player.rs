//! Watching a recorded search: playing, pausing, stepping, breakpoints.

use super::touched::Touched;
use highroad::Cell;
use highroad::search::TraceEvent;
use highroad_pictures::replay::{Breakpoint, Replay};
use std::time::Duration;

/// How long a whole recording takes at the speed that is chosen by itself.
const WHOLE_SECONDS: f64 = 8.0;

/// The slowest and the fastest that a recording can be played, in events a second.
pub const SPEEDS: std::ops::RangeInclusive<f64> = 1.0..=1_000_000.0;

/// A recording and how it is played.
#[derive(Default)]
pub struct Player {
    replay: Option<Replay>,
    /// How many steps there are where nothing is recorded but what comes of it is played.
    steps: usize,
    /// How many events have happened, also those that only other recordings have.
    clock: usize,
    /// How many events recordings beside this one go on for after its end.
    longer: usize,
    /// Counts recordings.
    recording: u64,
    is_playing: bool,
    /// Events a second; `None`: chosen by the length of the recording.
    speed: Option<f64>,
    /// Part of an event that is still owed.
    owed: f64,
    /// Where playing stops.
    pub breakpoints: Vec<Breakpoint>,
    /// Whether it stands at a breakpoint.
    pub at_breakpoint: bool,
    /// Whether a breakpoint has stopped it since somebody asked.
    has_stopped: bool,
    /// A position to go to when a recording is loaded, instead of its end.
    pub restored_position: Option<usize>,
    /// Cells that look different.
    pub touched: Touched,
}

impl Player {
    /// Takes a new recording and shows its end, or the position to be restored.
    pub fn load(&mut self, replay: Option<Replay>) {
        self.replay = replay;
        self.steps = 0;
        self.recording += 1;
        self.is_playing = false;
        self.at_breakpoint = false;
        self.touched.everything();
        let restored = if self.replay.is_some() { self.restored_position.take() } else { None };
        self.jump(restored.unwrap_or(usize::MAX));
    }

    /// Takes so many steps without a recording, such as the moves of a solution, and stands before the first.
    pub fn load_steps(&mut self, steps: usize) {
        self.load(None);
        self.steps = steps;
    }

    /// The number of the recording: another one has another number.
    pub fn recording(&self) -> u64 {
        self.recording
    }

    /// The recording.
    pub fn replay(&self) -> Option<&Replay> {
        self.replay.as_ref().filter(|replay| !replay.is_empty())
    }

    /// How many events have happened, of how many.
    pub fn position(&self) -> (usize, usize) {
        (self.clock, self.length())
    }

    fn length(&self) -> usize {
        self.replay.as_ref().map_or(self.steps, |replay| replay.len() + self.longer)
    }

    /// Goes on for so many events after the end of the recording, since others beside it do. Who stands at the end
    /// stays at the end.
    pub fn set_longer(&mut self, events: usize) {
        if self.longer != events {
            let (position, length) = self.position();
            self.longer = events;
            self.jump(if position == length { usize::MAX } else { position });
        }
    }

    /// Whether it is being played.
    pub fn is_playing(&self) -> bool {
        self.is_playing
    }

    /// Events a second.
    pub fn speed(&self) -> f64 {
        let usual = self.position().1 as f64 / WHOLE_SECONDS;
        self.speed.unwrap_or(usual).clamp(*SPEEDS.start(), *SPEEDS.end())
    }

    /// Sets how many events a second.
    pub fn set_speed(&mut self, speed: f64) {
        self.speed = Some(speed);
    }

    /// Plays, from the start if it stands at the end; or pauses.
    pub fn toggle(&mut self) {
        let (position, length) = self.position();
        if length == 0 {
            return;
        }
        self.is_playing = !self.is_playing;
        self.owed = 0.0;
        if self.is_playing && position == length {
            self.jump(0);
            self.is_playing = true;
        }
    }

    /// Pauses.
    pub fn pause(&mut self) {
        self.is_playing = false;
    }

    /// Goes to where so many events have happened.
    pub fn jump(&mut self, position: usize) {
        self.clock = position.min(self.length());
        let touched = &mut self.touched;
        if let Some(replay) = &mut self.replay {
            // A far jump touches nearly everything: one whole update is cheaper than many boxes.
            replay.go_to(position, |cell| touched.cell(cell));
        }
        self.at_breakpoint = false;
    }

    /// Goes some events on, or back.
    pub fn step(&mut self, events: i64) {
        self.pause();
        let (position, length) = self.position();
        let target = (position as i64).saturating_add(events).clamp(0, length as i64);
        self.jump(target as usize);
    }

    /// Goes to the end of the part of the recording that comes next, or of the one before.
    pub fn go_part(&mut self, on: bool) {
        self.pause();
        let position = self.position().0;
        let phases = self.replay.as_ref().map_or(&[][..], Replay::phases);
        let mut ends = phases.iter().map(|phase| phase.events.end);
        let target = match on {
            true => ends.find(|&end| end > position).unwrap_or(usize::MAX),
            false => ends.rfind(|&end| end < position).unwrap_or(0),
        };
        self.jump(target);
    }

    /// Plays on for some time. Returns whether anything changed.
    pub fn advance(&mut self, elapsed: Duration) -> bool {
        if !self.is_playing {
            return false;
        }
        let events = self.owed + elapsed.as_secs_f64() * self.speed();
        self.owed = events.fract();
        let (position, length) = self.position();
        let target = (position + events as usize).min(length);
        let stop = self.replay.as_ref().and_then(|r| r.next_stop(target, &self.breakpoints));
        self.jump(stop.unwrap_or(target));
        self.at_breakpoint = stop.is_some();
        self.has_stopped = stop.is_some();
        if stop.is_some() || target == length {
            self.is_playing = false;
        }
        true
    }

    /// The breakpoint that has stopped playing since the last call, and the event that did it, with its number from 1.
    pub fn take_stop(&mut self) -> Option<(Breakpoint, TraceEvent, Cell, usize)> {
        if !std::mem::take(&mut self.has_stopped) {
            return None;
        }
        let replay = self.replay.as_ref()?;
        let (event, cell) = replay.current()?;
        let hit = self.breakpoints.iter().find(|breakpoint| breakpoint.is_hit(cell, &event))?;
        Some((*hit, event, cell, replay.position()))
    }

    /// Stops playing at a cell, or no longer.
    pub fn toggle_cell_breakpoint(&mut self, cell: Cell) {
        let breakpoint = Breakpoint::Cell { x: cell.x, y: cell.y };
        match self.breakpoints.iter().position(|other| *other == breakpoint) {
            Some(index) => _ = self.breakpoints.remove(index),
            None => self.breakpoints.push(breakpoint),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use highroad::grid::Grid;
    use highroad::online::GridSearch;
    use highroad::planner::{PathQuery, Planner, Scratch};
    use highroad::search::TraceLog;

    fn player() -> Player {
        let grid = Grid::with_defaults("......\n......\n".parse().unwrap());
        let mut log = TraceLog::default();
        let query = PathQuery::new((0, 0), (5, 1));
        GridSearch::dijkstra().solve_traced(&grid, &query, &mut Scratch::new(), &mut log).unwrap();
        let mut player = Player::default();
        player.load(Some(Replay::new(grid.extent(), log)));
        player
    }

    #[test]
    fn it_shows_the_end_first_and_plays_from_the_start() {
        let mut player = player();
        let (position, length) = player.position();
        assert!(position == length && length > 10);
        player.set_speed(2.0);
        player.toggle();
        assert_eq!((player.position().0, player.is_playing()), (0, true));
        player.advance(Duration::from_millis(750));
        assert_eq!(player.position().0, 1);
        player.advance(Duration::from_millis(250));
        assert_eq!(player.position().0, 2, "what is owed is kept");
        player.advance(Duration::from_secs(3600));
        assert_eq!((player.position().0, player.is_playing()), (length, false));
    }

    #[test]
    fn steps_go_both_ways_and_stop_at_the_ends() {
        let mut player = player();
        let length = player.position().1;
        player.step(1);
        assert_eq!(player.position().0, length);
        player.step(-2);
        assert_eq!(player.position().0, length - 2);
        player.step(i64::MIN);
        assert_eq!(player.position().0, 0);
    }

    #[test]
    fn the_clock_goes_on_while_others_do() {
        let mut player = player();
        let own = player.position().1;
        player.set_longer(5);
        assert_eq!(player.position(), (own + 5, own + 5), "who stands at the end stays there");
        player.jump(own + 2);
        assert_eq!((player.position().0, player.replay().unwrap().position()), (own + 2, own));
        player.step(-3);
        assert_eq!(player.replay().unwrap().position(), own - 1);
        player.set_longer(0);
        assert_eq!(player.position(), (own - 1, own));
    }

    #[test]
    fn parts_are_gone_through_one_by_one() {
        let mut player = player();
        let length = player.position().1;
        player.go_part(false);
        assert_eq!(player.position().0, 0, "one part: back to the beginning");
        player.go_part(true);
        assert_eq!(player.position().0, length);
        let grid = Grid::with_defaults("............\n.#.#.#.#.#..\n".parse().unwrap());
        let spec: highroad::catalog::Spec = "hpa:cluster=4:direct=no".parse().unwrap();
        let mut log = TraceLog::default();
        let query = PathQuery::new((0, 0), (11, 1));
        let hpa = spec.build(&grid).unwrap();
        hpa.solve_traced(&grid, &query, &mut Scratch::new(), &mut log).unwrap();
        player.load(Some(Replay::new(grid.extent(), log)));
        player.jump(0);
        let mut parts = 0;
        while player.position().0 < player.position().1 {
            player.go_part(true);
            parts += 1;
        }
        assert_eq!(parts, player.replay().unwrap().phases().len());
        assert!(parts >= 4);
    }

    #[test]
    fn a_breakpoint_stops_playing_and_one_can_go_on() {
        let mut player = player();
        player.toggle_cell_breakpoint(Cell::new(2, 0));
        player.toggle();
        player.advance(Duration::from_secs(100));
        assert!(player.at_breakpoint && !player.is_playing());
        assert_eq!(player.replay().unwrap().current().unwrap().1, Cell::new(2, 0));
        let before = player.position().0;
        player.toggle();
        player.advance(Duration::from_secs(100));
        assert!(player.position().0 > before);
        player.toggle_cell_breakpoint(Cell::new(2, 0));
        assert!(player.breakpoints.is_empty());
    }

    #[test]
    fn steps_without_a_recording_are_played_as_well() {
        let mut player = player();
        player.load_steps(4);
        assert_eq!((player.position(), player.replay().is_none()), ((0, 4), true));
        player.set_speed(2.0);
        player.toggle();
        player.advance(Duration::from_secs(1));
        assert_eq!((player.position().0, player.is_playing()), (2, true));
        player.advance(Duration::from_secs(9));
        assert_eq!((player.position().0, player.is_playing()), (4, false));
        player.step(-1);
        assert_eq!(player.position().0, 3);
        player.load(None);
        assert_eq!(player.position(), (0, 0));
    }

    #[test]
    fn without_a_recording_nothing_happens() {
        let mut player = Player::default();
        player.toggle();
        player.step(5);
        assert!(!player.is_playing() && player.replay().is_none());
    }
}
