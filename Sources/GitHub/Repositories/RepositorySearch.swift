import Foundation
import TextFormats

/// How lists are asked for: the paths, and what cannot be asked.
enum RepositorySearch {
    /// GitHub takes no more characters.
    private static let maximumQueryLength = 256

    static func path(of list: RepositoryList, page: Int, isPublic: Bool, now: Date) -> String {
        let words = query(of: list, now: now) + (isPublic ? " is:public" : "")
        var path = "/search/repositories?q=" + PercentEncoding.encode(words)
        switch list {
        case .search(_, let sort?): path += "&sort=\(sort.rawValue)&order=desc"
        case .trending: path += "&sort=stars&order=desc"
        default: break
        }
        return path + "&per_page=100&page=\(page)"
    }

    static func query(of list: RepositoryList, now: Date) -> String {
        switch list {
        case .all: ""
        case .search(let query, _): plain(query)
        case .trending(let period, let language):
            "created:>\(day(now - days(period) * 86_400))"
                + (word(language).map { " language:\"\($0)\"" } ?? "")
        }
    }

    /// Why it cannot be asked, in words.
    static func refusal(of list: RepositoryList) -> String? {
        guard case .search(let query, _) = list, plain(query).unicodeScalars.count > maximumQueryLength else {
            return nil
        }
        return "GitHub takes \(maximumQueryLength) characters at most."
    }

    static func isEmpty(_ list: RepositoryList) -> Bool {
        if case .search(let query, _) = list { plain(query).isEmpty } else { false }
    }

    /// What GitHub has against a query; "status 422" before it is for the log.
    static func words(_ failure: GitHubFailure) -> String {
        let prefix = "status \(failure.status): "
        let said =
            failure.detail.hasPrefix(prefix) ? failure.detail.dropFirst(prefix.count) : failure.detail[...]
        return said.allSatisfy(\.isWhitespace) ? "GitHub cannot search for this." : String(said).sanitized
    }

    private static func plain(_ query: String) -> String {
        query.sanitized.words.joined(separator: " ")
    }

    /// A language's name between quotes.
    private static func word(_ language: String?) -> String? {
        guard let language else { return nil }
        let word = plain(String(language.filter { $0 != "\"" && $0 != "\\" }.prefix(50)))
        return word.isEmpty ? nil : word
    }

    private static func days(_ period: RepositoryList.TrendingPeriod) -> TimeInterval {
        switch period {
        case .day: 1
        case .week: 7
        case .month: 30
        case .year: 365
        }
    }

    /// "2026-11-10", in UTC.
    private static func day(_ date: Date) -> String { String(ISO8601.milliseconds(date).prefix(10)) }
}
