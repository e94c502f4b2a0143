/// Under which head a repository stands.
struct RepositoryGroupHead: Equatable, Hashable, Sendable {
    package let id: String
    package let title: String
    /// Where it stands among the others; languages stand by their sizes, and all have the same.
    package let rank: Int

    /// The smallest number of stars of each band but the lowest.
    static let bands = [100_000, 10_000, 1_000, 100, 10]

    private init(_ id: String, _ title: String, _ rank: Int = 0) {
        self.id = id
        self.title = title
        self.rank = rank
    }

    package init(of item: some RepositoryListable, by grouping: GroupingOption) {
        self =
            switch grouping {
            case .none: Self.all
            case .ownerType: Self.owner(item.ownerType)
            case .forkStatus: Self.fork(item.isFork)
            case .language: Self.language(isKnown: item.facts != nil, item.facts?.language)
            case .starCount: Self.stars(item.facts?.stars)
            }
    }

    /// Which of two heads stands first, given how many rows each has.
    static func precedes(
        _ left: (head: Self, count: Int), _ right: (head: Self, count: Int)
    ) -> Bool {
        if left.head.rank != right.head.rank { return left.head.rank < right.head.rank }
        if left.count != right.count { return left.count > right.count }
        return left.head.id < right.head.id
    }

    static let all = Self("all", "")

    static func owner(_ kind: Owner.Kind?) -> Self {
        switch kind {
        case .user: Self("owner-user", "People", 0)
        case .organization: Self("owner-organization", "Organisations", 1)
        case nil: Self("owner-unknown", "Owner not known yet", 2)
        }
    }

    static func fork(_ isFork: Bool?) -> Self {
        switch isFork {
        case false: Self("fork-no", "Not forked", 0)
        case true: Self("fork-yes", "Forks", 1)
        case nil: Self("fork-unknown", "Not known yet", 2)
        }
    }

    /// "No language" is no language's name in an id: those are all behind "language-".
    static func language(isKnown: Bool, _ language: String?) -> Self {
        guard isKnown else { return Self("unknown-language", "Language not known yet", 2) }
        guard let language else { return Self("no-language", "No language", 1) }
        return Self("language-" + slug(language), language)
    }

    static func stars(_ stars: Int?) -> Self {
        guard let stars else { return Self("stars-unknown", "Stars not known yet", bands.count + 1) }
        guard let place = bands.firstIndex(where: { stars >= $0 }) else {
            return Self("stars-0", "Fewer than 10 stars", bands.count)
        }
        return Self("stars-\(bands[place])", "\(grouped(bands[place])) stars and more", place)
    }

    /// "100,000".
    private static func grouped(_ number: Int) -> String {
        number < 1_000 ? "\(number)" : "\(number / 1_000),000"
    }

    /// Letters and figures in lower case; any other byte as `_2b`, so that C, C++ and C# are three.
    private static func slug(_ text: String) -> String {
        var slug = ""
        for byte in text.lowercased().utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                slug.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                slug += "_" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
            }
        }
        return slug
    }
}
