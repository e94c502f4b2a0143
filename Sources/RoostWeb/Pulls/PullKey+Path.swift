import HTTPServer
package import RoostServices

extension PullKey {
    /// "github.com/apple/swift-nio/3214", each part encoded: what stands behind "/pulls/" in its own addresses.
    package var path: String {
        // As most are.
        if PathSegment.isPlain(host), PathSegment.isPlain(owner), PathSegment.isPlain(name) {
            return description
        }
        return "\(PathSegment(host))/\(PathSegment(owner))/\(PathSegment(name))/\(number)"
    }

    /// Of an address with the parameters host, owner, name and number. Throws `RoostError.notFound`.
    init(of request: Request) throws {
        guard let number = Int(request.parameters["number"]), number > 0 else {
            throw RoostError.notFound("There is no such pull request.")
        }
        self.init(
            host: request.parameters["host"], owner: request.parameters["owner"],
            name: request.parameters["name"], number: number)
    }

    /// Of the text that `path` makes, already decoded; nil for any other.
    package init?(path: String) {
        let parts = path.splitBytes(at: "/", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 4, parts.allSatisfy({ !$0.isEmpty }), path.utf8.count <= 400,
            let number = Int(parts[3]), number > 0
        else { return nil }
        self.init(host: parts[0], owner: parts[1], name: parts[2], number: number)
    }
}
