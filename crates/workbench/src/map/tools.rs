//! What the pointer does on the map.

use super::engine::Detail;
use super::{MapMode, paint};
use highroad::environment::End;
use highroad::grid::{Batch, Palette};
use highroad::{Cell, CellRect, Terrain};

/// What the left button does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tool {
    /// Moves the map.
    Hand,
    /// Draws.
    #[default]
    Brush,
    /// Draws ground.
    Eraser,
    /// Draws a straight line.
    Line,
    /// Fills a rectangle.
    Rectangle,
    /// Fills what hangs together.
    Fill,
    /// Places the start.
    Start,
    /// Places the goal.
    Goal,
}

impl Tool {
    /// All of them, in the order of their digits.
    pub const ALL: [Self; 8] = [
        Self::Hand,
        Self::Brush,
        Self::Eraser,
        Self::Line,
        Self::Rectangle,
        Self::Fill,
        Self::Start,
        Self::Goal,
    ];

    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Self::Hand => "Hand",
            Self::Brush => "Brush",
            Self::Eraser => "Eraser",
            Self::Line => "Line",
            Self::Rectangle => "Rectangle",
            Self::Fill => "Fill",
            Self::Start => "Start",
            Self::Goal => "Goal",
        }
    }

    /// What it does.
    pub fn help(self) -> &'static str {
        match self {
            Self::Hand => "drag the map about",
            Self::Brush => "draw the chosen terrain; the right button erases",
            Self::Eraser => "draw ground",
            Self::Line => "draw a straight line from press to release",
            Self::Rectangle => "fill a rectangle from press to release",
            Self::Fill => "fill everything of one kind that hangs together",
            Self::Start => "click where paths start",
            Self::Goal => "click where paths end",
        }
    }
}

/// Sizes that brushes come in, in cells across.
pub const BRUSH_SIZES: [u32; 6] = [1, 2, 3, 5, 9, 17];

/// Terrains to draw with on maps of that palette, with their names.
pub fn brushes(palette: Palette) -> Vec<(Terrain, String)> {
    let named = |terrain: Terrain| {
        let name = match terrain {
            Terrain::WALL => "wall".to_owned(),
            Terrain::TREES => "trees".to_owned(),
            Terrain::GROUND => "ground".to_owned(),
            Terrain::SWAMP => "swamp".to_owned(),
            Terrain::WATER => "water".to_owned(),
            other => format!("cost {}", other.letter() - b'A' + 1),
        };
        (terrain, name)
    };
    let letters: &[u8] = match palette {
        Palette::Standard => b"@.SWT",
        Palette::Weighted => b"@ABCDEFGHIP",
    };
    letters.iter().filter_map(|&letter| Terrain::from_letter(letter)).map(named).collect()
}

/// Terrains that cost 1 to 9, on maps of any palette.
pub fn cost_brushes() -> impl Iterator<Item = (u8, Terrain)> {
    (1..=9).filter_map(|cost| Some((cost, Terrain::from_letter(b'A' + cost - 1)?)))
}

/// Whether a terrain is one of weighted maps.
fn is_cost(terrain: Terrain) -> bool {
    (b'A'..=b'P').contains(&terrain.letter())
}

/// What strokes, lines and rectangles are drawn with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Brush {
    /// What is drawn.
    pub terrain: Terrain,
    /// How many cells it is across.
    pub size: u32,
}

impl Default for Brush {
    fn default() -> Self {
        Self { terrain: Terrain::WALL, size: 1 }
    }
}

/// What the pointer does on the map.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pointer {
    /// The cell under it.
    pub hovered: Option<Cell>,
    /// What is under way while a button is held.
    pub gesture: Option<Gesture>,
    /// Whether it moved the map while the space bar was held, so that the bar does not play.
    pub space_was_for_moving: bool,
}

/// What is under way while a button is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gesture {
    /// A stroke of the brush, and where it was last.
    Stroke {
        /// What is drawn.
        terrain: Terrain,
        /// The cell drawn last.
        last: Cell,
    },
    /// A line or rectangle that becomes real on release.
    Span {
        /// Whether it is a rectangle.
        is_rectangle: bool,
        /// What is drawn.
        terrain: Terrain,
        /// Where it began.
        from: Cell,
        /// Where it is now.
        to: Cell,
    },
    /// Start or goal is being dragged.
    Drag(End),
}

/// What the pointer does, and with what.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hand {
    /// What the left button does.
    pub tool: Tool,
    /// What is drawn with.
    pub brush: Brush,
    /// What the pointer does.
    pub pointer: Pointer,
}

impl MapMode {
    /// The button goes down on a cell, maybe on the mark of the start or the goal.
    pub fn press(&mut self, cell: Cell, erase: bool, grip: Option<End>) {
        self.release();
        let draws = grip.is_none()
            && matches!(self.hand.tool, Tool::Brush | Tool::Line | Tool::Rectangle | Tool::Fill);
        if draws && !erase && !self.can_draw(self.hand.brush.terrain) {
            return;
        }
        self.document.begin_step();
        let terrain = if erase { self.ground() } else { self.hand.brush.terrain };
        if let Some(place) = grip.filter(|_| !erase) {
            self.hand.pointer.gesture = Some(Gesture::Drag(place));
            self.hint_is_taken = true;
            return;
        }
        match (self.hand.tool, erase) {
            (Tool::Start, false) => self.begin_drag(End::Start, cell),
            (Tool::Goal, false) => self.begin_drag(End::Goal, cell),
            (Tool::Fill, _) => self.fill(cell, terrain),
            (Tool::Line | Tool::Rectangle, _) => {
                let is_rectangle = self.hand.tool == Tool::Rectangle;
                self.hand.pointer.gesture =
                    Some(Gesture::Span { is_rectangle, terrain, from: cell, to: cell });
            }
            (Tool::Hand, false) => {}
            _ => {
                let terrain = if self.hand.tool == Tool::Eraser { self.ground() } else { terrain };
                self.hand.pointer.gesture = Some(Gesture::Stroke { terrain, last: cell });
                self.draw(cell, cell, terrain);
            }
        }
        if self.hand.pointer.gesture.is_none() {
            self.document.end_step();
        }
    }

