//! The track of a timeline: one bar that is as long as the recording, cut into its parts.
//!
//! A part that is short beside the others would be too narrow to be seen or hit. So every part has a least width, and what is
//! left is shared out by the number of events.

use super::style;
use egui::accesskit::{Action, ActionData};
use egui::{
    Align2, CornerRadius, EventFilter, FontId, Key, Rect, Response, Sense, Stroke, TextStyle, Ui,
    Vec2, WidgetInfo, pos2, vec2,
};
use std::ops::Range;

/// How high the bar is.
const HEIGHT: f32 = 20.0;

/// The least width of a part, if there is room for so much, and what is left free around its name.
const PART_WIDTH_MIN: f32 = 24.0;
const NAME_MARGIN: f32 = 10.0;

/// A part of a recording on the track.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    /// What it is called; empty if it needs no name.
    pub(crate) name: String,
    /// What the tooltip says of it.
    pub(crate) help: String,
    /// Its events, by their numbers.
    pub(crate) events: Range<usize>,
}

/// Shows the track. Returns where to go, if somebody has dragged or clicked.
pub(crate) fn show(ui: &mut Ui, parts: &[Part], position: usize, length: usize) -> Option<usize> {
    let size = vec2(ui.available_width().max(48.0), HEIGHT);
    let (rect, mut response) = ui.allocate_exact_size(size, Sense::click_and_drag());
    let enabled = ui.is_enabled();
    response.widget_info(|| WidgetInfo::slider(enabled, position as f64, "Timeline"));
    let font = font(ui);
    let width = |part: &Part| {
        let name = ui.painter().layout_no_wrap(part.name.clone(), font.clone(), Default::default());
        name.size().x + NAME_MARGIN
    };
    let names: Vec<f32> = parts.iter().map(width).collect();
    let places = Places::new(parts, &names, length, rect.left()..rect.right());
    let pointer = response.interact_pointer_pos().filter(|_| {
        response.is_pointer_button_down_on() || response.clicked() || response.dragged()
    });
    let mut wanted = pointer.map(|pointer| places.position(pointer.x));
    if response.has_focus() {
        wanted = by_keys(ui, &response, position, length).or(wanted);
    }
    wanted = by_screen_reader(ui, &response, position, length).or(wanted);
    draw(ui, rect, &places, parts, wanted.unwrap_or(position));
    if let Some(pointer) = response.hover_pos() {
        let part = places.part_at(pointer.x).and_then(|part| parts.get(part));
        let help = part.map_or("Drag to any event.", |part| part.help.as_str());
        response = response.on_hover_text_at_pointer(help);
    }
    wanted.filter(|&wanted| {
        if wanted != position {
            response.mark_changed();
        }
        wanted != position
    })
}

/// Where a screen reader asks to go. It is told how far the track reaches.
fn by_screen_reader(ui: &Ui, response: &Response, at: usize, length: usize) -> Option<usize> {
    ui.ctx().accesskit_node_builder(response.id, |node| {
        node.set_min_numeric_value(0.0);
        node.set_max_numeric_value(length as f64);
        node.set_numeric_value_step(1.0);
        for action in [Action::SetValue, Action::Increment, Action::Decrement] {
            node.add_action(action);
        }
    });
    ui.input(|input| {
        let values = input.accesskit_action_requests(response.id, Action::SetValue);
        let set = values.filter_map(|request| match request.data {
            Some(ActionData::NumericValue(value)) if !value.is_nan() => Some(value),
            _ => None,
        });
        let count = |action| input.num_accesskit_action_requests(response.id, action);
        let step = count(Action::Increment) as f64 - count(Action::Decrement) as f64;
        let wanted = set.last().or_else(|| (step != 0.0).then_some(at as f64 + step));
        wanted.map(|wanted| wanted.round().clamp(0.0, length as f64) as usize)
    })
}

/// Where the arrow keys lead.
fn by_keys(ui: &Ui, response: &Response, position: usize, length: usize) -> Option<usize> {
    let filter = EventFilter { horizontal_arrows: true, ..EventFilter::default() };
    ui.memory_mut(|memory| memory.set_focus_lock_filter(response.id, filter));
    let step = ui.input(|input| {
        input.num_presses(Key::ArrowRight) as i64 - input.num_presses(Key::ArrowLeft) as i64
    });
    let target = (position as i64).saturating_add(step).clamp(0, length as i64);
    (step != 0).then_some(target as usize)
}

fn draw(ui: &Ui, rect: Rect, places: &Places, parts: &[Part], position: usize) {
    let painter = ui.painter_at(rect.expand2(vec2(3.0, 2.0)));
    let visuals = ui.visuals();
    let back = visuals.widgets.inactive.bg_fill.gamma_multiply(0.7);
    let played = style::ACCENT.gamma_multiply(if visuals.dark_mode { 0.45 } else { 0.35 });
    let head = places.at(position);
    let font = font(ui);
    for (number, range) in places.parts.iter().enumerate() {
        // A gap of one point tells parts apart.
        let part = Rect::from_x_y_ranges(range.start + 0.5..=range.end - 0.5, rect.y_range());
        let round = CornerRadius::same(3);
        painter.rect_filled(part, round, back);
        if head > part.left() {
            let done = part.with_max_x(head.min(part.right()));
            painter.rect_filled(done, round, played);
        }
        let Some(name) = parts.get(number).map(|part| &part.name).filter(|name| !name.is_empty())
        else {
            continue;
        };
        let is_current = (range.start..=range.end).contains(&head);
        let colour = if is_current { visuals.strong_text_color() } else { visuals.text_color() };
        let text = painter.layout_no_wrap(name.clone(), font.clone(), colour);
        if text.size().x + 4.0 <= part.width() {
            let at = Align2::CENTER_CENTER.anchor_size(part.center(), text.size()).min;
            painter.galley(at, text, colour);
        }
    }
    let ends = [pos2(head, rect.top() - 2.0), pos2(head, rect.bottom() + 2.0)];
    painter.line_segment(ends, Stroke::new(4.0, visuals.panel_fill));
    painter.line_segment(ends, Stroke::new(2.5, style::ACCENT));
    let knob = Vec2::new(0.0, -1.0);
    painter.circle_filled(ends[0] + knob + vec2(0.0, 3.0), 3.5, style::ACCENT);
}

