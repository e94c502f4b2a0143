import Foundation
import TextFormats

/// Decodes a page like a browser (WHATWG Encoding Standard). A byte order mark takes precedence over the `Content-Type`
/// header, the header over the page's `meta` element, and that over an XML declaration. Without any of them, valid UTF-8
/// is UTF-8, and the encoding of everything else is guessed. Unlike browsers, it ignores a declared UTF-8 if all
/// non-ASCII characters are invalid.
public enum TextDecoding {
    /// In bytes from the beginning: where to look for the `meta` element. Some pages have it after long styles.
    private static let metaSearchLength = 1 << 20
    /// In bytes. A page may have very many tags that do not end.
    private static let maximumTagLength = 1_024

    /// Never fails: invalid bytes become U+FFFD.
    ///
    /// - Parameter headerCharset: the `charset` parameter of the answer's `Content-Type`
    public static func utf8(_ bytes: [UInt8], headerCharset: String?) -> [UInt8] {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return valid(bytes.dropFirst(3)) }
        if bytes.starts(with: [0xFE, 0xFF]) { return converted(bytes.dropFirst(2), from: "UTF-16BE") }
        if bytes.starts(with: [0xFF, 0xFE]) { return converted(bytes.dropFirst(2), from: "UTF-16LE") }
        if let name = headerCharset.flatMap(encoding), name != "UTF-8" || mayBeUTF8(bytes) {
            return decoded(bytes, name)
        }
        if let name = metaCharset(bytes).flatMap(encoding), name != "UTF-8" || mayBeUTF8(bytes) {
            // A `meta` element that can be read bytewise is not in UTF-16.
            return decoded(bytes, name.hasPrefix("UTF-16") ? "UTF-8" : name)
        }
        if let name = xmlCharset(bytes).flatMap(encoding), name != "UTF-8", !name.hasPrefix("UTF-16") {
            return decoded(bytes, name)
        }
        if hasJapaneseEscapes(bytes) { return converted(bytes[...], from: "ISO-2022-JP") }
        if let name = CharsetGuess.utf16(bytes) { return decoded(bytes, name) }
        if String(validating: bytes, as: UTF8.self) != nil { return bytes }
        return decoded(bytes, CharsetGuess.encoding(of: bytes) ?? "CP1252")
    }

    /// The escape sequences of ISO-2022-JP, which otherwise looks like ASCII.
    private static func hasJapaneseEscapes(_ bytes: [UInt8]) -> Bool {
        // Searching for one byte is many times as fast as for three.
        bytes.contains(0x1B)
            && (bytes.firstRange(of: [0x1B, 0x24, 0x42]) != nil
                || bytes.firstRange(of: [0x1B, 0x24, 0x40]) != nil)
    }

    /// Returns true if there are no non-ASCII characters, or at least one of them is valid.
    private static func mayBeUTF8(_ bytes: [UInt8]) -> Bool {
        guard String(validating: bytes, as: UTF8.self) == nil else { return true }
        return String(decoding: bytes, as: UTF8.self).unicodeScalars.contains {
            !$0.isASCII && $0 != "\u{FFFD}"
        }
    }

    private static func decoded(_ bytes: [UInt8], _ name: String) -> [UInt8] {
        switch name {
        case "UTF-8": valid(bytes[...])
        case "CP1252": Windows1252.utf8(bytes)
        default: converted(bytes[...], from: name)
        }
    }

    private static func valid(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        Array(String(decoding: bytes, as: UTF8.self).utf8)
    }

    private static func encoding(_ label: String) -> String? {
        let label = label.lowercased().trimmingCharacters(in: .whitespacesAndNewlines)
        if let name = labels[label] { return name }
        for (prefix, name) in [("windows-125", "CP125"), ("cp125", "CP125"), ("x-cp125", "CP125")] {
            if label.hasPrefix(prefix), label.utf8.count == prefix.utf8.count + 1,
                let digit = label.utf8.last, (0x30...0x38).contains(digit)
            {
                return name + label.suffix(1)
            }
        }
        for prefix in ["iso-8859-", "iso8859-", "iso_8859-", "iso88595"] where label.hasPrefix(prefix) {
            if let part = Int(label.dropFirst(prefix.count)), (2...16).contains(part), part != 12 {
                return "ISO-8859-\(part)"
            }
        }
        return nil
    }

    private static let labels = [
        "utf-8": "UTF-8", "utf8": "UTF-8", "unicode-1-1-utf-8": "UTF-8", "x-unicode20utf8": "UTF-8",
        "ascii": "CP1252", "us-ascii": "CP1252", "latin1": "CP1252", "l1": "CP1252", "iso-8859-1": "CP1252",
        "iso8859-1": "CP1252", "iso_8859-1": "CP1252", "iso88591": "CP1252", "ansi_x3.4-1968": "CP1252",
        "latin2": "ISO-8859-2", "latin3": "ISO-8859-3", "latin4": "ISO-8859-4", "cyrillic": "ISO-8859-5",
        "arabic": "ISO-8859-6", "greek": "ISO-8859-7", "hebrew": "ISO-8859-8", "visual": "ISO-8859-8",
        "iso-8859-8-i": "ISO-8859-8", "logical": "ISO-8859-8", "latin5": "CP1254", "iso-8859-9": "CP1254",
        "iso8859-9": "CP1254", "iso-8859-11": "CP874", "tis-620": "CP874", "windows-874": "CP874",
        "koi8-r": "KOI8-R", "koi": "KOI8-R", "koi8": "KOI8-R", "koi8_r": "KOI8-R", "koi8-u": "KOI8-U",
        "koi8-ru": "KOI8-U", "ibm866": "IBM866", "cp866": "IBM866", "866": "IBM866",
        "macintosh": "MACINTOSH", "mac": "MACINTOSH", "x-mac-roman": "MACINTOSH",
        "x-mac-cyrillic": "MAC-CYRILLIC", "shift_jis": "CP932", "shift-jis": "CP932", "sjis": "CP932",
        "x-sjis": "CP932", "ms_kanji": "CP932", "ms932": "CP932", "windows-31j": "CP932", "euc-jp": "EUC-JP",
        "x-euc-jp": "EUC-JP", "iso-2022-jp": "ISO-2022-JP", "gbk": "GB18030", "gb2312": "GB18030",
        "gb_2312-80": "GB18030", "gb18030": "GB18030", "x-gbk": "GB18030", "chinese": "GB18030",
        "big5": "BIG5-HKSCS", "big5-hkscs": "BIG5-HKSCS", "cn-big5": "BIG5-HKSCS", "x-x-big5": "BIG5-HKSCS",
        "euc-kr": "CP949", "korean": "CP949", "ks_c_5601-1987": "CP949", "ksc5601": "CP949",
        "windows-949": "CP949", "utf-16": "UTF-16LE", "utf-16le": "UTF-16LE", "unicode": "UTF-16LE",
        "utf-16be": "UTF-16BE", "x-user-defined": "CP1252",
    ]

    /// Returns the `encoding` of `<?xml version="1.0" encoding="..."?>` at the beginning.
    private static func xmlCharset(_ bytes: [UInt8]) -> String? {
        let start = bytes.prefix(1_024).drop { PageText.isSpace($0) }
        guard start.starts(with: "<?xml".utf8) else { return nil }
        return charset(in: start.prefix { $0 != UInt8(ascii: ">") }, after: "encoding")
    }

    /// Returns the `charset` of a `meta` element, ignoring comments, scripts and styles.
    private static func metaCharset(_ bytes: [UInt8]) -> String? {
        var rest = bytes.prefix(metaSearchLength)
        while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
            rest = rest[(start + 1)...]
            if rest.starts(with: "!--".utf8) {
                guard let end = rest.firstRange(of: Array("-->".utf8)) else { return nil }
                rest = rest[end.upperBound...]
                continue
            }
            if let end = endOfRawText(rest) {
                rest = rest[end...]
                continue
            }
            guard rest.count > 5, PageText.contains(rest.prefix(4), "meta") else { continue }
            let tag = rest.prefix(maximumTagLength).prefix { $0 != UInt8(ascii: ">") }
            if let charset = charset(in: tag, after: "charset") { return charset }
            rest = rest[tag.endIndex...]
        }
        return nil
    }

    /// The index of the end tag, if the tag at the beginning is of an element whose content has no tags.
    private static func endOfRawText(_ rest: ArraySlice<UInt8>) -> Int? {
        let name = rest.prefix { PageText.isWord($0) }.map(PageText.lower)
        guard ["script", "style", "title"].contains(where: { name.elementsEqual($0.utf8) }) else {
            return nil
        }
        let end = Array("</".utf8) + name
        var index = rest.startIndex + name.count
        while let next = rest[index...].firstIndex(of: UInt8(ascii: "<")) {
            if rest[next...].prefix(end.count).map(PageText.lower) == end { return next }
            index = next + 1
        }
        return rest.endIndex
    }

    private static func charset(in tag: ArraySlice<UInt8>, after key: String) -> String? {
        let small = tag.map(PageText.lower)
        guard let word = small.firstRange(of: Array(key.utf8)) else { return nil }
        let rest = small[word.upperBound...].drop { PageText.isSpace($0) }
        guard rest.first == UInt8(ascii: "=") else { return nil }
        let value = rest.dropFirst().drop {
            PageText.isSpace($0) || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "'")
        }
        let name = value.prefix {
            PageText.isWord($0) || "-.:+".utf8.contains($0)
        }
        return name.isEmpty ? nil : String(decoding: name, as: UTF8.self)
    }

    /// Uses glibc's iconv, which stops at invalid bytes; this function replaces them with U+FFFD.
    static func converted(_ bytes: ArraySlice<UInt8>, from name: String) -> [UInt8] {
        let converter = iconv_open("UTF-8", name)
        // iconv does not know the encoding, because its tables may not be installed.
        guard converter != iconv_t(bitPattern: -1) else { return Windows1252.utf8(bytes) }
        defer { iconv_close(converter) }
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count * 3 / 2)
        var input = bytes.map { CChar(bitPattern: $0) }
        var output = [CChar](repeating: 0, count: 1 << 16)
        let unit = name.hasPrefix("UTF-16") ? 2 : 1
        input.withUnsafeMutableBufferPointer { source in
            var next = source.baseAddress
            var left = source.count
            while left > 0 {
                let failure = output.withUnsafeMutableBufferPointer { target -> Int32 in
                    var free = target.count
                    var end = target.baseAddress
                    let result = iconv(converter, &next, &left, &end, &free)
                    let failure = result == -1 ? errno : 0
                    text.append(
                        contentsOf: UnsafeRawBufferPointer(UnsafeBufferPointer(target)).prefix(
                            target.count - free))
                    return failure
                }
                guard failure == EILSEQ || failure == EINVAL else { continue }
                text += [0xEF, 0xBF, 0xBD]
                let step = min(unit, left)
                next = next?.advanced(by: step)
                left -= step
            }
        }
        return text
    }
}
