//! A replay as a moving picture: an animated PNG, which browsers and office programs show.

use crate::canvas::{Canvas, PictureError};
use crate::replay::Replay;
use crate::scene::Scene;
use crate::surface::Viewport;
use highroad_core::Cell;
use std::io::Write;

/// How a replay becomes a moving picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Animation {
    /// How many pictures there are at the most.
    pub frames_max: u32,
    /// How long each is shown, in milliseconds.
    pub frame_ms: u16,
    /// How long the last one is shown, before it begins again.
    pub last_ms: u16,
}

impl Default for Animation {
    /// Ten pictures a second for twelve seconds at the most, the last one for three.
    fn default() -> Self {
        Self { frames_max: 120, frame_ms: 100, last_ms: 3000 }
    }
}

impl Animation {
    /// The positions of a recording that are shown, from before its first event to its end.
    pub fn positions(&self, events: usize) -> Vec<usize> {
        let steps = (self.frames_max.max(2) as usize - 1).min(events).max(1);
        (0..=steps).map(|step| events * step / steps).collect()
    }

    /// Writes a replay as an animated PNG. `path` is the whole path, which appears when it is found; the scene says what
    /// else is to be seen. The replay is left where it stood.
    pub fn write(
        &self,
        out: impl Write,
        scene: &Scene<'_>,
        replay: &Replay,
        path: &[Cell],
        viewport: &Viewport,
    ) -> Result<(), PictureError> {
        let mut replay = replay.clone();
        let positions = self.positions(replay.len());
        let size = (viewport.size.0 as u32, viewport.size.1 as u32);
        let frames = positions.iter().map(|&position| {
            replay.go_to(position, |_| ());
            picture(scene, &replay, path, viewport)
        });
        write_frames(out, size, frames, (self.frame_ms, self.last_ms))
    }
}

/// Writes pictures of one size as an animated PNG: each is shown for the first of the times, in milliseconds, the last one for the second.
fn write_frames(
    out: impl Write,
    (width, height): (u32, u32),
    frames: impl ExactSizeIterator<Item = Canvas>,
    (frame_ms, last_ms): (u16, u16),
) -> Result<(), PictureError> {
    let count = frames.len();
    let mut encoder = png::Encoder::new(out, width, height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::Fast);
    encoder.set_animated(count as u32, 0)?;
    encoder.set_frame_delay(frame_ms, 1000)?;
    let mut writer = encoder.write_header()?;
    for (number, frame) in frames.enumerate() {
        if number + 1 == count {
            writer.set_frame_delay(last_ms, 1000)?;
        }
        writer.write_image_data(frame.rgb())?;
    }
    writer.finish()?;
    Ok(())
}

/// Pictures of something that goes on for nobody knows how long, as a film: when there are too many, every second one is dropped, and from
/// then on every second one is left out.
///
/// ```
/// use highroad_core::Grid;
/// use highroad_pictures::{Film, Scene, Viewport};
/// let grid = Grid::with_defaults("...\n".parse()?);
/// let mut film = Film::new(10);
/// for _tick in 0..100 {
///     if film.is_next_wanted() {
///         film.push(Scene::new(&grid).to_canvas(&Viewport::whole(grid.extent())));
///     }
/// }
/// assert!(film.len() <= 10);
/// let mut file = Vec::new();
/// film.write(&mut file, 100, 2000)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Film {
    frames: Vec<Canvas>,
    frames_max: usize,
    /// One in so many pictures is kept.
    every: u64,
    seen: u64,
}

impl Film {
    /// No picture yet, and at most so many; two at least.
    pub fn new(frames_max: usize) -> Self {
        Self { frames: Vec::new(), frames_max: frames_max.max(2), every: 1, seen: 0 }
    }

    /// Counts a picture. Returns whether it is to be made, and given to [`Film::push`].
    pub fn is_next_wanted(&mut self) -> bool {
        self.seen += 1;
        (self.seen - 1).is_multiple_of(self.every)
    }

    /// Adds a picture, of the same size as the first one.
    pub fn push(&mut self, frame: Canvas) {
        let is_alike =
            |first: &Canvas| (first.width(), first.height()) == (frame.width(), frame.height());
        if !self.frames.first().is_none_or(is_alike) {
            return;
        }
        if self.frames.len() == self.frames_max {
            let mut number = 0;
            self.frames.retain(|_| {
                number += 1;
                number % 2 == 1
            });
            self.every *= 2;
        }
        self.frames.push(frame);
    }

    /// How many pictures there are.
    pub fn len(&self) -> usize {
        self.frames.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.frames.is_empty()
    }

