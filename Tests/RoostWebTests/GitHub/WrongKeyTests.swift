import Foundation
import Testing

@testable import RoostServices
@testable import RoostSimulator
@testable import RoostWeb

@Suite struct WrongKeyTests {
    @Test func `pages, the API, health and metrics report the wrong key instead of an expired session`()
        async throws
    {
        try await TestServer.with { testServer in
            let owner = testServer.owner.userId
            _ = try await testServer.services.gitHub.accounts.connect(
                token: GitHubTokens.classic(of: "ada"), host: nil, for: owner)
            let sources = try await testServer.send("GET", "/healthz").object["sources"] as? [String: Any]
            #expect(sources != nil && sources?["secretKey"] == nil)
            #expect(try await testServer.send("GET", "/metrics").text.contains("roost_secret_key_up 1\n"))
            let folder = FileManager.default.temporaryDirectory.path + "/roost-test-\(UUID().uuidString)"
            defer { try? FileManager.default.removeItem(atPath: folder) }
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try await testServer.services.backup(to: Services.databasePath(in: folder))
            let key = Data(repeating: 7, count: 32).base64EncodedString()
            _ = FileManager.default.createFile(
                atPath: folder + "/secret.key", contents: Data(key.utf8),
                attributes: [.posixPermissions: 0o600])
            try await TestServer.with(isEmpty: true, configure: { $0.dataFolder = folder }) { restored in
                let ada = try await Guest.signIn("ada", restored.services)
                let health = try await restored.send("GET", "/healthz", as: ada)
                #expect(health.status == 200)
                let sources = health.object["sources"] as? [String: [String: Any]]
                let problem = try #require(sources?["secretKey"]?["error"] as? String)
                #expect(problem == "The secret key is not the one that this database was sealed with.")
                #expect(sources?["secretKey"]?["state"] as? String == "failed")
                #expect(health.text.contains("wrong secret key"))
                #expect(
                    try await restored.send("GET", "/healthz", as: .anonymous).text == #"{"status":"ok"}"#)
                #expect(
                    try await restored.send("GET", "/metrics", as: ada).text.contains(
                        "roost_secret_key_up 0\n"))
                let item = try #require(
                    try await restored.send("GET", "/api/v1/github-accounts", as: ada).items.first)
                #expect((item["error"] as? [String: Any])?["code"] as? String == "wrongKey")
                for path in ["/settings/github", "/pulls"] {
                    let page = try await restored.send("GET", path, as: ada)
                    #expect(page.status == 200 && page.text.contains("wrong secret key"), "\(path)")
                    #expect(!page.text.contains("session has expired"), "\(path)")
                    #expect(!page.text.contains(folder), "\(path)")
                }
                let refused = try await restored.json(
                    "POST", "/api/v1/github-accounts",
                    #"{"token": "\#(GitHubTokens.classic(of: "ada"))"}"#, as: ada)
                #expect(refused.status == 503 && refused.error("message")?.contains("secret key") == true)
            }
        }
    }
}
