//! The documents say what the code says.
//!
//! Tables between `<!-- generated:NAME -->` and `<!-- end:NAME -->` are made from the code; with
//! `UNDERTONE_BLESS=1` in the environment this test writes them anew. What cannot be generated is
//! checked: that every dependency, crate, frame and hash domain has its line, that every test named
//! in a document exists, and that links lead somewhere.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use undertone::services::{Audience, SERVICES};
use undertone::{FaultCode, Role, Tier};
use undertone_machine::Family;
use undertone_relay::{CONNECTIONS_MAX, Limits, Pace};
use undertone_room::{GROUP_MIN_DEFAULT, GROUP_MIN_SMALL};
use undertone_wire::{EntryKind, Refusal, limits};

/// The documents that are held to the code.
const DOCUMENTS: &[&str] = &[
    "README.md",
    "ARCHITECTURE.md",
    "SECURITY.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "docs/dependencies.md",
    "docs/protocol.md",
    "fuzz/README.md",
];

/// A generated table: its document, its name, and what makes it.
type Generated = (&'static str, &'static str, fn() -> String);

/// All of them.
const TABLES: &[Generated] = &[
    ("README.md", "services", services),
    ("README.md", "limits", figures),
    ("docs/protocol.md", "kinds", kinds),
    ("docs/protocol.md", "roles", roles),
    ("docs/protocol.md", "refusals", refusals),
    ("docs/protocol.md", "faults", faults),
    ("docs/protocol.md", "limits", figures),
];

/// Set, it makes the tables anew instead of complaining.
const BLESS: &str = "UNDERTONE_BLESS";

fn services() -> String {
    let rows = SERVICES.iter().map(|service| {
        let it = service.manifest();
        let outputs: Vec<_> = it.outputs.iter().map(|name| code(name)).collect();
        let audience = match it.audience {
            Audience::People => "people",
            Audience::Developers => "developers",
        };
        vec![code(it.name), it.title.to_owned(), it.summary.to_owned(), outputs.join(", "), audience.to_owned()]
    });
    table(&["service", "title", "what comes out", "figures", "for"], rows)
}

fn faults() -> String {
    let rows = FaultCode::ALL.iter().map(|it| {
        let family = match it.family() {
            Family::Caller => "you",
            Family::Peer => "a peer",
            Family::World => "the world",
        };
        vec![code(it.as_str()), family.to_owned(), it.sentence().to_owned()]
    });
    table(&["code", "family", "sentence"], rows)
}

fn refusals() -> String {
    let rows = (0..=u8::MAX).filter_map(Refusal::from_wire).map(|it| {
        let again = if it.may_retry() { "yes" } else { "no" };
        vec![(it as u8).to_string(), code(&format!("{it:?}")), it.sentence().to_owned(), again.to_owned()]
    });
    table(&["number", "reason", "sentence", "the same device may try again at once"], rows)
}

fn kinds() -> String {
    let all = (0..=u8::MAX).filter_map(|byte| Some((byte, EntryKind::from_wire(byte)?)));
    table(&["number", "kind"], all.map(|(byte, kind)| vec![code(&format!("0x{byte:02x}")), code(kind.as_str())]))
}

fn roles() -> String {
    let all = (0..=u8::MAX).filter_map(|byte| Some((byte, Role::from_wire(byte)?)));
    let counts = |role: Role| if role.contributes() { "yes" } else { "no" };
    let rows = all.map(|(byte, role)| vec![byte.to_string(), code(&format!("{role:?}")), counts(role).to_owned()]);
    table(&["number", "role", "gives a value that counts for the smallest group"], rows)
}

