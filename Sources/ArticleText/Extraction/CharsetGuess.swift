import Foundation

/// Guesses the encoding of a page that doesn't name it, by the letters that each encoding makes of its bytes.
///
/// Each candidate decodes the beginning of the text. Its score is the average of what its non-ASCII characters are
/// worth: common letters of its languages count most, letters of other languages and signs inside words count against
/// it. The language that the page names is a hint, not a proof.
struct CharsetGuess {
    private enum Script {
        case cyrillic, greek, hebrew, arabic, thai, western, central, turkish, chinese, japanese, korean
    }

    private struct Candidate {
        let name: String
        let script: Script
    }

    /// In bytes. Enough for a reliable average.
    private static let sampleLength = 30_000
    /// A lower score is a coincidence.
    private static let minimumScore = 0.45
    /// For the script of the page's own language.
    private static let languageBonus = 0.3

    /// The first of equal scores wins.
    private static let candidates: [Candidate] = [
        ("CP1252", .western), ("CP1250", .central), ("ISO-8859-2", .central), ("CP1254", .turkish),
        ("CP1251", .cyrillic), ("KOI8-R", .cyrillic), ("ISO-8859-5", .cyrillic), ("IBM866", .cyrillic),
        ("CP1253", .greek), ("ISO-8859-7", .greek), ("CP1255", .hebrew), ("CP1256", .arabic),
        ("CP874", .thai),
        ("CP932", .japanese), ("EUC-JP", .japanese), ("GB18030", .chinese), ("BIG5-HKSCS", .chinese),
        ("CP949", .korean),
    ].map(Candidate.init)

    private static let languages: [String: Script] = [
        "ru": .cyrillic, "uk": .cyrillic, "be": .cyrillic, "bg": .cyrillic, "sr": .cyrillic, "mk": .cyrillic,
        "kk": .cyrillic, "el": .greek, "he": .hebrew, "iw": .hebrew, "ar": .arabic, "fa": .arabic,
        "ur": .arabic, "th": .thai, "pl": .central, "cs": .central, "sk": .central, "hu": .central,
        "sl": .central, "hr": .central, "ro": .central, "bs": .central, "sq": .central, "tr": .turkish,
        "az": .turkish, "zh": .chinese, "ja": .japanese, "ko": .korean,
    ]

    /// Returns iconv's name of the likeliest encoding, or nil if none fits.
    static func encoding(of bytes: [UInt8]) -> String? {
        guard let first = bytes.firstIndex(where: { $0 >= 0x80 }) else { return nil }
        // With the beginning of the word.
        let sample = bytes[max(0, first - 20)...].prefix(sampleLength)
        let language = language(of: bytes).flatMap { languages[$0] }
        var best: (name: String, score: Double)?
        for candidate in candidates {
            let text = TextDecoding.converted(sample, from: candidate.name)
            let bonus = candidate.script == language ? languageBonus : 0
            let score = score(String(decoding: text, as: UTF8.self), candidate.script) + bonus
            if score > best?.score ?? minimumScore { best = (candidate.name, score) }
        }
        return best?.name
    }

    /// Text in UTF-16 has zeros in place of the first or second byte of its tags.
    static func utf16(_ bytes: [UInt8]) -> String? {
        let head = bytes.prefix(1_000)
        let zeros = head.indices.filter { head[$0] == 0 }
        guard zeros.count * 4 > head.count else { return nil }
        let odd = zeros.count { $0 % 2 == 1 }
        return odd * 2 > zeros.count ? "UTF-16LE" : "UTF-16BE"
    }

