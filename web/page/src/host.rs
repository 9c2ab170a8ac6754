//! What `static/host.js` does for the page.

use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    /// There is another piece of work: calls [`crate::work::run_next`] when there is time for it.
    #[wasm_bindgen(js_namespace = highroadHost, js_name = begin)]
    pub(crate) fn begin();

    /// Asks for a file by the browser's dialog, and opens it; `endings` is a list such as `.map,.png`.
    #[wasm_bindgen(js_namespace = highroadHost, js_name = ask)]
    pub(crate) fn ask(endings: &str);

    /// Saves a file as a download.
    #[wasm_bindgen(js_namespace = highroadHost, js_name = save)]
    pub(crate) fn save(name: &str, bytes: &[u8]);

    /// Says what can be seen, for tests.
    #[wasm_bindgen(js_namespace = highroadHost, js_name = report)]
    pub(crate) fn report(text: &str);

    /// Milliseconds since the page was opened.
    #[wasm_bindgen(js_namespace = performance, js_name = now)]
    pub(crate) fn now_ms() -> f64;
}
