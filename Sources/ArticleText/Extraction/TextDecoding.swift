import Foundation

/// Turns a page's bytes into UTF-8, as browsers do (WHATWG Encoding Standard): a byte order mark says more than the
/// `Content-Type` header, that more than the page's own `meta` element; without any of them what is valid UTF-8 is
/// UTF-8, and all else windows-1252. Unlike browsers it does not believe a header that says UTF-8 of a page in which no
/// letter outside ASCII is.
package enum TextDecoding {
    /// In bytes: how far the page's own word is looked for.
    private static let metaReach = 4_096

    /// Never fails: wrong bytes become U+FFFD.
    ///
    /// - Parameter headerCharset: what the answer's `Content-Type` says after `charset=`
    package static func utf8(_ bytes: [UInt8], headerCharset: String?) -> [UInt8] {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return valid(bytes.dropFirst(3)) }
        if bytes.starts(with: [0xFE, 0xFF]) { return converted(bytes.dropFirst(2), from: "UTF-16BE") }
        if bytes.starts(with: [0xFF, 0xFE]) { return converted(bytes.dropFirst(2), from: "UTF-16LE") }
        if let name = headerCharset.flatMap(encoding), name != "UTF-8" || mayBeUTF8(bytes) {
            return decoded(bytes, name)
        }
        if let name = metaCharset(bytes).flatMap(encoding), name != "UTF-8" || mayBeUTF8(bytes) {
            // Whoever reads this in single bytes is not in UTF-16.
            return decoded(bytes, name.hasPrefix("UTF-16") ? "UTF-8" : name)
        }
        return String(validating: bytes, as: UTF8.self) == nil ? windows1252(bytes) : bytes
    }

    /// Whether there is no letter outside ASCII, or one of them is right.
    private static func mayBeUTF8(_ bytes: [UInt8]) -> Bool {
        guard String(validating: bytes, as: UTF8.self) == nil else { return true }
        return String(decoding: bytes, as: UTF8.self).unicodeScalars.contains {
            !$0.isASCII && $0 != "\u{FFFD}"
        }
    }

    private static func decoded(_ bytes: [UInt8], _ name: String) -> [UInt8] {
        switch name {
        case "UTF-8": valid(bytes[...])
        case "CP1252": windows1252(bytes)
        default: converted(bytes[...], from: name)
        }
    }

    private static func valid(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        Array(String(decoding: bytes, as: UTF8.self).utf8)
    }

    /// The encoding that a label means, by its name in glibc; nil for an unknown one.
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

    /// What follows `charset=` in a `meta` element near the beginning; comments say nothing.
    private static func metaCharset(_ bytes: [UInt8]) -> String? {
        var rest = bytes.prefix(metaReach)
        while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
            rest = rest[(start + 1)...]
            if rest.starts(with: "!--".utf8) {
                guard let end = rest.firstRange(of: Array("-->".utf8)) else { return nil }
                rest = rest[end.upperBound...]
                continue
            }
            guard rest.count > 5, PageText.contains(rest.prefix(4), "meta") else { continue }
            let tag = rest.prefix { $0 != UInt8(ascii: ">") }
            if let charset = charset(in: tag) { return charset }
        }
        return nil
    }

    private static func charset(in tag: ArraySlice<UInt8>) -> String? {
        let small = tag.map(PageText.lower)
        guard let word = small.firstRange(of: Array("charset".utf8)) else { return nil }
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

    /// What the bytes 80 to 9F mean; the five that mean nothing stay control characters.
    private static let upperSigns: [UInt32] = [
        0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152,
        0x8D,
        0x017D, 0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161,
        0x203A,
        0x0153, 0x9D, 0x017E, 0x0178,
    ]

    private static func windows1252(_ bytes: [UInt8]) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count + bytes.count / 8)
        for byte in bytes {
            guard byte >= 0x80 else {
                text.append(byte)
                continue
            }
            let sign = byte < 0xA0 ? upperSigns[Int(byte) - 0x80] : UInt32(byte)
            if let scalar = Unicode.Scalar(sign), let encoded = UTF8.encode(scalar) {
                text.append(contentsOf: encoded)
            }
        }
        return text
    }

    /// Through glibc's iconv, which steps over nothing: a wrong byte is marked and passed here.
    private static func converted(_ bytes: ArraySlice<UInt8>, from name: String) -> [UInt8] {
        let converter = iconv_open("UTF-8", name)
        // Its way to say that it does not know the name: this machine may lack tables.
        guard converter != iconv_t(bitPattern: -1) else { return windows1252(Array(bytes)) }
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
                    // Read before anything else may set it.
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
