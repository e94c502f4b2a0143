import ArticleText
import RoostSupport
import RoostWeb

/// The length of a gist in forms and JSON: "automatic", "sentences-3", "words-120".
enum GistLengthChoice {
    private static let offered: [(GistLength, String)] = [
        (.automatic, "Automatic"), (.sentences(1), "One sentence"),
        (.sentences(3), "Three sentences"),
        (.sentences(5), "Five sentences"), (.words(120), "About 120 words"), (.words(250), "About 250 words"),
    ]

    /// Returns nil for blank text. Throws `RoostError.invalid(field: "length")`.
    static func read(_ text: String?) throws -> GistLength? {
        guard let text, !text.isBlank else { return nil }
        if text == "automatic" { return .automatic }
        let parts = text.splitBytes(at: "-")
        if parts.count == 2, let count = Int(parts[1]) {
            if parts[0] == "sentences", (1...50).contains(count) { return .sentences(count) }
            if parts[0] == "words", (10...2_000).contains(count) { return .words(count) }
        }
        throw RoostError.invalid(
            field: "length",
            why: "The length must be “automatic”, “sentences-3” (1 to 50) or “words-120” (10 to 2,000).")
    }

    static func text(_ length: GistLength) -> String {
        switch length {
        case .automatic: "automatic"
        case .sentences(let count): "sentences-\(count)"
        case .words(let count): "words-\(count)"
        }
    }

    static func options(chosen: GistLength) -> [SelectOption] {
        var all = offered
        if !all.contains(where: { $0.0 == chosen }) {
            switch chosen {
            case .automatic: break
            case .sentences(let count): all.append((chosen, "\(count) sentences"))
            case .words(let count): all.append((chosen, "About \(count) words"))
            }
        }
        return all.map { SelectOption(value: text($0.0), text: $0.1, isChosen: $0.0 == chosen) }
    }
}
