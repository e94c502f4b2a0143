import Foundation
import RoostSimulator
import Testing

/// The language of queries: what the specification allows is understood, the rest refused at its place.
@Suite struct GraphQLLanguageTests {
    private let gitHub = TestGitHub()

    private func error(_ query: String, _ variables: [String: Any] = [:]) throws -> [String: Any] {
        let answer = try gitHub.graphQL(query, variables).object
        #expect(answer["data"] == nil, "\(query)")
        return answer.objects("errors").first ?? [:]
    }

    /// The login that a query with one string in it leads to.
    private func login(_ literal: String) throws -> String? {
        try gitHub.data("{ user(login: \(literal)) { login } }").object("user").text("login")
    }

    @Test func `strings are read with their escapes, block strings without their indentation`() throws {
        #expect(try login("\"gr\\u0061ce\"") == "grace" && login("\"grac\\u0065\"") == "grace")
        #expect(try login("\"\"\"grace\"\"\"") == "grace")
        #expect(try login("\"\"\"\n      \n    grace\n  \"\"\"") == "grace")
        let quoted = try gitHub.graphQL("{ user(login: \"\"\"a \\\"\"\" b \\n\"\"\") { login } }").object
        #expect(quoted.objects("errors").first?.text("message")?.contains("'a \"\"\" b \\n'") == true)
        let lines = try gitHub.graphQL("{ user(login: \"\"\"a\n      b\n        c\n  \"\"\") { login } }")
            .object
        #expect(lines.objects("errors").first?.text("message")?.contains("'a\nb\n  c'") == true)
    }

    @Test(arguments: [
        ("{ user(login: \"ada) { login } }", "Unterminated string", 1, 15),
        ("{ user(login: \"ada\n\") { login } }", "Unterminated string", 1, 15),
        ("{ user(login: \"ada\\", "Unterminated string", 1, 15),
        ("{ user(login: \"\"\"ada\n\") { login } }", "Unterminated string", 1, 15),
        ("{ user(login: \"\"\"a\nb\"\"\") { login } } ?", "Unexpected character", 2, 19),
        ("{\n  viewer { login } %", "Unexpected character", 2, 20),
        ("# remark\n{ viewer { } }", "Unexpected", 2, 12), ("{ viewer { login } ", "end of file", 1, 20),
        ("{ viewer { .. on User { login } } }", "Unexpected character", 1, 12),
        ("query { viewer { login } } }", "Unexpected \"}\"", 1, 28),
        ("fragment on on User { login }", "Unexpected", 1, 16), ("{ a: }", "Unexpected \"}\"", 1, 6),
        ("{ user(login) { login } }", "Unexpected \")\"", 1, 13), ("{ }", "Unexpected \"}\"", 1, 3),
        ("query($: Int) { viewer { login } }", "Unexpected \":\"", 1, 8),
    ])
    func `what cannot be read is refused with its line and column`(
        query: String, words: String, line: Int, column: Int
    ) throws {
        let error = try error(query)
        #expect(error.text("message")?.contains(words) == true, "\(error)")
        #expect(error.object("extensions").text("code") == "parseError")
        let place = try #require(error.objects("locations").first)
        #expect(place.number("line") == Double(line) && place.number("column") == Double(column), "\(query)")
    }

