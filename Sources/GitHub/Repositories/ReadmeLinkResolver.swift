import ArticleText
import Foundation
import HTMLDocument
import TextFormats

/// Where a README stands: what its links and pictures mean.
struct ReadmeLinkResolver: MarkupPolicy {
    let maximumBytes = 400_000
    let keepsPicturesApart = true
    /// The page's own headings are the first two.
    let headings = ["h1": "h3", "h2": "h4", "h3": "h5", "h4": "h6", "h5": "h6", "h6": "h6"]
    /// GitHub's marks of code, by what they mean.
    let codeClasses = [
        "pl-c": "code-comment", "pl-k": "code-keyword", "pl-s": "code-string", "pl-pds": "code-string",
        "pl-sr": "code-string", "pl-cce": "code-string", "pl-c1": "code-constant", "pl-e": "code-name",
        "pl-en": "code-name", "pl-ent": "code-tag", "pl-v": "code-variable", "pl-smi": "code-variable",
        "pl-s1": "code-variable", "pl-mi1": "code-added", "pl-md": "code-removed",
    ]

    /// No id of a page of Roost begins so.
    private static let prefix = "readme-"
    private static let gitHubPrefix = "user-content-"

    private let web: String
    /// "/owner/name/", in small letters.
    private let own: String
    /// Each with a slash at the end.
    private let blob: String
    private let raw: String
    /// The parts of the README's own folder.
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

    /// Near the beginning GitHub says which file it is.
    mutating func meet(_ element: HTMLDocument.Element, depth: Int) {
        if depth < 8, let path = element["data-path"] { stand(in: path) }
    }

    /// The README lies in a folder of its repository: "docs/README.md".
    private mutating func stand(in path: String) {
        guard path.utf8.count <= 500, let parts = AddressText.walked(path, from: []) else { return }
        folder = parts.dropLast()
    }

    /// Nil for what leads nowhere, and nowhere good.
    func link(_ text: String) -> MarkupLink? {
        guard let text = AddressText.tidy(text) else { return nil }
        if text.hasPrefix("#") {
            let name = String(text.dropFirst())
            return place(name.removingPercentEncoding ?? name).map { .place($0) }
        }
        return address(text, relativeTo: blob, schemes: ["http", "https", "mailto"]).map { .page($0) }
    }

    /// Absolute, http or https.
    func picture(_ text: String) -> String? {
        guard let text = AddressText.tidy(text), !text.hasPrefix("#"),
            let url = address(text, relativeTo: raw, schemes: ["http", "https"])
        else { return nil }
        return file(url)
    }

    /// The page that shows a file of a repository is no picture: the file is meant, as with GitHub's own
    /// pages. On github.com files lie on a host of their own, to which `/raw/` only sends on.
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

    /// The id of an element, here; nil where nothing remains of its name.
    func place(_ name: String) -> String? {
        let name =
            name.hasPrefix(Self.gitHubPrefix)
            ? String(name.dropFirst(Self.gitHubPrefix.count)) : name
        return AddressText.place(name, prefix: Self.prefix)
    }

    private func address(_ text: String, relativeTo base: String, schemes: Set<String>) -> String? {
        switch AddressText.read(text, besides: "https", schemes: schemes) {
        case .whole(let url): url
        case .refused: nil
        case .relative: within(text, base)
        }
    }

    /// A path within the repository; one from the root may name the repository first.
    private func within(_ text: String, _ base: String) -> String? {
        let end = text.firstIndex { "?#".contains($0) } ?? text.endIndex
        let path = text[..<end]
        guard !path.isEmpty else { return nil }
        let isWhole = path.lowercased().hasPrefix(own)
        let start = path.hasPrefix("/") ? [] : folder
        guard let parts = AddressText.walked(path, from: start) else { return nil }
        let root = isWhole ? web + "/" : base
        return AddressText.fitting(root + parts.joined(separator: "/") + AddressText.encoded(text[end...]))
    }
}
