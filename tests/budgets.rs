//! Size budgets: files stay readable in one sitting, functions on one screen, and nothing is
//! `unsafe`.
//!
//! Each rule is a function over text, tested on a planted violation; the tests in
//! `tree` apply them to every source file. Functions are found in the token stream, so that
//! comments and strings do not count and the bodies of macros do.

use std::fs;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// The longest file.
const FILE_LINES_MAX: usize = 800;

/// The longest of the shortest 99 of 100 functions. Clippy stops any single one at 100.
const FUNCTION_LINES_P99_MAX: usize = 60;

/// What counts as source.
const SOURCE: &[&str] = &["rs", "ts", "js", "mjs", "css", "html"];

/// Folders that tools write.
const NOT_SOURCE: &[&str] = &["target", "node_modules", "dist", "generated", "test-results"];

/// Generated files in folders of written ones.
const NOT_SOURCE_PATHS: &[&str] = &["pkg/wasm", "crate/wasm/pkg"];

/// A function and how long it is, from `fn` to the closing brace.
#[derive(Debug, PartialEq, Eq)]
struct Function {
    name: String,
    lines: usize,
}

/// A sentence if the file is too long.
fn too_long(name: &str, text: &str) -> Option<String> {
    let lines = text.lines().count();
    (lines > FILE_LINES_MAX).then(|| format!("{name}: {lines} lines of at most {FILE_LINES_MAX}"))
}

/// All functions with a body, nested ones too.
fn functions(tokens: TokenStream) -> Vec<Function> {
    let mut found = Vec::new();
    let mut tokens = tokens.into_iter().peekable();
    // A function whose name was read and whose body did not come yet.
    let mut open: Option<(String, usize)> = None;
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Ident(word) if word == "fn" => {
                if let Some(TokenTree::Ident(name)) = tokens.peek() {
                    open = Some((name.to_string(), word.span().start().line));
                }
            }
            // A trait's function without a body.
            TokenTree::Punct(mark) if mark.as_char() == ';' => open = None,
            TokenTree::Group(group) => {
                if group.delimiter() == Delimiter::Brace
                    && let Some((name, first)) = open.take()
                {
                    let last = group.span_close().end().line;
                    let lines = last - first + 1;
                    found.push(Function { name, lines });
                }
                found.extend(functions(group.stream()));
            }
            _ => {}
        }
    }
    found
}

/// Lines with the word `unsafe` as code.
fn unsafe_lines(tokens: TokenStream) -> Vec<usize> {
    let mut lines = Vec::new();
    for token in tokens {
        match token {
            TokenTree::Ident(word) if word == "unsafe" => lines.push(word.span().start().line),
            TokenTree::Group(group) => lines.extend(unsafe_lines(group.stream())),
            _ => {}
        }
    }
    lines
}

/// The smallest length that 99 of 100 functions do not exceed.
fn p99(lengths: impl Iterator<Item = usize>) -> usize {
    let mut lengths: Vec<_> = lengths.collect();
    lengths.sort_unstable();
    let rank = (lengths.len() * 99).div_ceil(100);
    rank.checked_sub(1).and_then(|index| lengths.get(index)).copied().unwrap_or(0)
}

/// The rules on this tree.
#[cfg(test)]
mod tree {
    use super::*;

    fn root() -> PathBuf {
        PathBuf::from(env!("CARGO_MANIFEST_DIR"))
    }

    /// The source files below a folder, named from the root.
    fn sources(below: &str) -> Vec<(String, String)> {
        let mut found = Vec::new();
        let mut open = vec![root().join(below)];
        while let Some(folder) = open.pop() {
            for entry in fs::read_dir(&folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() && !is_skipped(&path) {
                    open.push(path);
                } else if path.is_file() && is_source(&path) {
                    found.push((named(&path), fs::read_to_string(&path).unwrap()));
                }
            }
        }
        found.sort();
        found
    }

    fn named(path: &Path) -> String {
        let path = path.strip_prefix(root()).unwrap_or(path);
        path.to_string_lossy().replace('\\', "/")
    }

    fn is_source(path: &Path) -> bool {
        let ending = path.extension().unwrap_or_default().to_string_lossy();
        SOURCE.contains(&ending.as_ref())
    }

    fn is_skipped(folder: &Path) -> bool {
        let name = folder.file_name().unwrap_or_default().to_string_lossy();
        let written = NOT_SOURCE_PATHS.contains(&named(folder).as_str());
        written || name.starts_with('.') || NOT_SOURCE.contains(&name.as_ref())
    }

