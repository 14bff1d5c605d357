//! No input makes the command panic or hang.

use proptest::prelude::*;

use crate::support::{Scratch, run};

fn setting() -> impl Strategy<Value = String> {
    let names = "gpms_per_gpu|gpus|hierarchical|sets|ways|lines_per_entry|line_bytes|address_bits|replacement|[a-z]{0,4}";
    let values = prop_oneof![
        (-2i64..70).prop_map(|n| n.to_string()),
        (0u32..22).prop_map(|n| (1u64 << n).to_string()),
        any::<i64>().prop_map(|n| n.to_string()),
        "true|false|lru|tree_plru|round_robin",
        "\\PC{0,6}",
    ];
    (names, values).prop_map(|(name, value)| format!("{name}={value}"))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..Default::default() })]

    #[test]
    fn any_settings_are_taken_or_refused(settings in prop::collection::vec(setting(), 1..5)) {
        let scratch = Scratch::new();
        let mut arguments = vec!["show".to_string(), "hmg_directory".to_string()];
        settings.iter().for_each(|s| arguments.extend(["--set".to_string(), s.clone()]));
        let arguments: Vec<_> = arguments.iter().map(String::as_str).collect();
        let ended = run(&scratch, &arguments);
        prop_assert!([0, 2].contains(&ended.code), "{:?}: {:?}", arguments, ended);
        prop_assert!(ended.code == 0 || ended.stderr.contains("error:"), "{:?}", ended);
    }

    #[test]
    fn any_words_are_taken_or_refused(words in prop::collection::vec(
        "list|show|claims|hmg_directory|--json|--preset|--set|--params|tiny|paper|ways=2|--help|[^\\x00]{0,8}", 0..6
    )) {
        let scratch = Scratch::new();
        let words: Vec<_> = words.iter().map(String::as_str).collect();
        let ended = run(&scratch, &words);
        prop_assert!([0, 2].contains(&ended.code), "{:?}: {:?}", words, ended);
    }

    #[test]
    fn any_parameter_file_is_taken_or_refused(text in "\\PC{0,40}|(ways|sets|gpus) = [0-9]{1,5}\n(replacement = \"[a-z_]{0,9}\")?", json: bool) {
        let scratch = Scratch::new();
        let name = if json { "p.json" } else { "p.toml" };
        std::fs::write(scratch.path(name), text).unwrap();
        let ended = run(&scratch, &["show", "hmg_directory", "--params", name]);
        prop_assert!([0, 2].contains(&ended.code), "{:?}", ended);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..Default::default() })]

    #[test]
    fn whatever_is_accepted_is_equal_to_its_reference(
        gpms in 1u32..6, gpus in 1u32..5, hierarchical: bool, sets in 1u32..5, ways in 1u32..7,
        lines in 0u32..3, tag in 1u32..5, replacement in "lru|tree_plru|round_robin", seed: u64,
    ) {
        let scratch = Scratch::new();
        let settings = [
            format!("gpms_per_gpu={gpms}"), format!("gpus={gpus}"),
            format!("hierarchical={hierarchical}"), format!("sets={}", 1 << sets),
            format!("ways={ways}"), format!("lines_per_entry={}", 1 << lines),
            format!("address_bits={}", 2 + lines + sets + tag),
            format!("replacement={replacement}"),
        ];
        let seed = seed.to_string();
        let mut arguments = vec!["cosim", "hmg_directory", "--requests", "20000", "--seed", &seed];
        settings.iter().for_each(|s| arguments.extend(["--set", s]));
        let ended = run(&scratch, &arguments);
        let possible = (hierarchical || gpms * gpus > 1)
            && (!hierarchical || gpms + gpus > 2)
            && (replacement != "tree_plru" || ways.is_power_of_two());
        prop_assert_eq!(ended.code, if possible { 0 } else { 2 }, "{:?} {:?}", arguments, ended);
    }
}
