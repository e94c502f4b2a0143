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
            #expect(
                body?["properties"]?["kind"] == ["type": "string", "enum": ["above", "below", "change"]])
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

    @Test func `the answer to a repeated request may lack the secret, and nothing else`() async throws {
        try await Self.document { document, _ in
            for (path, secret, others) in [
                ("/api/v1/webhooks", "secret", 5), ("/api/v1/displays/7/link", "address", 0),
                ("/api/v1/articles/feeds/7/renew", "address", 4), ("/api/v1/today/feed", "address", 0),
            ] {
                let operation = try #require(document.operation("POST", path), "\(path)")
                let answers = ["200", "201"].compactMap {
                    operation["responses"]?[$0]?["content"]?["application/json"]?["schema"]
                }
                let answer = try #require(answers.first, "\(path)")
                #expect(answer["properties"]?[secret]?["description"] != nil, "\(path)")
                #expect(answer["required"]?.items.count == others, "\(path)")
                #expect(answer["required"]?.items.contains(.text(secret)) == false, "\(path)")
            }
            let shown = document.operation("GET", "/api/v1/displays/7/link")
            let link = shown?["responses"]?["200"]?["content"]?["application/json"]?["schema"]
            let name = try #require(link?["$ref"]?.text?.split(separator: "/").last.map(String.init))
            #expect(document.json["components"]?["schemas"]?[name]?["required"] == ["address"])
        }
    }

    @Test func `bodies have the limits of their values`() async throws {
        try await Self.document { document, _ in
            func member(_ name: String, _ method: String, _ path: String) -> JSONValue? {
                let body = document.operation(method, path)?["requestBody"]
                return body?["content"]?["application/json"]?["schema"]?["properties"]?[name]
            }
            #expect(
                member("name", "POST", "/api/v1/displays")
                    == ["type": "string", "minLength": 1, "maxLength": 64])
            #expect(
                member("secondsPerPage", "PATCH", "/api/v1/displays/7")
                    == ["type": ["integer", "null"], "minimum": 5, "maximum": 3_600])
            let tags = member("tags", "PATCH", "/api/v1/articles/7")
            #expect(tags?["maxItems"] == 50 && tags?["items"]?["maxLength"] == 40)
            let events = member("events", "PATCH", "/api/v1/webhooks/7")
            #expect(events?["minItems"] == 1)
            #expect(events?["items"]?["enum"]?.items.contains("alert.fired") == true)
            let kind = member("kind", "PATCH", "/api/v1/alerts/7")
            #expect(kind?["anyOf"]?.items.last == ["type": "null"])
            #expect(kind?["anyOf"]?.items.first?["enum"] == ["above", "below", "change"])
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
