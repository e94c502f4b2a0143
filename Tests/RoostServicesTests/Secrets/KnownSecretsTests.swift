import Foundation
import Testing

@testable import Accounts
@testable import GitHub
@testable import Reading
@testable import RoostSupport

@Suite struct KnownSecretsTests {
    private static let token = "ghp_aVerySecretTokenOfAda"

    private func secrets(_ all: String...) -> KnownSecrets {
        let secrets = KnownSecrets()
        for secret in all { secrets.note(secret) }
        return secrets
    }

    @Test(arguments: [
        token, "x\(token)y", "a \(token), \(token)", "\u{0d4e}\(token)\u{301}", "\(token)\(token)",
        "ghp_ghp_\(token)",
    ])
    func `a known secret is hidden wherever it is`(text: String) {
        let hidden = secrets("ghp_anotherToken12345", Self.token).hidden(in: text)
        #expect(!hidden.containsBytes(Self.token) && hidden.containsBytes("…"))
        #expect(hidden == text.replacingBytes(of: Self.token, with: "…"))
    }

    @Test(arguments: [
        "", "ghp_", "ghp_aVerySecretTokenOfAd", "gho_aVerySecretTokenOfAda", "gh", "plain text",
    ])
    func `what is no secret stays as it is`(text: String) {
        #expect(secrets(Self.token).hidden(in: text) == text)
        #expect(secrets(Self.token).hidden(inLine: text) == text)
    }

    @Test func `a secret is hidden in the codings of addresses and JSON too`() {
        let secrets = secrets("key/with+signs==")
        for text in ["key/with+signs==", "key%2Fwith%2Bsigns%3D%3D", #"key\/with+signs=="#] {
            #expect(secrets.hidden(in: "<\(text)>") == "<…>")
        }
    }

    @Test func `a text that is short enough to be a word is hidden from its own request's answer only`() {
        let secrets = secrets("ollama", "lm-studio", "placeholder")
        #expect(secrets.hidden(in: "ollama, lm-studio, placeholder") == "ollama, lm-studio, placeholder")
        #expect(secrets.hidden(in: "ollama, lm-studio", own: "ollama") == "…, lm-studio")
        #expect(secrets.hidden(in: "ollama", own: "") == "ollama")
    }

    /// Compared with a replacement of each secret for itself, the longest first.
    @Test func `many secrets are all hidden, those that begin like another one too`() {
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
            let secrets = KnownSecrets()
            for secret in all { secrets.note(secret) }
            for secret in all {
                let text = secrets.hidden(in: "<\(secret)>")
                #expect(!all.contains { text.containsBytes($0) }, "\(secret)")
                #expect(text.hasPrefix("<…"))
            }
        }
    }

    @Test func `a hostile answer of beginnings is searched once, not once for each secret`() {
        let secrets = KnownSecrets()
        for number in 0..<300 { secrets.note("ghp_\(number)-aVerySecretToken") }
        let text = Array(String(repeating: "ghp_", count: 50_000).utf8)
        #expect(secrets.hidden(in: text) == text)
    }

    @Test func `a line of the log hides API tokens, and the sessions that there are`() {
        let secrets = KnownSecrets()
        let (session, other) = (RoostSupport.Secret.make(bytes: 32), RoostSupport.Secret.make(bytes: 32))
        let hash = RoostSupport.Secret.hash(session)
        secrets.recognizeSessions { $0 == hash }
        let line = "roost_session=\(session); roost_\(other)! \(other) \(session)"
        #expect(secrets.hidden(inLine: line) == "roost_session=…; …! \(other) …")
    }

    @Test func `the services know the settings' secrets, members' tokens and sessions`() async throws {
        let secrets = KnownSecrets()
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
            ] { #expect(secrets.hidden(in: "<\(secret)>") == "<…>") }
            #expect(secrets.hidden(inLine: "<\(session)>") == "<…>")
        }
    }
}

extension ServicesFixture {
    /// A session of a new user.
    fileprivate func session() async throws -> SessionService.NewSession {
        try await services.prepare()
        try await services.accounts.add(
            Profile(username: "ada"), role: .owner, password: "a lantern over water")
        return try await services.sessions.signIn(
            "ada", password: "a lantern over water", replacing: nil, from: ClientInfo(address: "127.0.0.1"))
    }
}
