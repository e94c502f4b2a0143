import GitHub
import HTTPServer
import RoostSupport
import RoostWeb

extension PullKey {
    /// "github.com/apple/swift-nio/3214" with each part percent-encoded, as used after "/pulls/".
    var path: String {
        if PathSegment.isPlain(host), PathSegment.isPlain(owner), PathSegment.isPlain(name) {
            return description
        }
        return "\(PathSegment(host))/\(PathSegment(owner))/\(PathSegment(name))/\(number)"
    }

    /// Reads the path parameters `host`, `owner`, `name` and `number`. Throws `RoostError.notFound`.
    init(of request: Request) throws {
        guard let number = Int(request.parameters["number"]), number > 0 else {
            throw RoostError.notFound("There is no such pull request.")
        }
        self.init(
            host: request.parameters["host"], owner: request.parameters["owner"],
            name: request.parameters["name"], number: number)
    }
}
