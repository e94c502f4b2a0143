import Foundation
import RoostServices
import Testing

@Suite struct TokenTests {
    @Test(arguments: APIToken.Scope.allCases)
    func `a token opens what it was made for`(scope: APIToken.Scope) async throws {
        try await withServices { bench in
            let token = try await bench.services.accounts.makeToken(for: "OWNER", scope: scope)
            #expect(token.hasPrefix("roost_") && token.count == "roost_".count + 43)
            let bearer = try await bench.services.accounts.bearer(of: token)
            #expect(bearer?.scope == scope && bearer?.user.username == "owner")
        }
    }

    @Test func `the database knows the hash of a token and never the token`() async throws {
        try await withServices { bench in
            let token = try await bench.services.accounts.makeToken(for: "owner", scope: .read)
            let hashes = try bench.sql(Data.self, "SELECT token_hash FROM api_tokens")
            #expect(hashes == [Data(Secret.hash(token))])
            for file in try FileManager.default.contentsOfDirectory(atPath: bench.folder) {
                let bytes = try Data(contentsOf: URL(filePath: bench.folder + "/" + file))
                #expect(bytes.range(of: Data(token.dropFirst(6).utf8)) == nil)
            }
        }
    }

    @Test func `a revoked token opens nothing, and the others stay`() async throws {
        try await withServices { bench in
            let accounts = bench.services.accounts
            let (one, other) = (
                try await accounts.makeToken(for: "owner", scope: .read),
                try await accounts.makeToken(for: "owner", scope: .write)
            )
            let listed = try await accounts.tokens()
            #expect(listed.map(\.scope) == [.read, .write] && listed.allSatisfy { $0.username == "owner" })
            #expect(listed.first?.createdAt == bench.clock.now)
            try await accounts.revokeToken(try #require(listed.first).id)
            let (gone, kept) = (try await accounts.bearer(of: one), try await accounts.bearer(of: other))
            #expect(gone == nil && kept != nil)
            await #expect(throws: RoostError.notFound("There is no token 99.")) {
                try await accounts.revokeToken(99)
            }
        }
    }

    @Test(arguments: [
        "", "roost_", "roost_AAAA", "Bearer x", "' OR 1=1 --", String(repeating: "x", count: 10_000),
    ])
    func `no other word opens anything`(token: String) async throws {
        try await withServices { bench in
            _ = try await bench.services.accounts.makeToken(for: "owner", scope: .write)
            let bearer = try await bench.services.accounts.bearer(of: token)
            #expect(bearer == nil)
        }
    }

    @Test func `a token without its beginning opens nothing`() async throws {
        try await withServices { bench in
            let token = try await bench.services.accounts.makeToken(for: "owner", scope: .write)
            for wrong in [
                String(token.dropFirst(6)), token + "x", String(token.dropLast()), token.uppercased(),
            ] {
                let bearer = try await bench.services.accounts.bearer(of: wrong)
                #expect(bearer == nil)
            }
        }
    }

    @Test func `a token for nobody is refused in words`() async throws {
        try await withServices { bench in
            await #expect(throws: RoostError.notFound("There is no user named “ada”.")) {
                try await bench.services.accounts.makeToken(for: "ada", scope: .read)
            }
        }
    }

    @Test(arguments: [16, 32])
    func `secrets are random, as long as asked, and fit into an address`(bytes: Int) {
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
}
