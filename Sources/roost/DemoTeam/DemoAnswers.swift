/// The team's answers to the visitor's messages; the same random numbers give the same answer.
enum DemoAnswers {
    enum Subject: CaseIterable, Sendable {
        case picture, file, code, price, pullRequest, link, thanks, goodNews, problem, meal, time, greeting,
            farewell
        case question, other
    }

    /// Returns a message's topic, judged by its attachment first, then by code fences, then by words.
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
        for (subject, keywords) in vocabulary where !words.isDisjoint(with: keywords) { return subject }
        if text.contains("https://") || text.contains("http://") { return .link }
        return text.contains("?") ? .question : .other
    }

    enum Attachment: Sendable {
        case none, picture, other
    }

    /// Returns an answer, which may be a command such as "/price bitcoin", or nil if a reaction is enough.
    static func text(
        to text: String, file: Attachment = .none, numbers: inout some RandomNumberGenerator
    ) -> String? {
        let subject = subject(of: text, file: file)
        if subject == .price, let coin = coin(in: words(in: text)) { return "/price \(coin)" }
        guard let choices = answers[subject], let chosen = choices.randomElement(using: &numbers) else {
            return nil
        }
        return chosen
    }

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

    /// Returns the first person whose name is in the text, else a random one, or nil if `people` is empty.
    static func respondent(
        to text: String, among people: [String], numbers: inout some RandomNumberGenerator
    ) -> String? {
        let named = words(in: text)
        return people.first(where: named.contains) ?? people.randomElement(using: &numbers)
    }

    /// Returns seconds of typing: more for longer texts, up to 2.5.
    static func typing(_ text: String) -> Double { min(1 + Double(text.utf8.count) / 80, 2.5) }

    private static func words(in text: String) -> Set<String> {
        Set(text.lowercased().split { !$0.isLetter && !$0.isNumber && $0 != "'" }.map(String.init))
    }

    private static let coins = ["bitcoin", "ethereum", "solana", "dogecoin", "monero", "cardano"]

    private static func coin(in words: Set<String>) -> String? { coins.first(where: words.contains) }

    /// In order of priority.
    private static let vocabulary: [(Subject, Set<String>)] = [
        (.thanks, ["thanks", "thank", "thx", "cheers"]),
        (
            .problem,
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
            "Nice. Is that today's version?", "I see. The second one is clearer than the first.",
        ],
        .file: ["Thanks, got it.", "Got it. I'll read it after lunch."],
        .code: [
            "That reads well. I would only name the *first* thing differently.",
            "What does it do with an empty list? Like this:\n```swift\nguard !digits.isEmpty else { return 0 }\n```",
        ],
        .price: ["Which one? I know `/price bitcoin`.", "I would not look at it more than once a day."],
        .pullRequest: [
            "I'm looking at it now.", "I have it open. Give me ten minutes.",
            "Two small comments, then it can go in.",
        ],
        .link: ["I did not know that one. Thank you!", "Read it, and I agree with the second half."],
        .thanks: ["You are welcome!", "Any time."],
        .goodNews: ["Great! I'll tell the others.", "That was quick."],
        .problem: ["Since when? I can look at the log.", "Can you show me the smallest case that fails?"],
        .meal: ["I am in. Half past twelve?", "With pleasure, after this build."],
        .time: ["Friday at ten suits me.", "This afternoon, if nothing else breaks."],
        .greeting: ["Good morning! What is on your list today?", "Hello! How is the engine?"],
        .farewell: ["See you tomorrow!"],
        .question: [
            "Good question. I think so, yes.", "I am not sure: let me look it up.",
            "No, and I can explain why if you like.",
        ],
        .other: [
            "I see.", "Makes sense to me.", "Noted. Shall I write that down somewhere?", "Tell me more.",
        ],
    ]
}
