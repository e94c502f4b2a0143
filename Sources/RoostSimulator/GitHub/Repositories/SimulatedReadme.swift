struct SimulatedReadme {
    enum Kind: String, Sendable, CaseIterable {
        case none, short, usual, long, hostile, rightToLeft, plainText
    }

    let repository: RepositorySnapshot
    let baseURL: GitHubBaseURL

    /// Depends only on the repository's number, not on the seed. Empty repositories have none.
    static func kind(of repository: RepositorySnapshot) -> Kind {
        guard !repository.isEmpty else { return .none }
        guard repository.entry.pulls == nil else { return .usual }
        switch SeededRandom(seed: 0x7264_6D65).index(UInt64(repository.number), below: 100) {
        case ..<9: return .none
        case ..<24: return .short
        case ..<30: return .hostile
        case ..<34: return .long
        case ..<37: return .rightToLeft
        case ..<42: return .plainText
        default: return .usual
        }
    }

    /// A README set by a command counts as rendered Markdown.
    private var kind: Kind { repository.readme == nil ? Self.kind(of: repository) : .usual }
    var exists: Bool { kind != .none }
    var path: String { kind == .plainText ? "README" : "README.md" }
    private var name: String { repository.name }
    private var branch: String { repository.entry.defaultBranch }

    private var about: String { ReadmeMarkup.escaped(repository.description ?? "Nothing is said of it.") }

    /// The HTML for `application/vnd.github.html`: an article in a div, as on GitHub's web page.
    var html: String {
        let content = kind == .plainText ? "<pre>\(ReadmeMarkup.escaped(markdown))</pre>" : rendered
        let article =
            kind == .plainText
            ? "<div class=\"plain\">"
            : "<article class=\"markdown-body entry-content container-lg\" itemprop=\"text\">"
        return "<div id=\"readme\" class=\"\(kind == .plainText ? "plain" : "md")\" data-path=\"\(path)\">"
            + article + content + (kind == .plainText ? "</div>" : "</article>") + "</div>"
    }

    private var rendered: String {
        let title = ReadmeMarkup.heading(1, name)
        if let readme = repository.readme { return title + readme }
        switch kind {
        case .short: return title + "\n<p dir=\"auto\">\(about)</p>"
        case .hostile: return title + "\n<p dir=\"auto\">\(about)</p>\n" + HostileMarkup.text
        case .rightToLeft: return title + ReadmeMarkup.rightToLeft
        case .long:
            let chapters = (1...150).map { number in
                ReadmeMarkup.heading(2, "Chapter \(number)") + ReadmeMarkup.chapter(number)
            }
            return usual + chapters.joined(separator: "\n")
        default: return usual
        }
    }

    private var usual: String {
        let page = "/\(repository.fullName)"
        return [
            ReadmeMarkup.heading(1, name), ReadmeMarkup.badges(baseURL, page),
            "<p dir=\"auto\"><strong>\(about)</strong></p>",
            ReadmeMarkup.picture(page, branch), ReadmeMarkup.contents,
            ReadmeMarkup.heading(2, "Installation"), ReadmeMarkup.code(repository),
            ReadmeMarkup.heading(2, "What works"), ReadmeMarkup.tasks,
            ReadmeMarkup.heading(2, "Measured"), ReadmeMarkup.table, ReadmeMarkup.heading(3, "Notes"),
            ReadmeMarkup.notes, ReadmeMarkup.heading(2, "Licence"), ReadmeMarkup.links(page, branch),
        ].joined(separator: "\n")
    }

    /// The file in the repository. It is shorter than the rendered HTML and does not correspond to it.
    var markdown: String {
        let title = kind == .plainText ? "\(name)\n\(String(repeating: "=", count: name.count))" : "# \(name)"
        return """
            \(title)

            \(repository.description ?? "Nothing is said of it.")

            ## Installation

                \(repository.language == "Swift" ? "swift build" : "make install")

            - [x] it starts
            - [ ] it ends

            See [the documentation](docs/README.md) and ![a picture](docs/picture.png).

            """
    }

    func write(_ json: inout JSONWriter) {
        let bytes = Array(markdown.utf8)
        let sha = Fingerprint.text(bytes) + "00000000"
        let contents = "\(baseURL.api)/repos/\(repository.fullName)/contents/\(path)?ref=\(branch)"
        let blob = "\(baseURL.api)/repos/\(repository.fullName)/git/blobs/\(sha)"
        let page = "\(baseURL.page(repository))/blob/\(branch)/\(path)"
        json.object { json in
            json.key("size")
            json.number(bytes.count)
            for (name, text) in [
                ("name", path), ("path", path), ("sha", sha), ("url", contents), ("html_url", page),
                ("git_url", blob), ("download_url", "\(baseURL.page(repository))/raw/\(branch)/\(path)"),
                ("type", "file"), ("content", Base64.encode(bytes) + "\n"), ("encoding", "base64"),
            ] {
                json.key(name)
                json.string(text)
            }
            json.key("_links")
            json.object { json in
                for (name, text) in [("self", contents), ("git", blob), ("html", page)] {
                    json.key(name)
                    json.string(text)
                }
            }
        }
    }
}
