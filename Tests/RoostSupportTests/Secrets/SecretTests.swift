import Testing

@testable import RoostSupport
@testable import TextFormats

@Suite struct SecretTests {
    @Test(arguments: [16, 32])
    func `secrets are random, have the requested length and are valid in addresses`(bytes: Int) {
        let secrets = (0..<200).map { _ in Secret.make(bytes: bytes) }
        #expect(Set(secrets).count == 200)
        for secret in secrets {
            #expect(secret.count == (bytes * 8 + 5) / 6)
            #expect(secret.utf8.allSatisfy { PercentEncoding.encode(String(UnicodeScalar($0))).count == 1 })
        }
    }

    /// FIPS 180-2, appendix B.1.
    @Test func `a secret's hash is SHA-256`() {
        #expect(
            Secret.hash("abc").map { String($0, radix: 16) }.prefix(4) == ["ba", "78", "16", "bf"])
        #expect(Secret.hash("abc").count == 32)
    }

    @Test func `a typed code has four groups of four equally likely letters`() {
        let codes = (0..<500).map { _ in LinkCode().description }
        #expect(Set(codes).count == 500)
        for code in codes {
            #expect(code.wholeMatch(of: /([0-9A-HJKMNP-TV-Z]{4}-){3}[0-9A-HJKMNP-TV-Z]{4}/) != nil)
        }
        let counts = Dictionary(grouping: codes.joined().filter { $0 != "-" }, by: { $0 }).mapValues(\.count)
        #expect(counts.count == 32 && counts.values.allSatisfy { (150...350).contains($0) })
    }

    @Test(arguments: [
        "k7qm-2xrd-9ftb-w301", "K7QM2XRD9FTBW301", " K7QM 2XRD 9FTB W301 ", "K7QM-2XRD-9FTB-W3OI",
        "k7qm-2xrd-9ftb-w3ol", "http://192.168.1.20:8080/join/K7QM-2XRD-9FTB-W301",
    ])
    func `a code is accepted in any spelling`(typed: String) {
        #expect(LinkCode(typed)?.description == "K7QM-2XRD-9FTB-W301")
    }

    @Test(arguments: [
        "", "K7QM", "K7QM-2XRD-9FTB-W30", "K7QM-2XRD-9FTB-W3011", "U7QM-2XRD-9FTB-W301",
        "K7QM_2XRD_9FTB_W301",
        "ΚΚΚΚ-ΚΚΚΚ-ΚΚΚΚ-ΚΚΚΚ", "١١١١-١١١١-١١١١-١١١١",
    ])
    func `an invalid code is refused`(typed: String) {
        #expect(LinkCode(typed) == nil)
    }
}
