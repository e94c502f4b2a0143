import Testing

@testable import HTTPServer

@Suite struct RequestTests {
    private struct Addition: Decodable, Equatable { let coinId: String; let amount: Int? }

    @Test func `a query is decoded, with all values of a name`() throws {
        let request = try Request(
            .get, "/changes?topics=prices&topics=a%2Fb&q=dog+wif%20hat%2B&empty=&flag&&x=1=2")
        #expect(request.path == "/changes")
        #expect(request.query.all("topics") == ["prices", "a/b"])
        #expect(request.query["q"] == "dog wif hat+")
        #expect(request.query["empty"] == "")
        #expect(request.query["flag"] == "")
        #expect(request.query["x"] == "1=2")
        #expect(request.query["none"] == nil)
        #expect(request.query.pairs.count == 6)
    }

    @Test(arguments: ["/?a=%", "/?%4=1", "/?a=%FF", "/?a=%00"])
    func `a query that cannot be decoded throws`(target: String) {
        #expect(throws: RequestError.self) { try Request(.get, target) }
    }

    @Test func `header names are compared without regard to case`() throws {
        let request = try Request(headers: [("X-One", "1"), ("x-one", "2"), ("X-On", "3")])
        #expect(request.headers["X-ONE"] == "1")
        #expect(request.headers.all("x-One") == ["1", "2"])
        #expect(request.headers["X-O"] == nil)
        #expect(request.headers.pairs.map(\.value) == ["1", "2", "3"])
    }

    @Test func `cookies are taken apart`() throws {
        let request = try Request(headers: [
            ("Cookie", "a=1; session=x=y==; q=\"quoted\";b=; a=2; junk"), ("Cookie", "c=3"),
        ])
        #expect(request.cookies["session"] == "x=y==")
        #expect(request.cookies["q"] == "quoted")
        #expect(request.cookies["b"] == "")
        #expect(request.cookies.all("a") == ["1", "2"])
        #expect(request.cookies["c"] == "3")
        #expect(request.cookies["junk"] == nil)
    }

    @Test func `JSON is read`() throws {
        let body = Array(#"{"coinId":"dogwifhat"}"#.utf8)
        for type in ["application/json", "Application/JSON; charset=utf-8", "application/merge-patch+json"] {
            let request = try Request(.post, "/", headers: [("Content-Type", type)], body: body)
            #expect(try request.json(Addition.self) == Addition(coinId: "dogwifhat", amount: nil))
        }
    }

    @Test(arguments: ["text/plain", "", "application/x-www-form-urlencoded"])
    func `JSON of another content type is refused, so that no form of another site can send it`(type: String)
        throws
    {
        let request = try Request(.post, "/", headers: [("Content-Type", type)], body: Array("{}".utf8))
        #expect(throws: RequestError.notJSON) { try request.json(Addition.self) }
    }

    @Test(arguments: [
        (#"{"coinId":5}"#, #""coinId" in the JSON is of the wrong type."#),
        ("{}", #""coinId" in the JSON is missing."#),
        (#"{"coinId":null}"#, #""coinId" in the JSON is null."#),
        (#"{"coinId":"x","amount":"y"}"#, #""amount" in the JSON is of the wrong type."#),
        ("{\"coinId\"", "The JSON of the body is not valid."),
        ("", "The JSON of the body is not valid."),
    ]) func `JSON that does not decode says where`(body: String, why: String) throws {
        let request = try Request(
            .post, "/", headers: [("Content-Type", "application/json")], body: Array(body.utf8))
        #expect(throws: RequestError.malformed(why)) { try request.json(Addition.self) }
    }

    @Test(arguments: [
        ("127.0.0.1", true), ("127.8.8.8", true), ("::1", true), ("::ffff:127.0.0.1", true),
        ("192.168.1.5", false), ("::ffff:10.0.0.1", false), ("fe80::1", false), ("", false),
    ]) func `a peer on this machine is known`(text: String, isLoopback: Bool) {
        #expect(PeerAddress(text).isLoopback == isLoopback)
    }

    @Test func `IPv4 over IPv6 is written as IPv4`() {
        #expect(PeerAddress("::ffff:10.0.0.1").description == "10.0.0.1")
    }

    @Test func `a segment is encoded so that it comes back whole`() throws {
        let text = "a/b c%[é]?&+"
        let request = try Request(.get, "/?x=" + PercentCoding.encode(text))
        #expect(request.query["x"] == text)
        #expect(PercentCoding.encode("AZaz09-._~") == "AZaz09-._~")
    }
}
