import Foundation
import TestSupport
import Testing

@testable import GitHub
@testable import TextFormats

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

    private func roundTrip<Value: Codable>(_ value: Value) throws -> (value: Value, text: String) {
        let decoder = JSONDecoder()
        let data = try JSONEncoder().encode(value)
        return (try decoder.decode(Value.self, from: data), String(decoding: data, as: UTF8.self))
    }

    @Test func `a pull request is identified by its repository and number`() throws {
        let pull = try pull()
        #expect(pull.id == "apple/swift-nio#3214" && pull.repositoryFullName == "apple/swift-nio")
        #expect(pull.size == nil)
    }

    @Test(arguments: [
        ("repositoryOwner", ""), ("repositoryName", " "), ("title", ""), ("title", "\t"), ("authorLogin", ""),
        ("htmlURL", "javascript:alert(1)"), ("htmlURL", "data:text/html,x"), ("number", "0"),
        ("number", "-3"),
    ])
    func `an empty text, invalid number or invalid link is refused with the name of its field`(
        field: String, value: String
    ) {
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

    @Test func `a time more than five minutes ahead becomes now`() throws {
        #expect(try pull(updatedAt: now + 301).updatedAt == now)
        #expect(try pull(updatedAt: now + 299).updatedAt == now + 299)
    }

    @Test func `a token's value is valid in a header and not printed`() throws {
        let token = try GitHubToken(value: "ghp_secret", createdAt: now + 900, scopes: ["repo"], now: now)
        #expect(token.createdAt == now && !"\(token)".contains("secret") && "\(token)".contains("repo"))
        #expect(try roundTrip(token).value == token)
        let bare = try GitHubToken(value: "github_pat_x", createdAt: now, scopes: [], now: now)
        #expect(try roundTrip(bare).value == bare)
        for value in ["", "a b", "a\nb", String(repeating: "x", count: 513)] {
            #expect(throws: ValidationError.self) {
                try GitHubToken(value: value, createdAt: now, scopes: [])
            }
        }
        #expect(throws: ValidationError.self) { try GitHubToken(value: "x", createdAt: now, scopes: [""]) }
    }

    @Test func `a login has letters, digits and hyphens`() throws {
        let full = try AuthenticatedUser(login: "ada-1", name: "Ada", avatarURL: "https://a.example/1")
        #expect(try roundTrip(full).value == full && roundTrip(full).text.contains("avatar_url"))
        let bare = try AuthenticatedUser(login: "ada")
        #expect(try roundTrip(bare).value == bare && !roundTrip(bare).text.contains("avatar_url"))
        for login in ["", "a b", "ada/x", "<b>", "ä"] {
            #expect(throws: ValidationError.self) { try AuthenticatedUser(login: login) }
        }
    }
}
