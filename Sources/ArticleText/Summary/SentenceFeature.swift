/// The features of a sentence; most are between 0 and 1.
enum SentenceFeature: Int, CaseIterable, Sendable {
    case first, second, last
    /// Decreases with the distance from the beginning: halves about every three sentences.
    case early
    case opensParagraph
    /// 1 for 30 words, up to 2 for 60 or more.
    case length
    /// Similarity to all other sentences; similarity to later sentences minus that to earlier ones.
    case central, forward
    /// The share of its terms that are in the title.
    case title
    /// Such as "we propose", "this paper"; "we introduce"; "we show"; "a new"; "experiments", "for example".
    case proposes, announces, finds, isNew, isAside
    case question, quotes
    /// Begins with a word such as "he" or "this"; such as "but" or "however".
    case pronoun, connector
    /// The share of characters that are neither letters, digits nor spaces.
    case signs
}

/// A number for each feature: a sentence's values or the weights.
struct FeatureVector: Sendable {
    private(set) var values = [Double](repeating: 0, count: SentenceFeature.allCases.count)

    init(_ some: [SentenceFeature: Double] = [:]) {
        for feature in SentenceFeature.allCases { values[feature.rawValue] = some[feature] ?? 0 }
    }

    subscript(feature: SentenceFeature) -> Double {
        get { values[feature.rawValue] }
        set { values[feature.rawValue] = newValue }
    }

    mutating func mark(_ feature: SentenceFeature, _ isPresent: Bool) { self[feature] = isPresent ? 1 : 0 }

    func product(with other: FeatureVector) -> Double {
        var sum = 0.0
        for index in values.indices { sum += values[index] * other.values[index] }
        return sum
    }
}
