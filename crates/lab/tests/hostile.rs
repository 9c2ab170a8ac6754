//! Files made to do harm: none is read from outside of the folder that was named, and none takes much time or memory.
//!
//! SECURITY.md says what is promised. The counting allocator is the one place with `unsafe`: the trait cannot be
//! implemented without it.
#![allow(unsafe_code)]

use highroad::catalog::Spec;
use highroad::graph::{read_coordinates, read_dimacs, read_edge_list};
use highroad::{GridMap, PathWorld, Simulation};
use highroad_formats::{ReadOptions, map_from_bytes, read_map, read_map_with};
use highroad_lab::case::Case;
use highroad_lab::generate::MapRecipe;
use highroad_lab::gppc::{DynamicReplay, DynamicScenario, Patch};
use highroad_lab::graphs::{TeachingFormat, read_teaching};
use highroad_lab::puzzle::read_instances;
use highroad_lab::scenario::Scenario;
use highroad_lab::thread_time::timed;
use highroad_lab::workload::find_sources;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::fs;
use std::path::{Path, PathBuf};

/// The system's allocator, with a tally of what each thread holds.
struct Counting;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

thread_local! {
    /// Bytes that the thread holds now, and the most it ever held.
    static HELD: Cell<(isize, isize)> = const { Cell::new((0, 0)) };
}

fn count(bytes: isize) {
    // A thread that is ending has no tally any more, and nobody reads it.
    let _ = HELD.try_with(|held| {
        let (now, most) = held.get();
        held.set((now + bytes, most.max(now + bytes)));
    });
}

// SAFETY: every call is passed on to `System` unchanged, which keeps the contract; counting touches a
// plain thread-local cell that is made at compile time, so it never allocates and cannot call back.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        // SAFETY: the caller keeps `alloc`'s contract, which is `System`'s.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        // SAFETY: as above.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        count(new_size as isize - layout.size() as isize);
        // SAFETY: as above; `block` came from `System`, since all blocks do.
        unsafe { System.realloc(block, layout, new_size) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        count(-(layout.size() as isize));
        // SAFETY: as above.
        unsafe { System.dealloc(block, layout) }
    }
}

/// Processor time that a reader may take for a file of a megabyte. What grows with the square of the file takes minutes.
const SECONDS_MAX: f64 = 10.0;
/// Memory that a reader may hold for each byte of the file, and for any file.
const BYTES_PER_BYTE_MAX: usize = 200;
const BYTES_FOR_ANY_MAX: usize = 1 << 20;

/// Reads a file made to do harm, and checks what it takes.
fn endure<T>(what: &str, file: &[u8], read: impl FnOnce(&[u8]) -> T) -> T {
    let (held, _) = HELD.get();
    HELD.set((held, held));
    let (result, micros) = timed(|| read(file));
    let seconds = micros / 1e6;
    let bytes = (HELD.get().1 - held) as usize;
    assert!(seconds < SECONDS_MAX, "{what}: {seconds} s for {} bytes", file.len());
    let bytes_max = BYTES_FOR_ANY_MAX + BYTES_PER_BYTE_MAX * file.len();
    assert!(bytes < bytes_max, "{what}: {bytes} bytes of memory for {} bytes", file.len());
    result
}

fn endure_text<T>(what: &str, file: &str, read: impl FnOnce(&str) -> T) -> T {
    endure(what, file.as_bytes(), |_| read(file))
}

/// A folder of its own, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("highroad-{name}-{}", std::process::id()));
        fs::create_dir_all(folder.join("inside/below")).unwrap();
        Self(folder)
    }

    fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.0.join(name);
        fs::write(&path, text).unwrap();
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What is left in the temporary folder does no harm.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A level of Tiled that reads its tiles from a file.
fn level(tileset: &str) -> String {
    format!(
        "<map><tileset firstgid=\"1\" source=\"{tileset}\"/><layer name=\"a\" width=\"2\" height=\"1\">\
         <data encoding=\"csv\">1,2</data></layer></map>"
    )
}

const TILES: &str = "<tileset><tile id=\"0\"><properties><property name=\"solid\" type=\"bool\" value=\"true\"/>\
                     </properties></tile></tileset>";
const SMALL_MAP: &str = "type octile\nheight 1\nwidth 2\nmap\n..\n";

