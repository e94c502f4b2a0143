import Testing
import TextFormats

@testable import HTTPServer

@Suite struct RequestTests {
    @Test func `a query is decoded with all values of a name`() throws {
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

    @Test func `header names ignore case`() throws {
        let request = try Request(headers: [("X-One", "1"), ("x-one", "2"), ("X-On", "3")])
        #expect(request.headers["X-ONE"] == "1")
        #expect(request.headers.all("x-One") == ["1", "2"])
        #expect(request.headers["X-O"] == nil)
        #expect(request.headers.pairs.map(\.value) == ["1", "2", "3"])
    }

    @Test func `cookies are parsed`() throws {
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

    @Test func `an encoded path segment decodes to itself`() throws {
        let text = "a/b c%[é]?&+"
        let request = try Request(.get, "/?x=" + PercentEncoding.encode(text))
        #expect(request.query["x"] == text)
    }
}
