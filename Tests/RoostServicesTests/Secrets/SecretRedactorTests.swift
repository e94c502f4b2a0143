import Foundation
import TestSupport
import Testing

@testable import Accounts
@testable import GitHub
@testable import Reading
@testable import RoostSupport

@Suite struct SecretRedactorTests {
    private static let token = "ghp_aVerySecretTokenOfAda"

    private func secrets(_ all: String...) -> SecretRedactor {
        let secrets = SecretRedactor()
        for secret in all { secrets.note(secret) }
        return secrets
    }

    @Test(arguments: [
        token, "x\(token)y", "a \(token), \(token)", "\u{0d4e}\(token)\u{301}", "\(token)\(token)",
        "ghp_ghp_\(token)",
    ])
    func `a known secret is hidden everywhere`(text: String) {
        let redacted = secrets("ghp_anotherToken12345", Self.token).redacted(in: text)
        #expect(!redacted.containsBytes(Self.token) && redacted.containsBytes("…"))
        #expect(redacted == text.replacingBytes(of: Self.token, with: "…"))
    }

    @Test(arguments: [
        "", "ghp_", "ghp_aVerySecretTokenOfAd", "gho_aVerySecretTokenOfAda", "gh", "plain text",
    ])
    func `other text stays unchanged`(text: String) {
        #expect(secrets(Self.token).redacted(in: text) == text)
        #expect(secrets(Self.token).redacted(inLine: text) == text)
    }

    @Test func `a secret is also hidden when encoded in addresses and JSON`() {
        let secrets = secrets("key/with+signs==")
        for text in ["key/with+signs==", "key%2Fwith%2Bsigns%3D%3D", #"key\/with+signs=="#] {
            #expect(secrets.redacted(in: "<\(text)>") == "<…>")
        }
    }

    @Test func `a secret as short as a word is hidden only in its own request's answer`() {
        let secrets = secrets("ollama", "lm-studio", "placeholder")
        #expect(secrets.redacted(in: "ollama, lm-studio, placeholder") == "ollama, lm-studio, placeholder")
        #expect(secrets.redacted(in: "ollama, lm-studio", own: "ollama") == "…, lm-studio")
        #expect(secrets.redacted(in: "ollama", own: "") == "ollama")
    }

    /// The expected text comes from replacing each secret separately, longest first.
    @Test func `many secrets are all hidden, including those with a common prefix`() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<50 {
            let all = Set(
                (0..<40).map { _ in
                    "ghp_"
                        + String(
                            (0..<Int.random(in: 8...14, using: &random)).map { _ in
                                "ab".randomElement(using: &random) ?? "a"
                            })
                })
            let secrets = SecretRedactor()
            for secret in all { secrets.note(secret) }
            for secret in all {
                let text = secrets.redacted(in: "<\(secret)>")
                #expect(!all.contains { text.containsBytes($0) }, "\(secret)")
                #expect(text.hasPrefix("<…"))
            }
        }
    }

    @Test func `a hostile answer full of prefixes is searched once, not once per secret`() {
        let secrets = SecretRedactor()
        for number in 0..<300 { secrets.note("ghp_\(number)-aVerySecretToken") }
        let text = Array(String(repeating: "ghp_", count: 50_000).utf8)
        #expect(secrets.redacted(in: text) == text)
    }

    @Test func `a log line hides API tokens and current sessions`() {
        let secrets = SecretRedactor()
        let (session, other) = (RoostSupport.Secret.make(bytes: 32), RoostSupport.Secret.make(bytes: 32))
        let hash = RoostSupport.Secret.hash(session)
        secrets.recognizeSessions { $0 == hash }
        let line = "roost_session=\(session); roost_\(other)! \(other) \(session)"
        #expect(secrets.redacted(inLine: line) == "roost_session=…; …! \(other) …")
    }

    @Test func `the services know the secrets of the settings and members' tokens and sessions`() async throws
    {
        let secrets = SecretRedactor()
        try await withServices({
            $0.secrets = secrets
            $0.coinGeckoKey = "CG-aVerySecretKeyOfTheOperator"
            $0.gistModel = GistModelConfiguration(
                url: "http://127.0.0.1:1/v1", key: "sk-aVerySecretKeyOfTheModel", model: "m")
            $0.gitHub.clientSecret = "aVerySecretOfTheApp"
            $0.gitHub.token = try? GitHubToken(
                value: "ghp_theOperatorsOwnToken", createdAt: Date(), scopes: [])
        }) { fixture in
            let session = try await fixture.session().secret
            for secret in [
                "CG-aVerySecretKeyOfTheOperator", "sk-aVerySecretKeyOfTheModel", "aVerySecretOfTheApp",
                "ghp_theOperatorsOwnToken",
            ] { #expect(secrets.redacted(in: "<\(secret)>") == "<…>") }
            #expect(secrets.redacted(inLine: "<\(session)>") == "<…>")
        }
    }
}

extension ServicesFixture {
    /// Signs a new user in.
    fileprivate func session() async throws -> SessionService.NewSession {
        try await services.load()
        try await services.identity.accounts.add(
            Profile(username: "ada"), role: .owner, password: "a lantern over water")
        return try await services.identity.sessions.signIn(
            "ada", password: "a lantern over water", replacing: nil, from: ClientInfo(address: "127.0.0.1"))
    }
}
