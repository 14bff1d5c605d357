//! The tables that `warpsmith show` prints: those of the room's page, and the L2's of the block's page.

const PAGE: &str = include_str!("README.md");
const PAGE_OF_BLOCK: &str = include_str!("../../../../hdl/blocks/src/relativistic_l2/README.md");

/// Tables by title: their page, and the heading under which they are.
const TABLES: [(&str, &str, &str); 3] = [
    ("L1 of a core", PAGE, "## The L1"),
    ("Bank of the L2", PAGE_OF_BLOCK, "## State table"),
    ("Parameters", PAGE, "## Parameters"),
];

/// The first table under a heading.
fn table(page: &str, heading: &str) -> String {
    let lines = page.lines().skip_while(|line| *line != heading).skip(1);
    let lines = lines.skip_while(|line| !line.starts_with('|'));
    lines.take_while(|line| line.starts_with('|')).map(|line| format!("{line}\n")).collect()
}

/// All of them.
pub(super) fn text() -> String {
    let titled =
        TABLES.map(|(title, page, heading)| format!("{title}\n\n{}", table(page, heading)));
    titled.join("\n")
}

#[cfg(test)]
mod tests {
    use super::{PAGE, TABLES, table};
    use crate::config::LeasesConfig;

    #[test]
    fn every_table_is_on_its_page() {
        for (title, page, heading) in TABLES {
            assert!(table(page, heading).lines().count() > 5, "{title}");
        }
    }

    /// A row may have several parameters, with their defaults in the same order.
    #[test]
    fn the_page_has_every_parameter_with_its_default() {
        let rows = table(PAGE, "## Parameters");
        let defaults = toml::Table::try_from(LeasesConfig::default()).expect("a table");
        assert!(defaults.len() > 8);
        for (name, default) in defaults {
            let has = |row: &str| {
                let cells: Vec<_> = row.split('|').map(str::trim).collect();
                let mut names = cells[1].split(", ");
                let at = names.position(|it| it.trim_matches('`') == name);
                let words: Vec<_> =
                    cells[2].split([',', ':', ' ']).filter(|it| !it.is_empty()).collect();
                at.is_some_and(|at| words.get(at) == Some(&&default.to_string()[..]))
            };
            assert!(rows.lines().any(has), "{name} = {default}");
        }
    }
}
