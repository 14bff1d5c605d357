//! Tables of delays, constraints and energies, with the axes that they or their templates state.

use std::collections::BTreeMap;

use super::syntax::Group;

/// Groups with a delay or a transition time.
pub const DELAYS: [&str; 4] = ["cell_rise", "cell_fall", "rise_transition", "fall_transition"];
/// Groups with a set-up, hold, recovery or removal time.
const CONSTRAINTS: [&str; 2] = ["rise_constraint", "fall_constraint"];
/// Groups with an energy.
const ENERGIES: [&str; 3] = ["rise_power", "fall_power", "power"];

/// Kinds of templates.
const KINDS: [&str; 2] = ["lu_table_template", "power_lut_template"];

/// Variables for the transition time at an input, and for the load.
const SLEW: [&str; 3] = ["input_net_transition", "input_transition_time", "related_pin_transition"];
const LOAD: &str = "total_output_net_capacitance";
/// The only variable for a transition time with which OpenSTA reads an energy.
const ENERGY_SLEW: &str = SLEW[1];
/// Variables of constraints; OpenSTA stops at any other.
const EDGES: [&str; 3] = [
    "related_pin_transition",
    "constrained_pin_transition",
    "related_out_total_output_net_capacitance",
];

/// The kind of template that such a group needs; none if it is no table of the three sorts.
pub fn template_kind(group: &str) -> Option<&'static str> {
    match group {
        _ if DELAYS.contains(&group) || CONSTRAINTS.contains(&group) => Some(KINDS[0]),
        _ if ENERGIES.contains(&group) => Some(KINDS[1]),
        _ => None,
    }
}

/// The axes of each template by its kind and name, or what is wrong with it.
#[derive(Debug, Default)]
pub struct Templates<'a>(BTreeMap<(&'static str, &'a str), Result<Vec<Axis<'a>>, String>>);

/// A variable and its values; no values in a template that leaves them to its tables.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis<'a> {
    /// The variable.
    pub variable: &'a str,
    /// Its values in the library's unit, increasing.
    pub values: Vec<f64>,
}

/// A table.
#[derive(Clone, Debug, PartialEq)]
pub struct Table<'a> {
    /// Its axes; none of a single value.
    pub axes: Vec<Axis<'a>>,
    /// Its values; the last axis changes fastest.
    pub values: Vec<f64>,
}

impl<'a> Templates<'a> {
    /// The templates of a library.
    pub fn of(root: &Group<'a>) -> Self {
        let mut templates = BTreeMap::new();
        for kind in KINDS {
            for group in root.of_kind(kind) {
                let Some(name) = group.name() else { continue };
                let axes = (1..=3).map_while(|i| {
                    let variable = group.attribute(&format!("variable_{i}"))?;
                    let values = axis(group, i).map(Option::unwrap_or_default);
                    Some(values.map(|values| Axis { variable, values }))
                });
                templates.insert((kind, name), axes.collect());
            }
        }
        Self(templates)
    }

    /// The axes of a table's template, which some libraries declare with the other kind.
    fn axes(&self, table: &str, name: &str) -> Result<Vec<Axis<'a>>, String> {
        let find = |kind| self.0.get(&(kind, name));
        let own = template_kind(table).and_then(find);
        let axes = own.or_else(|| KINDS.into_iter().find_map(find)).cloned();
        let axes = axes.ok_or("which the library does not have".to_string()).flatten();
        axes.map_err(|what| format!("`{table}` names the template `{name}`, {what}"))
    }
}

impl<'a> Table<'a> {
    /// The table of a group.
    ///
    /// # Errors
    /// One line that says what is wrong.
    pub fn of(group: &Group<'a>, templates: &Templates<'a>) -> Result<Self, String> {
        let kind = group.kind;
        let mut axes = match group.name() {
            None | Some("scalar") => Vec::new(),
            Some(name) => templates.axes(kind, name)?,
        };
        for (i, of) in axes.iter_mut().enumerate() {
            if let Some(own) = axis(group, i + 1)? {
                of.values = own;
            }
        }
        let values = numbers(&group.values("values").unwrap_or_default())?;
        for of in &mut axes {
            let accepted = match kind {
                _ if DELAYS.contains(&kind) => continue,
                _ if CONSTRAINTS.contains(&kind) => &EDGES[..],
                _ => &[ENERGY_SLEW, LOAD],
            };
            if !accepted.contains(&of.variable) {
                let variable = of.variable;
                of.variable = match SLEW.contains(&variable) && ENERGIES.contains(&kind) {
                    true => ENERGY_SLEW,
                    false => {
                        let accepted = accepted.join(", ");
                        return Err(format!(
                            "`{kind}` is over `{variable}`; {accepted} are accepted"
                        ));
                    }
                };
            }
        }
        let wanted: usize = axes.iter().map(|axis| axis.values.len()).product();
        match values.len() == wanted {
            true => Ok(Self { axes, values }),
            false => Err(format!(
                "`{kind}` has {} numbers, but its axes make {wanted}{}",
                values.len(),
                if axes.is_empty() { ", since it names no template with axes" } else { "" }
            )),
        }
    }

