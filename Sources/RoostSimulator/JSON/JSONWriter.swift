/// Writes compact JSON with numbers formatted as CoinGecko formats them.
struct JSONWriter {
    private(set) var bytes: [UInt8] = []
    private var needsComma = false

    init(capacity: Int = 256) {
        bytes.reserveCapacity(capacity)
    }

    mutating func object(_ content: (inout JSONWriter) throws -> Void) rethrows {
        try container("{", "}", content)
    }

    mutating func array(_ content: (inout JSONWriter) throws -> Void) rethrows {
        try container("[", "]", content)
    }

    mutating func key(_ name: String) {
        string(name)
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    mutating func string(_ text: String) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            escape(byte)
        }
        bytes.append(UInt8(ascii: "\""))
    }

    mutating func string(_ text: String?) {
        if let text { string(text) } else { raw("null") }
    }

    mutating func number(_ value: Int?) {
        raw(value.map(String.init) ?? "null")
    }

    /// Writes the shortest text that parses to the same `Double`: `19990746.0`, `8.199e-05`.
    mutating func number(_ value: Double?) {
        raw(value.map(\.description) ?? "null")
    }

    mutating func raw(_ text: String) {
        separate()
        bytes.append(contentsOf: text.utf8)
    }

    mutating func raw(_ slice: some Sequence<UInt8>) {
        separate()
        bytes.append(contentsOf: slice)
    }

    private mutating func container(
        _ open: Unicode.Scalar, _ close: Unicode.Scalar, _ content: (inout JSONWriter) throws -> Void
    ) rethrows {
        separate()
        bytes.append(UInt8(ascii: open))
        needsComma = false
        try content(&self)
        bytes.append(UInt8(ascii: close))
        needsComma = true
    }

    private mutating func separate() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        needsComma = true
    }

    /// Writes `< > &` as `\u003c` and so on, like CoinGecko's framework (recorded in `/coins/list`).
    private mutating func escape(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"):
            bytes.append(UInt8(ascii: "\\"))
            bytes.append(byte)
        case 0..<0x20, UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "&"):
            let digits = String(byte, radix: 16)
            bytes.append(contentsOf: ("\\u00" + (digits.count < 2 ? "0" : "") + digits).utf8)
        default:
            bytes.append(byte)
        }
    }
}
