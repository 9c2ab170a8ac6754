//! Obstacles and flags that the pointer draws, drags and removes.
//!
//! While an obstacle is dragged, the edit of the move before is taken back and another is made, so that the whole drag is
//! one step of undo.

use super::MeshMode;
use highroad::mesh::{MeshPoint, Obstacle};

/// What the pointer does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MeshTool {
    /// Drags flags and obstacles, and moves the view elsewhere.
    #[default]
    Move,
    /// Draws an obstacle: a drag is a rectangle, clicks are corners.
    Draw,
    /// Removes obstacles.
    Remove,
}

impl MeshTool {
    /// All of them, in the order of their digits.
    pub const ALL: [Self; 3] = [Self::Move, Self::Draw, Self::Remove];

    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Self::Move => "Move",
            Self::Draw => "Draw",
            Self::Remove => "Remove",
        }
    }

    /// What it does.
    pub fn help(self) -> &'static str {
        match self {
            Self::Move => "drag the flags and obstacles; elsewhere, the view moves (1)",
            Self::Draw => {
                "drag a rectangle, or click corners one after another; a click on the first corner or Enter closes (2)"
            }
            Self::Remove => "click an obstacle to remove it (3)",
        }
    }
}

/// What a pressed pointer is doing.
#[derive(Clone, Debug)]
pub(super) enum Gesture {
    /// Drags the start or the goal.
    End(usize),
    /// Drags an obstacle: its name, where the pointer took it, and whether an edit has been made for it.
    Obstacle { name: String, from: [f64; 2], is_moved: bool },
    /// Draws a rectangle from a corner.
    Rectangle { from: [f64; 2], to: [f64; 2] },
}

impl MeshMode {
    /// The obstacle at a point, the last placed first.
    pub fn obstacle_at(&self, at: [f64; 2]) -> Option<&str> {
        let found =
            self.mesh().obstacles().filter(|(_, obstacle)| contains(obstacle.outline(), at));
        found.last().map(|(name, _)| name)
    }

    /// Takes what lies at a point: a flag that is nearer than `reach`, or an obstacle. Returns whether there is one.
    pub fn press(&mut self, at: [f64; 2], reach: f64) -> bool {
        self.gesture = match self.tool {
            MeshTool::Draw => Some(Gesture::Rectangle { from: at, to: at }),
            MeshTool::Remove => None,
            MeshTool::Move => {
                let away = |end: MeshPoint| (end.x() - at[0]).hypot(end.y() - at[1]);
                let [start, goal] = self.ends().map(away);
                let end = if goal <= start { (1, goal) } else { (0, start) };
                match self.obstacle_at(at) {
                    _ if end.1 <= reach => Some(Gesture::End(end.0)),
                    Some(name) => {
                        let name = name.to_owned();
                        Some(Gesture::Obstacle { name, from: at, is_moved: false })
                    }
                    None => None,
                }
            }
        };
        self.gesture.is_some()
    }

    /// Whether the pointer drags something.
    pub fn is_dragging(&self) -> bool {
        self.gesture.is_some()
    }

    /// Moves what the pointer drags.
    pub fn drag_to(&mut self, at: [f64; 2]) {
        let Some(mut gesture) = self.gesture.take() else { return };
        match &mut gesture {
            Gesture::End(which) => {
                let layer = self.ends()[*which].layer();
                if let Ok(point) = MeshPoint::new(at[0], at[1]) {
                    self.set_end(*which, point.on_layer(layer));
                }
            }
            Gesture::Obstacle { name, from, is_moved } => {
                if std::mem::take(is_moved) {
                    self.world.undo();
                }
                let by = [at[0] - from[0], at[1] - from[1]];
                *is_moved = self.edit(|batch| _ = batch.move_by(name.as_str(), by));
                self.run();
            }
            Gesture::Rectangle { to, .. } => *to = at,
        }
        self.gesture = Some(gesture);
    }

    /// Ends what the pointer was doing. A rectangle that was drawn becomes an obstacle.
    pub fn release(&mut self) {
        if let Some(Gesture::Rectangle { from, to }) = self.gesture.take()
            && from[0] != to[0]
            && from[1] != to[1]
        {
            self.corners.clear();
            self.place_obstacle(vec![from, [to[0], from[1]], to, [from[0], to[1]]]);
        }
    }

