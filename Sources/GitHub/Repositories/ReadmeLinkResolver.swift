import ArticleText
import Foundation
import HTMLDocument
import TextFormats

struct ReadmeLinkResolver: MarkupPolicy {
    let maximumBytes = 400_000
    let separatesPictures = true
    /// The page itself uses h1 and h2.
    let headings = ["h1": "h3", "h2": "h4", "h3": "h5", "h4": "h6", "h5": "h6", "h6": "h6"]
    let codeClasses = Self.gitHubCodeClasses
    /// GitHub's classes for syntax highlighting.
    static let gitHubCodeClasses = [
        "pl-c": "code-comment", "pl-k": "code-keyword", "pl-s": "code-string", "pl-pds": "code-string",
        "pl-sr": "code-string", "pl-cce": "code-string", "pl-c1": "code-constant", "pl-e": "code-name",
        "pl-en": "code-name", "pl-ent": "code-tag", "pl-v": "code-variable", "pl-smi": "code-variable",
        "pl-s1": "code-variable", "pl-mi1": "code-added", "pl-md": "code-removed",
    ]

    /// No id on Roost's pages starts with this.
    private static let prefix = "readme-"
    private static let gitHubPrefix = "user-content-"

    private let web: String
    /// "/owner/name/" in lower case.
    private let own: String
    /// Both end with a slash.
    private let blob: String
    private let raw: String
    private var folder: [String] = []

    init(repository: Repository, branch: String, host: GitHubHost) {
        let parts = branch.splitBytes(at: "/", omittingEmptySubsequences: false).map(String.init)
        let isName = parts.allSatisfy { !$0.isEmpty && $0 != "." && $0 != ".." }
        let branch = isName ? parts.map(PercentEncoding.encode).joined(separator: "/") : "HEAD"
        web = host.webURL
        own = "/\(repository.fullName)/".lowercased()
        blob = AddressText.encoded("\(repository.htmlURL)/blob/") + branch + "/"
        raw = Self.files(of: repository.fullName, at: host.webURL) + branch + "/"
    }

    /// GitHub names the README's file in `data-path`, near the root.
    mutating func visit(_ element: HTMLDocument.Element, depth: Int) {
        if depth < 8, let path = element["data-path"] { setFolder(of: path) }
    }

    private mutating func setFolder(of path: String) {
        guard path.utf8.count <= 500, let parts = AddressText.resolvedPath(path, from: []) else { return }
        folder = parts.dropLast()
    }

    /// Returns nil for invalid or unsafe links.
    func link(_ text: String) -> MarkupLink? {
        guard let text = AddressText.cleaned(text) else { return nil }
        if text.hasPrefix("#") {
            let name = String(text.dropFirst())
            return elementID(PercentEncoding.decoded(name)).map { .fragment($0) }
        }
        return address(text, relativeTo: blob, schemes: ["http", "https", "mailto"]).map { .page($0) }
    }

    func picture(_ text: String) -> String? {
        guard let text = AddressText.cleaned(text), !text.hasPrefix("#"),
            let url = address(text, relativeTo: raw, schemes: ["http", "https"])
        else { return nil }
        return file(url)
    }

    /// Replaces a link to a file's page with the file itself, as GitHub's pages do. On github.com a separate host
    /// serves the files, and `/raw/` only redirects there.
    private func file(_ url: String) -> String {
        guard url.lowercased().hasPrefix(web.lowercased() + "/") else { return url }
        let parts = url.dropFirst(web.count + 1).splitBytes(at: "/", maxSplits: 3)
        guard parts.count == 4, parts[2] == "blob" || parts[2] == "raw" else { return url }
        return Self.files(of: "\(parts[0])/\(parts[1])", at: web) + parts[3]
    }

    private static func files(of fullName: String, at web: String) -> String {
        web == "https://github.com"
            ? "https://raw.githubusercontent.com/\(fullName)/" : "\(web)/\(fullName)/raw/"
    }

    /// The element's prefixed id, or nil if nothing is left of its name.
    func elementID(_ name: String) -> String? {
        let name =
            name.hasPrefix(Self.gitHubPrefix)
            ? String(name.dropFirst(Self.gitHubPrefix.count)) : name
        return AddressText.elementID(name, prefix: Self.prefix)
    }

    private func address(_ text: String, relativeTo base: String, schemes: Set<String>) -> String? {
        switch AddressText.read(text, defaultScheme: "https", schemes: schemes) {
        case .absolute(let url): url
        case .refused: nil
        case .relative: within(text, base)
        }
    }

    /// Resolves a path within the repository. An absolute path may start with the repository's name.
    private func within(_ text: String, _ base: String) -> String? {
        let end = text.firstIndex { "?#".contains($0) } ?? text.endIndex
        let path = text[..<end]
        guard !path.isEmpty else { return nil }
        let isWhole = path.lowercased().hasPrefix(own)
        let start = path.hasPrefix("/") ? [] : folder
        guard let parts = AddressText.resolvedPath(path, from: start) else { return nil }
        let root = isWhole ? web + "/" : base
        return AddressText.withinLimit(
            root + parts.joined(separator: "/") + AddressText.encoded(text[end...]))
    }
}