    /// For how many of the counted pictures each stands.
    pub fn every(&self) -> u64 {
        self.every
    }

    /// Writes it as an animated PNG; without a picture nothing is written.
    pub fn write(self, out: impl Write, frame_ms: u16, last_ms: u16) -> Result<(), PictureError> {
        let Some(first) = self.frames.first() else { return Ok(()) };
        let size = (first.width(), first.height());
        write_frames(out, size, self.frames.into_iter(), (frame_ms, last_ms))
    }
}

/// The scene with a replay where it stands.
fn picture(scene: &Scene<'_>, replay: &Replay, path: &[Cell], viewport: &Viewport) -> Canvas {
    let (colouring, opacity) = scene
        .search
        .map_or((Default::default(), 0.8), |(_, colouring, opacity)| (colouring, opacity));
    let known = replay.known_path(path);
    let scene = Scene {
        search: Some((replay, colouring, opacity)),
        path: Some((&known, 1.0)),
        ..scene.clone()
    };
    scene.to_canvas(viewport)
}

#[cfg(test)]
mod tests {
    use super::*;
    use highroad_core::{Grid, GridSearch, PathQuery, Planner, Scratch, TraceLog};

    fn recorded() -> (Grid, Replay, Vec<Cell>) {
        let grid = Grid::with_defaults("......\n.####.\n......\n".parse().unwrap());
        let (query, mut log) = (PathQuery::new((2, 0), (2, 2)), TraceLog::default());
        let search = GridSearch::astar().as_in_textbooks();
        let answer = search.solve_traced(&grid, &query, &mut Scratch::new(), &mut log).unwrap();
        let path = answer.path().unwrap().cells().to_vec();
        let replay = Replay::new(grid.extent(), log);
        (grid, replay, path)
    }

    #[test]
    fn positions_go_from_the_beginning_to_the_end_without_gaps_in_short_recordings() {
        let animation = Animation { frames_max: 5, ..Animation::default() };
        assert_eq!(animation.positions(3), [0, 1, 2, 3]);
        assert_eq!(animation.positions(100), [0, 25, 50, 75, 100]);
        assert_eq!(animation.positions(0), [0, 0]);
    }

    #[test]
    fn the_file_has_all_frames_and_the_first_and_the_last_differ() {
        let (grid, replay, path) = recorded();
        let viewport = Viewport::whole(grid.extent());
        let mut file = Vec::new();
        let animation = Animation { frames_max: 6, ..Animation::default() };
        let scene = Scene::new(&grid);
        animation.write(&mut file, &scene, &replay, &path, &viewport).unwrap();
        let decoder = png::Decoder::new(std::io::Cursor::new(&file));
        let mut reader = decoder.read_info().unwrap();
        let control = reader.info().animation_control().copied().unwrap();
        assert_eq!((control.num_frames, control.num_plays), (6, 0));
        let mut frames = Vec::new();
        for _ in 0..6 {
            let mut frame = vec![0; reader.output_buffer_size().unwrap()];
            reader.next_frame(&mut frame).unwrap();
            frames.push(frame);
        }
        assert_ne!(frames[0], frames[5]);
        assert!(reader.next_frame(&mut vec![0; frames[0].len()]).is_err(), "there are six");
    }

    #[test]
    fn a_film_keeps_evenly_spread_pictures_and_the_first() {
        let mut film = Film::new(8);
        let mut kept = Vec::new();
        for tick in 0..1000_u32 {
            if film.is_next_wanted() {
                let mut canvas = Canvas::new(2, 2);
                canvas.set(0, 0, crate::Colour(tick as u8, (tick >> 8) as u8, 0));
                film.push(canvas);
            }
        }
        for frame in &film.frames {
            let crate::Colour(low, high, _) = frame.get(0, 0);
            kept.push(u32::from(low) + 256 * u32::from(high));
        }
        assert_eq!((kept.len(), kept[0], film.every()), (8, 0, 128));
        assert!(kept.windows(2).all(|pair| pair[1] - pair[0] == 128), "{kept:?}");
        let mut file = Vec::new();
        film.write(&mut file, 50, 100).unwrap();
        assert!(file.starts_with(b"\x89PNG"));
    }

    #[test]
    fn the_path_is_seen_only_once_it_is_found() {
        let (_, mut replay, path) = recorded();
        for position in 0..replay.len() {
            replay.go_to(position, |_| ());
            assert!(replay.known_path(&path).is_empty(), "at {position}");
        }
        replay.go_to(usize::MAX, |_| ());
        assert_eq!(replay.known_path(&path), path);
    }
}
