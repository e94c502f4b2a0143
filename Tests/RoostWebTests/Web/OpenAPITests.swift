import Foundation
import Testing

@testable import HTTPServer
@testable import RoostSupport
@testable import RoostWeb
@testable import roost

@Suite struct OpenAPITests {
    private static func document(_ test: (OpenAPIDocument, TestServer) async throws -> Void) async throws {
        try await TestServer.with { server in
            try await test(APIAnswers.document(of: server.server.routes), server)
        }
    }

    @Test func `every route of the API is described, with a summary and its own name`() async throws {
        try await Self.document { document, server in
            #expect(document.undescribed == [])
            let routes = server.server.routes.filter { $0.pattern.hasPrefix("/api/v1/") }
            var names: Set<String> = []
            for route in routes {
                let what = "\(route.method.rawValue) \(route.pattern)"
                let operation = try #require(
                    document.json["paths"]?[route.pattern]?[route.method.rawValue.lowercased()], "\(what)")
                #expect(operation["summary"]?.text?.hasSuffix(".") == true, "\(what)")
                let name = try #require(operation["operationId"]?.text, "\(what)")
                #expect(names.insert(name).inserted, "\(what): \(name)")
                let statuses = (operation["responses"]?.members ?? []).map(\.name)
                #expect(statuses.contains { $0.hasPrefix("2") }, "\(what)")
                #expect(statuses.contains("422") && statuses.contains("default"), "\(what)")
            }
            #expect(routes.count > 100)
        }
    }

    @Test func `a body is described for each route that takes one`() async throws {
        try await Self.document { document, server in
            for route in server.server.routes where route.pattern.hasPrefix("/api/v1/") {
                guard route.method == .patch else { continue }
                let operation = document.json["paths"]?[route.pattern]?["patch"]
                let schema = operation?["requestBody"]?["content"]?["application/json"]?["schema"]
                #expect(schema?["additionalProperties"] == false, "\(route.pattern)")
                #expect(schema?["properties"]?.members.isEmpty == false, "\(route.pattern)")
            }
        }
    }

    @Test func `every reference leads to a part of the document`() async throws {
        try await Self.document { document, _ in
            var found = 0
            func check(_ value: JSONValue) {
                for item in value.items { check(item) }
                for member in value.members {
                    guard member.name == "$ref", let text = member.value.text else {
                        check(member.value)
                        continue
                    }
                    let parts = text.split(separator: "/").dropFirst().map(String.init)
                    let target = parts.reduce(document.json as JSONValue?) { $0?[$1] }
                    #expect(target != nil, "\(text)")
                    found += 1
                }
            }
            check(document.json)
            #expect(found > 500)
        }
    }

    @Test func `an alert's operations say parameters, bodies, headers and scopes`() async throws {
        try await Self.document { document, _ in
            let add = try #require(document.operation("POST", "/api/v1/alerts"))
            #expect(add["operationId"] == "postAlerts")
            #expect(
                add["security"]?.items.prefix(2).compactMap { $0["token"]?.items.first?.text }
                    == ["alerts:write", "write"])
            let body = add["requestBody"]?["content"]?["application/json"]?["schema"]
            #expect(body?["required"] == ["coinId", "kind", "threshold"])
            #expect(body?["properties"]?["currency"] == ["type": ["string", "null"]])
            #expect(add["parameters"] == [["$ref": "#/components/parameters/IdempotencyKey"]])
            #expect(add["responses"]?["201"]?["headers"]?["Location"] != nil)
            let change = try #require(document.operation("PATCH", "/api/v1/alerts/7"))
            #expect(change["parameters"]?.items.last == ["$ref": "#/components/parameters/IfMatch"])
            #expect(change["responses"]?["412"] != nil && change["responses"]?["404"] != nil)
            let list = try #require(document.operation("GET", "/api/v1/alerts"))
            let limit = list["parameters"]?.items.first { $0["name"] == "limit" }
            #expect(limit?["schema"] == ["type": "integer", "minimum": 1])
            let alert = document.json["components"]?["schemas"]?["CoinAlert"]
            #expect(alert?["properties"]?["kind"]?["enum"] == ["above", "below", "change"])
            #expect(alert?["properties"]?["firedText"] == ["type": ["string", "null"]])
        }
    }

    @Test func `an edit of an article may be answered with both versions`() async throws {
        try await Self.document { document, _ in
            let change = try #require(document.operation("PATCH", "/api/v1/articles/7"))
            let conflict = change["responses"]?["409"]?["content"]?["application/json"]?["schema"]
            #expect(conflict?["anyOf"]?.items.first?["required"] == ["error", "yours", "current"])
            #expect(change["responses"]?["412"] == nil)
        }
    }

    @Test func `the document is the same JSON for everyone`() async throws {
        try await Self.document { document, server in
            let answer = try await server.send("GET", "/api/v1/openapi.json", as: .anonymous)
            #expect(answer.status == 200 && answer.headers["ETag"] != nil)
            #expect(answer.object["openapi"] as? String == "3.1.0")
            let paths = try #require(answer.object["paths"] as? [String: Any])
            #expect(Set(paths.keys) == Set((document.json["paths"]?.members ?? []).map(\.name)))
        }
    }

    @Test func `the page shows every route`() async throws {
        try await Self.document { document, server in
            let page = try await server.send("GET", "/docs/api")
            #expect(page.status == 200)
            for path in document.json["paths"]?.members ?? [] {
                #expect(page.text.contains("<code>\(path.name)</code>"), "\(path.name)")
            }
            #expect(try await server.send("GET", "/settings/tokens").text.contains("href=\"/docs/api\""))
        }
    }

    @Test func `the check of answers finds what does not match`() throws {
        let schema: JSONValue = [
            "type": "object",
            "properties": [
                "id": ["type": "string"], "count": ["type": "integer"],
                "at": ["$ref": "#/components/schemas/At"],
            ],
            "required": ["id"],
        ]
        let schemas: JSONValue = ["At": ["type": ["string", "null"]]]
        func problem(_ text: String) throws -> String? {
            try JSONDecoder().decode(AnswerJSON.self, from: Data(text.utf8)).problem(schema, schemas, at: "")
        }
        #expect(try problem(#"{"id": "7", "count": 1, "at": null}"#) == nil)
        #expect(try problem(#"{"count": 1}"#) == ".id is missing")
        #expect(try problem(#"{"id": 7}"#) != nil)
        #expect(try problem(#"{"id": "7", "count": 1.5}"#) != nil)
        #expect(try problem(#"{"id": "7", "count": true}"#) != nil)
        #expect(try problem(#"{"id": "7", "at": 1}"#) != nil)
        #expect(try problem(#"{"id": "7", "more": 1}"#) == ".more is not described")
    }
}
