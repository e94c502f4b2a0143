/// One of the colours of letters that are shown in place of a picture.
enum Tone {
    private static let count: UInt32 = 10

    /// Always the same for a key; keys that are numbers in a row have different ones.
    ///
    /// - Parameter key: a user's id, a login, a coin's id
    static func of(_ key: String) -> Int {
        // Swift's own hashes differ in each run.
        Int(key.utf8.reduce(UInt32(7)) { $0 &* 31 &+ UInt32($1) } % count)
    }
}
