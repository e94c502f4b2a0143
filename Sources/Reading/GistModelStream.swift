import Foundation

/// A chunk of a model's streamed answer, or the whole answer if its server does not stream.
struct GistModelChunk: Decodable {
    struct Candidate: Decodable {
        struct WrittenMessage: Decodable {
            let content: String?
        }

        let delta: WrittenMessage?
        let message: WrittenMessage?
        let finish_reason: String?

        /// True if the server ended the text early.
        var isCutOff: Bool { finish_reason == "length" || finish_reason == "content_filter" }
    }

    /// An object or a text, depending on the server.
    struct ReportedError: Decodable {
        init(from decoder: any Decoder) {}
    }

    let choices: [Candidate]?
    let error: ReportedError?
}

/// Reads a model's streamed answer, split anywhere: server-sent events (HTML standard, section 9.2) with a chunk each,
/// the last one "[DONE]".
///
/// Each chunk is one line. Comments, other fields and empty lines are skipped, also where an empty line is missing.
struct GistModelStream {
    typealias Failure = GistModelAPI.Failure

    /// In bytes. A chunk with one word has some hundred.
    static let maximumLine = 64 << 10
    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
    private static let field = Array("data:".utf8)

    private var line: [UInt8] = []
    private var content = ""
    private var isWhole = false
    private var isDone = false
    private var isFirstLine = true
    private var failure: Failure?

    /// Returns the text so far.
    mutating func read(_ piece: [UInt8]) -> String {
        for byte in piece {
            guard failure == nil, !isDone else { break }
            if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") {
                endLine()
            } else if line.count < Self.maximumLine {
                line.append(byte)
            } else {
                fail("The model’s answer could not be read.")
            }
        }
        return content
    }

    /// The whole text, or why it is not whole.
    mutating func end() -> Result<String, Failure> {
        if failure == nil, !isDone { endLine() }
        if let failure { return .failure(failure) }
        guard isWhole else { return .failure(Failure(reason: "The model’s answer was cut off.")) }
        return .success(content)
    }

    private mutating func fail(_ reason: String) { failure = Failure(reason: reason) }

    private mutating func endLine() {
        defer {
            line.removeAll(keepingCapacity: true)
            isFirstLine = false
        }
        if isFirstLine, line.starts(with: Self.byteOrderMark) { line.removeFirst(Self.byteOrderMark.count) }
        guard line.starts(with: Self.field) else { return }
        let data = line[Self.field.count...].drop { $0 == UInt8(ascii: " ") }
        if data.isEmpty { return }
        if data.starts(with: "[DONE]".utf8) {
            (isWhole, isDone) = (true, true)
        } else if let chunk = try? JSONDecoder().decode(GistModelChunk.self, from: Data(data)) {
            read(chunk)
        } else {
            fail("The model’s answer could not be read.")
        }
    }

    private mutating func read(_ chunk: GistModelChunk) {
        guard chunk.error == nil else { return fail("The model’s server reported an error.") }
        guard let choice = chunk.choices?.first else { return }
        content += choice.delta?.content ?? ""
        if content.utf8.count > GistModelAPI.maximumBytes { fail("The model’s answer was too long.") }
        if choice.isCutOff { fail("The model’s answer was cut off.") }
        if choice.finish_reason == "stop" { isWhole = true }
    }
}
