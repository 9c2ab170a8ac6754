//! What the pointer does on the map.

use super::engine::Detail;
use super::ways::{Corner, LinkChoice, borders_along, cell_at, close_links, draw_borders};
use super::{Brush, Ink, MapMode, nearest_border, paint};
use highroad::environment::End;
use highroad::grid::{Batch, Border, Palette};
use highroad::planner::Point;
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
    /// Closes borders between cells.
    Border,
    /// Links a cell with a cell.
    Link,
}

impl Tool {
    /// All of them, in the order of their digits.
    pub const ALL: [Self; 10] = [
        Self::Hand,
        Self::Brush,
        Self::Eraser,
        Self::Line,
        Self::Rectangle,
        Self::Fill,
        Self::Start,
        Self::Goal,
        Self::Border,
        Self::Link,
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
            Self::Border => "Border",
            Self::Link => "Link",
        }
    }

    /// What it does.
    pub fn help(self) -> &'static str {
        match self {
            Self::Hand => "drag the map about",
            Self::Brush => "draw the chosen terrain or height; the right button erases",
            Self::Eraser => "draw ground, or the height 0 if heights are chosen",
            Self::Line => "draw a straight line from press to release",
            Self::Rectangle => "fill a rectangle from press to release",
            Self::Fill => "fill everything of one kind, or of one height, that hangs together",
            Self::Start => "click where paths start",
            Self::Goal => "click where paths end",
            Self::Border => {
                "click on a line between two cells, or drag along such lines; the right button opens borders again"
            }
            Self::Link => {
                "drag from a cell to a cell: a ladder, a door, a portal; the right button takes the links of a cell away"
            }
        }
    }
}

/// What the pointer does on the map.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pointer {
    /// The cell under it.
    pub hovered: Option<Cell>,
    /// Where on the map it is.
    pub at: Option<Point>,
    /// What is under way while a button is held.
    pub gesture: Option<Gesture>,
    /// The canvas that it began on.
    pub canvas: usize,
    /// Whether it moved the map while the space bar was held, so that the bar does not play.
    pub space_was_for_moving: bool,
}

/// What is under way while a button is held.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Gesture {
    /// A stroke of the brush, and where it was last.
    Stroke {
        /// What is drawn.
        ink: Ink,
        /// The cell drawn last.
        last: Cell,
    },
    /// A line or rectangle that becomes real on release.
    Span {
        /// Whether it is a rectangle.
        is_rectangle: bool,
        /// What is drawn.
        ink: Ink,
        /// Where it began.
        from: Cell,
        /// Where it is now.
        to: Cell,
    },
    /// Start or goal is being dragged.
    Drag(End),
    /// Borders are drawn along the lines between cells. One that ends at the corner where it began was a click: it is for
    /// the border nearest to it.
    Borders {
        /// What borders become.
        border: Border,
        /// Where it began.
        from: Point,
        /// The corner that it has come to.
        last: Corner,
        /// Whether it has left the corner where it began.
        moved: bool,
    },
    /// A link that becomes real on release.
    Link {
        /// Where it begins.
        from: Cell,
        /// Where it would end.
        to: Cell,
    },
}

/// What the pointer does, and with what.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hand {
    /// What the left button does.
    pub tool: Tool,
    /// What is drawn with.
    pub brush: Brush,
    /// What borders become: closed, or open one way.
    pub border: Border,
    /// How links are drawn.
    pub link: LinkChoice,
    /// What the pointer does.
    pub pointer: Pointer,
}

impl Default for Hand {
    fn default() -> Self {
        Self {
            tool: Tool::default(),
            brush: Brush::default(),
            border: Border::Closed,
            link: LinkChoice::default(),
            pointer: Pointer::default(),
        }
    }
}

/// Whether a terrain is one of weighted maps.
fn is_cost(terrain: Terrain) -> bool {
    (b'A'..=b'P').contains(&terrain.letter())
}

impl MapMode {
    /// The button goes down at a point of the map, maybe on the mark of the start or the goal.
    pub fn press(&mut self, at: Point, erase: bool, grip: Option<End>) {
        self.release();
        let cell = cell_at(self.document.extent(), at);
        let tool = self.hand.tool;
        let draws = grip.is_none()
            && matches!(tool, Tool::Brush | Tool::Line | Tool::Rectangle | Tool::Fill);
        if draws && !erase && !self.can_draw(self.hand.brush.ink) {
            return;
        }
        self.document.begin_step();
        if let Some(place) = grip.filter(|_| !erase) {
            self.hand.pointer.gesture = Some(Gesture::Drag(place));
            self.hint_is_taken = true;
            return;
        }
        let mut ink = self.hand.brush.ink;
        if erase || tool == Tool::Eraser {
            ink = ink.erased(self.document.palette());
        }
        match (tool, erase) {
            (Tool::Hand, false) => {}
            (Tool::Start, false) => self.begin_drag(End::Start, cell),
            (Tool::Goal, false) => self.begin_drag(End::Goal, cell),
            (Tool::Fill, _) => self.fill(cell, ink),
            (Tool::Line | Tool::Rectangle, _) => {
                let is_rectangle = tool == Tool::Rectangle;
                self.hand.pointer.gesture =
                    Some(Gesture::Span { is_rectangle, ink, from: cell, to: cell });
            }
            (Tool::Border, _) => {
                let border = if erase { Border::Open } else { self.hand.border };
                let last = Corner::nearest(self.document.extent(), at);
                self.hand.pointer.gesture =
                    Some(Gesture::Borders { border, from: at, last, moved: false });
            }
            (Tool::Link, true) => self.edit(&close_links(self.document.grid().map(), cell)),
            (Tool::Link, false) => {
                self.hand.pointer.gesture = Some(Gesture::Link { from: cell, to: cell });
            }
            _ => {
                self.hand.pointer.gesture = Some(Gesture::Stroke { ink, last: cell });
                self.draw(cell, cell, ink);
            }
        }
        if self.hand.pointer.gesture.is_none() {
            self.document.end_step();
        }
    }