fn font(ui: &Ui) -> FontId {
    TextStyle::Body.resolve(ui.style())
}

/// Where events and parts lie along the track.
struct Places {
    length: usize,
    events: Vec<Range<usize>>,
    parts: Vec<Range<f32>>,
}

impl Places {
    /// `names` are the widths that the names of parts need. They get them if half of the track is left.
    fn new(parts: &[Part], names: &[f32], length: usize, track: Range<f32>) -> Self {
        let mut events: Vec<Range<usize>> = parts.iter().map(|part| part.events.clone()).collect();
        if events.is_empty() {
            events.push(0..length);
        }
        let width = (track.end - track.start).max(1.0);
        let plain = PART_WIDTH_MIN.min(width / events.len() as f32);
        let named = |number: usize| names.get(number).map_or(plain, |name| name.max(plain));
        let wanted: f32 = (0..events.len()).map(named).sum();
        let fits = wanted <= width / 2.0;
        let least = |number: usize| if fits { named(number) } else { plain };
        let shared = width - (0..events.len()).map(least).sum::<f32>();
        let all: usize = events.iter().map(Range::len).sum();
        let mut left = track.start;
        let mut places = Vec::new();
        for (number, range) in events.iter().enumerate() {
            // A track without events is one empty bar, as long as any other.
            let share = match all {
                0 => 1.0 / events.len() as f32,
                all => range.len() as f32 / all as f32,
            };
            let right = left + least(number) + shared.max(0.0) * share;
            places.push(left..right);
            left = right;
        }
        Self { length, events, parts: places }
    }

    /// Where the track is when so many events have happened.
    fn at(&self, position: usize) -> f32 {
        let mut at = self.parts[0].start;
        for (events, part) in self.events.iter().zip(&self.parts) {
            if position <= events.start {
                break;
            }
            let share = (position.min(events.end) - events.start) as f32 / events.len() as f32;
            at = part.start + share * (part.end - part.start);
        }
        at
    }

    /// How many events have happened at a place of the track.
    fn position(&self, x: f32) -> usize {
        let Some(part) = self.part_at(x) else { return self.length };
        let (events, place) = (&self.events[part], &self.parts[part]);
        let share = (x - place.start) / (place.end - place.start).max(f32::MIN_POSITIVE);
        let inside = (share.clamp(0.0, 1.0) * events.len() as f32).round() as usize;
        (events.start + inside).min(self.length)
    }

    /// The part at a place of the track; beyond its ends, the first or the last.
    fn part_at(&self, x: f32) -> Option<usize> {
        let last = self.parts.len().checked_sub(1)?;
        Some(self.parts.iter().position(|part| x < part.end).unwrap_or(last))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(events: Range<usize>) -> Part {
        Part { name: String::new(), help: String::new(), events }
    }

    #[test]
    fn short_parts_are_wide_enough_to_be_hit() {
        let parts = [part(0..3), part(3..9_990), part(9_990..9_991), part(9_991..10_000)];
        let places = Places::new(&parts, &[80.0], 10_000, 100.0..700.0);
        assert!(places.parts[0].end - places.parts[0].start >= 80.0, "room for its name");
        assert!(places.parts.iter().all(|part| part.end - part.start >= PART_WIDTH_MIN));
        assert!((places.parts[3].end - 700.0).abs() < 0.01);
        assert_eq!((places.position(0.0), places.position(9e9)), (0, 10_000));
        for (number, part) in parts.iter().enumerate() {
            let middle = (places.parts[number].start + places.parts[number].end) / 2.0;
            let position = places.position(middle);
            assert!((part.events.start..=part.events.end).contains(&position), "{number}");
        }
    }

    #[test]
    fn a_place_of_the_track_leads_back_to_its_event() {
        let parts = [part(0..3), part(3..40), part(40..41)];
        let places = Places::new(&parts, &[], 41, 0.0..500.0);
        for position in 0..=41 {
            assert_eq!(places.position(places.at(position)), position);
        }
    }

    #[test]
    fn recordings_without_parts_are_one_part() {
        let places = Places::new(&[], &[], 0, 0.0..100.0);
        assert_eq!((places.at(0), places.position(50.0)), (0.0, 0));
        assert_eq!(places.parts, [0.0..100.0], "an empty track is as long as any other");
        let places = Places::new(&[], &[], 10, 0.0..100.0);
        assert_eq!((places.at(5), places.position(50.0)), (50.0, 5));
    }

    #[test]
    fn more_parts_than_there_is_room_for_share_it() {
        let parts: Vec<Part> = (0..100).map(|number| part(number..number + 1)).collect();
        let places = Places::new(&parts, &[900.0], 100, 0.0..200.0);
        assert!((places.parts[99].end - 200.0).abs() < 0.01);
        assert!(places.parts.windows(2).all(|pair| pair[0].end <= pair[1].start + 0.001));
    }
}