    /// The main part of the `lang` attribute near the beginning: "ru" of `<html lang="ru-RU">`.
    private static func language(of bytes: [UInt8]) -> String? {
        let head = bytes.prefix(4_096).map(PageText.lower)
        guard let tag = head.firstRange(of: Array("<html".utf8)) else { return nil }
        let inside = head[tag.upperBound...].prefix { $0 != UInt8(ascii: ">") }
        guard let name = inside.firstRange(of: Array("lang=".utf8)) else { return nil }
        let value = inside[name.upperBound...].drop { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "'") }
        return String(decoding: value.prefix { (0x61...0x7A).contains($0) }, as: UTF8.self)
    }

    private static func score(_ text: String, _ script: Script) -> Double {
        var (sum, count, run) = (0.0, 0, 0)
        var previous: Unicode.Scalar = " "
        for scalar in text.unicodeScalars {
            defer { previous = scalar }
            guard !scalar.isASCII else {
                if run > 0, hasOwnLetters(script), isLatin(scalar) { sum -= 1 }
                run = 0
                continue
            }
            count += 1
            run += 1
            sum += worth(scalar, after: previous, run: run, script)
        }
        return count == 0 ? 0 : sum / Double(count)
    }

    /// Alphabets whose letters are never next to Latin ones.
    private static func hasOwnLetters(_ script: Script) -> Bool {
        [.cyrillic, .greek, .hebrew, .arabic, .thai].contains(script)
    }

    private static func isLatin(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII && scalar.properties.isAlphabetic
    }

    /// - Parameter run: the number of non-ASCII characters up to this one
    private static func worth(
        _ scalar: Unicode.Scalar, after previous: Unicode.Scalar, run: Int, _ script: Script
    ) -> Double {
        if scalar == "\u{FFFD}" { return -3 }
        // These are in most encodings and prove none of them.
        if punctuation.contains(scalar) { return 0.3 }
        if hasOwnLetters(script), isLatin(previous) { return -1 }
        switch script {
        case .western: return latin(scalar, westernLetters, run: run, worth: 0.65)
        case .central: return latin(scalar, centralLetters, run: run, worth: 0.64)
        case .turkish: return latin(scalar, turkishLetters, run: run, worth: 0.66)
        case .cyrillic: return alphabetic(scalar, after: previous, 0x400...0x45F, commonCyrillic)
        case .greek: return alphabetic(scalar, after: previous, 0x386...0x3CE, commonGreek)
        case .hebrew: return (0x5B0...0x5F4).contains(scalar.value) ? 0.8 : -0.6
        case .arabic:
            return commonArabic.contains(scalar) ? 1 : (0x600...0x6FF).contains(scalar.value) ? 0.4 : -0.6
        case .thai: return (0xE01...0xE5B).contains(scalar.value) ? 0.8 : -0.6
        case .japanese:
            if (0x3041...0x30FC).contains(scalar.value) { return 1 }
            return isIdeograph(scalar) ? 0.5 : isWide(scalar) ? 0.3 : -0.6
        case .chinese:
            if commonChinese.contains(scalar) { return 2 }
            return isIdeograph(scalar) ? 0.4 : isWide(scalar) ? 0.3 : -0.6
        case .korean:
            if commonKorean.contains(scalar) { return 2 }
            return (0xAC00...0xD7A3).contains(scalar.value) ? 0.4 : isWide(scalar) ? 0.3 : -0.6
        }
    }

    /// Latin text has single accented letters between plain ones.
    private static func latin(
        _ scalar: Unicode.Scalar, _ letters: Set<Unicode.Scalar>, run: Int, worth: Double
    ) -> Double {
        guard letters.contains(scalar) else { return -0.6 }
        return run > 2 ? -0.6 : worth
    }

    /// Capitals are at the beginning of words, or words consist of them.
    private static func alphabetic(
        _ scalar: Unicode.Scalar, after previous: Unicode.Scalar, _ range: ClosedRange<UInt32>,
        _ common: Set<Unicode.Scalar>
    ) -> Double {
        guard range.contains(scalar.value) else { return -0.6 }
        if common.contains(scalar) { return 1 }
        guard scalar.properties.isUppercase else { return 0.5 }
        return previous.properties.isLowercase && !previous.isASCII ? -1 : 0.4
    }

    private static func isIdeograph(_ scalar: Unicode.Scalar) -> Bool {
        (0x4E00...0x9FFF).contains(scalar.value)
    }

    /// Full-width signs.
    private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
        (0x3000...0x301F).contains(scalar.value) || (0xFF01...0xFF5E).contains(scalar.value)
    }

    private static func set(_ text: String) -> Set<Unicode.Scalar> { Set(text.unicodeScalars) }

    private static let punctuation = set("«»“”„‘’‚–—…·•\u{A0}©®™§°№€")
    private static let westernLetters = set("àâäáãåæçèéêëìíîïñòóôöõøœùúûüýÿßðþÀÂÄÁÃÅÆÇÈÉÊËÍÎÑÓÔÖÕØŒÚÛÜÞ¿¡ªº")
    private static let centralLetters = set(
        "ąćęłńóśźżáčďéěíňřšťúůýžäôľĺŕőűöüßăâîşţçëđĄĆĘŁŃÓŚŹŻÁČĎÉĚÍŇŘŠŤÚŮÝŽÄÔĽŐŰÖÜĂÂÎŞŢÇËĐ")
    private static let turkishLetters = set("çğıöşüâîûÇĞİÖŞÜ")
    private static let commonCyrillic = set("оеаинтсрвлкмдпуяы")
    private static let commonGreek = set("αοιετσνηυρπκμςλάίόέή")
    private static let commonArabic = set("اليمنوترهبدسعةفك")
    private static let commonChinese = set(
        """
        的一是不了在人有我他这这個个們们中来來上大为為和国國地到以说說时時要就出会會可也你对對生能而子那得于於\
        着著下自之年过過发發后後作里裡日本市新
        """)
    private static let commonKorean = set("이다는에의가을고한하지로기사은도를인서자대어리있스시나일해수정")
}