    /// Makes the map ready for what is drawn. Returns whether it can be drawn; if not, that is said.
    pub(super) fn can_draw(&mut self, ink: Ink) -> bool {
        let Ink::Terrain(terrain) = ink else { return true };
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
        self.move_place(place, cell);
    }

    /// The pointer moves to a point of the map while the button is held.
    pub fn drag_to(&mut self, at: Point) {
        let extent = self.document.extent();
        let cell = cell_at(extent, at);
        let Some(gesture) = &mut self.hand.pointer.gesture else { return };
        match gesture {
            Gesture::Stroke { ink, last } => {
                let (ink, from) = (*ink, std::mem::replace(last, cell));
                if from != cell {
                    self.draw(from, cell, ink);
                }
            }
            Gesture::Span { to, .. } | Gesture::Link { to, .. } => *to = cell,
            Gesture::Drag(place) => {
                let place = *place;
                self.move_place(place, cell);
            }
            Gesture::Borders { border, last, moved, .. } => {
                let corner = Corner::nearest(extent, at);
                let (border, from) = (*border, std::mem::replace(last, corner));
                if from != corner {
                    *moved = true;
                    self.edit(&draw_borders(&borders_along(extent, from, corner), border));
                }
            }
        }
    }

    /// The button goes up.
    pub fn release(&mut self) {
        let Some(gesture) = self.hand.pointer.gesture.take() else { return };
        match gesture {
            Gesture::Stroke { .. } => {}
            Gesture::Span { is_rectangle, ink, from, to } => {
                let mut batch = Batch::new();
                if is_rectangle {
                    ink.fill(CellRect::new(from, to), &mut batch);
                } else {
                    self.brush_along(&paint::line(from, to), ink, &mut batch);
                }
                self.edit(&batch);
            }
            Gesture::Drag(place) => self.snap(place),
            Gesture::Borders { border, from, moved, .. } => {
                let clicked = nearest_border(self.document.extent(), from).filter(|_| !moved);
                self.edit(&draw_borders(clicked.as_slice(), border));
            }
            Gesture::Link { from, to } => self.open_link(from, to),
        }
        self.document.end_step();
        self.want(Detail::Everything);
    }

    /// Opens a link, in the place of one that there is between the same cells.
    fn open_link(&mut self, from: Cell, to: Cell) {
        if from == to {
            return self.say("Drag from the cell where the link begins to the one where it ends.");
        }
        let grid = self.document.grid();
        let step = grid.movement().steps().straight_steps(1).0;
        let mut batch = Batch::new();
        for &link in grid.map().link_list() {
            let is_back = (link.from, link.to) == (to, from);
            let replaces = is_back && (link.both_ways || self.hand.link.both_ways);
            if (link.from, link.to) == (from, to) || replaces {
                batch.close_link(link);
            }
        }
        batch.open_link(self.hand.link.link(from, to, step));
        self.edit(&batch);
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

    /// Gives up a line, a rectangle or a link that is not yet drawn.
    pub fn drop_gesture(&mut self) {
        let gesture = self.hand.pointer.gesture;
        if matches!(gesture, Some(Gesture::Span { .. } | Gesture::Link { .. })) {
            self.hand.pointer.gesture = None;
        }
    }

    /// Takes back what the gesture under way has done: a second finger has come down, so it was no drawing.
    pub fn withdraw_gesture(&mut self) {
        if self.hand.pointer.gesture.take().is_none() {
            return;
        }
        let before = self.document.step_count();
        self.document.end_step();
        if self.document.step_count() > before {
            self.undo();
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

    fn draw(&mut self, from: Cell, to: Cell, ink: Ink) {
        let mut batch = Batch::new();
        self.brush_along(&paint::line(from, to), ink, &mut batch);
        self.edit(&batch);
    }

    fn brush_along(&self, line: &[Cell], ink: Ink, batch: &mut Batch) {
        let extent = self.document.extent();
        for &middle in line {
            for cell in paint::brush(extent, middle, self.hand.brush.size) {
                ink.fill(cell.into(), batch);
            }
        }
    }

    fn fill(&mut self, cell: Cell, ink: Ink) {
        let map = self.document.grid().map();
        let there = ink.at(map, cell);
        let mut batch = Batch::new();
        for (first, last) in paint::bucket(map.extent(), cell, |cell| ink.at(map, cell) == there) {
            ink.fill(CellRect::new(first, last), &mut batch);
        }
        self.edit(&batch);
        self.want(Detail::Everything);
    }
}
