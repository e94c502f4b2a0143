import FoundationEssentials
import Testing

@testable import HTTPServer

@Suite struct CertificateExpiryTests {
    private let now = Date(timeIntervalSince1970: 1_800_000_000)

    private func expiry(days: Double) -> CertificateExpiry {
        CertificateExpiry(date: now.addingTimeInterval(days * 86_400))
    }

    @Test func `the first certificate of a file says when it expires`() throws {
        let files = try TestIdentity.shared.value
        try files.make("year", ["-subj", "/CN=year"], days: 365)
        let expiry = try CertificateExpiry(ofFile: files.file("year.pem"))
        #expect([364, 365].contains(expiry.daysLeft(at: Date())))
        #expect(!expiry.needsRenewal(at: Date()))
    }

    @Test func `a file without a certificate is refused with its name`() throws {
        let files = try TestIdentity.shared.value
        #expect(throws: TLSError.noCertificate(files.file("server.key"))) {
            try CertificateExpiry(ofFile: files.file("server.key"))
        }
    }

    @Test func `the warning begins less than 21 days before the end`() {
        #expect(!expiry(days: 21).needsRenewal(at: now))
        #expect(expiry(days: 20.9).needsRenewal(at: now))
        #expect(expiry(days: -3).needsRenewal(at: now))
    }

    @Test(arguments: [
        (2.5, "expires in 2 days"), (1.5, "expires in 1 day"), (0.5, "expires in less than a day"),
        (-0.1, "has expired"),
    ])
    func `the time left is said in whole days`(days: Double, phrase: String) {
        #expect(expiry(days: days).phrase(at: now) == phrase)
    }

    @Test func `a certificate has expired from its last moment on`() {
        #expect(expiry(days: 0).hasExpired(at: now))
        #expect(!expiry(days: 0.001).hasExpired(at: now))
    }
}
