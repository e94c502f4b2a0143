import GitHub

/// Links for a trending list's period or a search's order.
struct RepositoryListOptions {
    let label: String
    let modeLinks: [Link]
    let period, language: String?

    init?(_ query: RepositoriesQuery) {
        var other = query
        other.pages = 1
        switch query.list {
        case .all: return nil
        case .trending(let period, let language):
            label = "Created"
            self.period = period.rawValue
            self.language = language ?? ""
            modeLinks = RepositoryList.TrendingPeriod.allCases.map {
                other.list = .trending($0, language: language)
                return Link(text: $0.word, query: other, isCurrent: $0 == period)
            }
        case .search(let searchText, let sort):
            label = "Sort by"
            (period, language) = (nil, nil)
            modeLinks = ([nil] + RepositoryList.SearchSort.allCases).map {
                other.list = .search(query: searchText, sort: $0)
                return Link(text: $0?.word ?? "Best match", query: other, isCurrent: $0 == sort)
            }
        }
    }
    var trendingLanguage: String { language ?? "" }

    struct Link {
        let text: String
        let query: RepositoriesQuery
        let isCurrent: Bool
        var modeAddress: String { "/repositories\(query.suffix)" }
    }
}

extension RepositoryList.TrendingPeriod {
    fileprivate var word: String {
        switch self {
        case .day: "Today"
        case .week: "This week"
        case .month: "This month"
        case .year: "This year"
        }
    }
}

extension RepositoryList.SearchSort {
    fileprivate var word: String {
        switch self {
        case .stars: "Most stars"
        case .forks: "Most forks"
        case .updated: "Latest update"
        }
    }
}
