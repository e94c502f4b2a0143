/// What is measured of each sentence of a text; most are between 0 and 1.
enum SentenceFeature: Int, CaseIterable, Sendable {
    case first, second, last
    /// How near to the beginning: halves about every three sentences.
    case early
    case opensParagraph
    /// Of 30 words 1, of 60 and more 2.
    case length
    /// Likeness to all other sentences; to those after it, less that to those before.
    case central, forward
    /// Share of its terms that the title has.
    case title
    /// "we propose", "this paper"; "we introduce"; "we show"; "a new"; "experiments", "for example".
    case proposes, announces, finds, isNew, isAside
    case question, quotes
    /// Begins with "he", "this"; with "but", "however".
    case pronoun, connector
    /// Share of what is neither letter, figure nor blank.
    case signs
}

/// A number for each feature: what was measured of a sentence, or what the features are worth.
struct FeatureVector: Sendable {
    private(set) var values = [Double](repeating: 0, count: SentenceFeature.allCases.count)

    init(_ some: [SentenceFeature: Double] = [:]) {
        for feature in SentenceFeature.allCases { values[feature.rawValue] = some[feature] ?? 0 }
    }

    subscript(feature: SentenceFeature) -> Double {
        get { values[feature.rawValue] }
        set { values[feature.rawValue] = newValue }
    }

    mutating func mark(_ feature: SentenceFeature, _ isThere: Bool) { self[feature] = isThere ? 1 : 0 }

    func product(with other: FeatureVector) -> Double {
        var sum = 0.0
        for index in values.indices { sum += values[index] * other.values[index] }
        return sum
    }
}
