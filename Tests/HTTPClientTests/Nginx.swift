import Foundation
import TestSupport
import Testing

/// A real nginx process on loopback, with TLS and HTTP/2 in front of a plain HTTP server. Its files are in a temporary
/// folder; `stop` ends it.
final class Nginx: Sendable {
    private let folder: TemporaryFolder
    private let process: ChildProcess
    let port: UInt16

    /// Always available in CI, where a missing package is a failure and not a skipped test.
    static var isExpected: Bool {
        ProcessInfo.processInfo.environment["CI"] == "true"
            || [program, openssl].allSatisfy(FileManager.default.isExecutableFile)
    }
    static let reason: Comment = "nginx or openssl is not installed (apt-get install nginx-light openssl)"
    private static let program = "/usr/sbin/nginx"
    private static let openssl = "/usr/bin/openssl"

    /// The PEM file of the authority that signed this server's certificate.
    var certificateAuthority: String { folder.file("ca.pem") }
    var url: String { "https://127.0.0.1:\(port)" }

    /// `upstream` is the host and port of the plain HTTP server. The certificate is for `names`, in openssl's notation.
    init(upstream: String, names: String = "IP:127.0.0.1", http2: Bool = true) async throws {
        folder = try TemporaryFolder()
        // A port that was free a moment ago, because nginx does not accept port 0.
        let (socket, port) = try SocketListener.listeningSocket(host: "127.0.0.1", backlog: 1)
        close(socket)
        self.port = port
        try await Self.makeCertificates(in: folder, names: names)
        let protocols = http2 ? "ssl http2" : "ssl"
        try folder.write(
            Self.settings(folder: folder.path, port: port, protocols: protocols, upstream: upstream),
            to: "nginx.conf")
        process = try ChildProcess(
            Self.program,
            ["-p", folder.path, "-e", folder.file("error.log"), "-c", folder.file("nginx.conf")])
        for _ in 1...1_000 where !FileManager.default.fileExists(atPath: folder.file("nginx.pid")) {
            if process.exitCode() != nil {
                let log = try? String(contentsOfFile: folder.file("error.log"), encoding: .utf8)
                throw ServerFailure(message: "nginx does not start: \(log ?? "")")
            }
            try await Task.sleep(for: .milliseconds(10))
        }
    }

    /// Call once, after the test.
    func stop() {
        process.stop()
    }

    private static func settings(folder: String, port: UInt16, protocols: String, upstream: String) -> String
    {
        let kinds = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
        return """
            daemon off; master_process off; pid \(folder)/nginx.pid;
            events { worker_connections 512; }
            http {
                access_log off;
                \(kinds.map { "\($0)_temp_path \(folder)/\($0);" }.joined(separator: " "))
                server {
                    listen 127.0.0.1:\(port) \(protocols);
                    ssl_certificate \(folder)/server.pem; ssl_certificate_key \(folder)/server.key;
                    location / {
                        proxy_pass http://\(upstream);
                        add_header X-Connection $connection always;
                    }
                }
            }
            """
    }

    static func makeCertificates(in folder: TemporaryFolder, names: String) async throws {
        let key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"]
        try await run(
            ["req", "-x509", "-subj", "/CN=Roost test authority"] + key
                + ["-keyout", folder.file("ca.key"), "-out", folder.file("ca.pem")])
        try await run(
            ["req", "-x509", "-subj", "/CN=Roost test server", "-CA", folder.file("ca.pem")] + key
                + ["-CAkey", folder.file("ca.key"), "-addext", "subjectAltName=\(names)"]
                + ["-addext", "basicConstraints=critical,CA:FALSE"]
                + ["-keyout", folder.file("server.key"), "-out", folder.file("server.pem")])
    }

    private static func run(_ arguments: [String]) async throws {
        let code = try await ChildProcess(openssl, arguments).wait()
        guard code == 0 else { throw ServerFailure(message: "openssl \(arguments)") }
    }
}
