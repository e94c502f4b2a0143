import CLibXML2

/// Decodes HTML's character references outside of a document, with libxml2's table of names.
public enum HTMLEntities {
    /// In bytes, with `&` and `;`. Names have at most eight; numbers may have leading zeros.
    private static let maximumLength = 12

    /// Returns the text with all its references decoded. Leaves unknown names unchanged.
    public static func decoded(_ bytes: ArraySlice<UInt8>) -> String {
        guard bytes.contains(UInt8(ascii: "&")) else { return String(decoding: bytes, as: UTF8.self) }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var rest = bytes
        while let byte = rest.first {
            if let (scalar, length) = reference(in: rest) {
                result += scalar.utf8
                rest = rest.dropFirst(length)
            } else {
                result.append(byte)
                rest = rest.dropFirst()
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Decodes the reference at the beginning of the text. Returns its scalar and its length in bytes, or nil if the
    /// text doesn't begin with a reference.
    public static func reference(in text: ArraySlice<UInt8>) -> (scalar: Unicode.Scalar, length: Int)? {
        guard text.first == UInt8(ascii: "&"),
            let end = text.prefix(maximumLength).firstIndex(of: UInt8(ascii: ";"))
        else { return nil }
        let name = String(decoding: text[(text.startIndex + 1)..<end], as: UTF8.self)
        // C would stop at a NUL.
        guard !name.utf8.contains(0) else { return nil }
        let code: UInt32? =
            if name.hasPrefix("#x") || name.hasPrefix("#X") {
                UInt32(name.dropFirst(2), radix: 16)
            } else if name.hasPrefix("#") {
                UInt32(name.dropFirst())
            } else {
                htmlEntityLookup(name)?.pointee.value
            }
        guard let code, code != 0, let scalar = Unicode.Scalar(code) else { return nil }
        return (scalar, end + 1 - text.startIndex)
    }
}
