import HTTPServer

/// How a browser names a file that it is sent.
enum ContentDisposition {
    /// RFC 6266: the name for old programs in ASCII, and as it is (RFC 8187).
    static func of(_ name: String, isInline: Bool = false) -> String {
        let plain = String(
            decoding: name.unicodeScalars.map { scalar in
                let isPlain = scalar.isASCII && scalar.value >= 32 && scalar.value != 127
                return isPlain && scalar != "\"" && scalar != "\\" ? UInt8(scalar.value) : UInt8(ascii: "_")
            }, as: UTF8.self)
        return "\(isInline ? "inline" : "attachment"); filename=\"\(plain)\"; "
            + "filename*=UTF-8''\(PercentCoding.encode(name))"
    }
}
