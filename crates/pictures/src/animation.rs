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
        let (width, height) = (viewport.size.0 as u32, viewport.size.1 as u32);
        let mut encoder = png::Encoder::new(out, width, height);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_compression(png::Compression::Fast);
        encoder.set_animated(positions.len() as u32, 0)?;
        encoder.set_frame_delay(self.frame_ms, 1000)?;
        let mut writer = encoder.write_header()?;
        for (number, &position) in positions.iter().enumerate() {
            if number + 1 == positions.len() {
                writer.set_frame_delay(self.last_ms, 1000)?;
            }
            replay.go_to(position, |_| ());
            writer.write_image_data(picture(scene, &replay, path, viewport).rgb())?;
        }
        writer.finish()?;
        Ok(())
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
