import GRDB
package import RoostSupport

/// The one written form of an emoji: "❤" and "❤️" are the same reaction.
enum EmojiForm {
    private static let variations: Set<Unicode.Scalar> = ["\u{FE0E}", "\u{FE0F}"]

    /// Returns Unicode's fully qualified form (UTS 51, definition 18): a variation selector after each part that would
    /// otherwise be shown as text, unless a skin tone follows.
    static func qualified(_ emoji: String) -> String {
        let scalars = emoji.unicodeScalars.filter { !variations.contains($0) }
        var result = String.UnicodeScalarView()
        for (index, scalar) in scalars.enumerated() {
            result.append(scalar)
            let next = scalars.dropFirst(index + 1).first
            let isKeycap = next == "\u{20E3}" && scalar.value < 0x80
            let isText =
                scalar.value >= 0x80 && scalar.properties.isEmoji && !scalar.properties.isEmojiPresentation
            guard isKeycap || isText, next?.properties.isEmojiModifier != true else { continue }
            result.append("\u{FE0F}")
        }
        return String(result)
    }
}

extension Migration {
    /// Counts the variants of an emoji together. A person who reacted with two of them has one reaction.
    package static let chatReactionVariants = Migration("chat: one form of each emoji") { database in
        for emoji in try String.fetchAll(database, sql: "SELECT DISTINCT emoji FROM chat_reactions") {
            let qualified = EmojiForm.qualified(emoji)
            // Swift compares characters, and these differ in their scalars.
            guard Array(qualified.utf8) != Array(emoji.utf8) else { continue }
            try database.execute(
                sql: """
                    INSERT OR IGNORE INTO chat_reactions (message_seq, user_id, emoji)
                    SELECT message_seq, user_id, ? FROM chat_reactions WHERE emoji = ?
                    """, arguments: [qualified, emoji])
            try database.execute(sql: "DELETE FROM chat_reactions WHERE emoji = ?", arguments: [emoji])
        }
    }
}