    /// A click: a corner of an obstacle that is drawn, or the obstacle that is removed. A corner within `reach` of the first
    /// closes the obstacle.
    pub fn click(&mut self, at: [f64; 2], reach: f64) {
        self.gesture = None;
        match self.tool {
            MeshTool::Move => {}
            MeshTool::Draw => {
                let first = self.corners.first();
                let closes =
                    first.is_some_and(|first| (first[0] - at[0]).hypot(first[1] - at[1]) <= reach);
                match closes {
                    true => self.close_obstacle(),
                    false => self.corners.push(at),
                }
            }
            MeshTool::Remove => self.remove_at(at),
        }
    }

    /// Removes the obstacle at a point, if there is one.
    pub fn remove_at(&mut self, at: [f64; 2]) {
        if let Some(name) = self.obstacle_at(at).map(str::to_owned) {
            self.edit(|batch| _ = batch.remove(name.as_str()));
            self.run();
        }
    }

    /// The corners of the obstacle that is being drawn.
    pub fn corners(&self) -> Vec<[f64; 2]> {
        match &self.gesture {
            Some(Gesture::Rectangle { from, to }) if from != to => {
                vec![*from, [to[0], from[1]], *to, [from[0], to[1]], *from]
            }
            _ => self.corners.clone(),
        }
    }

    /// Makes an obstacle of the corners that were clicked.
    pub fn close_obstacle(&mut self) {
        let corners = std::mem::take(&mut self.corners);
        if corners.len() >= 3 {
            self.place_obstacle(corners);
        }
    }

    /// Drops what is being drawn. Returns whether there was something.
    pub fn drop_corners(&mut self) -> bool {
        let had = !self.corners.is_empty();
        self.corners.clear();
        had
    }

    /// Places an obstacle of that outline.
    pub fn place_obstacle(&mut self, outline: Vec<[f64; 2]>) {
        match Obstacle::new(outline) {
            Ok(obstacle) => {
                self.drawn += 1;
                let name = format!("obstacle {}", self.drawn);
                self.edit(|batch| _ = batch.place(name.as_str(), obstacle));
                self.run();
            }
            Err(error) => self.refusal = Some(format!("This is no obstacle: {error}.")),
        }
    }

    /// Removes all obstacles, in one step.
    pub fn remove_all(&mut self) {
        let names: Vec<String> = self.mesh().obstacles().map(|(name, _)| name.to_owned()).collect();
        if !names.is_empty() {
            self.edit(|batch| names.iter().for_each(|name| _ = batch.remove(name.as_str())));
            self.run();
        }
    }

    /// Edits the world. Returns whether the edit was made; if not, the reason is kept.
    fn edit(&mut self, describe: impl FnOnce(&mut highroad::mesh::MeshBatch)) -> bool {
        match self.world.edit(describe) {
            Ok(_) => {
                self.refusal = None;
                true
            }
            Err(error) => {
                self.refusal = Some(format!("{error}."));
                false
            }
        }
    }

    /// Takes the last edit of obstacles back.
    pub fn undo(&mut self) {
        if self.drop_corners() {
            return;
        }
        if self.world.undo().is_some() {
            self.refusal = None;
            self.run();
        }
    }

    /// Makes it again.
    pub fn redo(&mut self) {
        if self.world.redo().is_some() {
            self.run();
        }
    }

    /// Whether there is something to undo, and something to redo.
    pub fn can_undo_redo(&self) -> (bool, bool) {
        (self.world.can_undo() || !self.corners.is_empty(), self.world.can_redo())
    }
}

/// Whether a point lies in a polygon, by counting the edges to the right of it.
fn contains(outline: &[[f64; 2]], [x, y]: [f64; 2]) -> bool {
    let edges = outline.iter().zip(outline.iter().cycle().skip(1));
    let crossed = edges.filter(|(from, to)| {
        (from[1] > y) != (to[1] > y)
            && x < from[0] + (y - from[1]) / (to[1] - from[1]) * (to[0] - from[0])
    });
    crossed.count() % 2 == 1
}
