import TestSupport
import Testing

@testable import HTTPClient
@testable import RoostSupport
@testable import RoostWeb

/// `ETag` and `If-Match` of what can be edited.
@Suite struct EditConditionsTests {
    private struct Shown {
        let path: String
        let tag: String
    }

    private static func withList(_ test: (TestServer, Shown) async throws -> Void) async throws {
        try await TestServer.with { server async throws in
            let made = try await server.json("POST", "/api/v1/watchlists", #"{"name": "Staking"}"#)
            let path = try #require(made.headers["Location"])
            let shown = try await server.send("GET", path)
            try await test(server, Shown(path: path, tag: try #require(shown.headers["ETag"])))
        }
    }

    private static func rename(
        _ server: TestServer, _ path: String, to name: String, if tag: String
    ) async throws -> ClientResponse {
        try await server.json("PATCH", path, #"{"name": "\#(name)"}"#, headers: [("If-Match", tag)])
    }

    @Test func `an edit of the version that was read is made, and its answer has the next one`() async throws
    {
        try await Self.withList { server, shown async throws in
            let edited = try await Self.rename(server, shown.path, to: "Cold", if: shown.tag)
            #expect(edited.status == 200)
            let next = try #require(edited.headers["ETag"])
            #expect(next != shown.tag)
            #expect(try await server.send("GET", shown.path).headers["ETag"] == next)
            let late = try await Self.rename(server, shown.path, to: "Late", if: shown.tag)
            #expect(late.status == 412 && late.error("code") == "preconditionFailed")
            #expect(late.error("field") == "If-Match")
            #expect(try await server.send("GET", shown.path).object["name"] as? String == "Cold")
            let removed = try await server.send("DELETE", shown.path, headers: [("If-Match", shown.tag)])
            #expect(removed.status == 412)
            #expect(try await server.send("DELETE", shown.path, headers: [("If-Match", next)]).status == 204)
        }
    }

    @Test func `a list of tags, weak tags and an asterisk are understood`() async throws {
        try await Self.withList { server, shown async throws in
            for tags in [
                "*", "\"0\", \(shown.tag)", shown.tag.hasPrefix("W/") ? shown.tag : "W/" + shown.tag,
            ] {
                let edited = try await server.json(
                    "PATCH", shown.path, #"{"sort": "mine"}"#, headers: [("If-Match", tags)])
                #expect(edited.status == 200, "\(tags)")
            }
            for tags in ["\"0\"", "W/\"\"", ","] {
                let refused = try await Self.rename(server, shown.path, to: "Late", if: tags)
                #expect(refused.status == 412, "\(tags)")
            }
            let same = try await server.send("GET", shown.path, headers: [("If-None-Match", shown.tag)])
            #expect(same.status == 304)
        }
    }

    @Test func `of two edits of one version at the same time, one is made`() async throws {
        try await Self.withList { server, shown async throws in
            for round in 0..<5 {
                let tag = try #require(try await server.send("GET", shown.path).headers["ETag"])
                async let one = Self.rename(server, shown.path, to: "One \(round)", if: tag)
                async let other = Self.rename(server, shown.path, to: "Other \(round)", if: tag)
                let statuses = try await [one.status, other.status]
                #expect(statuses.sorted() == [200, 412])
            }
        }
    }

    @Test func `changes of what cannot be edited do not hinder an edit`() async throws {
        try await ChatFixture.with(isGroup: true) { talk in
            let server = talk.testServer
            let path = "/api/v1/conversations/\(talk.id)"
            let tag = try #require(try await server.send("GET", path).headers["ETag"])
            _ = try await talk.say("Hello", as: talk.grace)
            #expect(try await server.send("GET", path).headers["ETag"] != tag)
            let same = try await server.send("GET", path, headers: [("If-None-Match", tag)])
            #expect(same.status == 200)
            let edited = try await server.json(
                "PATCH", path, #"{"groupName": "Birds"}"#, headers: [("If-Match", tag)])
            #expect(edited.status == 200)
            let late = try await server.json(
                "PATCH", path, #"{"groupName": "Late"}"#, headers: [("If-Match", tag)])
            #expect(late.status == 412)
        }
    }

    @Test func `what does not exist is not found, whatever version is named`() async throws {
        try await TestServer.with { server async throws in
            let missing = try await Self.rename(server, "/api/v1/watchlists/99", to: "x", if: "\"0\"")
            #expect(missing.status == 404)
        }
    }
}
