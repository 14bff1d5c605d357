//! The modules that a preprocessed text defines.

/// Names of modules, in order of definition. Names in strings do not count.
pub(super) fn defined(text: &str) -> Vec<String> {
    let mut modules = Vec::new();
    let mut follows = false;
    for word in words(text) {
        // A lifetime may precede the name.
        if follows && !matches!(word, "automatic" | "static") {
            modules.push(word.trim_start_matches('\\').to_string());
            follows = false;
        }
        follows |= matches!(word, "module" | "macromodule");
    }
    modules
}

/// Whether a text defines the module.
pub fn defines(text: &str, module: &str) -> bool {
    defined(text).iter().any(|name| name == module)
}

/// Formats names for a message.
pub(super) fn listed(modules: &[String]) -> String {
    const SHOWN: usize = 20;
    match modules.len() {
        0 => "no module".to_string(),
        n if n > SHOWN => format!("{} and {} more", modules[..SHOWN].join(", "), n - SHOWN),
        _ => modules.join(", "),
    }
}

/// Identifiers and keywords, without strings and directives.
pub(super) fn words(text: &str) -> impl Iterator<Item = &str> {
    let lines = text.lines().filter(|line| !line.starts_with("`line "));
    lines.flat_map(|line| {
        let unquoted = line.split('"').step_by(2);
        unquoted.flat_map(|part| {
            part.split(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '$' | '\\' | '`')))
                .filter(|word| !word.is_empty())
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_are_found_where_they_are_defined() {
        let text = "`line 1 \"module x.v\" 0\n`celldefine module a(input clk); string s = \"module b\";\n\
                    endmodule module\n automatic c; sub module_d(); endmodule macromodule e; endmodule";
        assert_eq!(defined(text), ["a", "c", "e"]);
    }
}
