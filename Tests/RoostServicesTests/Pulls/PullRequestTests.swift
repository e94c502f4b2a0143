import Foundation
import Testing

@testable import GitHub
@testable import TextFormats

/// The mission's models of GitHub: their rules, and that they come back from JSON as they went.
@Suite struct PullRequestTests {
    private let now = Date(timeIntervalSince1970: 1_763_631_660)

    private func pull(
        owner: String = "apple", name: String = "swift-nio", number: Int = 3214, title: String = "Close",
        author: String = "glbrntt", updatedAt: Date? = nil,
        url: String = "https://github.com/apple/swift-nio/pull/3214"
    ) throws -> PullRequest {
        try PullRequest(
            repositoryOwner: owner, repositoryName: name, number: number, title: title, authorLogin: author,
            updatedAt: updatedAt ?? now, htmlURL: url, now: now)
    }

    private func again<Value: Codable>(_ value: Value) throws -> (value: Value, text: String) {
        let decoder = JSONDecoder()
        let data = try JSONEncoder().encode(value)
        return (try decoder.decode(Value.self, from: data), String(decoding: data, as: UTF8.self))
    }

    @Test func `a pull request is named by its repository and number`() throws {
        let pull = try pull()
        #expect(pull.id == "apple/swift-nio#3214" && pull.repositoryFullName == "apple/swift-nio")
        #expect(pull.size == nil)
    }

    @Test func `with nothing known it comes back from JSON, and what is not known is left out`() throws {
        let bare = try pull()
        let (back, text) = try again(bare)
        #expect(back == bare)
        for name in ["authorAvatarURL", "createdAt", "state", "isDraft", "additions", "checks", "mergeable"] {
            #expect(!text.contains(name), "\(name)")
        }
    }

    @Test func `with all that is known it comes back from JSON`() throws {
        var full = try PullRequest(
            repositoryOwner: "apple", repositoryName: "swift-nio", number: 1, title: "“é” 🪺",
            authorLogin: "ada", authorAvatarURL: "https://a.example/1", updatedAt: now,
            htmlURL: "https://github.com/apple/swift-nio/pull/1", now: now)
        full.createdAt = now - 60
        full.state = .open
        full.isDraft = true
        full.labels = [.init(name: "bug", color: "d73a4a"), .init(name: "odd", color: nil)]
        (full.additions, full.deletions, full.changedFiles) = (3, 4, 2)
        full.checks = .init(state: .failed, passed: 1, failed: 2, running: 0)
        (full.reviewDecision, full.mergeable) = (.changesRequested, .conflicting)
        (full.comments, full.unresolvedThreads, full.isRequestedDirectly) = (9, 1, true)
        full.requestedTeams = ["apple/nio"]
        full.isFromBot = true
        #expect(try again(full).value == full && full.size == 7)
    }

    @Test(arguments: [
        ("repositoryOwner", ""), ("repositoryName", " "), ("title", ""), ("title", "\t"), ("authorLogin", ""),
        ("htmlURL", "javascript:alert(1)"), ("htmlURL", "data:text/html,x"), ("number", "0"),
        ("number", "-3"),
    ])
    func `what is empty, or no number, or no link, is refused by its name`(field: String, value: String) {
        let refused = #expect(throws: ValidationError.self) {
            switch field {
            case "repositoryOwner": _ = try pull(owner: value)
            case "repositoryName": _ = try pull(name: value)
            case "title": _ = try pull(title: value)
            case "authorLogin": _ = try pull(author: value)
            case "number": _ = try pull(number: Int(value) ?? 1)
            default: _ = try pull(url: value)
            }
        }
        #expect(refused?.field == field)
    }

    @Test(arguments: [
        #""number":3214"#: #""number":0"#, #""title":"Close""#: #""title":"""#,
        #""isFromBot":false"#: #""state":"asleep""#, #""authorLogin":"glbrntt""#: #""x":1"#,
    ])
    func `JSON is judged as strictly`(good: String, bad: String) throws {
        let text = try again(try pull()).text
        #expect(text.contains(good))
        #expect(throws: (any Error).self) {
            try JSONDecoder().decode(
                PullRequest.self, from: Data(text.replacingOccurrences(of: good, with: bad).utf8))
        }
    }

    @Test func `a time of the future is now, five minutes are forgiven`() throws {
        #expect(try pull(updatedAt: now + 301).updatedAt == now)
        #expect(try pull(updatedAt: now + 299).updatedAt == now + 299)
    }

    @Test func `a token has a value that can travel, and says nothing of it`() throws {
        let token = try GitHubToken(value: "ghp_secret", createdAt: now + 900, scopes: ["repo"], now: now)
        #expect(token.createdAt == now && !"\(token)".contains("secret") && "\(token)".contains("repo"))
        #expect(try again(token).value == token)
        let bare = try GitHubToken(value: "github_pat_x", createdAt: now, scopes: [], now: now)
        #expect(try again(bare).value == bare)
        for value in ["", "a b", "a\nb", String(repeating: "x", count: 513)] {
            #expect(throws: ValidationError.self) {
                try GitHubToken(value: value, createdAt: now, scopes: [])
            }
        }
        #expect(throws: ValidationError.self) { try GitHubToken(value: "x", createdAt: now, scopes: [""]) }
    }

    @Test func `a login has letters, digits and hyphens`() throws {
        let full = try AuthenticatedUser(login: "ada-1", name: "Ada", avatarURL: "https://a.example/1")
        #expect(try again(full).value == full && again(full).text.contains("avatar_url"))
        let bare = try AuthenticatedUser(login: "ada")
        #expect(try again(bare).value == bare && !again(bare).text.contains("avatar_url"))
        for login in ["", "a b", "ada/x", "<b>", "ä"] {
            #expect(throws: ValidationError.self) { try AuthenticatedUser(login: login) }
        }
    }
}
