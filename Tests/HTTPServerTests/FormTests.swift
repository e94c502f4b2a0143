import Testing

@testable import HTTPServer

@Suite struct FormTests {
    private func multipart(_ body: String, boundary: String = "XX") throws -> Form {
        try multipart(Array(body.utf8), boundary: boundary)
    }

    private func multipart(_ body: [UInt8], boundary: String = "XX") throws -> Form {
        let type = "multipart/form-data; charset=utf-8; boundary=\(boundary)"
        return try Request(.post, "/", headers: [("Content-Type", type)], body: body).form()
    }

    private func urlencoded(_ body: String) throws -> Form {
        let type = "application/x-www-form-urlencoded; charset=UTF-8"
        return try Request(.post, "/", headers: [("Content-Type", type)], body: Array(body.utf8)).form()
    }

    @Test func `an urlencoded form is decoded`() throws {
        let form = try urlencoded("coinId=dog+wif%20hat&tag=a&tag=%C3%A9&text=a%0D%0Ab%26&none=")
        #expect(form["coinId"] == "dog wif hat")
        #expect(form.all("tag") == ["a", "é"])
        #expect(form["text"] == "a\r\nb&")
        #expect(form["none"] == "")
        #expect(form["other"] == nil)
        #expect(form.files == [])
    }

    @Test(arguments: ["a=%", "a=%G1", "%=b", "a=%FF", "a=%00"])
    func `a malformed urlencoded form throws`(body: String) {
        #expect(throws: RequestError.malformed("The form is not properly encoded.")) { try urlencoded(body) }
    }

    @Test func `a multipart form has its fields and files in order`() throws {
        let form = try multipart(
            "--XX\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\none\r\ntwo\r\n"
                + "--XX\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n\r\n"
                + "--XX\r\ncontent-disposition: form-data; name=f; filename=\"x.png\"\r\n"
                + "Content-Type: image/png\r\n\r\n"
                + "PNG\r\n--XX--\r\nepilogue")
        #expect(form.all("a") == ["one\r\ntwo", ""])
        #expect(form.files.map(\.name) == ["f"])
        #expect(form.files.map(\.filename) == ["x.png"])
        #expect(form.files.map(\.contentType) == ["image/png"])
        #expect(form.files.map(\.bytes) == [Array("PNG".utf8)])
    }

    @Test func `a binary file arrives unchanged`() throws {
        // All bytes, and text that resembles a boundary.
        let bytes = (0...255).map { UInt8($0) } + Array("\r\n--X\r\n-- XX\r\n\r\n--".utf8) + [0, 13, 10, 13]
        let head = "--XX\r\nContent-Disposition: form-data; name=\"f\"; filename=\"a.bin\"\r\n\r\n"
        let form = try multipart(Array(head.utf8) + bytes + Array("\r\n--XX--\r\n".utf8))
        #expect(form.files.map(\.bytes) == [bytes])
        #expect(form.files.map(\.contentType) == ["application/octet-stream"])
    }

    @Test func `an empty file input is an empty file without a name`() throws {
        let form = try multipart(
            "--XX\r\nContent-Disposition: form-data; name=\"f\"; filename=\"\"\r\n"
                + "Content-Type: application/octet-stream\r\n\r\n\r\n--XX--\r\n")
        #expect(form.files.map(\.filename) == [""])
        #expect(form.files.map(\.bytes) == [[]])
    }

