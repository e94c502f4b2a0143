/// What the team answers to what the visitor writes; the same numbers, the same answer.
enum DemoAnswers {
    enum Subject: CaseIterable, Sendable {
        case picture, file, code, price, pullRequest, link, thanks, goodNews, trouble, meal, time, greeting,
            farewell
        case question, other
    }

    /// What a message is about: its attachment first, then its marks, then its words.
    static func subject(of text: String, file: Attachment = .none) -> Subject {
        switch file {
        case .picture: return .picture
        case .other: return .file
        case .none: break
        }
        if text.contains("```") { return .code }
        let words = words(in: text)
        if text.contains("/pull/") || !words.isDisjoint(with: ["pr", "review"]) { return .pullRequest }
        if coin(in: words) != nil || !words.isDisjoint(with: ["price", "coin"]) { return .price }
        for (subject, known) in vocabulary where !words.isDisjoint(with: known) { return subject }
        if text.contains("https://") || text.contains("http://") { return .link }
        return text.contains("?") ? .question : .other
    }

    /// What a message carries.
    enum Attachment: Sendable {
        case none, picture, other
    }

    /// An answer's text, which may be a command such as "/price bitcoin"; nil where a reaction says enough.
    static func text(
        to text: String, file: Attachment = .none, numbers: inout some RandomNumberGenerator
    ) -> String? {
        let subject = subject(of: text, file: file)
        if subject == .price, let coin = coin(in: words(in: text)) { return "/price \(coin)" }
        guard let known = answers[subject], let chosen = known.randomElement(using: &numbers) else {
            return nil
        }
        return chosen
    }

    /// The emoji with which somebody reacts first; nil for none.
    static func reaction(to text: String, file: Attachment = .none) -> String? {
        switch subject(of: text, file: file) {
        case .picture: "👀"
        case .thanks: "❤️"
        case .goodNews: "🎉"
        case .meal: "🍜"
        case .farewell: "👋"
        default: nil
        }
    }

    /// Who of these answers: whom the text names, or else one of them by chance; nil where there is nobody.
    static func respondent(
        to text: String, among people: [String], numbers: inout some RandomNumberGenerator
    ) -> String? {
        let named = words(in: text)
        return people.first(where: named.contains) ?? people.randomElement(using: &numbers)
    }

    /// Seconds of typing: longer for longer texts, within what one waits for.
    static func typing(_ text: String) -> Double { min(1 + Double(text.utf8.count) / 80, 2.5) }

    private static func words(in text: String) -> Set<String> {
        Set(text.lowercased().split { !$0.isLetter && !$0.isNumber && $0 != "'" }.map(String.init))
    }

    private static let coins = ["bitcoin", "ethereum", "solana", "dogecoin", "monero", "cardano"]

    private static func coin(in words: Set<String>) -> String? { coins.first(where: words.contains) }

    /// In the order in which they count.
    private static let vocabulary: [(Subject, Set<String>)] = [
        (.thanks, ["thanks", "thank", "thx", "cheers"]),
        (
            .trouble,
            ["bug", "broken", "crash", "crashed", "error", "fails", "failed", "failing", "wrong", "stuck"]
        ),
        (
            .goodNews,
            ["done", "works", "fixed", "merged", "shipped", "released", "ready", "finished", "passed"]
        ),
        (.meal, ["lunch", "coffee", "tea", "cake", "dinner", "breakfast", "hungry"]),
        (.time, ["when", "today", "tomorrow", "monday", "friday", "deadline", "o'clock", "meeting"]),
        (.greeting, ["hello", "hi", "hey", "morning", "moin"]),
        (.farewell, ["bye", "night", "goodbye", "weekend"]),
    ]

    private static let answers: [Subject: [String]] = [
        .picture: [
            "Nice. Is that the version of today?", "I see. The second one is clearer than the first.",
        ],
        .file: ["Thank you, I have it.", "Got it. I read it after lunch."],
        .code: [
            "That reads well. I would only name the *first* thing differently.",
            "What does it do with an empty list? Like this:\n```swift\nguard !digits.isEmpty else { return 0 }\n```",
        ],
        .price: ["Which one? I know `/price bitcoin`.", "I would not look at it more than once a day."],
        .pullRequest: [
            "I look at it right now.", "I have it open. Give me ten minutes.",
            "Two small remarks, then it can go in.",
        ],
        .link: ["I did not know that one. Thank you!", "Read it, and I agree with the second half."],
        .thanks: ["You are welcome!", "Any time."],
        .goodNews: ["Very good! I tell the others.", "That was quick."],
        .trouble: ["Since when? I can look at the log.", "Can you show me the smallest case that fails?"],
        .meal: ["I am in. Half past twelve?", "With pleasure, after this build."],
        .time: ["Friday at ten suits me.", "This afternoon, if nothing else breaks."],
        .greeting: ["Good morning! What is on your list today?", "Hello! How is the engine?"],
        .farewell: ["See you tomorrow!"],
        .question: [
            "Good question. I think so, yes.", "I am not sure: let me look it up.",
            "No, and I can say why if you like.",
        ],
        .other: [
            "I see.", "Makes sense to me.", "Noted. Shall I write that down somewhere?", "Tell me more.",
        ],
    ]
}
