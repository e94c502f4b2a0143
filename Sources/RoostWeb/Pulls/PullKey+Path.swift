import GitHub
import HTTPServer
import RoostSupport

extension PullKey {
    /// "github.com/apple/swift-nio/3214", each part encoded: what stands behind "/pulls/" in its own addresses.
    var path: String {
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
}
