/// Request, status and headers of a recorded response, from a `HEADERS.txt`.
///
/// The text has one block per file: the file name unindented, then the URL, `status 200 ...` and `name:
/// value` lines, indented.
struct RecordedExchange: Sendable, Equatable {
    let target: String
    let status: Int
    let headers: [SimulatedResponse.Header]

    static func parse(_ text: String) -> [String: RecordedExchange] {
        var exchanges: [String: RecordedExchange] = [:]
        var block = Block()
        for line in text.split(whereSeparator: \.isNewline) {
            if line.first == " " || line.first == "\t" {
                block.read(line.drop { $0 == " " || $0 == "\t" })
                continue
            }
            if let exchange = block.exchange { exchanges[block.file] = exchange }
            block = Block(file: String(line).trimmingCharacters)
        }
        if let exchange = block.exchange { exchanges[block.file] = exchange }
        return exchanges
    }

    private struct Block {
        var file = ""
        var target: String?
        var status = 200
        var headers: [SimulatedResponse.Header] = []

        var exchange: RecordedExchange? {
            target.map { RecordedExchange(target: $0, status: status, headers: headers) }
        }

        mutating func read(_ line: Substring) {
            let parts = line.split(separator: " ")
            if let address = parts.first(where: { $0.hasPrefix("http://") || $0.hasPrefix("https://") }),
                parts.count <= 2
            {
                target = String(address)
            } else if parts.count == 2, ["GET", "POST"].contains(parts[0]), parts[1].hasPrefix("/") {
                target = String(parts[1])
            } else if parts.count >= 2, ["status", "http", "HTTP"].contains(parts[0]) {
                status = Int(parts[1]) ?? status
            } else if let colon = line.firstIndex(of: ":") {
                let value = String(line[line.index(after: colon)...]).trimmingCharacters
                headers.append(.init(String(line[..<colon]), value))
            }
        }
    }
}

extension String {
    fileprivate var trimmingCharacters: String {
        var text = Substring(self)
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}