#[test]
fn a_level_reads_no_tileset_outside_of_its_folder() {
    let folder = Folder::new("outside-level");
    let outside = folder.write("tiles.tsx", TILES);
    folder.write("inside/below/tiles.tsx", TILES);
    let level_with = |tileset: &str| folder.write("inside/level.tmx", &level(tileset));
    assert!(read_map(&level_with("below/tiles.tsx")).is_ok());
    assert!(read_map(&level_with("./below/./tiles.tsx")).is_ok());
    let absolute = outside.to_str().unwrap();
    for tileset in ["../tiles.tsx", "below/../../tiles.tsx", absolute, "..", ".", ""] {
        let error = read_map(&level_with(tileset)).unwrap_err().to_string();
        assert!(error.contains("is outside of the folder"), "'{tileset}': {error}");
    }
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(&outside, folder.0.join("inside/link.tsx")).unwrap();
        let error = read_map(&level_with("link.tsx")).unwrap_err().to_string();
        assert!(error.contains("is outside of the folder"), "{error}");
    }
    let path = level_with("../tiles.tsx");
    let options = |project: &Path| ReadOptions::default().with_folder(Some(project.to_owned()));
    assert!(read_map_with(&path, &options(&folder.0)).is_ok(), "the project has both");
    let error = read_map_with(&path, &options(&folder.0.join("inside"))).unwrap_err().to_string();
    assert!(error.contains("is outside of the folder"), "{error}");
    let json = level_with("").with_extension("tmj");
    fs::write(&json, "{\"layers\":[],\"tilesets\":[{\"firstgid\":1,\"source\":\"../tiles.tsx\"}]}")
        .unwrap();
    let error = read_map(&json).unwrap_err().to_string();
    assert!(error.contains("is outside of the folder"), "{error}");
}

#[test]
fn a_scenario_names_no_map_outside_of_its_folder() {
    let folder = Folder::new("outside-scenario");
    folder.write("outside.map", SMALL_MAP);
    folder.write("inside/here.map", SMALL_MAP);
    let sources = |map: &str| {
        let text = format!("version 1\n0 {map} 2 1 0 0 1 0 1\n");
        find_sources(&[folder.write("inside/x.scen", &text)])
    };
    // A folder in the name is that of whoever made the scenario: the file is looked for beside it.
    let here = fs::canonicalize(folder.0.join("inside/here.map")).unwrap();
    for map in ["here.map", "../here.map", "/somewhere/here.map", "c:\\maps\\here.map"] {
        let found = sources(map).unwrap();
        assert_eq!(fs::canonicalize(&found[0].map).unwrap(), here, "{map}");
    }
    for map in ["../outside.map", "..", ".", "a/.."] {
        assert!(sources(map).is_err(), "{map}");
    }
    #[cfg(unix)]
    {
        let outside = folder.0.join("outside.map");
        std::os::unix::fs::symlink(outside, folder.0.join("inside/link.map")).unwrap();
        assert!(sources("link.map").is_err());
    }
}

#[test]
fn a_dynamic_scenario_reads_no_patches_outside_of_its_folder() {
    let folder = Folder::new("outside-patches");
    folder.write("x.patch", "type patch\npatches 0\n");
    folder.write("inside/here.patch", "type patch\npatches 0\n");
    let load = |patch: &str| {
        let text =
            format!("version 2\nheight 1\nwidth 1\ncost 1 octile\npatch {patch}\ncommands\n");
        DynamicReplay::load(&folder.write("inside/x.scen", &text))
    };
    assert!(load("here.patch").is_ok());
    assert!(load("../../here.patch").is_ok(), "beside the scenario");
    for patch in ["../x.patch", "..", "."] {
        assert!(load(patch).is_err(), "{patch}");
    }
}

#[test]
fn a_case_reads_no_map_outside_of_the_folder_of_maps() {
    let folder = Folder::new("outside-case");
    folder.write("outside.map", SMALL_MAP);
    folder.write("inside/below/here.map", SMALL_MAP);
    let inside = folder.0.join("inside");
    let load = |map: &str| {
        let text = format!(
            "title = 'x'\nmap = {{ file = '{map}' }}\nagent = [{{ start = [0, 0], goal = [1, 0] }}]\n"
        );
        Case::parse(&text).unwrap().load_map(&inside)
    };
    assert!(load("below/here.map").is_ok());
    let absolute = folder.0.join("outside.map");
    for map in ["../outside.map", "below/../../outside.map", absolute.to_str().unwrap(), ".."] {
        let error = load(map).unwrap_err().to_string();
        assert!(error.contains("is outside of the folder"), "{map}: {error}");
    }
}

/// A megabyte of that, over and over.
fn megabyte(part: &str) -> String {
    part.repeat((1 << 20) / part.len())
}