fn figures() -> String {
    let relay = Limits::default();
    let rows = [
        ("seats of a room", limits::SEATS_MAX.to_string()),
        ("smallest group", GROUP_MIN_DEFAULT.to_string()),
        ("smallest group with everyone's consent", GROUP_MIN_SMALL.to_string()),
        ("lists of a room", limits::LISTS_MAX.to_string()),
        ("questions of a room; a series is one", limits::PLANS_MAX.to_string()),
        ("readings of a series", limits::READINGS_MAX.to_string()),
        ("time between readings, at least", time(limits::EVERY_MS_MIN)),
        ("time between readings", time(limits::EVERY_MS_MAX)),
        ("a question's text", bytes(limits::QUESTION_BYTES_MAX as u64)),
        ("time to answer", time(limits::DEADLINE_MS_MAX)),
        ("a frame on the log", bytes(limits::LOG_FRAME_BYTES_MAX as u64)),
        ("a frame on a pipe", bytes(limits::PIPE_FRAME_BYTES_MAX as u64)),
        ("bytes under way to one seat on all pipes", bytes(limits::PIPE_WINDOW_BYTES as u64)),
        ("the log of a room", bytes(relay.log_bytes)),
        ("all logs of a relay", bytes(relay.log_bytes_all)),
        ("rooms of a relay", relay.rooms.to_string()),
        ("connections of a relay", CONNECTIONS_MAX.to_string()),
        ("a silent room is kept for", time(relay.room_idle_ms)),
        ("frames of a seat, pipes apart", pace(relay.frames, u64::to_string)),
        ("bytes of a seat, pipes apart", pace(relay.bytes, |it| bytes(*it))),
        ("rooms opened from one address and not used", pace(relay.rooms_opened, u64::to_string)),
        ("seats taken from one address", pace(relay.joins, u64::to_string)),
        ("wrong codes from one address", pace(relay.codes_missed, u64::to_string)),
        ("wrong codes from everywhere", pace(relay.codes_missed_all, u64::to_string)),
    ];
    table(&["what", "at most (groups: at least)"], rows.map(|(what, figure)| vec![what.to_owned(), figure]))
}

fn pace(pace: Pace, unit: impl Fn(&u64) -> String) -> String {
    let (units, burst) = (unit(&pace.units), unit(&pace.burst));
    format!("{units} in {}, {burst} at once", time(pace.per_ms))
}

fn bytes(count: u64) -> String {
    match count {
        it if it >= 1 << 20 && it.is_multiple_of(1 << 20) => format!("{} MiB", it >> 20),
        it if it >= 1 << 10 && it.is_multiple_of(1 << 10) => format!("{} KiB", it >> 10),
        it => format!("{it} bytes"),
    }
}

fn time(ms: u64) -> String {
    const UNITS: [(u64, &str); 4] = [(86_400_000, "days"), (3_600_000, "h"), (60_000, "min"), (1_000, "s")];
    let fitting = UNITS.iter().find(|(unit, _)| ms >= *unit && ms.is_multiple_of(*unit));
    fitting.map_or_else(|| format!("{ms} ms"), |(unit, name)| format!("{} {name}", ms / unit))
}

fn code(text: &str) -> String {
    format!("`{text}`")
}

/// A Markdown table.
fn table(head: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let head: Vec<_> = head.iter().map(|it| String::from(*it)).collect();
    let rule = format!("|{}\n", "---|".repeat(head.len()));
    rows.into_iter().fold(line(&head) + &rule, |text, row| text + &line(&row))
}

/// A document with a table put between its markers; `None` if they are not there.
fn with_table(document: &str, name: &str, table: &str) -> Option<String> {
    let (start, end) = (format!("<!-- generated:{name} -->\n"), format!("<!-- end:{name} -->"));
    let (before, rest) = document.split_once(&start)?;
    let (_, after) = rest.split_once(&end)?;
    Some(format!("{before}{start}\n{table}\n{end}{after}"))
}

/// What stands in backticks on one line.
fn quoted(document: &str) -> impl Iterator<Item = &str> {
    document.split('`').skip(1).step_by(2).filter(|it| !it.is_empty() && !it.contains('\n'))
}

/// The tests that a document names, as `file::name`.
fn named_tests(document: &str) -> Vec<(&str, &str)> {
    let is_file = |file: &str| [".rs", ".ts", ".mjs"].iter().any(|ending| file.ends_with(ending));
    quoted(document).filter_map(|it| it.split_once("::")).filter(|(file, _)| is_file(file)).collect()
}