    @Test(arguments: [
        (#"name="a\"b""#, "a\"b"), (#"name="a%22b""#, "a\"b"), (#"name="C:\x""#, #"C:\x"#),
        ("name=plain", "plain"),
        (#"name="a;b""#, "a;b"), (#"x="name=no"; NAME="yes""#, "yes"), (#"name="é""#, "é"),
        // Marks and letters that Swift combines with an ASCII character, and a Greek question mark, which it considers
        // equal to one.
        ("name=\"\u{301}a\"", "\u{301}a"), ("name=\"a\u{D4E}\"; x=\"no\"", "a\u{D4E}"),
        ("x=a\u{37E}name=no; name=yes", "yes"), ("x=\"\u{D4E}\";name=yes", "yes"),
    ]) func `names are read in the formats of browsers and other clients`(parameter: String, name: String)
        throws
    {
        let form = try multipart("--XX\r\nContent-Disposition: form-data; \(parameter)\r\n\r\nv\r\n--XX--")
        #expect(form.pairs.map(\.name) == [name])
    }

    @Test func `a form without parts is empty, and text before the first part is ignored`() throws {
        #expect(try multipart("--XX--\r\n").pairs.isEmpty)
        let form = try multipart(
            "preamble\r\n--XX \t\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n--XX--")
        #expect(form["a"] == "1")
    }

    @Test(arguments: [
        "", "nothing", "--YY--", "--XX\r\n", "--XXjunk\r\n",
        "--XX\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\ncut off",
        "--XX\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\ncut off\r\n--XX",
        "--XX\r\nContent-Disposition: form-data\r\n\r\nno name\r\n--XX--",
        "--XX\r\nContent-Disposition: attachment; name=\"a\"\r\n\r\nx\r\n--XX--",
        "--XX\r\nno colon\r\n\r\nx\r\n--XX--",
        "--XX\r\n\r\nno header\r\n--XX--",
    ]) func `a truncated or malformed multipart form throws`(body: String) {
        #expect {
            try multipart(body)
        } throws: { error in
            if case .malformed? = error as? RequestError { true } else { false }
        }
    }

    @Test func `a field that is not text throws`() {
        let head = Array("--XX\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n".utf8)
        #expect(throws: RequestError.malformed("The form cannot be read: a field isn't UTF-8.")) {
            try multipart(head + [0xFF, 0xFE] + Array("\r\n--XX--".utf8))
        }
    }

    @Test func `too many parts throw`() {
        let part = "--XX\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n"
        #expect(throws: RequestError.malformed("The form cannot be read: it has too many parts.")) {
            try multipart(String(repeating: part, count: 1_001) + "--XX--")
        }
    }

    @Test func `a name that is a megabyte of accents is passed over at once`() throws {
        let accents = String(repeating: "\u{301}\u{323}", count: 250_000)
        let form = try #require(NamedValues(urlencoded: "\(accents)=no&a=yes".utf8))
        #expect(form["a"] == "yes")
        #expect(form.all("a") == ["yes"])
        #expect(throws: RequestError.malformed("The form cannot be read: a part's header is too long.")) {
            try multipart(
                "--XX\r\nContent-Disposition: form-data; name=\"\(accents)\"\r\n\r\nno\r\n--XX--")
        }
    }

    @Test func `a form of another content type is refused`() throws {
        let request = try Request(.post, "/", headers: [("Content-Type", "application/json")], body: [])
        #expect(throws: RequestError.notAForm) { try request.form() }
        #expect(throws: RequestError.notAForm) { try Request(.post, "/").form() }
    }

    @Test func `a multipart form without a boundary throws`() throws {
        let request = try Request(.post, "/", headers: [("Content-Type", "multipart/form-data")], body: [])
        #expect(throws: RequestError.self) { try request.form() }
    }

    @Test func `the server answers 400 or 415 when a handler rethrows the error`() async throws {
        let routes = [
            Route(.post, "/form", .async { .response(.text(try $0.form()["a"] ?? "none")) }),
            Route(
                .post, "/json",
                .ready { throw $0.hasJSON ? RequestError.malformed("why") : RequestError.notJSON }),
        ]
        try await serving(routes) { server in
            let client = try RawClient(server.address)
            let form = [("Content-Type", "application/x-www-form-urlencoded")]
            let json = [("Content-Type", "application/json")]
            #expect(try client.ask("POST", "/form", form, body: Array("a=%41".utf8)).text == "A")
            #expect(try client.ask("POST", "/form", form, body: Array("a=%4".utf8)).status == 400)
            #expect(try client.ask("POST", "/form", json, body: Array("[]".utf8)).status == 415)
            #expect(try client.ask("POST", "/json", json, body: Array("[".utf8)).status == 400)
            #expect(try client.ask("POST", "/json", form, body: Array("a=1".utf8)).status == 415)
        }
    }
}
