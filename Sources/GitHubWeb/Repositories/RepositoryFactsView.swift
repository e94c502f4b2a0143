import Foundation
import GitHub
import RoostSupport
import RoostWeb
import TextFormats

struct RepositoryFactsView {
    let detail: RepositoryDetail
    private let now: Date
    let topicLinks: [Topic]

    init(_ detail: RepositoryDetail, now: Date) {
        self.detail = detail
        self.now = now
        topicLinks = detail.topics.map { Topic(word: $0) }
    }

    var detailStars: String { NumberText.grouped(detail.stars) }
    var detailForks: String { NumberText.grouped(detail.forks) }
    var detailIssues: String { NumberText.grouped(detail.openIssues) }
    var pushedTime: String { ISO8601.seconds(detail.pushedAt) }
    var pushedWhen: String { RelativeTime.ago(detail.pushedAt, now: now) }
    var createdTime: String { ISO8601.seconds(detail.createdAt) }
    var createdWhen: String { RelativeTime.day(detail.createdAt) }
    var homepageText: String? { detail.homepage.map(Self.short) }
    var hasTopics: Bool { !topicLinks.isEmpty }

    /// Returns for example "example.org/docs", without scheme and trailing slash.
    private static func short(_ address: String) -> String {
        let rest = address.splitBytes(at: ":", maxSplits: 1).last?.drop { $0 == "/" } ?? ""
        return String(rest.hasSuffix("/") ? rest.dropLast() : rest)
    }

    struct Topic {
        let word: String
        var topicAddress: String { "/repositories?q=\(PercentEncoding.encode("topic:\(word)"))" }
    }
}