/// Whether a source file holds a test of that name; one with a hyphen is a row of a table of attacks.
fn holds_test(file: &str, source: &str, name: &str) -> bool {
    if !file.ends_with(".rs") {
        return source.contains(&format!("test(\"{name}\""));
    }
    if name.contains('-') {
        return source.contains("[Attack]") && source.contains(&format!("\"{name}\","));
    }
    let Some((before, _)) = source.split_once(&format!("fn {name}(")) else { return false };
    before.lines().rev().take(3).any(|line| line.contains("test]") || line.contains("test("))
}

/// Names in the first column of a document's tables.
fn first_column(document: &str) -> BTreeSet<&str> {
    document.lines().filter_map(|line| line.strip_prefix("| `")?.split_once('`')).map(|(name, _)| name).collect()
}

/// A document's part under a heading, up to the next one.
fn part<'a>(document: &'a str, heading: &str) -> &'a str {
    let rest = document.split_once(&format!("\n## {heading}\n")).map_or("", |(_, rest)| rest);
    rest.split_once("\n## ").map_or(rest, |(part, _)| part)
}

/// What the workspace takes from the registry.
fn dependencies(manifest: &str) -> BTreeSet<&str> {
    let rest = manifest.split_once("\n[workspace.dependencies]\n").map_or("", |(_, rest)| rest);
    let lines = rest.lines().take_while(|line| !line.starts_with('['));
    let names = lines.filter_map(|line| line.split_once(" = ")).map(|(name, _)| name);
    names.filter(|name| !name.starts_with("undertone-")).collect()
}

/// What a `package.json` takes from its registry.
fn npm_dependencies(manifest: &str) -> BTreeSet<&str> {
    let lists = ["\"dependencies\": {", "\"devDependencies\": {"];
    let found = lists.iter().filter_map(|head| manifest.split_once(head)?.1.split_once('}'));
    let entries = found.flat_map(|(list, _)| list.split(','));
    entries.filter_map(|entry| entry.trim().strip_prefix('"')?.split_once('"')).map(|(name, _)| name).collect()
}

/// Numbers and names of all frames, from the comments that give each its number.
fn frames(source: &str) -> Vec<(&str, &str)> {
    let numbered = source.lines().zip(source.lines().skip(1));
    let frame = |(comment, variant)| Some((number(comment)?, variant_name(variant)));
    numbered.filter_map(frame).collect()
}

fn number(comment: &str) -> Option<&str> {
    comment.trim().strip_prefix("/// ")?.get(..4).filter(|it| it.starts_with("0x"))
}

fn variant_name(line: &str) -> &str {
    line.trim().trim_end_matches(" {")
}

/// The domains of hashes and keys in a source file, its tests and examples apart.
fn domains(source: &str) -> BTreeSet<&str> {
    let code = source.split_once("#[cfg(test)]\nmod tests {").map_or(source, |(code, _)| code);
    let lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
    let words = lines.flat_map(|line| line.split('"').skip(1).step_by(2));
    words.filter(|word| word.ends_with("/v1")).collect()
}

/// Where a document's links lead, those to other sites and to its own headings apart.
fn links(document: &str) -> impl Iterator<Item = &str> {
    let targets = document.split("](").skip(1).filter_map(|rest| rest.split_once(')'));
    let targets = targets.map(|(target, _)| target.split_once('#').map_or(target, |(file, _)| file));
    targets.filter(|target| !target.is_empty() && !target.contains("://"))
}

/// The rules on this tree.
#[cfg(test)]
mod tree {
    use super::*;

    fn root() -> PathBuf {
        PathBuf::from(env!("CARGO_MANIFEST_DIR"))
    }

