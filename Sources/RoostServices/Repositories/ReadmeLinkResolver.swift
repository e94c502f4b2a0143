import Foundation

/// Where a README stands: what its links and pictures mean.
struct ReadmeLinkResolver {
    enum Link: Equatable {
        /// Absolute: http, https or mailto.
        case page(String)
        /// The id of an element of this README.
        case place(String)
    }

    /// No id of a page of Roost begins so.
    private static let prefix = "readme-"
    private static let gitHubPrefix = "user-content-"
    private static let maximumBytes = 2_048

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
        blob = Self.encoded("\(repository.htmlURL)/blob/") + branch + "/"
        raw = Self.files(of: repository.fullName, at: host.webURL) + branch + "/"
    }

    /// The README lies in a folder of its repository: "docs/README.md".
    mutating func stand(in path: String) {
        guard path.utf8.count <= 500, let parts = Self.walked(path, from: []) else { return }
        folder = parts.dropLast()
    }

    /// Nil for what leads nowhere, and nowhere good.
    func link(_ text: String) -> Link? {
        guard let text = Self.tidy(text) else { return nil }
        if text.hasPrefix("#") {
            let name = String(text.dropFirst())
            return Self.place(name.removingPercentEncoding ?? name).map { .place($0) }
        }
        return address(text, relativeTo: blob, schemes: ["http", "https", "mailto"]).map { .page($0) }
    }

    /// Absolute, http or https.
    func picture(_ text: String) -> String? {
        guard let text = Self.tidy(text), !text.hasPrefix("#"),
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
    static func place(_ name: String) -> String? {
        let name = name.hasPrefix(gitHubPrefix) ? String(name.dropFirst(gitHubPrefix.count)) : name
        let scalars = name.sanitized.unicodeScalars.prefix(200).filter { scalar in
            scalar.isASCII
                ? isWordly(scalar) || "-_.:".unicodeScalars.contains(scalar)
                : !scalar.properties.isWhitespace
        }
        return scalars.isEmpty ? nil : prefix + String(String.UnicodeScalarView(scalars))
    }

    /// "build status" of ".../build%20status.svg?branch=main"; "Picture" where there is no name.
    static func fileName(_ url: String) -> String {
        let path = url.prefix { $0 != "?" && $0 != "#" }
        let last = path.splitBytes(at: "/").last.map(String.init) ?? ""
        let name = (last.removingPercentEncoding ?? last).prefix { $0 != "." }
        return name.isEmpty ? "Picture" : String(name)
    }

    /// As a browser reads it: without blanks around it, tabs and new lines within (URL Standard, basic URL
    /// parser).
    private static func tidy(_ text: String) -> String? {
        guard text.utf8.count <= maximumBytes else { return nil }
        let scalars = text.unicodeScalars.filter { $0 != "\t" && $0 != "\n" && $0 != "\r" }
        let tidy = String(String.UnicodeScalarView(scalars)).trimmingCharacters(
            in: .init(charactersIn: "\0"..." "))
        let isCalm = tidy.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F..<0xA0).contains($0.value) }
        return tidy.isEmpty || !isCalm ? nil : tidy
    }

    private func address(_ text: String, relativeTo base: String, schemes: Set<String>) -> String? {
        if text.utf8.starts(with: "//".utf8) {
            return address("https:" + text, relativeTo: base, schemes: schemes)
        }
        if let colon = text.firstIndex(where: { ":/?#".contains($0) }), text[colon] == ":" {
            let scheme = text[..<colon].lowercased()
            guard schemes.contains(scheme) else { return nil }
            let rest = text[text.index(after: colon)...]
            guard scheme != "mailto" else {
                return rest.isEmpty ? nil : Self.fitting("mailto:" + Self.encoded(rest))
            }
            guard rest.hasPrefix("//"), Self.isHost(rest.dropFirst(2).prefix { !"/?#".contains($0) }) else {
                return nil
            }
            return Self.fitting(scheme + ":" + Self.encoded(rest))
        }
        return within(text, base)
    }

    /// A path within the repository; one from the root may name the repository first.
    private func within(_ text: String, _ base: String) -> String? {
        let end = text.firstIndex { "?#".contains($0) } ?? text.endIndex
        let path = text[..<end]
        guard !path.isEmpty else { return nil }
        let isWhole = path.lowercased().hasPrefix(own)
        let start = path.hasPrefix("/") ? [] : folder
        guard let parts = Self.walked(path, from: start) else { return nil }
        let root = isWhole ? web + "/" : base
        return Self.fitting(root + parts.joined(separator: "/") + Self.encoded(text[end...]))
    }

    /// The parts of a path, its dots followed, never above the root; nil where there are too many.
    private static func walked(_ path: some StringProtocol, from start: [String]) -> [String]? {
        var parts = start
        let steps = path.splitBytes(at: "/", omittingEmptySubsequences: false)
        for (index, step) in steps.enumerated() {
            switch step.lowercased().replacingBytes(of: "%2e", with: ".") {
            case "" where index == steps.count - 1 && !parts.isEmpty: parts.append("")
            case "", ".": break
            case "..": _ = parts.popLast()
            default: parts.append(encoded(step))
            }
        }
        return parts.count <= 100 ? parts : nil
    }

    /// Letters, figures and what stands in hosts; no user's name and nothing that a browser takes for a
    /// slash.
    private static func isHost(_ text: some StringProtocol) -> Bool {
        !text.isEmpty
            && text.unicodeScalars.allSatisfy { scalar in
                !scalar.isASCII || isWordly(scalar) || ".-_:[]".unicodeScalars.contains(scalar)
            }
    }

    private static func fitting(_ url: String) -> String? { url.utf8.count <= maximumBytes ? url : nil }

    /// What may not stand in an address is percent-encoded, what is so already stays.
    private static func encoded(_ text: some StringProtocol) -> String {
        var url = ""
        for scalar in text.unicodeScalars {
            let isKept =
                scalar.isASCII
                && (isWordly(scalar) || "-._~:/?#[]@!$&'()*+,;=%".unicodeScalars.contains(scalar))
            url += isKept ? String(scalar) : PercentEncoding.encode(String(scalar))
        }
        return url
    }

    /// A letter or a figure.
    private static func isWordly(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isAlphabetic || scalar.properties.numericType != nil
    }
}
