//! A machine made for tests: work is done at once, the clock is set by hand, files are in memory.

use egui::PointerButton;
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use highroad::Cell;
use highroad::environment::End;
use highroad_workbench::App;
use highroad_workbench::map::MapMode;
use highroad_workbench::seams::{Clock, FileDialogs, Files, FolderEntry, Seams, Workers};
use highroad_workbench::shared::PlannerChoice;
use highroad_workbench::shell::{Mode, Shell};
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Two rooms with two gates between them, 24 by 12.
pub(crate) const ROOMS: &str = "
........................
........................
...........#............
...........#............
...........#............
...........#............
...........#............
...........#............
...........#............
...........#............
........................
........................
";

struct AtOnce;

impl Workers for AtOnce {
    fn run(&self, work: Box<dyn FnOnce() + Send>) {
        work();
    }
}

/// The time, and how long a look at it takes.
#[derive(Default)]
pub(crate) struct HandClock(Mutex<(Duration, Duration)>);

impl HandClock {
    pub(crate) fn pass(&self, time: Duration) {
        self.0.lock().unwrap().0 += time;
    }

    pub(crate) fn make_slow(&self, look: Duration) {
        self.0.lock().unwrap().1 = look;
    }
}

impl Clock for HandClock {
    fn now(&self) -> Duration {
        let mut clock = self.0.lock().unwrap();
        let look = clock.1;
        clock.0 += look;
        clock.0
    }
}

#[derive(Default)]
pub(crate) struct MemoryFiles(Mutex<BTreeMap<PathBuf, Vec<u8>>>);

impl MemoryFiles {
    pub(crate) fn put(&self, path: &str, bytes: impl Into<Vec<u8>>) {
        self.0.lock().unwrap().insert(PathBuf::from(path), bytes.into());
    }

    pub(crate) fn get(&self, path: &str) -> Option<Vec<u8>> {
        self.0.lock().unwrap().get(Path::new(path)).cloned()
    }
}

impl Files for MemoryFiles {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        let files = self.0.lock().unwrap();
        files
            .get(path)
            .cloned()
            .ok_or_else(|| io::Error::new(io::ErrorKind::NotFound, "no such file"))
    }

    fn write(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        self.0.lock().unwrap().insert(path.to_owned(), bytes.to_vec());
        Ok(())
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        self.0.lock().unwrap().remove(path);
        Ok(())
    }

    fn exists(&self, path: &Path) -> bool {
        self.0.lock().unwrap().contains_key(path) || self.is_folder(path)
    }

    fn is_folder(&self, path: &Path) -> bool {
        self.0.lock().unwrap().keys().any(|file| file.parent() == Some(path))
    }

    fn list(&self, folder: &Path) -> io::Result<Vec<FolderEntry>> {
        let files = self.0.lock().unwrap();
        let inside = files.keys().filter(|path| path.parent() == Some(folder));
        let name = |path: &PathBuf| path.file_name().unwrap().to_string_lossy().into_owned();
        Ok(inside.map(|path| FolderEntry { is_file: true, name: name(path) }).collect())
    }

    fn home(&self) -> PathBuf {
        PathBuf::from("/home")
    }

    fn preferences(&self) -> Option<PathBuf> {
        Some(PathBuf::from("/preferences.json"))
    }
}

/// The application on that machine.
pub(crate) fn app_on(
    clock: &Arc<HandClock>,
    files: &Arc<MemoryFiles>,
    dialogs: Option<Arc<dyn FileDialogs>>,
) -> App {
    App::new(Seams {
        workers: Arc::new(AtOnce),
        clock: Arc::clone(clock) as Arc<dyn Clock>,
        files: Arc::clone(files) as Arc<dyn Files>,
        dialogs,
        wake: Arc::new(|| ()),
    })
}

/// The workbench on that machine.
pub(crate) struct Bench {
    pub(crate) harness: Harness<'static, App>,
    pub(crate) clock: Arc<HandClock>,
    pub(crate) files: Arc<MemoryFiles>,
}

impl Bench {
    pub(crate) fn new() -> Self {
        Self::with_files(Arc::new(MemoryFiles::default()))
    }

    /// With the map in front.
    pub(crate) fn with_files(files: Arc<MemoryFiles>) -> Self {
        let mut bench = Self::on_start_page(files, [1280.0, 1300.0]);
        bench.shell().mode = Mode::Map;
        bench.frames();
        bench
    }

    /// In the first of [`ROOMS`], on the way to the second.
    pub(crate) fn on_rooms() -> Self {
        let mut bench = Self::new();
        bench.open_map(ROOMS);
        bench.mode().move_place(End::Start, Cell::new(3, 6));
        bench.mode().move_place(End::Goal, Cell::new(20, 6));
        bench.mode().find_path();
        bench.frames();
        bench
    }

    /// The same with a planner.
    pub(crate) fn on_rooms_with(planner: &str) -> Self {
        let mut bench = Self::on_rooms();
        bench.choose(planner);
        bench
    }

