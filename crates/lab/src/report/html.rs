//! HTML by hand: escaping, tables, and the frame around a page.

use super::table::{Cells, Rows};
use std::fmt::Write;

/// Text as it can stand in HTML, between tags or in quotes.
pub(super) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            _ => escaped.push(letter),
        }
    }
    escaped
}

/// A name as it can stand in `id` and `href`.
pub(super) fn anchor(text: &str) -> String {
    let plain = |letter: char| if letter.is_alphanumeric() { letter } else { '-' };
    text.chars().map(plain).flat_map(char::to_lowercase).collect()
}

/// A table.
pub(super) fn table(rows: &Rows) -> String {
    let mut text = String::from("<div class=\"wide\"><table>");
    if !rows.groups.is_empty() {
        text.push_str("<thead><tr class=\"groups\">");
        for (name, span) in &rows.groups {
            _ = write!(text, "<th colspan=\"{span}\">{}</th>", escape(name));
        }
        text.push_str("</tr><tr>");
    } else {
        text.push_str("<thead><tr>");
    }
    for (index, head) in rows.heads.iter().enumerate() {
        let class = if index < rows.text_columns { "text" } else { "number" };
        _ = write!(text, "<th class=\"{class}\">{}</th>", escape(head));
    }
    text.push_str("</tr></thead><tbody>");
    for cells in &rows.rows {
        push_row(&mut text, cells, rows);
    }
    text.push_str("</tbody></table></div>");
    text
}

fn push_row(text: &mut String, cells: &Cells, rows: &Rows) {
    text.push_str("<tr>");
    let swatch = match &cells.series {
        Some(series) => format!("<i class=\"swatch {}\"></i>", escape(series)),
        None => String::new(),
    };
    match cells {
        Cells { note: Some(note), texts, .. } => {
            let span = rows.heads.len().saturating_sub(1);
            _ = write!(
                text,
                "<td class=\"text\">{swatch}{}</td><td class=\"note\" colspan=\"{span}\">{}</td>",
                escape(&texts[0]),
                escape(note)
            );
        }
        _ => {
            for (index, cell) in cells.texts.iter().enumerate() {
                let kind = if index < rows.text_columns { "text" } else { "number" };
                let best = if cells.best.contains(&index) { " best" } else { "" };
                let dim = if cell == "0" || cell == "–" { " dim" } else { "" };
                let swatch = if index == 0 { swatch.as_str() } else { "" };
                let shown = cells.shown.iter().find(|(column, _)| *column == index);
                let shown = shown
                    .map_or(String::new(), |(_, shown)| format!(" title=\"{}\"", escape(shown)));
                _ = write!(
                    text,
                    "<td class=\"{kind}{best}{dim}\"{shown}>{swatch}{}</td>",
                    escape(cell)
                );
            }
        }
    }
    text.push_str("</tr>");
}

/// What opens when clicked.
pub(super) fn details(summary: &str, content: &str) -> String {
    format!("<details><summary>{}</summary>{content}</details>", escape(summary))
}

/// A plot with its name and what it shows.
pub(super) fn figure(title: &str, shown: &str, picture: &str) -> String {
    format!(
        "<figure><figcaption><b>{}</b> {}</figcaption>{picture}</figure>",
        escape(title),
        escape(shown)
    )
}

/// A section of the page, with its heading.
pub(super) fn section(id: &str, title: &str, content: &str) -> String {
    format!("<section id=\"{}\"><h2>{}</h2>{content}</section>", anchor(id), escape(title))
}

/// The whole page.
pub(super) fn page(title: &str, contents: &str, main: &str) -> String {
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <meta name=\"color-scheme\" content=\"light dark\"><title>{}</title><style>{STYLE}</style>\
         </head><body><nav>{contents}</nav><main>{main}</main></body></html>\n",
        escape(title)
    )
}

const STYLE: &str = include_str!("style.css");

/// Why a text is not well-formed: the first tag that is not closed, or closed without being open.
#[cfg(test)]
pub(super) fn fault(html: &str) -> Option<String> {
    let mut open: Vec<String> = Vec::new();
    let mut rest = html.split_once("</style>").map_or(html, |(_, rest)| rest);
    // What stands before the style was opened, too.
    for name in ["html", "head"] {
        if html.contains(&format!("<{name}")) {
            open.push(name.to_owned());
        }
    }
    while let Some((before, after)) = rest.split_once('<') {
        if before.contains('>') {
            return Some(format!("a stray '>' in {before:?}"));
        }
        let Some((tag, behind)) = after.split_once('>') else {
            return Some(format!("'<{after}' has no end"));
        };
        rest = behind;
        let name: String =
            tag.trim_start_matches('/').chars().take_while(|c| c.is_ascii_alphanumeric()).collect();
        if tag.starts_with('/') {
            match open.pop() {
                Some(last) if last == name => {}
                last => return Some(format!("</{name}> closes {last:?}")),
            }
        } else if !tag.ends_with('/') && !["meta", "br", "DOCTYPE"].contains(&name.as_str()) {
            open.push(name);
        }
    }
    (!open.is_empty()).then(|| format!("{open:?} are never closed"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_cannot_break_the_page() {
        assert_eq!(escape("<a & \"b\">'"), "&lt;a &amp; &quot;b&quot;&gt;&#39;");
        assert_eq!(anchor("A b/ç<\""), "a-b-ç--");
    }

    #[test]
    fn faults_are_noticed() {
        assert_eq!(fault("<p><b>x</b></p><line x=\"1\"/>"), None);
        assert!(fault("<p><b>x</p></b>").is_some());
        assert!(fault("<p>").is_some());
        assert!(fault("<p>a > b</p>").is_some());
    }
}