    fn read(path: impl AsRef<Path>) -> String {
        let path = root().join(path);
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    fn crates() -> Vec<String> {
        let folders = fs::read_dir(root().join("crate")).unwrap().map(Result::unwrap);
        let folders = folders.filter(|folder| folder.path().join("Cargo.toml").is_file());
        folders.map(|folder| folder.file_name().into_string().unwrap()).collect()
    }

    /// Rust files below a folder.
    fn rust(folder: &Path) -> Vec<PathBuf> {
        let mut found = Vec::new();
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                found.extend(rust(&path));
            } else if path.extension().is_some_and(|it| it == "rs") {
                found.push(path);
            }
        }
        found
    }

    #[test]
    fn tables_are_fresh() {
        let bless = std::env::var_os(BLESS).is_some();
        let mut stale = Vec::new();
        for (document, name, make) in TABLES {
            let text = read(document);
            let Some(fresh) = with_table(&text, name, &make()) else {
                stale.push(format!("{document}: no markers for `{name}`"));
                continue;
            };
            if text == fresh {
                continue;
            }
            if bless {
                fs::write(root().join(document), fresh).unwrap();
            } else {
                stale.push(format!("{document}: table `{name}` is stale; run {BLESS}=1 cargo test --test docs"));
            }
        }
        assert_eq!(stale, Vec::<String>::new());
    }

    #[test]
    fn every_dependency_has_its_reason() {
        let reasons = read("docs/dependencies.md");
        let (manifest, packages) = (
            read("Cargo.toml"),
            ["package.json", "www/package.json", "tests/browser/package.json", "benches/jiff/package.json"],
        );
        assert_eq!(first_column(part(&reasons, "Rust")), dependencies(&manifest));
        let packages = packages.map(read);
        let npm = packages.iter().flat_map(|package| npm_dependencies(package)).collect::<BTreeSet<_>>();
        assert!(npm.contains("vite") && npm.contains("axe-core"), "{npm:?}");
        assert_eq!(first_column(part(&reasons, "npm")), npm);
    }

    #[test]
    fn every_crate_has_its_line() {
        let architecture = read("ARCHITECTURE.md");
        let lines = first_column(part(&architecture, "Layers"));
        let missing: Vec<_> = crates().into_iter().filter(|name| !lines.contains(name.as_str())).collect();
        assert_eq!(missing, Vec::<String>::new());
    }

    #[test]
    fn every_named_test_exists() {
        let mut missing = Vec::new();
        for document in DOCUMENTS {
            for (file, name) in named_tests(&read(document)) {
                let source = fs::read_to_string(root().join(file)).unwrap_or_default();
                if !holds_test(file, &source, name) {
                    missing.push(format!("{document}: {file}::{name}"));
                }
            }
        }
        assert!(!named_tests(&read("SECURITY.md")).is_empty());
        assert_eq!(missing, Vec::<String>::new());
    }

    #[test]
    fn every_frame_has_its_row() {
        let (source, protocol) = (read("crate/wire/src/frame.rs"), read("docs/protocol.md"));
        let frames = frames(&source);
        assert!(frames.contains(&("0x01", "Attach")) && frames.contains(&("0x8f", "Refused")), "{frames:?}");
        let row = |(number, name): &&(&str, &str)| !protocol.contains(&format!("| `{number}` | `{name}` |"));
        assert_eq!(frames.iter().filter(row).collect::<Vec<_>>(), Vec::<&(&str, &str)>::new());
    }

    #[test]
    fn every_domain_has_its_row() {
        let sources: Vec<_> =
            crates().iter().flat_map(|name| rust(&root().join("crate").join(name).join("src"))).map(read).collect();
        let used: BTreeSet<_> = sources.iter().flat_map(|source| domains(source)).collect();
        let protocol = read("docs/protocol.md");
        let described: BTreeSet<_> = quoted(&protocol).filter(|it| it.ends_with("/v1")).collect();
        assert!(used.contains("roster/v1"));
        assert_eq!(described, used);
    }

    #[test]
    fn links_lead_somewhere() {
        let mut dead = Vec::new();
        for document in DOCUMENTS {
            let folder = root().join(document).parent().unwrap().to_owned();
            let text = read(document);
            dead.extend(links(&text).filter(|it| !folder.join(it).exists()).map(|it| format!("{document}: {it}")));
        }
        assert_eq!(dead, Vec::<String>::new());
    }

    #[test]
    fn the_readme_installs_what_xtask_asks_for() {
        let (readme, source) = (read("README.md"), read("crate/xtask/src/prerequisites.rs"));
        let strings = source.split('"').skip(1).step_by(2);
        let lines: Vec<_> = strings.filter(|it| it.starts_with("curl ") || it.starts_with("brew ")).collect();
        assert_eq!(lines.len(), 3, "{lines:?}");
        assert!(lines.iter().all(|line| readme.contains(line)), "{lines:?}");
    }

    #[test]
    fn the_tiers_have_their_names() {
        let security = read("SECURITY.md");
        assert!([Tier::Unverified, Tier::HostVerified].iter().all(|tier| security.contains(tier.as_str())));
    }
}

