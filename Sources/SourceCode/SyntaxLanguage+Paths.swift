extension SyntaxLanguage {
    /// Returns the language of a file by its name, or nil for an unknown one.
    static func of(path: String) -> SyntaxLanguage? {
        let name = path.lowercased().utf8.split(separator: UInt8(ascii: "/")).last.map {
            String(Substring($0))
        }
        guard let name else { return nil }
        if let language = byFile[name]
            ?? byFile[String(Substring(name.utf8.prefix { $0 != UInt8(ascii: ".") }))]
        {
            return language
        }
        guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")) else { return nil }
        return byEnding[String(name[name.index(after: dot)...])]
    }

    /// Returns the language that a fenced block of Markdown names.
    static func named(_ name: String) -> SyntaxLanguage? { byEnding[name] ?? byName[name] ?? byFile[name] }

    private static let byName = Dictionary(all.map { ($0.name, $0) }) { first, _ in first }

    private static let byEnding = table([
        swift: "swift swiftinterface",
        cFamily: "c h cc cpp cxx c++ hh hpp hxx h++ m mm ino cu cuh inl ipp metal objc",
        java: "java",
        kotlin: "kt kts",
        groovy: "groovy gradle jenkinsfile",
        cSharp: "cs csx",
        go: "go golang",
        rust: "rs",
        javaScript: "js mjs cjs jsx es6",
        typeScript: "ts tsx mts cts",
        python: "py pyi pyw bzl bazel star python3",
        ruby: "rb rake gemspec ru podspec",
        php: "php phtml php5 inc",
        shell: "sh bash zsh ksh fish bats ebuild console shell",
        sql: "sql ddl psql mysql",
        markup:
            "html htm xhtml xml svg vue svelte xsd xsl xslt plist csproj vbproj fsproj props targets resx xaml"
            + " storyboard xib erb ejs hbs mustache jsp astro rss atom wsdl",
        style: "css scss sass less",
        json: "json jsonc json5 webmanifest geojson ipynb jsonl ndjson topojson har",
        yaml: "yaml yml",
        settings: "toml ini cfg conf properties editorconfig service desktop env npmrc",
        markdown: "md markdown mdx mdown mkd",
        docker: "dockerfile containerfile",
        make: "mk mak make",
        lua: "lua luau",
        scala: "scala sc sbt",
        dart: "dart",
        protobuf: "proto",
        terraform: "tf tfvars hcl",
        graphQL: "graphql gql graphqls",
    ])

    private static let byFile = table([
        docker: "dockerfile containerfile",
        make: "makefile gnumakefile bsdmakefile kbuild justfile",
        ruby: "gemfile rakefile podfile fastfile appfile brewfile vagrantfile",
        python: "build.bazel workspace sconstruct",
        groovy: "jenkinsfile",
        json:
            ".babelrc .eslintrc .prettierrc package.resolved composer.lock pipfile.lock flake.lock .swift-format",
        settings: ".editorconfig .gitconfig .gitmodules .npmrc .env pipfile cargo.lock poetry.lock uv.lock",
        shell: ".bashrc .bash_profile .profile .zshrc .zprofile pkgbuild",
        yaml: "pubspec.lock .clang-format .clang-tidy podfile.lock",
    ])

    private static func table(
        _ rows: KeyValuePairs<SyntaxLanguage, String>
    ) -> [String: SyntaxLanguage] {
        var table: [String: SyntaxLanguage] = [:]
        for (language, names) in rows {
            for name in names.utf8.split(separator: UInt8(ascii: " ")) {
                table[String(Substring(name))] = language
            }
        }
        return table
    }
}
