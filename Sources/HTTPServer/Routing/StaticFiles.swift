import Crypto
import FoundationEssentials

/// A folder's files, read once, compressed once, and served under addresses that change with their content.
package struct StaticFiles: Sendable {
    private struct File: Sendable {
        let hash: String
        let response: PreparedResponse
    }

    private let files: [String: File]
    /// A hash over all files: another one means that a page should load itself again.
    package let version: String

    /// Throws if the folder or one of its files cannot be read. Files whose name begins with a dot are left
    /// out.
    package init(directory: String) throws {
        var files: [String: File] = [:]
        var all = SHA256()
        for name in try Self.names(in: directory).sorted() {
            let data = try Data(contentsOf: URL(filePath: directory + "/" + name))
            let hash = Self.hexadecimal(SHA256.hash(data: data))
            all.update(data: Data("\(name)\u{0}\(hash)\n".utf8))
            files[name] = File(hash: hash, response: Self.response(name, Array(data), hash))
        }
        self.files = files
        version = Self.hexadecimal(all.finalize())
    }

    /// "css/roost.css" -> "/static/<hash>/css/roost.css"; nil if there is no such file.
    package func address(of name: String) -> String? {
        guard let file = files[name] else { return nil }
        let path = name.split(separator: "/").map(PercentCoding.encode).joined(separator: "/")
        return "/static/\(file.hash)/\(path)"
    }

    /// `GET /static/{hash}/{...name}`: immutable for a year; 404 for another hash or name.
    package var routes: [Route] {
        [
            Route(
                .get, "/static/{hash}/{...name}",
                .ready { [files] request in
                    guard let file = files[request.parameters["name"]],
                        file.hash == request.parameters["hash"]
                    else { throw RequestError.notFound }
                    return .prepared(file.response)
                })
        ]
    }

    private static func response(_ name: String, _ bytes: [UInt8], _ hash: String) -> PreparedResponse {
        var response = Response.content(bytes, type: FileType.ofFile(named: name))
        response.etag = "\"\(hash)\""
        response["Cache-Control"] = "public, max-age=31536000, immutable"
        return PreparedResponse(response)
    }

    private static func names(in directory: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: directory).filter { !$0.hasPrefix(".") }
            .flatMap { name -> [String] in
                var isDirectory = false
                guard
                    FileManager.default.fileExists(atPath: directory + "/" + name, isDirectory: &isDirectory)
                else { return [] }
                return isDirectory ? try names(in: directory + "/" + name).map { name + "/" + $0 } : [name]
            }
    }

    /// 128 bits: enough to tell contents apart, and short in an address.
    private static func hexadecimal(_ digest: SHA256.Digest) -> String {
        digest.prefix(16).map { byte in
            let digits = String(byte, radix: 16)
            return byte < 16 ? "0" + digits : digits
        }.joined()
    }
}