    /// The table over transition time and load, at least two values of each; none if it has another axis.
    #[must_use]
    pub fn over_slew_and_load(&self) -> Option<Self> {
        let position =
            |is: &dyn Fn(&str) -> bool| self.axes.iter().position(|axis| is(axis.variable));
        let slew = position(&|variable| SLEW.contains(&variable));
        let load = position(&|variable| variable == LOAD);
        if usize::from(slew.is_some()) + usize::from(load.is_some()) != self.axes.len() {
            return None;
        }
        let axis = |at: Option<usize>, variable| {
            let values = at.map_or(&[0.0][..], |at| &self.axes[at].values);
            let values = match *values {
                [only] => vec![only, only + 1.0],
                _ => values.to_vec(),
            };
            Axis { variable, values }
        };
        let axes = vec![axis(slew, SLEW[0]), axis(load, LOAD)];
        let (slews, loads) = (axes[0].values.len(), axes[1].values.len());
        let at = |position: Option<usize>, index: usize| {
            let Some(position) = position else { return 0 };
            let inner: usize =
                self.axes[position + 1..].iter().map(|axis| axis.values.len()).product();
            index.min(self.axes[position].values.len() - 1) * inner
        };
        let value = |(s, l): (usize, usize)| self.values[at(slew, s) + at(load, l)];
        let all = (0..slews).flat_map(|s| (0..loads).map(move |l| (s, l)));
        Some(Self { values: all.map(value).collect(), axes })
    }
}

/// The values of an axis, if the group states them.
fn axis(group: &Group<'_>, number: usize) -> Result<Option<Vec<f64>>, String> {
    let name = format!("index_{number}");
    let Some(values) = group.values(&name) else { return Ok(None) };
    let values = numbers(&values)?;
    match values.windows(2).all(|pair| pair[0] < pair[1]) {
        true if !values.is_empty() => Ok(Some(values)),
        _ => Err(format!("the values of `{name}` do not increase")),
    }
}

fn numbers(texts: &[&str]) -> Result<Vec<f64>, String> {
    // Some files have blanks between numbers instead of commas.
    let texts = texts.iter().flat_map(|text| text.split([' ', '\t', '\n', '\r', '\\']));
    let number = |text: &str| match text.parse::<f64>() {
        Ok(number) if number.is_finite() => Ok(number),
        _ => Err(format!("`{text}` is not a number")),
    };
    texts.filter(|text| !text.is_empty()).map(number).collect()
}

#[cfg(test)]
mod tests {
    use super::super::syntax::parse;
    use super::*;

    /// The table in a library whose template `t` is over load and transition time.
    fn table(content: &str) -> Result<(Vec<f64>, Option<Vec<f64>>), String> {
        let text = format!(
            "library (x) {{ lu_table_template (t) {{ variable_1 : {LOAD}; variable_2 : {}; \
             index_1 (\"1, 2, 3\"); index_2 (\"1 2\"); }} {content} }}",
            SLEW[0]
        );
        let root = parse(&text).unwrap();
        let templates = Templates::of(&root);
        let table = Table::of(root.groups.last().unwrap(), &templates)?;
        Ok((table.values.clone(), table.over_slew_and_load().map(|table| table.values)))
    }

    #[test]
    fn a_table_is_put_over_transition_time_and_load() {
        let (values, turned) =
            table("cell_rise (t) { values (\"1, 2, 3, 4\", \"5, 6\"); }").unwrap();
        assert_eq!(values, [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
        assert_eq!(turned.unwrap(), [1.0, 3.0, 5.0, 2.0, 4.0, 6.0]);
        let (_, one) = table("cell_rise (scalar) { values (\"7\"); }").unwrap();
        assert_eq!(one.unwrap(), [7.0; 4]);
        let own = "cell_rise (t) { index_1 (\"1, 2\"); index_2 (\"5\"); values (\"8, 9\"); }";
        assert_eq!(table(own).unwrap().1.unwrap(), [8.0, 9.0, 8.0, 9.0]);
    }

    #[test]
    fn a_table_that_does_not_fit_its_axes_is_refused() {
        for (content, what) in [
            ("cell_rise (t) { values (\"1, 2\"); }", "has 2 numbers, but its axes make 6"),
            ("cell_rise (u) { values (\"1\"); }", "names the template `u`"),
            (
                "cell_rise (t) { index_1 (\"2, 1, 3\"); values (\"1\"); }",
                "`index_1` do not increase",
            ),
            ("cell_rise (scalar) { values (\"1,5x\"); }", "`5x` is not a number"),
            ("fall_constraint (t) { values (\"1\"); }", "is over `total_output_net_capacitance`"),
            ("cell_rise () { values (\"1, 2\"); }", "names no template"),
        ] {
            let error = table(content).unwrap_err();
            assert!(error.contains(what), "{error}");
        }
    }
}
