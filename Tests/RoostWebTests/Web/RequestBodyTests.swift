import Foundation
import Testing

@testable import HTTPServer
@testable import RoostSupport
@testable import RoostWeb
@testable import TextFormats

@Suite struct RequestBodyTests {
    private enum Kind: String, Decodable { case above, below }

    private struct Nested: Decodable, Equatable { let note: String? }

    private struct Body: Decodable, Equatable {
        let coinId: String
        let amount: Int?
        var kind: Kind?
        var ids: [JSONUserID]?
        var nested: Nested?
        var list: [Nested]?
        var named: [String: Nested]?
    }

    /// Reads its members in two parts, of the same object.
    private struct Parts: Decodable {
        private enum CodingKeys: CodingKey { case amount }

        let nested: Nested
        let amount: Decimal

        init(from decoder: any Decoder) throws {
            nested = try Nested(from: decoder)
            amount = try decoder.container(keyedBy: CodingKeys.self).decode(Text.self, forKey: .amount).value
        }

        struct Text: Decodable {
            let value: Decimal
            init(from decoder: any Decoder) throws {
                value = try decoder.singleValueContainer().decode(Decimal.self)
            }
        }
    }

    private struct Checked: Decodable {
        init(from decoder: any Decoder) throws { throw ValidationError(field: "url", why: "is empty") }
    }

    private func request(_ body: String, type: String = "application/json") throws -> Request {
        try Request(.post, "/", headers: [("Content-Type", type)], body: Array(body.utf8))
    }

    @Test(arguments: ["application/json", "Application/JSON; charset=utf-8", "application/merge-patch+json"])
    func `a JSON body is read`(type: String) throws {
        let text = #"{"coinId":"dogwifhat","amount":null,"list":[{"note":"N"},{}],"named":{"7":{}}}"#
        let body = try request(text, type: type).body(Body.self)
        let (one, none) = (Nested(note: "N"), Nested(note: nil))
        #expect(body == Body(coinId: "dogwifhat", amount: nil, list: [one, none], named: ["7": none]))
    }

    @Test func `a type that reads its members in parts knows all of them`() throws {
        let body = try request(#"{"note":"N","amount":0.1234567890123456789}"#).body(Parts.self)
        #expect(body.nested.note == "N" && "\(body.amount)" == "0.1234567890123456789")
        let wrong = try request(#"{"note":"N","amount":1,"notes":""}"#)
        #expect(throws: Self.unknown("notes")) { try wrong.body(Parts.self) }
    }

    private static func unknown(_ field: String) -> RoostError {
        .invalid(field: field, why: "“\(field)” isn’t a field of this request.")
    }

    @Test(arguments: [
        (#"{"coinId":"x","coinID":"y"}"#, "coinID"), (#"{"coinId":"x","b":1,"a":null}"#, "a"),
        (#"{"coinId":"x","nested":{"notes":""}}"#, "nested.notes"),
        (#"{"coinId":"x","list":[{},{"note":"","foo":1}]}"#, "list[1].foo"),
        (#"{"coinId":"x","named":{"k":{"foo":[]}}}"#, "named.k.foo"),
    ])
    func `an unknown field is named with its path`(body: String, field: String) throws {
        let request = try request(body)
        #expect(throws: Self.unknown(field)) { try request.body(Body.self) }
    }

    @Test(arguments: ["text/plain", "", "application/x-www-form-urlencoded"])
    func `another content type is refused, so that no form of another site can send it`(type: String) throws {
        let request = try request("{}", type: type)
        #expect(throws: RequestError.notJSON) { try request.body(Body.self) }
    }

    @Test(arguments: ["", "{", "7", "[]", "nonsense", #"{"coinId""#])
    func `anything but an object is refused`(body: String) throws {
        let request = try request(body)
        #expect(throws: RequestError.malformed("The body isn’t a JSON object.")) {
            try request.body(Body.self)
        }
    }

    @Test(arguments: [
        ("{}", "coinId", "is missing"), (#"{"unknown":1}"#, "coinId", "is missing"),
        (#"{"coinId":null}"#, "coinId", "has the wrong type"),
        (#"{"coinId":5}"#, "coinId", "has the wrong type"),
        (#"{"coinId":"x","amount":"y"}"#, "amount", "has the wrong type"),
        (#"{"coinId":"x","kind":"beside"}"#, "kind", "doesn’t accept this value"),
        (#"{"coinId":"x","amount":1.5}"#, "amount", "doesn’t accept this value"),
        (#"{"coinId":"x","ids":["1",2]}"#, "ids[1]", "has the wrong type"),
        (#"{"coinId":"x","ids":["1","x"]}"#, "ids[1]", "doesn’t accept this value"),
        (#"{"coinId":"x","nested":{"note":1}}"#, "nested.note", "has the wrong type"),
        (#"{"coinId":"x","nested":[]}"#, "nested", "has the wrong type"),
    ])
    func `a field that is missing or does not fit is named`(body: String, field: String, why: String) throws {
        let request = try request(body)
        #expect(throws: RoostError.invalid(field: field, why: "“\(field)” \(why).")) {
            try request.body(Body.self)
        }
    }

    /// `JSONDecoder` would take minutes for the first and hundreds of bytes for each value of the last.
    @Test func `a body that takes long to decode is refused at once`() throws {
        let members = [
            "\"\(String(repeating: "\u{301}\u{323}", count: 250_000))\":1",
            "\"deep\":\(String(repeating: "[", count: 99))\(String(repeating: "]", count: 99))",
            "\"many\":[\(String(repeating: "0,", count: 70_000))0]",
        ]
        for member in members {
            let request = try request("{\"coinId\":\"dogwifhat\",\(member)}")
            #expect(throws: RequestError.malformed("The body isn’t a JSON object.")) {
                try request.body(Body.self)
            }
        }
    }

    @Test func `a rule of the type is a refusal of its field`() throws {
        let request = try request("{}")
        #expect(throws: RoostError.invalid(field: "url", why: "“url” is empty.")) {
            try request.body(Checked.self)
        }
    }
}