    /// Chooses a planner with its options.
    pub(crate) fn choose(&mut self, planner: &str) {
        self.mode().choose_planner(PlannerChoice::parse(planner).unwrap());
        self.frames();
    }

    pub(crate) fn on_start_page(files: Arc<MemoryFiles>, size: [f32; 2]) -> Self {
        Self::with_dialogs(files, size, None)
    }

    /// On a system with dialogs of its own.
    pub(crate) fn with_dialogs(
        files: Arc<MemoryFiles>,
        size: [f32; 2],
        dialogs: Option<Arc<dyn FileDialogs>>,
    ) -> Self {
        let clock = Arc::new(HandClock::default());
        let app = app_on(&clock, &files, dialogs);
        let mut harness = Harness::builder()
            .with_size(size)
            .with_max_steps(60)
            .build_ui_state(|ui, app: &mut App| app.show(ui), app);
        harness.run_steps(4);
        Self { harness, clock, files }
    }

    /// Draws some frames, and more while something is being worked on.
    pub(crate) fn frames(&mut self) {
        self.harness.run_steps(4);
        for _ in 0..2000 {
            if self.app().shell.busy().is_none() {
                break;
            }
            // Planners are built on a thread of the engine.
            std::thread::sleep(Duration::from_millis(1));
            self.harness.step();
        }
        self.harness.step();
    }

    /// Lets time pass, a frame every 50 ms.
    pub(crate) fn pass(&mut self, milliseconds: u64) {
        for _ in 0..milliseconds.div_ceil(50) {
            self.clock.pass(Duration::from_millis(50));
            self.harness.step();
        }
    }

    pub(crate) fn app(&self) -> &App {
        self.harness.state()
    }

    pub(crate) fn shell(&mut self) -> &mut Shell {
        &mut self.harness.state_mut().shell
    }

    pub(crate) fn mode(&mut self) -> &mut MapMode {
        &mut self.shell().map
    }

    pub(crate) fn seen(&self) -> &MapMode {
        &self.app().shell.map
    }

    /// Clicks on what bears that label.
    pub(crate) fn click(&mut self, label: &str) {
        self.harness.get_by_label(label).click();
        self.frames();
    }

    /// Clicks on an entry of a menu.
    pub(crate) fn menu(&mut self, path: &[&str]) {
        for name in path {
            self.click(name);
        }
    }

    /// The middle of a cell on the screen.
    pub(crate) fn spot(&self, cell: Cell) -> egui::Pos2 {
        let (x, y) = self.seen().view.viewport.middle(cell);
        egui::pos2(x, y)
    }

    /// Presses a button on one cell, moves over others, and lets go.
    pub(crate) fn drag(&mut self, button: PointerButton, cells: &[(u32, u32)]) {
        let spots: Vec<egui::Pos2> = cells.iter().map(|&cell| self.spot(cell.into())).collect();
        self.drag_spots(button, &spots);
    }

    /// Presses a button at one spot of the screen, moves over others, and lets go, each in a frame of its own.
    pub(crate) fn drag_spots(&mut self, button: PointerButton, spots: &[egui::Pos2]) {
        self.harness.event(egui::Event::PointerMoved(spots[0]));
        self.harness.step();
        for event in drag_events(button, spots) {
            self.harness.event(event);
            self.harness.step();
        }
        self.frames();
    }

    /// The same between two frames.
    pub(crate) fn drag_at_once(&mut self, button: PointerButton, spots: &[egui::Pos2]) {
        self.harness.input_mut().events.extend(drag_events(button, spots));
        self.frames();
    }

    /// Opens a map drawn in text, by the file dialog.
    pub(crate) fn open_map(&mut self, drawing: &str) {
        let map: highroad::GridMap = drawing.parse().unwrap();
        self.files.put("/home/test.map", map.to_movingai());
        self.menu(&["File", "Open…"]);
        self.click("test.map");
        self.click("Open");
    }

    /// The cells of the path.
    pub(crate) fn path(&self) -> Vec<Cell> {
        self.seen().path_cells().to_vec()
    }

    /// The map as text.
    pub(crate) fn map(&self) -> String {
        self.seen().document.grid().map().to_string()
    }
}

/// A button that goes down or up at a spot.
pub(crate) fn button_event(pos: egui::Pos2, button: PointerButton, pressed: bool) -> egui::Event {
    egui::Event::PointerButton { pos, button, pressed, modifiers: egui::Modifiers::NONE }
}

/// A button goes down at the first spot, and up at the last.
fn drag_events(button: PointerButton, spots: &[egui::Pos2]) -> Vec<egui::Event> {
    let mut events = vec![button_event(spots[0], button, true)];
    events.extend(spots[1..].iter().map(|&spot| egui::Event::PointerMoved(spot)));
    events.push(button_event(spots[spots.len() - 1], button, false));
    events
}
