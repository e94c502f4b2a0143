import Glibc
import TestSupport
import Testing

@testable import HTTPServer

@Suite struct TLSIdentityTests {
    private let files: TestIdentity

    init() throws { files = try TestIdentity.shared.value }

    private func error(_ certificate: String, _ key: String) -> TLSError? {
        do throws(TLSError) {
            _ = try TLSIdentity.load(certificate: certificate, key: key)
            return nil
        } catch {
            return error
        }
    }

    @Test func `a certificate and its key are loaded without a warning`() throws {
        let identity = try files.identity
        #expect(identity.warnings.isEmpty)
        #expect(identity.certificate.contains("BEGIN CERTIFICATE"))
    }

    @Test func `a missing file gives a clear error`() {
        let error = error(files.file("none.pem"), files.file("server.key"))
        #expect(error == .unreadable(files.file("none.pem"), why: "No such file or directory"))
        #expect(self.error(files.file("server.pem"), "/")?.description.contains("cannot be read") == true)
    }

    @Test func `the key of another certificate is refused`() {
        let error = error(files.file("server.pem"), files.file("ca.key"))
        #expect(error == .mismatch(certificate: files.file("server.pem"), key: files.file("ca.key")))
    }

    @Test func `swapped files are refused with their names`() {
        #expect(
            error(files.file("server.key"), files.file("server.pem"))
                == .noCertificate(files.file("server.key")))
        #expect(error(files.file("server.pem"), files.file("server.pem")) == .noKey(files.file("server.pem")))
        #expect(error("/dev/null", files.file("server.key")) == .noCertificate("/dev/null"))
        #expect(error(files.file("server.pem"), "/dev/zero") == .noKey("/dev/zero"))
    }

    @Test func `a key with a password is refused, because no one is there to type it`() throws {
        try files.run([
            "openssl", "pkey", "-in", "server.key", "-aes256", "-passout", "pass:x", "-out", "locked.key",
        ])
        #expect(
            error(files.file("server.pem"), files.file("locked.key"))
                == .encryptedKey(files.file("locked.key")))
    }

    @Test func `a key readable by everyone gives a warning`() throws {
        try files.run(["cp", "server.key", "open.key", "&&", "chmod", "644", "open.key"])
        let identity = try TLSIdentity.load(
            certificate: files.file("server.pem"), key: files.file("open.key"))
        #expect(identity.warnings.count == 1)
        #expect(identity.warnings.first?.contains("chmod 600") == true)
    }

    @Test func `a certificate that has expired, or soon will, gives a warning`() throws {
        try files.make("soon", ["-subj", "/CN=soon"], days: 3)
        let soon = try TLSIdentity.load(certificate: files.file("soon.pem"), key: files.file("soon.key"))
        #expect(soon.warnings.map { $0.hasSuffix(" days.") } == [true])
    }

    @Test func `an error does not quote the key`() throws {
        let key = String(decoding: try TemporaryFolder.bytes(of: files.file("ca.key")), as: UTF8.self)
        let secret = key.split(separator: "\n").dropFirst().first ?? ""
        let message = error(files.file("server.pem"), files.file("ca.key"))?.description ?? ""
        #expect(!secret.isEmpty && !message.isEmpty && !message.contains(secret))
    }
}