    /// Makes the map ready for a terrain. Returns whether it can be drawn; if not, that is said.
    pub(super) fn can_draw(&mut self, terrain: Terrain) -> bool {
        if !is_cost(terrain) || self.document.palette() == Palette::Weighted {
            return true;
        }
        let trees = self.document.grid().map().count(Terrain::TREES) > 0;
        match self.document.allow_costs() {
            Ok(()) => {
                self.renewal.touched.everything();
                self.after_movement();
                let trees = if trees { " Trees have become walls." } else { "" };
                self.say(format!("The map has costs now.{trees} Undo takes it back."));
                true
            }
            Err(reason) => {
                self.say_error(format!("Costs cannot be drawn here: {reason}."));
                false
            }
        }
    }

    fn begin_drag(&mut self, place: End, cell: Cell) {
        self.hand.pointer.gesture = Some(Gesture::Drag(place));
        self.drag_to(cell);
    }

    /// What is drawn to erase.
    fn ground(&self) -> Terrain {
        match self.document.palette() {
            Palette::Standard => Terrain::GROUND,
            Palette::Weighted => Terrain::from_letter(b'A').unwrap_or(Terrain::GROUND),
        }
    }

    /// The pointer moves over a cell while the button is held.
    pub fn drag_to(&mut self, cell: Cell) {
        match self.hand.pointer.gesture {
            Some(Gesture::Stroke { terrain, last }) if last != cell => {
                self.hand.pointer.gesture = Some(Gesture::Stroke { terrain, last: cell });
                self.draw(last, cell, terrain);
            }
            Some(Gesture::Span { is_rectangle, terrain, from, .. }) => {
                self.hand.pointer.gesture =
                    Some(Gesture::Span { is_rectangle, terrain, from, to: cell });
            }
            Some(Gesture::Drag(place)) => self.move_place(place, cell),
            _ => {}
        }
    }

    /// The button goes up.
    pub fn release(&mut self) {
        let Some(gesture) = self.hand.pointer.gesture.take() else { return };
        if let Gesture::Span { is_rectangle, terrain, from, to } = gesture {
            let mut batch = Batch::new();
            if is_rectangle {
                batch.fill(CellRect::new(from, to), terrain);
            } else {
                self.brush_along(&paint::line(from, to), terrain, &mut batch);
            }
            self.edit(&batch);
        }
        if let Gesture::Drag(place) = gesture {
            self.snap(place);
        }
        self.document.end_step();
        self.want(Detail::Everything);
    }

    /// Moves a start or goal that was let go where no agent can stand to the nearest cell where one can.
    pub(super) fn snap(&mut self, place: End) {
        let (start, goal) = self.document.places();
        let cell = if place == End::Start { start } else { goal };
        let grid = self.document.grid();
        if let Some(free) = paint::nearest(grid.extent(), cell, |cell| grid.is_enterable(cell))
            && free != cell
        {
            self.move_place(place, free);
            self.say(format!(
                "The {place} was moved to {free}, the nearest cell that can be entered."
            ));
        }
    }

    /// Gives up a line or rectangle that is not yet drawn.
    pub fn drop_gesture(&mut self) {
        if matches!(self.hand.pointer.gesture, Some(Gesture::Span { .. })) {
            self.hand.pointer.gesture = None;
        }
    }

    /// Puts the start or the goal onto a cell; the path follows if it can.
    pub fn move_place(&mut self, place: End, cell: Cell) {
        let (start, goal) = self.document.places();
        self.set_places(match place {
            End::Start => (cell, goal),
            End::Goal => (start, cell),
        });
    }

    /// The start becomes the goal, and the other way round.
    pub fn swap_places(&mut self) {
        let (start, goal) = self.document.places();
        self.set_places((goal, start));
        self.want(Detail::Everything);
    }

    fn set_places(&mut self, places: (Cell, Cell)) {
        if self.document.places() != places {
            self.document.set_places(places);
            self.redirect_agent();
            self.want_live();
        }
    }

    fn draw(&mut self, from: Cell, to: Cell, terrain: Terrain) {
        let mut batch = Batch::new();
        self.brush_along(&paint::line(from, to), terrain, &mut batch);
        self.edit(&batch);
    }

    fn brush_along(&self, line: &[Cell], terrain: Terrain, batch: &mut Batch) {
        let extent = self.document.extent();
        for &middle in line {
            for cell in paint::brush(extent, middle, self.hand.brush.size) {
                batch.set(cell, terrain);
            }
        }
    }

    fn fill(&mut self, cell: Cell, terrain: Terrain) {
        let mut batch = Batch::new();
        for (first, last) in paint::bucket(self.document.grid().map(), cell) {
            batch.fill(CellRect::new(first, last), terrain);
        }
        self.edit(&batch);
        self.want(Detail::Everything);
    }
}
