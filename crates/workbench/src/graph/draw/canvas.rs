//! The graph itself, and what is said of the node under the pointer.

use crate::graph::GraphMode;
use crate::shared::draw::surface::Painted;
use egui::{CursorIcon, Label, Role, Sense, Ui, WidgetInfo};
use highroad::environment::NodeId;
use highroad::grid::CellId;
use highroad_pictures::replay::CellStatus;

/// Shows the graph. A click sets the start, a click with the right button or with Shift the goal.
pub(super) fn show(ui: &mut Ui, mode: &mut GraphMode) {
    let rect = ui.available_rect_before_wrap();
    let response = ui.allocate_rect(rect, Sense::click());
    response.widget_info(|| WidgetInfo::labeled(Role::Canvas, true, "The graph"));
    let (corner, size) = ((rect.left(), rect.top()), (rect.width(), rect.height()));
    let viewport = mode.layout().viewport(corner, size);
    let at = response.hover_pos().map(|at| (at.x, at.y));
    mode.hovered = at.and_then(|at| mode.layout().node_at(&viewport, at));
    if let Some(node) = mode.hovered {
        ui.ctx().set_cursor_icon(CursorIcon::PointingHand);
        let (start, goal) = mode.ends();
        let shift = ui.input(|input| input.modifiers.shift);
        if response.secondary_clicked() || response.clicked() && shift {
            mode.set_ends((start, node));
        } else if response.clicked() {
            mode.set_ends((node, goal));
        }
    }
    let painter = ui.painter_at(rect);
    mode.scene().draw(&viewport, &mut Painted { painter: &painter });
}

/// Shows what is known of the node under the pointer, or what can be done.
pub(super) fn inspector(ui: &mut Ui, mode: &GraphMode) {
    let text = match mode.hovered {
        Some(node) => about(mode, node),
        None => {
            "Click a node to start there, with the right button (or Shift) to end there. Light blue: open; violet to \
             yellow: finished, in that order."
                .to_owned()
        }
    };
    let text = egui::RichText::new(text).color(ui.visuals().weak_text_color());
    ui.add(Label::new(text).truncate());
}

fn about(mode: &GraphMode, node: NodeId) -> String {
    let name = |node: NodeId| mode.graph().name(node);
    let outgoing = mode.graph().edges().filter(|edge| edge.from == node);
    let edges: Vec<String> =
        outgoing.take(8).map(|edge| format!("{} ({})", name(edge.to), edge.weight)).collect();
    let leads = match edges.is_empty() {
        true => "no edge leads on".to_owned(),
        false => format!("leads to {}", edges.join(", ")),
    };
    let title = format!("node {}", name(node));
    let Some(replay) = mode.player.replay() else { return format!("{title}: {leads}") };
    let cell = replay.extent().cell(CellId(node.0));
    let Some(event) = replay.latest_event(cell) else {
        return format!("{title}: not reached yet; {leads}");
    };
    let status = match replay.status(cell) {
        CellStatus::Closed => "finished",
        _ => "open",
    };
    let from = match event.parent == event.node {
        true => String::new(),
        false => format!(", from {}", name(event.parent)),
    };
    let (g, h, f) = (event.g, event.h, event.g.saturating_add(event.h));
    format!("{title}: {status}, g = {g}, h = {h}, f = {f}{from}; {leads}")
}
