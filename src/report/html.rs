//! One self-contained HTML page.

const STYLE: &str = "\
:root { color-scheme: light dark; }
h1, h2, p, pre { overflow-wrap: anywhere; }
body { font: 15px/1.45 sans-serif; margin: 2em auto; max-width: 72em; padding: 0 1em; }
table { border-collapse: collapse; }
th, td { padding: 0.2em 0.9em 0.2em 0; text-align: left; border-bottom: 1px solid #8886; vertical-align: top; }
.wide { overflow-x: auto; margin: 1em 0; }
svg { max-width: 100%; height: auto; }
.wide svg { max-width: none; }
@media (prefers-color-scheme: dark) { figure svg:not([fill]) { filter: invert(1); } }
figure { margin: 1em 0; }
figcaption { opacity: 0.75; }
pre { white-space: pre-wrap; }";

/// A page with a body in HTML.
pub fn page(title: &str, body: &str) -> String {
    let title = escaped(title);
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>{title}</title>\n\
         <style>\n{STYLE}\n</style>\n</head>\n<body>\n<h1>{title}</h1>\n{body}</body>\n</html>\n"
    )
}

/// A table of texts.
pub fn table(header: &[String], rows: &[Vec<String>]) -> String {
    let row = |cells: &[String], tag: &str| {
        let cells = cells.iter().map(|cell| format!("<{tag}>{}</{tag}>", escaped(cell)));
        format!("<tr>{}</tr>\n", cells.collect::<String>())
    };
    let rows: String = rows.iter().map(|cells| row(cells, "td")).collect();
    format!("<table>\n{}{rows}</table>\n", row(header, "th"))
}

/// Escapes text for HTML.
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
