/// A content type taken apart: `multipart/form-data; boundary=x` (RFC 9110 section 8.3.1).
struct MediaType {
    /// In lower case, without parameters.
    let essence: String

    init(_ header: String) {
        let text = header.prefix { $0 != ";" }
        essence = text.filter { $0 != " " && $0 != "\t" }.lowercased()
    }

    var isJSON: Bool { essence == "application/json" || essence.hasSuffix("+json") }

    /// Whether compression pays: text in any form; images, fonts and archives are compressed already.
    var isCompressible: Bool {
        essence.hasPrefix("text/") || isJSON || essence.hasSuffix("+xml")
            || ["application/javascript", "application/xml", "application/manifest+json"].contains(essence)
    }
}