#[test]
fn headers_that_claim_the_largest_map_take_no_memory_for_it() {
    let map = "type octile\nheight 16384\nwidth 16384\nmap\n....\n";
    assert!(endure_text("a map", map, |map| GridMap::from_movingai(map.as_bytes())).is_err());
    // Sixteen bits for each of four channels of 16,384 × 16,384 pixels, and no pixel.
    let mut png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x40\0\0\0\x40\0\x10\x06\0\0\0".to_vec();
    png.extend(0x9c_d4_5f_2d_u32.to_be_bytes());
    png.extend(b"\0\0\0\0IDAT\x35\xaf\x06\x1e\0\0\0\0IEND\xae\x42\x60\x82");
    assert!(endure("a picture", &png, map_from_bytes).is_err());
    for data in [
        "",
        "<data encoding=\"csv\">1</data>",
        "<data encoding=\"base64\" compression=\"zlib\">eJwDAAAAAAE=</data>",
    ] {
        let level =
            format!("<map><layer name=\"a\" width=\"16384\" height=\"16384\">{data}</layer></map>");
        assert!(endure_text("a level", &level, |level| map_from_bytes(level.as_bytes())).is_err());
    }
    assert!(endure_text("a graph", "p sp 4000000000 4000000000\n", read_dimacs).is_err());
    assert!(endure_text("places", "p aux sp co 4000000000\n", read_coordinates).is_err());
    let patches = "type patch\npatches 4000000000\npatch 0\nheight 16384\nwidth 16384\nmap\n";
    assert!(endure_text("patches", patches, Patch::parse_all).is_err());
}

#[test]
fn levels_of_many_parts_take_time_and_memory_in_proportion() {
    let read = |level: &str| map_from_bytes(level.as_bytes()).map_err(|error| error.to_string());
    let layer =
        "<layer name=\"a\" width=\"1\" height=\"1\"><data encoding=\"csv\">1</data></layer>";
    let tile = "<tile id=\"0\"><properties><property name=\"cost\" type=\"int\" value=\"1\"/></properties></tile>";
    let tileset = "<tileset firstgid=\"1\"/>";
    let many = format!("<map><tileset firstgid=\"1\">{tile}</tileset>{}</map>", megabyte(layer));
    assert!(endure_text("layers", &many, read).is_ok());
    let many = format!("<map>{}{layer}</map>", megabyte(tileset));
    assert!(endure_text("tilesets", &many, read).is_err());
    // Every cell is another tile, and every tile belongs to another tileset.
    let count = 20_000;
    let tilesets = (1..=count).map(|gid| format!("<tileset firstgid=\"{gid}\">{tile}</tileset>"));
    let tiles: Vec<String> = (1..=count).map(|gid: u32| gid.to_string()).collect();
    let wide = format!(
        "<map>{}<layer name=\"a\" width=\"{}\" height=\"2\"><data encoding=\"csv\">{}</data></layer></map>",
        tilesets.collect::<String>(),
        count / 2,
        tiles.join(",")
    );
    assert_eq!(endure_text("tiles", &wide, read).map(|map| map.extent().cell_count()), Ok(20_000));
    let deep = "<group>".repeat(1 << 16);
    let deep = format!("<map>{deep}{}{}</map>", layer.repeat(5_000), "</group>".repeat(1 << 16));
    let _ = endure_text("groups", &deep, read);
    let attributes: String = (0..60_000).map(|number| format!(" a{number}=\"\"")).collect();
    let error = endure_text("attributes", &format!("<map{attributes}/>"), read).unwrap_err();
    assert!(error.contains("more than 1000 attributes"), "{error}");
    let spaced = attributes.replace('=', " =\n ");
    assert!(endure_text("attributes", &format!("<map{spaced}/>"), read).is_err());
    let _ = endure_text(
        "entities",
        &format!("<!DOCTYPE m [<!ENTITY a \"{}\">]><map>&a;</map>", "x".repeat(1000)),
        read,
    );
    let _ =
        endure_text("brackets", &"[".repeat(1 << 20), |text| read(&format!("{{\"layers\":{text}")));
}

#[test]
fn levels_that_name_a_file_over_and_over_are_refused() {
    let folder = Folder::new("many-tilesets");
    folder.write("inside/tiles.tsx", &format!("{TILES}<!--{}-->", "x".repeat(1 << 18)));
    let reference = "<tileset firstgid=\"1\" source=\"tiles.tsx\"/>";
    let path = folder.write("inside/level.tmx", &format!("<map>{}</map>", megabyte(reference)));
    let error = endure("references", &[0; 1 << 20], |_| read_map(&path)).unwrap_err().to_string();
    assert!(error.contains("too large or too many"), "{error}");
}

