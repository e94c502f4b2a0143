import GitHub
import HTTPServer
import RoostSupport

extension RepositoryName {
    /// "apple/swift-nio", each part encoded: follows "/repositories/" and "/bookmarks/" in addresses.
    var path: String { "\(PathSegment(owner))/\(PathSegment(name))" }

    /// Of an address with the parameters owner and name. Throws `RoostError.notFound`.
    init(bookmarked request: Request) throws {
        guard
            let name = RepositoryName(
                owner: request.parameters["owner"], name: request.parameters["name"])
        else { throw RoostError.notFound("This repository is not among your bookmarks.") }
        self = name
    }

    /// What a reader types or a program sends: "apple/swift-nio", or the repository's address at GitHub.
    ///
    /// Throws `RoostError.invalid(field: "fullName")`.
    init(typed text: String, at webURL: String) throws {
        var rest = text.trimmingPrefix(while: \.isWhitespace)
        while rest.last?.isWhitespace == true || rest.last == "/" { rest.removeLast() }
        let place = webURL.drop { $0 != ":" }.dropFirst(3)
        for start in ["https://", "http://", ""]
        where rest.lowercased().hasPrefix("\(start)\(place.lowercased())/") {
            rest = rest.dropFirst(start.count + place.count + 1)
            rest = rest.splitBytes(at: "/").prefix(2).joined(separator: "/")[...]
            break
        }
        if rest.hasSuffix(".git") { rest = rest.dropLast(4) }
        guard let name = RepositoryName(String(rest)) else {
            throw RoostError.invalid(
                field: "fullName", why: "A repository is named like apple/swift-nio: owner, slash, name.")
        }
        self = name
    }
}

extension Bookmark {
    /// The name that GitHub has for it now.
    var shownName: RepositoryName { item.flatMap { RepositoryName($0.fullName) } ?? name }
}
