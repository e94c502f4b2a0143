/// Language names after a code fence. Any other word there is part of the code and is shown.
enum CodeLanguages {
    private static let names: Set<String> = [
        "apache", "applescript", "asm", "awk", "bash", "bat", "c", "c#", "c++", "cc", "clj", "clojure",
        "cmake",
        "cmd", "console", "cpp", "cs", "csharp", "css", "csv", "curl", "dart", "diff", "docker", "dockerfile",
        "dot",
        "elixir", "elm", "erb", "erlang", "ex", "f#", "fish", "fortran", "fsharp", "glsl", "go", "golang",
        "gql",
        "gradle", "graphql", "groovy", "h", "haskell", "hcl", "hs", "html", "http", "ini", "java",
        "javascript",
        "jinja", "js", "json", "json5", "jsonc", "jsx", "julia", "kotlin", "kt", "latex", "less", "lisp",
        "log", "lua",
        "make", "makefile", "markdown", "matlab", "md", "mermaid", "mjs", "mustache", "mysql", "nginx", "nim",
        "nix",
        "objc", "objective-c", "ocaml", "octave", "pascal", "patch", "perl", "php", "plaintext", "plantuml",
        "postgresql", "powershell", "properties", "proto", "protobuf", "ps1", "psql", "py", "python",
        "python3", "r",
        "rb", "regex", "rs", "ruby", "rust", "sass", "scala", "scss", "sed", "sh", "shell", "sql", "sqlite",
        "svelte",
        "svg", "swift", "terraform", "tex", "text", "toml", "ts", "tsx", "txt", "typescript", "vb", "verilog",
        "vhdl",
        "vim", "vue", "wasm", "xml", "yaml", "yml", "zig", "zsh",
    ]

    static func contains(_ word: String) -> Bool { names.contains(word.lowercased()) }
}
