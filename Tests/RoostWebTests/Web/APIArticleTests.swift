import Foundation
import Testing

@testable import HTTPServer
@testable import RoostWeb
@testable import roost

/// Compares `APIRoutes.md` and `API.md` with the program's routes and their description.
@Suite struct APIArticleTests {
    private static func text(_ article: String) throws -> String {
        let file = SiteFiles.root.appending(path: "Sources/roost/roost.docc/\(article).md")
        return try String(contentsOf: file, encoding: .utf8)
    }

    @Test func `the article has a section for each route of the JSON API, and no others`() async throws {
        let lines = try Self.text("APIRoutes").split(separator: "\n")
        let documented = lines.filter { $0.hasPrefix("### ") }.map { String($0.dropFirst(4)) }
        try await TestServer.with { testServer in
            let routes = testServer.server.routes.filter { $0.pattern.hasPrefix("/api/v1/") }
                .map { "\($0.method.rawValue) \($0.pattern)" }
            #expect(routes.count > 20)
            #expect(documented.sorted() == routes.sorted())
        }
    }

    /// In many answers; `API.md` explains them. Only files of bookmarks say whether a repository is private.
    private static let general: Set<String> = ["items", "next", "limit", "cursor", "error", "isPrivate"]

    @Test func `the articles name each parameter and each member of bodies and answers`()
        async throws
    {
        let article = try Self.text("APIRoutes")
        try await TestServer.with { server async throws in
            let document = APIAnswers.document(of: server.server.routes)
            var named = 0
            // An area may refer to another one, as bookmarks do to repositories, and to the other articles.
            let articles = try ["APIRoutes", "API", "Chat"].map(Self.text).joined(separator: "\n")
            let words = Set(articles.matches(of: /\w+/).map { String($0.output) }).union(Self.general)
            for area in article.components(separatedBy: "\n## ").dropFirst() {
                for heading in area.matches(of: /\n### (\w+) (\S+)/) {
                    let operation = document.json["paths"]?[String(heading.2)]?[heading.1.lowercased()]
                    let names = Self.names(in: try #require(operation, "\(heading.0)"), document)
                    for name in names where !words.contains(name) {
                        Issue.record("“\(name)” of \(heading.1) \(heading.2) is not in an article")
                    }
                    named += names.count
                }
            }
            #expect(named > 500)
        }
    }

    /// The names of an operation's parameters, and of the members of its body and of what it answers.
    private static func names(in operation: JSONValue, _ document: OpenAPIDocument) -> Set<String> {
        var names = Set((operation["parameters"]?.items ?? []).compactMap { $0["name"]?.text })
        var seen: Set<String> = []
        func collect(_ value: JSONValue) {
            if let name = value["$ref"]?.text?.split(separator: "/").last.map(String.init) {
                guard seen.insert(name).inserted, let schema = document.json["components"]?["schemas"]?[name]
                else { return }
                return collect(schema)
            }
            names.formUnion((value["properties"]?.members ?? []).map(\.name))
            for member in value["properties"]?.members ?? [] { collect(member.value) }
            for option in value["anyOf"]?.items ?? [] { collect(option) }
            for part in ["items", "additionalProperties"] { value[part].map(collect) }
        }
        let answers = (operation["responses"]?.members ?? []).filter { $0.name.hasPrefix("2") }.map(\.value)
        for part in answers + [operation["requestBody"]].compactMap(\.self) {
            for content in part["content"]?.members ?? [] { content.value["schema"].map(collect) }
        }
        return names
    }

    @Test func `the article lists the areas of tokens and the codes of errors`() async throws {
        let article = try Self.text("API")
        try await TestServer.with { server in
            let keys = Set(server.server.routes.compactMap { $0.tokenArea?.key })
            #expect(keys.count > 8)
            for key in keys { #expect(article.contains("`\(key)`"), "\(key)") }
            let document = APIAnswers.document(of: server.server.routes)
            let statuses = Set(
                (document.json["paths"]?.members ?? []).flatMap(\.value.members)
                    .flatMap { $0.value["responses"]?.members.map(\.name) ?? [] })
            for status in statuses where status.first == "4" || status.first == "5" {
                #expect(article.contains("| \(status)"), "\(status)")
            }
        }
    }
}
