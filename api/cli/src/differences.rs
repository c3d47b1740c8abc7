//! What differs between devices, as `girih devices` prints it: limits, and what can be done with formats.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::Failure;
use crate::devices::{Format, Row};

/// Columns of a line.
const WIDTH: usize = 100;

/// Limits and formats that differ; limits have the names that `--json` gives them.
pub fn text(rows: &[Row]) -> Result<String, Failure> {
    Ok(limits(rows)? + &formats(rows))
}

fn limits(rows: &[Row]) -> Result<String, Failure> {
    let mut values: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for row in rows {
        let Value::Object(fields) = serde_json::to_value(row)? else {
            continue;
        };
        for (name, value) in fields {
            if value.is_number() || value.is_boolean() {
                values.entry(name).or_default().push(value.to_string());
            }
        }
    }
    values.retain(|_, values| values.iter().any(|value| *value != values[0]));
    let mut text = String::new();
    let head = rows.iter().map(|row| row.name.to_owned()).collect();
    let lines = [("limit".to_owned(), head)].into_iter().chain(values);
    for (name, values) in lines {
        text += &format!("\n{name:<20}");
        for (value, row) in values.iter().zip(rows) {
            text += &format!("  {value:>width$}", width = row.name.len().max(12));
        }
    }
    Ok(text + "\n")
}

/// One paragraph for each ability and the devices without it: the formats that others have it for.
fn formats(rows: &[Row]) -> String {
    let mut lacking: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut seen: Vec<&str> = Vec::new();
    for format in rows.iter().flat_map(|row| &row.formats) {
        if seen.contains(&format.name.as_str()) {
            continue;
        }
        seen.push(&format.name);
        let found: Vec<Option<&Format>> = rows
            .iter()
            .map(|row| row.formats.iter().find(|of| of.name == format.name))
            .collect();
        for (row, of) in rows.iter().zip(&found) {
            for ability in missing(*of, &found) {
                let key = format!("{} {ability}", row.name);
                lacking.entry(key).or_default().push(format.name.clone());
            }
        }
    }
    let paragraphs = lacking.iter();
    paragraphs
        .map(|(key, names)| wrapped(&format!("\n{key}:"), names))
        .collect()
}

/// What a device lacks of what some device can do with a format.
fn missing(own: Option<&Format>, all: &[Option<&Format>]) -> Vec<String> {
    let Some(own) = own else {
        return vec!["lacks".to_owned()];
    };
    let abilities = |format: &Format| {
        let samples = format.sample_counts.iter();
        let names = format.capabilities.iter().map(|name| (*name).to_owned());
        let samples = samples.map(|count| format!("{count}-sample"));
        names.chain(samples).collect::<Vec<_>>()
    };
    let has = abilities(own);
    let mut missing: Vec<String> = all.iter().flatten().flat_map(|of| abilities(of)).collect();
    missing.sort();
    missing.dedup();
    missing.retain(|ability| !has.contains(ability));
    let lacks = missing.iter();
    lacks.map(|ability| format!("has no {ability}")).collect()
}

/// Names with commas in lines of some columns.
fn wrapped(head: &str, names: &[String]) -> String {
    let mut text = head.to_owned();
    let mut column = head.len();
    for (i, name) in names.iter().enumerate() {
        let word = match i + 1 == names.len() {
            true => name.clone(),
            false => format!("{name},"),
        };
        if column + 1 + word.len() > WIDTH {
            text += "\n   ";
            column = 3;
        }
        text += &format!(" {word}");
        column += 1 + word.len();
    }
    text + "\n"
}