/// The rules on text that breaks them.
#[cfg(test)]
mod planted {
    use super::*;

    #[test]
    fn a_stale_table_is_replaced_and_a_missing_one_noticed() {
        let document = "a\n<!-- generated:x -->\nold\n<!-- end:x -->\nb\n";
        let fresh = with_table(document, "x", "new\n").unwrap();
        assert_eq!(fresh, "a\n<!-- generated:x -->\n\nnew\n\n<!-- end:x -->\nb\n");
        assert_eq!(with_table(&fresh, "x", "new\n").unwrap(), fresh);
        assert_eq!(with_table(document, "y", "new\n"), None);
    }

    #[test]
    fn a_test_must_be_one() {
        let document = "see `a/b.rs::it_holds`, `x::y` and `c.test.ts::it holds`\n```\nf::g\n```\n";
        assert_eq!(named_tests(document), [("a/b.rs", "it_holds"), ("c.test.ts", "it holds")]);
        assert!(holds_test("b.rs", "#[test]\nfn it_holds() {}", "it_holds"));
        assert!(!holds_test("b.rs", "fn it_holds() {}", "it_holds"));
        assert!(!holds_test("b.rs", "#[test]\nfn it_holds_more() {}", "it_holds"));
        let rows = "const ATTACKS: &[Attack] = &[row(\"a-lie\", Relay)]";
        assert!(holds_test("b.rs", rows, "a-lie") && !holds_test("b.rs", rows, "a-truth"));
        assert!(!holds_test("b.rs", "let not_a_row = \"a-lie\",", "a-lie"));
        assert!(holds_test("c.test.ts", "test(\"it holds\", () => {})", "it holds"));
    }

    #[test]
    fn lists_are_read() {
        let manifest = "[x]\na = 1\n\n[workspace.dependencies]\nundertone-wire = 1\nbytes = \"1\"\n\n[y]\nb = 1\n";
        assert_eq!(dependencies(manifest), BTreeSet::from(["bytes"]));
        let package =
            "{ \"dependencies\": { \"lit\": \"3\" }, \"devDependencies\": { \"@a/b\": \"1\", \"c\": \"2\" } }";
        assert_eq!(npm_dependencies(package), BTreeSet::from(["@a/b", "c", "lit"]));
        assert_eq!(first_column("| x |\n| `a` | b |\n| c | `d` |\n"), BTreeSet::from(["a"]));
        assert_eq!(part("\n## A\none\n## B\ntwo\n", "A"), "one");
        assert_eq!(links("[a](b.md#c) [d](https://e) [f](#g)").collect::<Vec<_>>(), ["b.md"]);
    }

    #[test]
    fn sources_are_read() {
        let enumeration = "    /// 0x01 to the relay: sit.\n    Attach {\n    /// No number.\n    None,\n";
        assert_eq!(frames(enumeration), [("0x01", "Attach")]);
        let source = "f(\"a/v1\");\n// \"b/v1\"\n#[cfg(test)]\nmod tests { f(\"c/v1\") }";
        assert_eq!(domains(source), BTreeSet::from(["a/v1"]));
    }

    #[test]
    fn figures_are_read_by_people() {
        assert_eq!([bytes(500), bytes(64 << 10), bytes(4 << 20)], ["500 bytes", "64 KiB", "4 MiB"]);
        assert_eq!([time(7_200_000), time(1_000), time(30 * 86_400_000)], ["2 h", "1 s", "30 days"]);
        let ten = Pace { units: 10, per_ms: 3_600_000, burst: 20 };
        assert_eq!(pace(ten, u64::to_string), "10 in 1 h, 20 at once");
    }
}
