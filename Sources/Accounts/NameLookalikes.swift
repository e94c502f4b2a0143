import CICU

/// Finds names that look alike (Unicode Technical Standard 39, section 4), with ICU's data.
///
/// Create one for a few names at a time, and use it on one thread.
package struct NameLookalikes: ~Copyable {
    /// Names that Roost itself displays, as a sender or in the owners' log.
    private static let reservedNames = [
        "Roost", "Price alert", "Price alerts", "Former member", "Unknown", "You", "Draft",
        "command line",
    ]

    private let checker: OpaquePointer?

    package init() { checker = cicu_open_checker() }

    deinit { if let checker { cicu_close_checker(checker) } }

    /// The keys of a name's appearance. Two names that share a key look alike.
    ///
    /// The first key folds the letters as written: a capital "I" matches the small "l" of "OIga". The second folds the
    /// lower-case letters, so that "IDA" matches "ida".
    func keys(of name: String) -> Set<String> {
        let folded = Profile.key(name)
        return [Profile.key(skeleton(of: name)), Profile.key(skeleton(of: folded))]
    }

    package func isReserved(_ name: String) -> Bool {
        let keys = keys(of: name)
        return Self.reservedNames.contains { !self.keys(of: $0).isDisjoint(with: keys) }
    }

    /// Whether a word of the name mixes two scripts that look alike, such as Latin with one Cyrillic letter. Scripts
    /// that are commonly mixed, such as Latin and Japanese, are fine (section 5.2, Moderately Restrictive).
    func mixesScripts(_ name: String) -> Bool {
        guard let checker else { return false }
        return name.words.contains { word in
            cicu_mixes_scripts(checker, String(word), Int32(word.utf8.count)) != 0
        }
    }

    private func skeleton(of name: String) -> String {
        guard let checker else { return name }
        let text = Array(name.utf8)
        // In the data of ICU 72, one character becomes at most 18.
        var skeleton = [CChar](repeating: 0, count: 64 * (text.count + 1))
        let count = text.withUnsafeBufferPointer { text in
            text.withMemoryRebound(to: CChar.self) {
                cicu_skeleton(checker, $0.baseAddress, Int32($0.count), &skeleton, Int32(skeleton.count))
            }
        }
        guard count >= 0 else { return name }
        return String(decoding: skeleton.prefix(Int(count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