    @Test func `nesting has a bottom wherever it is written`() throws {
        let many = 200_000
        for (opening, closing) in [("[", "]"), ("{a:", "}")] {
            let value =
                String(repeating: opening, count: many) + "1" + String(repeating: closing, count: many)
            #expect(
                try error("{ nodes(ids: \(value)) { id } }").text("message")?.contains("too deep") == true)
        }
        let type = String(repeating: "[", count: many) + "ID" + String(repeating: "]", count: many)
        #expect(
            try error("query($a: \(type)) { viewer { id } }").text("message")?.contains("too deep") == true)
        let inline = String(repeating: "... { ", count: many)
        #expect(try error("{ \(inline)").text("message")?.contains("too deep") == true)
    }

    @Test func `commas, remarks, byte order marks and line ends of any kind are blanks`() throws {
        let query = "\u{FEFF}query,Q{,viewer#login }}\r\n{login,,name}\r\n}"
        #expect(try gitHub.data(query).object("viewer").keys.sorted() == ["login", "name"])
    }

    private static let user =
        "query Q($login: String!, $yes: Boolean = true) "
        + "{ user(login: $login) { login name @include(if: $yes) } }"

    @Test func `variables are filled in, defaults too, and null is a value`() throws {
        #expect(
            try gitHub.data(Self.user, ["login": "alan"]).object("user").keys.sorted() == ["login", "name"])
        let without = try gitHub.data(Self.user, ["login": "alan", "yes": false, "unused": 1]).object("user")
        #expect(without.keys.sorted() == ["login"])
        let after =
            "query($after: String) { search(query: \"is:pr\", type: ISSUE, first: 2, after: $after) "
            + "{ issueCount nodes { ... on PullRequest { id } } } }"
        let (none, null) = (try gitHub.data(after), try gitHub.data(after, ["after": NSNull()]))
        #expect(none.object("search").texts("id") == null.object("search").texts("id"))
        #expect(none.object("search").texts("id").count == 2)
        let ids = "query($ids: [ID!]!) { nodes(ids: $ids) { id } }"
        #expect(try gitHub.data(ids, ["ids": "U_sim4001"]).texts(in: "nodes", "id") == ["U_sim4001"])
    }

    @Test(arguments: [
        ("String!", "{}"), ("String!", #"{"v":null}"#), ("String!", #"{"v":1}"#), ("String", #"{"v":["a"]}"#),
        ("Int", #"{"v":"10"}"#), ("Int", #"{"v":1.5}"#), ("Int", #"{"v":4000000000}"#),
        ("Int!", #"{"v":true}"#),
        ("Boolean", #"{"v":"true"}"#), ("[ID!]!", #"{"v":["a",null]}"#), ("[ID!]", #"{"v":[["a"]]}"#),
        ("ID", #"{"v":1.5}"#), ("SearchType!", #"{"v":1}"#), ("Float", #"{"v":"1"}"#),
    ])
    func `a variable of another type is refused with its type`(type: String, given: String) throws {
        let variables = try JSONSerialization.jsonObject(with: Data(given.utf8)) as? [String: Any] ?? [:]
        let error = try error("query($v: \(type)) { viewer { login avatarUrl(size: $v) } }", variables)
        #expect(error.text("message") == "Variable $v of type \(type) was provided invalid value")
        #expect(error.object("extensions").text("code") == "variableMismatch")
    }

    @Test(arguments: [
        ("String", #"{"v":null}"#), ("ID", #"{"v":5}"#), ("Float", #"{"v":1}"#),
        ("Int", #"{"v":-2147483648}"#),
        ("[ID!]!", #"{"v":[]}"#), ("SearchType!", #"{"v":"ISSUE"}"#), ("IssueOrder", #"{"v":{"field":"X"}}"#),
        ("Boolean = true", "{}"), ("String! = \"a\"", "{}"),
    ])
    func `a variable of its type passes`(type: String, given: String) throws {
        let variables = try JSONSerialization.jsonObject(with: Data(given.utf8)) as? [String: Any] ?? [:]
        #expect(
            try gitHub.data("query($v: \(type)) { viewer { login avatarUrl(size: $v) } }", variables).object(
                "viewer"
            ).text(
                "login") == "ada")
    }

    @Test func `of several operations the one that is named answers`() throws {
        let query = "query A { viewer { login } } query B { viewer { name } }"
        func ask(_ name: String) throws -> [String: Any] {
            let body = try JSONSerialization.data(withJSONObject: ["query": query, "operationName": name])
            return try gitHub.simulation.answer(
                GitHubRequest(
                    method: "POST", target: "/api/graphql", token: GitHubTokens.classic(of: "ada"),
                    contentType: "application/json", body: Array(body))
            ).object
        }
        #expect(try ask("B").object("data").object("viewer").keys.sorted() == ["name"])
        #expect(try ask("A").object("data").object("viewer").keys.sorted() == ["login"])
        #expect(try ask("C").objects("errors").first?.text("message") == "No operation named \"C\"")
    }
}

extension [String: Any] {
    /// A list's members' texts.
    func texts(in list: String, _ key: String) -> [String] { objects(list).compactMap { $0.text(key) } }
}
