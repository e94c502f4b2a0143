/// Titles and comments of the simulated pull requests, some of them deliberately awkward.
enum PullTexts {
    static func title(_ dice: SeededRandom, isBot: Bool) -> String {
        if isBot {
            let library = pick(libraries, dice, 1)
            return "Bump \(library) from \(version(dice, 2)) to \(version(dice, 5))"
        }
        // One in forty is awkward: long, right to left, or full of HTML characters.
        if dice.index(9, below: 40) == 0 { return pick(edgeCaseTitles, dice, 8) }
        return "\(pick(verbs, dice, 1)) \(pick(subjects, dice, 2)) \(pick(conditions, dice, 3))"
    }

    static func body(_ dice: SeededRandom, mentioning login: String?) -> String {
        let thanks = login.map { "\n\ncc @\($0) for the part on \(pick(subjects, dice, 12))." } ?? ""
        return "\(pick(comments, dice, 11))\(thanks)"
    }

    static func comment(_ dice: SeededRandom, _ turn: UInt64) -> String { pick(comments, dice, turn) }

    private static func version(_ dice: SeededRandom, _ roll: UInt64) -> String {
        let minor = dice.index(roll + 1, below: 20)
        return "\(1 + dice.index(roll, below: 9)).\(minor).\(dice.index(roll + 2, below: 9))"
    }

    private static func pick(_ list: [String], _ dice: SeededRandom, _ roll: UInt64) -> String {
        list[dice.index(roll, 77, below: list.count)]
    }

    private static let verbs = [
        "Fix", "Simplify", "Speed up", "Document", "Add tests for", "Rework", "Remove", "Guard", "Rename",
        "Cache", "Log", "Retry",
    ]
    private static let subjects = [
        "the parser", "session expiry", "carry propagation", "the tide tables", "connection reuse",
        "time zones", "the card reader", "leap seconds", "back-off", "the tile cache", "empty answers",
        "paging", "the release notes", "push notifications", "migration 42",
    ]
    private static let conditions = [
        "on slow networks", "in the scheduler", "for right-to-left text", "without a lock", "under load",
        "on start", "after a restart", "in the sidebar", "for Enterprise hosts", "behind a proxy",
        "when the disk is full", "on the first of March",
    ]
    private static let libraries = [
        "actions/checkout", "libsodium", "sqlite", "@types/node", "openssl", "lodash", "swift-nio", "serde",
    ]
    private static let comments = [
        "Looks right to me; one question below.", "Could this be a separate commit?",
        "Done in the last push.",
        "I measured it: 12 % faster on the large fixture.", "This fails for me on arm64.", "Thank you! 🎉",
        "Why not keep the old name for a release?", "The second test never fails, even with the fix removed.",
        "Rebased.", "Agreed, changed.",
    ]
    private static let edgeCaseTitles = [
        "WIP: <script>alert('x')</script> & \"quotes\" in titles must stay text",
        "إصلاح اتجاه النص في لوحة المعلومات", "修复：在高负载下丢失更新 (#1234)",
        "Make every single one of the very long titles that people write into pull requests wrap or end "
            + "decently on a narrow telephone, instead of pushing the buttons off the right edge of the page",
        "🐛🔥 fix fix fix", "Revert \"Revert \"Speed up the tile cache\"\"",
    ]
}
