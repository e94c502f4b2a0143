/// The one folding of full-text indexes and filters: what is equal here is found, however it is written.
///
/// Ignores case, accents of Latin and Greek letters, Arabic and Hebrew vowel signs, soft hyphens and joiners; folds
/// ligatures, wide and circled forms (Unicode's NFKD), "ß" to "ss", "ё" to "е", and Arabic letters that are typed in
/// several ways. Keeps marks that are letters of their script, as in Hindi, Thai and Japanese.
struct SearchFolding {
    enum Kind: UInt16 {
        /// Ends a word: punctuation, symbols and spaces.
        case separator
        /// Has no effect, not even as the end of a word.
        case ignored
        case letter
        /// A letter of a script without spaces between words, such as Chinese, Japanese and Thai.
        case unspaced
        /// Belongs to the letter before it.
        case mark
    }

    static let shared = SearchFolding()

    private static let tableSize: UInt32 = 0x10000
    private static let firstExpansion: UInt16 = 5

    /// For each code point of the Basic Multilingual Plane the raw value of its kind if it stays as it is, or
    /// `firstExpansion` plus an index.
    private var codes = [UInt16](repeating: Kind.separator.rawValue, count: Int(SearchFolding.tableSize))
    private var expansions: [[Unicode.Scalar]] = []
    /// Code points of other planes, which are rare: their kinds in order, and what they fold to.
    private var otherKinds: [(range: ClosedRange<UInt32>, kind: Kind)] = []
    private var otherExpansions: [UInt32: [Unicode.Scalar]] = [:]

    private init() {
        add(SearchFoldingTable.letters, .letter)
        add(SearchFoldingTable.unspaced, .unspaced)
        add(SearchFoldingTable.marks, .mark)
        add(SearchFoldingTable.ignored, .ignored)
        otherKinds.sort { $0.range.lowerBound < $1.range.lowerBound }
        addExpansions()
    }

    private mutating func add(_ table: String, _ kind: Kind) {
        for item in table.utf8.split(separator: UInt8(ascii: " ")) {
            let (first, last, _) = Self.range(item)
            guard first < Self.tableSize else {
                otherKinds.append((first...last, kind))
                continue
            }
            for value in first...last { codes[Int(value)] = kind.rawValue }
        }
    }

    private mutating func addExpansions() {
        for item in SearchFoldingTable.folded.utf8.split(separator: UInt8(ascii: " ")) {
            let fields = item.split(separator: UInt8(ascii: ":"))
            let (first, last, step) = Self.range(fields[0])
            let target = fields[1].split(separator: UInt8(ascii: "+")).map(Self.number)
            for value in stride(from: first, through: last, by: step) {
                let moved = value - first
                let scalars = target.compactMap { Unicode.Scalar($0 + moved) }
                if value < Self.tableSize {
                    codes[Int(value)] = Self.firstExpansion + UInt16(expansions.count)
                    expansions.append(scalars)
                } else {
                    otherExpansions[value] = scalars
                }
            }
        }
    }

    private static func range(_ item: Substring.UTF8View) -> (first: UInt32, last: UInt32, step: Int) {
        let ends = item.split { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "/") }
        let first = number(ends[0])
        return (first, ends.count > 1 ? number(ends[1]) : first, item.contains(UInt8(ascii: "/")) ? 2 : 1)
    }

    private static func number(_ digits: Substring.UTF8View) -> UInt32 {
        digits.reduce(0) {
            $0 << 4 | UInt32($1 >= UInt8(ascii: "A") ? $1 - UInt8(ascii: "A") + 10 : $1 - 0x30)
        }
    }

    /// Calls `body` for each folded code point, or once with the code point itself if it has no letters.
    @inline(__always)
    func fold(_ scalar: Unicode.Scalar, _ body: (Unicode.Scalar, Kind) -> Void) {
        if scalar.value < 0x80 { return foldASCII(scalar, body) }
        guard scalar.value < Self.tableSize else { return foldOther(scalar, body) }
        let code = codes[Int(scalar.value)]
        if let kind = Kind(rawValue: code) { return body(scalar, kind) }
        for folded in expansions[Int(code - Self.firstExpansion)] { body(folded, kind(of: folded)) }
    }

    @inline(__always)
    private func foldASCII(_ scalar: Unicode.Scalar, _ body: (Unicode.Scalar, Kind) -> Void) {
        switch UInt8(scalar.value) {
        case 0x41...0x5A: body(Unicode.Scalar(UInt8(scalar.value) | 0x20), .letter)
        case 0x61...0x7A, 0x30...0x39: body(scalar, .letter)
        default: body(scalar, .separator)
        }
    }

    private func foldOther(_ scalar: Unicode.Scalar, _ body: (Unicode.Scalar, Kind) -> Void) {
        guard let expansion = otherExpansions[scalar.value] else {
            return body(scalar, otherKind(of: scalar))
        }
        for folded in expansion { body(folded, kind(of: folded)) }
    }

    private func otherKind(of scalar: Unicode.Scalar) -> Kind {
        var (low, high) = (0, otherKinds.count)
        while low < high {
            let middle = (low + high) / 2
            let (range, kind) = otherKinds[middle]
            if range.contains(scalar.value) { return kind }
            if scalar.value < range.lowerBound { high = middle } else { low = middle + 1 }
        }
        return .separator
    }

    /// The kind of a folded code point.
    private func kind(of folded: Unicode.Scalar) -> Kind {
        if folded.value < 0x80 { return .letter }
        return folded.value < Self.tableSize
            ? Kind(rawValue: codes[Int(folded.value)]) ?? .letter : otherKind(of: folded)
    }
}
