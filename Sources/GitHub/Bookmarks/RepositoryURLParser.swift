import Foundation

/// Parses the repository in pasted text: "owner/name", or a GitHub URL in any form.
struct RepositoryURLParser: Sendable {
    /// Hosts whose paths start with owner and name, in lower case.
    private let hosts: Set<String>
    let webURL: String

    init(webURL: String) {
        self.webURL = webURL
        let own = webURL.lowercased().splitBytes(at: "/", maxSplits: 2, omittingEmptySubsequences: false)
            .last
        hosts = ["github.com", "www.github.com", String(own ?? "")]
    }

    /// Returns nil for text without a repository: another host's URL, an owner's page, a sentence.
    func name(in text: String) -> RepositoryName? {
        guard text.utf8.count <= 2_048 else { return nil }
        let text = text.trimmed
        if let name = RepositoryName(text), !hosts.contains(name.owner.lowercased()) { return name }
        var rest = Self.withoutScheme(text)
        // git@github.com:owner/name.git
        if let at = rest.utf8.firstIndex(of: UInt8(ascii: "@")), !rest[..<at].containsBytes("/") {
            rest = rest[rest.utf8.index(after: at)...]
        }
        var parts = rest.unicodeScalars.split(
            maxSplits: 1, omittingEmptySubsequences: false, whereSeparator: { $0 == "/" || $0 == ":" }
        ).map(Substring.init)
        if let port = parts.last?.prefix(while: { $0 != "/" }), rest.dropFirst(parts[0].count).first == ":",
            !port.isEmpty, port.allSatisfy(\.isNumber), parts.count == 2
        {
            parts = ["\(parts[0]):\(port)", parts[1].dropFirst(port.count + 1)]
        }
        guard parts.count == 2, hosts.contains(parts[0].lowercased()) else { return nil }
        let path = parts[1].prefix { !"?#".contains($0) }.splitBytes(at: "/")
        guard path.count >= 2 else { return nil }
        let name = path[1].hasSuffix(".git") ? path[1].dropLast(4) : path[1]
        return RepositoryName(owner: String(path[0]), name: String(name))
    }

    /// The first repository whose URL is in a line of text, such as "- [swift](https://github.com/apple/swift) - A language".
    func linkedName(in line: String) -> RepositoryName? {
        guard line.utf8.count <= 20_000 else { return nil }
        let parts = line.unicodeScalars.split {
            $0.properties.isWhitespace || "()<>[]\"'`|".unicodeScalars.contains($0)
        }
        return parts.lazy.map { String(Substring($0)) }.filter { $0.containsBytes("://") }
            .compactMap { name(in: $0) }.first
    }

    private static func withoutScheme(_ text: String) -> Substring {
        let text = text.hasPrefix("git+") ? text.dropFirst(4) : text[...]
        for scheme in ["https://", "http://", "ssh://", "git://"] where text.lowercased().hasPrefix(scheme) {
            return text.dropFirst(scheme.count)
        }
        return text
    }
}
