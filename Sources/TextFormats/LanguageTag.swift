package enum LanguageTag {
    private static let rightToLeft: Set<String> = [
        "ar", "arc", "ckb", "dv", "fa", "he", "iw", "ks", "ku", "ps", "sd", "syr", "ug", "ur", "yi",
    ]

    /// Returns the code with hyphens, or nil if it is not a valid language code.
    package static func checked(_ code: String?) -> String? {
        guard let code = code?.replacingBytes(of: "_", with: "-"), code.utf8.count <= 35 else { return nil }
        let parts = code.splitBytes(at: "-", omittingEmptySubsequences: false)
        guard let first = parts.first, (2...8).contains(first.utf8.count), first.utf8.allSatisfy(isLetter),
            parts.dropFirst().allSatisfy({
                (1...8).contains($0.utf8.count) && $0.utf8.allSatisfy { isLetter($0) || $0 &- 0x30 < 10 }
            })
        else { return nil }
        return code
    }

    /// False if the language is written in Latin letters.
    package static func isRightToLeft(_ code: String?) -> Bool {
        let parts = checked(code)?.lowercased().splitBytes(at: "-").map(String.init) ?? []
        return parts.first.map(rightToLeft.contains) == true && !parts.dropFirst().contains("latn")
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- UInt8(ascii: "a") < 26 }
}
