import Foundation
import RoostServices

/// What GitHub says of one repository, fact by fact.
struct RepositoryFactsView: ViewFields {
    private let detail: RepositoryDetail
    private let now: Date
    private let topics: [Part]

    init(_ detail: RepositoryDetail, now: Date) {
        self.detail = detail
        self.now = now
        topics = detail.topics.map { Part(Topic(word: $0)) }
    }

    func field(_ name: String) -> Any? {
        switch name {
        case "detailStars": Figure.grouped(detail.stars)
        case "detailForks": Figure.grouped(detail.forks)
        case "detailIssues": Figure.grouped(detail.openIssues)
        case "detailLanguage": detail.language
        case "detailLicence": detail.licence
        case "detailBranch": detail.defaultBranch
        case "isRowArchived": detail.archived
        case "pushedTime": AgeText.iso(detail.pushedAt)
        case "pushedWhen": AgeText.ago(detail.pushedAt, now: now)
        case "createdTime": AgeText.iso(detail.createdAt)
        case "createdWhen": AgeText.day(detail.createdAt)
        case "homepage": detail.homepage
        case "homepageText": detail.homepage.map(Self.short)
        case "parentPath": detail.parent
        case "hasTopics": !topics.isEmpty
        case "topicLinks": topics
        default: nil
        }
    }

    /// "example.org/docs": what stands before and behind says nothing.
    private static func short(_ address: String) -> String {
        let rest = address.splitBytes(at: ":", maxSplits: 1).last?.drop { $0 == "/" } ?? ""
        return String(rest.hasSuffix("/") ? rest.dropLast() : rest)
    }

    private struct Topic: ViewFields {
        let word: String

        func field(_ name: String) -> Any? {
            switch name {
            case "topicWord": word
            case "topicAddress": "/repositories?q=\(PercentEncoding.encode("topic:\(word)"))"
            default: nil
            }
        }
    }
}
