/// Emoji by name, as in ":tada:".
package enum EmojiNames {
    /// The emoji that a message offers first.
    package static let quick = ["👍", "❤️", "😂", "🎉", "👀", "✅"]

    /// "🎉" for "tada"; nil for an unknown name.
    package static func emoji(named name: some StringProtocol) -> String? { table[String(name)] }

    /// Shows ":bug: bug" as "🐛 bug", as GitHub does. Unknown names stay as they are.
    package static func replacingNames(in text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: ":")) else { return text }
        let parts = text.splitBytes(at: ":", omittingEmptySubsequences: false)
        var result = String(parts[0])
        var index = 1
        while index < parts.count {
            if index + 1 < parts.count, let emoji = emoji(named: parts[index]) {
                result += emoji + parts[index + 1]
                index += 2
            } else {
                result += ":" + parts[index]
                index += 1
            }
        }
        return result
    }

    /// In bytes.
    package static let maximumLength = 32

    private static let table: [String: String] = {
        var table: [String: String] = [:]
        for line in list.split(separator: "\n") {
            let fields = line.split(separator: " ").map(String.init)
            for name in fields.dropFirst() { table[name] = fields[0] }
        }
        return table
    }()

    private static let list = """
        👍 +1 thumbsup
        👎 -1 thumbsdown
        ❤️ heart
        😂 joy
        😄 smile
        😃 smiley
        😀 grinning
        😊 blush
        😉 wink
        🙂 slightly_smiling_face
        🙃 upside_down_face
        😅 sweat_smile
        🤣 rofl
        😍 heart_eyes
        🤔 thinking thinking_face
        😎 sunglasses
        😐 neutral_face
        😕 confused
        😢 cry
        😭 sob
        😡 rage
        😱 scream
        😴 sleeping
        🤯 exploding_head
        🥳 partying_face
        🤷 shrug person_shrugging
        🤦 facepalm
        🙈 see_no_evil
        🎉 tada
        👀 eyes
        ✅ white_check_mark
        ✔️ heavy_check_mark
        ❌ x
        ⚠️ warning
        ❓ question
        ❗ exclamation
        🚀 rocket
        🔥 fire
        💯 100
        👏 clap
        🙏 pray
        💪 muscle
        👋 wave
        🤝 handshake
        👌 ok_hand
        ✌️ v
        🤞 crossed_fingers
        🐛 bug
        🔧 wrench
        🔨 hammer
        🚧 construction
        🚨 rotating_light
        🔒 lock
        🔑 key
        📦 package
        📌 pushpin
        📈 chart_with_upwards_trend
        📉 chart_with_downwards_trend
        💡 bulb
        📝 memo
        📅 date calendar
        ⏰ alarm_clock
        ⏳ hourglass_flowing_sand
        ☕ coffee
        🍕 pizza
        🎂 birthday
        🍺 beer
        🌍 earth_africa
        ☀️ sunny
        🌧️ cloud_with_rain
        ⭐ star
        ✨ sparkles
        💥 boom
        💤 zzz
        💸 money_with_wings
        🐙 octopus
        🐱 cat
        🐶 dog
        🦊 fox_face
        🐢 turtle
        🤖 robot
        👻 ghost
        💀 skull
        ➕ heavy_plus_sign
        ➡️ arrow_right
        ⬆️ arrow_up
        ⬇️ arrow_down
        🆗 ok
        🆕 new
        """
}
