import Testing

@testable import Reading

/// Servers split and end the events of a model's answer in many ways.
@Suite struct GistModelStreamTests {
    private static func chunk(_ text: String) -> String {
        "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"\(text)\"},\"finish_reason\":null}]}\n\n"
    }

    private static func end(_ reason: String) -> String {
        "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"\(reason)\"}]}\n\n"
    }

    private static let done = "data: [DONE]\n\n"

    private static let failing: [(String, String)] = [
        (chunk("Half"), "was cut off"),
        ("", "was cut off"),
        (chunk("Half") + end("length") + done, "was cut off"),
        (chunk("Half") + end("content_filter") + done, "was cut off"),
        (chunk("Half") + "data: {\"error\":{\"message\":\"out of memory\"}}\n\n" + done, "reported an error"),
        (chunk("Half") + "data: {\"error\":\"overloaded\"}\n\n" + done, "reported an error"),
        (chunk("Half") + "data: {\"choices\":[{\"del\n\n" + done, "could not be read"),
        (
            chunk("Half") + "data: " + String(repeating: "x", count: 70_000) + "\n\n" + done,
            "could not be read"
        ),
        (chunk(String(repeating: "word ", count: 4_000)) + done, "was too long"),
    ]

    /// The text or the reason for its failure, of a stream that arrives in pieces of so many bytes.
    private func read(_ text: String, by size: Int = .max) -> (text: String?, why: String?) {
        var stream = GistModelStream()
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            _ = stream.read(Array(bytes.prefix(size)))
            bytes = bytes.dropFirst(size)
        }
        switch stream.end() {
        case .success(let text): return (text, nil)
        case .failure(let failure): return (nil, failure.reason)
        }
    }

    @Test(arguments: ["\n", "\r\n", "\r"])
    func `a stream split anywhere, with comments and other fields, has the same text`(ending: String) {
        let text =
            (": welcome\n\nid: 1\nevent: message\n" + Self.chunk("Straße ") + ": ping\n\ndata:\n\n"
            + "data:{\"choices\":[{\"delta\":{\"role\":\"assistant\",\"content\":\"😀 é\"}}]}\n\n"
            + "data: {\"choices\":[],\"usage\":{\"total_tokens\":7},\"error\":null}\n\nretry: 10\n\n"
            + Self.done)
            .replacing("\n", with: ending)
        for size in 1...60 {
            let found = read(text, by: size)
            #expect(found.text == "Straße 😀 é", "pieces of \(size): \(found.why ?? "")")
        }
        #expect(read(text).text == "Straße 😀 é")
    }

    @Test func `the text so far is known after each chunk`() {
        var stream = GistModelStream()
        #expect(stream.read(Array(Self.chunk("One ").utf8)) == "One ")
        let second = Array(Self.chunk("two").utf8)
        #expect(stream.read(Array(second.prefix(30))) == "One ")
        #expect(stream.read(Array(second.dropFirst(30))) == "One two")
    }

    @Test func `a byte order mark does not hide the first word`() {
        #expect(read("\u{FEFF}" + Self.chunk("First") + Self.done).text == "First")
    }

    @Test func `a stream that says stop or ends without a line break is whole`() {
        #expect(read(Self.chunk("All") + Self.end("stop")).text == "All")
        #expect(read(Self.chunk("All") + "data: [DONE]").text == "All")
        #expect(read(Self.chunk("All") + Self.done + "data: <html>\n\n").text == "All")
    }

    @Test(arguments: failing) func `a stream that fails in the middle has no text`(
        stream: String, why: String
    ) {
        for size in [7, Int.max] {
            let found = read(stream, by: size)
            #expect(found.text == nil)
            #expect(found.why?.contains(why) == true, "\(found.why ?? "")")
        }
    }
}
