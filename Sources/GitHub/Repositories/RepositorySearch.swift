import Foundation
import TextFormats

/// The paths of searches, and the queries that GitHub rejects.
enum RepositorySearch {
    /// GitHub's limit.
    private static let maximumQueryLength = 256

    static func path(of list: RepositoryList, page: Int, isPublic: Bool, now: Date) -> String {
        let text = query(of: list, now: now) + (isPublic ? " is:public" : "")
        var path = "/search/repositories?q=" + PercentEncoding.encode(text)
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

    /// Why GitHub would reject the query, as a message.
    static func refusal(of list: RepositoryList) -> String? {
        guard case .search(let query, _) = list, plain(query).unicodeScalars.count > maximumQueryLength else {
            return nil
        }
        return "A search can have at most \(maximumQueryLength) characters."
    }

    static func isEmpty(_ list: RepositoryList) -> Bool {
        if case .search(let query, _) = list { plain(query).isEmpty } else { false }
    }

    /// GitHub's message about a query, without the log's "status 422".
    static func message(of failure: GitHubFailure) -> String {
        let prefix = "status \(failure.status): "
        let text =
            failure.detail.hasPrefix(prefix) ? failure.detail.dropFirst(prefix.count) : failure.detail[...]
        return text.allSatisfy(\.isWhitespace) ? "GitHub cannot search for this." : String(text).sanitized
    }

    private static func plain(_ query: String) -> String {
        query.sanitized.words.joined(separator: " ")
    }

    /// Removes characters that would end the quotes around a language.
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
