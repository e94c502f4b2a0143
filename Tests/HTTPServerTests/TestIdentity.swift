import FoundationEssentials
import Glibc
import Testing

@testable import HTTPServer

/// A certificate for 127.0.0.1, ::1 and localhost, and its authority, made by openssl once for all tests.
struct TestIdentity: Sendable {
    let folder = TestIdentity.path

    /// If creating it fails, every test that needs it throws the error.
    static let shared = Result { try TestIdentity() }

    private static var path: String {
        FileManager.default.temporaryDirectory.path + "/http-server-tests-tls-\(getpid())"
    }

    private struct Failure: Error { let command: String }

    init() throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        atexit { try? FileManager.default.removeItem(atPath: TestIdentity.path) }
        try make("ca", ["-subj", "'/CN=Test authority'"])
        try make("server", Self.signed + ["-addext", "subjectAltName=IP:127.0.0.1,IP:::1,DNS:localhost"])
    }

    private static let signed = ["-subj", "'/CN=Test server'", "-CA", "ca.pem", "-CAkey", "ca.key"]

    /// Creates a certificate NAME.pem, signed by the authority, and its key NAME.key.
    func make(_ name: String, _ arguments: [String], days: Int = 30) throws {
        try run(
            [
                "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
                "-nodes",
            ]
                + ["-days", "\(days)", "-keyout", "\(name).key", "-out", "\(name).pem"] + arguments)
        chmod(file("\(name).key"), 0o600)
    }

    func run(_ arguments: [String]) throws {
        let command = arguments.joined(separator: " ")
        guard system("cd \(folder) && \(command) >/dev/null 2>&1") == 0 else {
            throw Failure(command: command)
        }
    }

    func file(_ name: String) -> String { folder + "/" + name }

    var authority: String { file("ca.pem") }

    var identity: TLSIdentity {
        get throws { try TLSIdentity.load(certificate: file("server.pem"), key: file("server.key")) }
    }
}

extension Result {
    var value: Success { get throws { try get() } }
}