    /// Rust files below a folder, as tokens.
    fn rust(below: &str) -> Vec<(String, TokenStream)> {
        let files = sources(below).into_iter().filter(|(name, _)| name.ends_with(".rs"));
        files
            .map(|(name, text)| {
                let tokens = TokenStream::from_str(&text);
                let tokens = tokens.unwrap_or_else(|error| panic!("{name}: {error}"));
                (name, tokens)
            })
            .collect()
    }

    #[test]
    fn files_are_short() {
        let files = sources("");
        assert!(files.iter().any(|(name, _)| name == "tests/budgets.rs"));
        let long: Vec<_> = files.iter().filter_map(|(name, text)| too_long(name, text)).collect();
        assert_eq!(long, Vec::<String>::new());
    }

    #[test]
    fn functions_are_short() {
        let mut all = Vec::new();
        for (file, tokens) in rust("crate") {
            all.extend(functions(tokens).into_iter().map(|it| (it.lines, it.name, file.clone())));
        }
        all.sort();
        assert!(!all.is_empty());
        let p99 = p99(all.iter().map(|it| it.0));
        let longest = &all[all.len().saturating_sub(10)..];
        println!("{} functions, p99 {p99} lines", all.len());
        assert!(p99 <= FUNCTION_LINES_P99_MAX, "p99 is {p99} lines; the longest: {longest:#?}");
    }

    #[test]
    fn nothing_is_unsafe() {
        let mut found = Vec::new();
        for folder in ["crate", "tests"] {
            for (file, tokens) in rust(folder) {
                found.extend(unsafe_lines(tokens).iter().map(|line| format!("{file}:{line}")));
            }
        }
        assert_eq!(found, Vec::<String>::new());
    }
}

/// The rules on text that breaks them.
#[cfg(test)]
mod planted {
    use super::*;

    fn tokens(text: &str) -> TokenStream {
        TokenStream::from_str(text).unwrap()
    }

    #[test]
    fn a_long_file() {
        assert_eq!(too_long("a.rs", &"x\n".repeat(800)), None);
        let found = too_long("a.rs", &"x\n".repeat(801));
        assert_eq!(found.unwrap(), "a.rs: 801 lines of at most 800");
    }

    #[test]
    fn functions_of_every_kind_are_measured() {
        let text = "
            //! fn comment() {
            const S: &str = \"fn string() {\";
            type F = fn(u8) -> u8;
            trait T { fn none(&self); fn default(&self) {
            } }
            impl T for u8 { fn none(&self) { fn nested() {
            }
            } }
            macro_rules! m { () => { fn hidden() {
            } } }
            pub const fn long<A: Fn(u8) -> u8>(
                a: A,
            ) -> [u8; 3]
            where
                A: Copy,
            {
            }
        ";
        let mut found = functions(tokens(text));
        found.sort_by(|a, b| a.name.cmp(&b.name));
        let found: Vec<_> = found.iter().map(|it| (it.name.as_str(), it.lines)).collect();
        let expected = [("default", 2), ("hidden", 2), ("long", 7), ("nested", 2), ("none", 3)];
        assert_eq!(found, expected);
    }

    #[test]
    fn one_long_function_in_fifty_breaks_the_budget() {
        let long = format!("fn long() {{{}}}\n", "a();\n".repeat(61));
        let short = "fn short() {}\n";
        let measured = |text: String| p99(functions(tokens(&text)).iter().map(|it| it.lines));
        assert!(measured(short.repeat(49) + &long) > FUNCTION_LINES_P99_MAX);
        assert!(measured(short.repeat(199) + &long) <= FUNCTION_LINES_P99_MAX);
    }

    #[test]
    fn ranks() {
        assert_eq!(p99(1..=100), 99);
        assert_eq!(p99(1..=200), 198);
        assert_eq!(p99(1..=10), 10);
        assert_eq!(p99(0..0), 0);
    }

    #[test]
    fn unsafe_in_all_places() {
        for text in [
            "fn f() { unsafe { g() } }",
            "unsafe fn f() {}",
            "unsafe impl Send for A {}",
            "macro_rules! m { () => { unsafe { g() } } }",
            "#[unsafe(no_mangle)] fn f() {}",
        ] {
            assert_eq!(unsafe_lines(tokens(text)), [1], "{text}");
        }
        let harmless = "#![forbid(unsafe_code)]\n// unsafe\nconst S: &str = \"unsafe\";";
        assert!(unsafe_lines(tokens(harmless)).is_empty());
    }
}
