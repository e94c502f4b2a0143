import Foundation

/// Splits text into the terms of a full-text index, and a search into the terms to look up.
///
/// Words are runs of letters and digits, folded by `SearchFolding`. Text without spaces between words (Chinese,
/// Japanese, Korean, Thai and others) is indexed by pairs of letters, so that each part of it can be found: "東京タワー"
/// has the terms 東京, 京タ, タワ and ワー, and each single letter at the same position. A search of two letters or more
/// only looks up pairs, which are much rarer than single letters.
package struct SearchTokenizer {
    package struct Token {
        /// UTF-8, except that a pair looks like one character, so that it gets no entries in indexes of prefixes.
        package let bytes: UnsafeBufferPointer<UInt8>
        /// The word or letter in the text, in bytes. Tokens do not overlap.
        package let start, end: Int
        /// The end of the second letter of a pair; else `end`.
        let matchEnd: Int
        /// Whether it has the position of the token before it.
        package let isColocated: Bool
    }

    package enum Purpose { case indexing, searching }

    /// In bytes. Marks beyond are left out.
    private static let maximumLetter = 32

    private struct Letter {
        var bytes: [UInt8] = []
        var start = 0
        var end = 0
    }

    private let purpose: Purpose
    /// Returns false to stop.
    private let emit: (Token) -> Bool
    private var isStopped = false
    private var word = Letter()
    /// The growing letter of a run without spaces, and the complete one before it.
    private var letter = Letter()
    private var previous = Letter()
    private var runLength = 0
    /// The last letter of a run in a search: needed only to keep the positions if another token follows.
    private var pending = Letter()
    private var pair: [UInt8] = []

    private init(_ purpose: Purpose, _ emit: @escaping (Token) -> Bool) {
        self.purpose = purpose
        self.emit = emit
    }

    /// Calls `emit` for each token until it returns false.
    package static func tokenize(
        _ text: UnsafeBufferPointer<UInt8>, for purpose: Purpose, _ emit: (Token) -> Bool
    ) {
        withoutActuallyEscaping(emit) { emit in
            var tokenizer = SearchTokenizer(purpose, emit)
            tokenizer.scan(text)
        }
    }

    /// Whether the text has a word to search for.
    static func hasToken(_ text: String) -> Bool {
        var hasToken = false
        var text = text
        text.withUTF8 { bytes in
            tokenize(bytes, for: .searching) { _ in
                hasToken = true
                return false
            }
        }
        return hasToken
    }

    /// Whether a word that ends with this letter may continue. Text without spaces is found without being complete.
    static func mayContinue(_ scalar: Unicode.Scalar) -> Bool {
        var mayContinue = false
        SearchFolding.shared.fold(scalar) { _, kind in
            mayContinue = kind == .letter || kind == .mark && mayContinue
        }
        return mayContinue
    }

    /// Whether the letter is of a script without spaces between words.
    package static func isUnspaced(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.value >= 0x80 else { return false }
        var isUnspaced = false
        SearchFolding.shared.fold(scalar) { _, kind in isUnspaced = isUnspaced || kind == .unspaced }
        return isUnspaced
    }

    private mutating func scan(_ text: UnsafeBufferPointer<UInt8>) {
        let folding = SearchFolding.shared
        var offset = 0
        while offset < text.count, !isStopped {
            let byte = text[offset]
            guard byte >= 0x80 else {
                switch byte {
                case 0x61...0x7A, 0x30...0x39: add(byte, at: offset)
                case 0x41...0x5A: add(byte | 0x20, at: offset)
                default: endAll()
                }
                offset += 1
                continue
            }
            let (scalar, length) = Self.decode(text, at: offset)
            let start = offset
            offset += length
            folding.fold(scalar) { folded, kind in
                switch kind {
                case .separator: endAll()
                case .ignored: break
                case .letter: add(folded, start, start + length)
                case .unspaced: addUnspaced(folded, start, start + length)
                case .mark: addMark(folded, start + length)
                }
            }
        }
        if !isStopped { endAll() }
    }

    /// Reads one code point; damaged bytes are read one by one as replacement characters.
    private static func decode(
        _ text: UnsafeBufferPointer<UInt8>, at offset: Int
    ) -> (scalar: Unicode.Scalar, length: Int) {
        let first = UInt32(text[offset])
        let (length, bits): (Int, UInt32) =
            first >= 0xF0 ? (4, first & 0x07) : first >= 0xE0 ? (3, first & 0x0F) : (2, first & 0x1F)
        guard first >= 0xC2, offset + length <= text.count else { return ("\u{FFFD}", 1) }
        var value = bits
        for index in (offset + 1)..<(offset + length) {
            guard text[index] & 0xC0 == 0x80 else { return ("\u{FFFD}", 1) }
            value = value << 6 | UInt32(text[index] & 0x3F)
        }
        guard let scalar = Unicode.Scalar(value) else { return ("\u{FFFD}", 1) }
        return (scalar, length)
    }

    private mutating func add(_ byte: UInt8, at offset: Int) {
        if word.bytes.isEmpty {
            endRun()
            word.start = offset
        }
        word.bytes.append(byte)
        word.end = offset + 1
    }

    private mutating func add(_ scalar: Unicode.Scalar, _ start: Int, _ end: Int) {
        if word.bytes.isEmpty {
            endRun()
            word.start = start
        }
        word.bytes.append(contentsOf: scalar.utf8)
        word.end = end
    }

    private mutating func addUnspaced(_ scalar: Unicode.Scalar, _ start: Int, _ end: Int) {
        endWord()
        endLetter()
        letter.bytes.append(contentsOf: scalar.utf8)
        (letter.start, letter.end) = (start, end)
        runLength += 1
    }

    private mutating func addMark(_ scalar: Unicode.Scalar, _ end: Int) {
        if !word.bytes.isEmpty {
            word.bytes.append(contentsOf: scalar.utf8)
            word.end = end
        } else if !letter.bytes.isEmpty, letter.bytes.count < Self.maximumLetter {
            letter.bytes.append(contentsOf: scalar.utf8)
            letter.end = end
            // A voiced kana in two code points, as in names of files from macOS.
            if scalar.value == 0x3099 || scalar.value == 0x309A {
                let composed = String(decoding: letter.bytes, as: UTF8.self)
                    .precomposedStringWithCanonicalMapping
                letter.bytes = Array(composed.utf8)
            }
        }
    }

    private mutating func endAll() {
        endWord()
        endRun()
    }

    private mutating func endWord() {
        guard !word.bytes.isEmpty else { return }
        send(word)
        word.bytes.removeAll(keepingCapacity: true)
    }

    /// Completes the growing letter, and sends its pair with the one before.
    private mutating func endLetter() {
        guard !letter.bytes.isEmpty else { return }
        Self.joinCharacters(&letter.bytes, from: 1)
        if !previous.bytes.isEmpty {
            pair.removeAll(keepingCapacity: true)
            pair.append(contentsOf: previous.bytes)
            pair.append(contentsOf: letter.bytes)
            Self.joinCharacters(&pair, from: previous.bytes.count)
            send(pair, previous.start, previous.end, matchEnd: letter.end)
            if purpose == .indexing { send(previous, isColocated: true) }
        }
        swap(&previous, &letter)
        letter.bytes.removeAll(keepingCapacity: true)
    }

    private mutating func endRun() {
        guard runLength > 0 else { return }
        endLetter()
        if purpose == .indexing || runLength == 1 { send(previous) } else { pending = previous }
        previous.bytes.removeAll(keepingCapacity: true)
        runLength = 0
    }

    private mutating func send(_ letter: Letter, isColocated: Bool = false) {
        send(letter.bytes, letter.start, letter.end, matchEnd: letter.end, isColocated: isColocated)
    }

    private mutating func send(
        _ bytes: [UInt8], _ start: Int, _ end: Int, matchEnd: Int, isColocated: Bool = false
    ) {
        guard !isStopped else { return }
        if !pending.bytes.isEmpty {
            let last = pending
            pending = Letter()
            send(last)
        }
        isStopped = bytes.withUnsafeBufferPointer {
            !emit(Token(bytes: $0, start: start, end: end, matchEnd: matchEnd, isColocated: isColocated))
        }
    }

    /// Turns the first bytes of characters after the first one into continuation bytes. The result is as unique as the
    /// text, because the first byte still tells the length.
    private static func joinCharacters(_ bytes: inout [UInt8], from start: Int) {
        for index in start..<bytes.count where bytes[index] >= 0xC0 {
            bytes[index] = 0x80 | bytes[index] & 0x3F
        }
    }
}
