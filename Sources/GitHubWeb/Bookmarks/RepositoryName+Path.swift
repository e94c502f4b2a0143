import GitHub
import HTTPServer
import RoostSupport
import RoostWeb

extension RepositoryName {
    /// "apple/swift-nio" with each part percent-encoded, as used after "/repositories/" and "/bookmarks/".
    var path: String { "\(PathSegment(owner))/\(PathSegment(name))" }

    /// Reads the path parameters `owner` and `name`. Throws `RoostError.notFound`.
    init(bookmarked request: Request) throws {
        guard
            let name = RepositoryName(
                owner: request.parameters["owner"], name: request.parameters["name"])
        else { throw RoostError.notFound("This repository is not bookmarked.") }
        self = name
    }

    /// Parses "apple/swift-nio" or the repository's address on GitHub. Throws `RoostError.invalid(field: "fullName")`.
    init(typed text: String, at webURL: String) throws {
        var rest = text.trimmingPrefix(while: \.isWhitespace)
        while rest.last?.isWhitespace == true || rest.last == "/" { rest.removeLast() }
        let host = webURL.drop { $0 != ":" }.dropFirst(3)
        for scheme in ["https://", "http://", ""]
        where rest.lowercased().hasPrefix("\(scheme)\(host.lowercased())/") {
            rest = rest.dropFirst(scheme.count + host.count + 1)
            rest = rest.splitBytes(at: "/").prefix(2).joined(separator: "/")[...]
            break
        }
        if rest.hasSuffix(".git") { rest = rest.dropLast(4) }
        guard let name = RepositoryName(String(rest)) else {
            throw RoostError.invalid(
                field: "fullName", why: "Enter owner/name, such as apple/swift-nio.")
        }
        self = name
    }
}

extension Bookmark {
    /// The repository's current name on GitHub, or the bookmarked name if it has not been looked up.
    var shownName: RepositoryName { item.flatMap { RepositoryName($0.fullName) } ?? name }
}
