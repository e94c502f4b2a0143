import CGnuTLS
import FoundationEssentials
import TextFormats

/// Files of a folder that are read and compressed once, and served at addresses that change with their content.
public struct StaticFiles: Sendable {
    private let files: [String: PreparedResponse]
    /// A hash of all files. When it changes, open pages should reload.
    public let version: String

    /// Throws if the folder or a file cannot be read, and the errors of `edit`. Files whose name begins with a dot are
    /// ignored.
    ///
    /// - Parameter edit: returns the content to serve for a file
    public init(
        directory: String, edit: (_ name: String, _ content: [UInt8]) throws -> [UInt8] = { $1 }
    ) throws {
        var files: [String: PreparedResponse] = [:]
        var all: [UInt8] = []
        for name in try Self.names(in: directory).sorted() {
            let data = try edit(name, Array(try Data(contentsOf: URL(filePath: directory + "/" + name))))
            let hash = Self.hash(data)
            all += "\(name)\u{0}\(hash)\n".utf8
            files[name] = Self.response(name, data, hash)
        }
        self.files = files
        version = Self.hash(all)
    }

    /// Maps "css/roost.css" to "/static/<version>/css/roost.css"; nil if there is no such file.
    ///
    /// All files share one version, so that relative imports of script modules work.
    public func address(of name: String) -> String? {
        guard files[name] != nil else { return nil }
        let path = name.splitBytes(at: "/").map { PercentEncoding.encode(String($0)) }.joined(separator: "/")
        return "/static/\(version)/\(path)"
    }

    /// Returns the content of a file, or nil if there is no such file.
    public func content(of name: String) -> [UInt8]? { files[name]?.response.bytes }

    /// `GET /static/{version}/{...name}`: immutable for a year; 404 for another version or name.
    public var routes: [Route] {
        [
            Route(
                .get, "/static/{version}/{...name}", bodyLimit: 0,
                .ready { [files, version] request in
                    guard request.parameters["version"] == version,
                        let file = files[request.parameters["name"]]
                    else { throw RequestError.notFound }
                    return .prepared(file)
                })
        ]
    }

    private static func response(_ name: String, _ bytes: [UInt8], _ hash: String) -> PreparedResponse {
        var response = Response.content(bytes, type: FileType.ofFile(named: name))
        response.etag = "\"\(hash)\""
        response["Cache-Control"] = "public, max-age=31536000, immutable"
        return PreparedResponse(response, compression: .best)
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

    /// The first 128 bits of the SHA-256 hash, enough to tell contents apart, in hexadecimal.
    private static func hash(_ bytes: [UInt8]) -> String {
        var digest = [UInt8](repeating: 0, count: 32)
        let status = gnutls_hash_fast(GNUTLS_DIG_SHA256, bytes, bytes.count, &digest)
        // Fails only if GnuTLS lacks SHA-256, without which it has no TLS.
        precondition(status == 0, "no SHA-256: \(status)")
        return digest.prefix(16).map { byte in
            let digits = String(byte, radix: 16)
            return byte < 16 ? "0" + digits : digits
        }.joined()
    }
}

enum FileType {
    private static let byExtension = [
        "css": "text/css; charset=utf-8",
        "gif": "image/gif",
        "html": "text/html; charset=utf-8",
        "ico": "image/x-icon",
        "jpeg": "image/jpeg",
        "jpg": "image/jpeg",
        "js": "text/javascript; charset=utf-8",
        "json": "application/json",
        "map": "application/json",
        "md": "text/plain; charset=utf-8",
        "mjs": "text/javascript; charset=utf-8",
        "png": "image/png",
        "svg": "image/svg+xml",
        "txt": "text/plain; charset=utf-8",
        "wasm": "application/wasm",
        "webmanifest": "application/manifest+json",
        "webp": "image/webp",
        "woff2": "font/woff2",
        "xml": "application/xml",
    ]

    static func ofFile(named name: String) -> String {
        let ending =
            name.utf8.split(separator: UInt8(ascii: ".")).last.map { Substring($0).lowercased() } ?? ""
        return byExtension[ending] ?? "application/octet-stream"
    }
}
