import GitHub
import HTTPServer
import RoostSupport
import RoostWeb
import TextFormats

extension PullKey {
    /// "apple/swift-nio#3214".
    var short: String { "\(owner)/\(name)#\(number)" }

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

    // The addresses of a pull request's page. Other hosts than github.com are in the query.

    static let standardHost = "github.com"

    /// For example "/pulls/apple/swift-nio/3214/files?page=2". Fields without a value are left out.
    func page(_ rest: String = "", _ fields: KeyValuePairs<String, String?> = [:]) -> String {
        page(rest, Array(fields))
    }

    func page(_ rest: String, _ fields: [(key: String, value: String?)]) -> String {
        let isPlain = PathSegment.isPlain(owner) && PathSegment.isPlain(name)
        let path =
            isPlain
            ? "/pulls/\(owner)/\(name)/\(number)\(rest)"
            : "/pulls/\(PathSegment(owner))/\(PathSegment(name))/\(number)\(rest)"
        var query = host == Self.standardHost ? [] : ["host=\(PercentEncoding.encode(host))"]
        for case (let name, let value?) in fields { query.append("\(name)=\(PercentEncoding.encode(value))") }
        return query.isEmpty ? path : "\(path)?\(query.joined(separator: "&"))"
    }

    /// Reads the path parameters `owner`, `name` and `number`, and the host from the query. Throws
    /// `RoostError.notFound`.
    init(ofPage request: Request) throws {
        guard let number = Int(request.parameters["number"]), number > 0 else {
            throw RoostError.notFound("There is no such pull request.")
        }
        let host = request.query["host"].flatMap { $0.isEmpty || $0.utf8.count > 255 ? nil : $0.lowercased() }
        self.init(
            host: host ?? Self.standardHost, owner: request.parameters["owner"],
            name: request.parameters["name"], number: number)
    }
}