#[test]
fn texts_of_many_parts_take_time_and_memory_in_proportion() {
    let numbered = |part: &dyn Fn(u32) -> String| (0..100_000).map(part).collect::<String>();
    let recipe = format!("maze {}", numbered(&|number| format!("p{number}=1 ")));
    assert!(endure_text("a recipe", &recipe, |text| text.parse::<MapRecipe>()).is_err());
    let spec = format!("astar{}", numbered(&|number| format!(":p{number}=1")));
    assert!(endure_text("a planner", &spec, |text| text.parse::<Spec>()).is_err());
    let _ = endure_text(
        "a scenario",
        &format!("version 1\n{}", megabyte("0 m 9 9 1 1 1 2 1\n")),
        Scenario::parse,
    );
    let _ = endure_text("words", &format!("version 1\n{}", megabyte("0 ")), Scenario::parse);
    let edges = numbered(&|number| format!("n{number} m{number} 1\n"));
    assert!(endure_text("an edge list", &edges, read_edge_list).is_ok());
    let edges = numbered(&|number| format!("[\"n{number}\",\"m{number}\",1],"));
    let json = format!("{{\"edges\":[{}]}}", edges.trim_end_matches(','));
    assert!(endure_text("JSON", &json, |text| read_teaching(text, TeachingFormat::Json)).is_ok());
    let _ = endure_text("nested JSON", &"[".repeat(1 << 20), |text| {
        read_teaching(text, TeachingFormat::Json)
    });
    let toml = format!("edges = {}", "[".repeat(1 << 20));
    let _ = endure_text("nested TOML", &toml, |text| read_teaching(text, TeachingFormat::Toml));
    let toml = numbered(&|number| format!("[a{number}.b]\n"));
    let _ = endure_text("tables", &toml, |text| read_teaching(text, TeachingFormat::Toml));
    let toml = format!("a{} = 1", ".a".repeat(1 << 18));
    let _ = endure_text("dotted keys", &toml, Case::parse);
    let _ = endure_text("puzzles", &megabyte("1 4 0 2 3 1\n"), read_instances);
    let _ = endure_text("tiles", &format!("1 4 {}", megabyte("1 ")), read_instances);
    let commands = format!(
        "version 2\nheight 9\nwidth 9\ncost 1 octile\npatch x\ncommands\n{}",
        megabyte("P 0 0 1 1\n")
    );
    assert!(endure_text("commands", &commands, DynamicScenario::parse).is_ok());
}

#[test]
fn saved_worlds_that_claim_long_lists_take_no_memory_for_them() {
    let world = PathWorld::new("....\n.##.\n....\n".parse().unwrap());
    let bytes = world.save();
    // Every eight bytes in turn claim to be a long list. The hash is right, so that it is the lists that are checked.
    for at in 24..bytes.len() - 8 {
        let mut forged = bytes[..bytes.len() - 8].to_vec();
        let end = (at + 8).min(forged.len());
        forged[at..end].copy_from_slice(&u64::MAX.to_le_bytes()[..end - at]);
        let file = with_hash(&forged);
        let _ = endure("a world", &file, PathWorld::<highroad::grid::Grid>::load);
        forged[at..end].copy_from_slice(&(1_u64 << 31).to_le_bytes()[..end - at]);
        let _ = endure("a world", &with_hash(&forged), PathWorld::<highroad::grid::Grid>::load);
    }
    let _ = endure("a simulation", &bytes, Simulation::load);
}

/// A file whose body is that, with the hash that belongs to it.
fn with_hash(bytes: &[u8]) -> Vec<u8> {
    let mut writer = highroad_core::saved::Writer::new(highroad_core::saved::Kind::World, 0);
    writer.raw(&bytes[24..]);
    writer.finish()
}

#[test]
fn what_is_named_by_path_stays_below() {
    let below = |name: &str| highroad_formats::file_below(Path::new("maps"), name).is_ok();
    assert!(
        below("a.map") && below("a/b.map") && below("./a.map") && below("a..b") && below("...")
    );
    for name in ["", ".", "..", "../a", "a/../../b", "/a", "a/..", "//a"] {
        assert!(!below(name), "{name}");
    }
    #[cfg(windows)]
    for name in ["c:a", "c:\\a", "\\a", "\\\\server\\a", "..\\a"] {
        assert!(!below(name), "{name}");
    }
}
