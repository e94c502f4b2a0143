import Foundation
import GitHub
import RoostSupport
import RoostWeb
import TextFormats

/// `GET /api/v1/pulls`. Unknown fields are omitted.
struct InboxJSON: Codable {
    let sections: [SectionJSON]
    let sources: [SourceJSON]
    let hidden: [HiddenJSON]
    let waiting: Int

    init(_ inbox: Inbox) {
        sections = inbox.sections.map { SectionJSON($0, in: inbox) }
        sources = inbox.sources.map(SourceJSON.init)
        hidden = inbox.hidden.map(HiddenJSON.init)
        waiting = inbox.waiting
    }

    struct SectionJSON: Codable {
        let id: String
        let name: String
        let items: [ItemJSON]
        let total: Int?
        let isCut: Bool
        let problem: String?

        init(_ section: InboxSection, in inbox: Inbox) {
            id = section.id
            name = section.name
            items = section.items.map { ItemJSON($0, in: inbox) }
            total = section.total
            isCut = section.isCut
            problem = section.problem
        }
    }

    struct HiddenJSON: Codable {
        let key: String
        let mark: String
        /// A time or "change"; nil unless the pull request is snoozed.
        let until: String?
        let markedAt: String
        let title: String?

        init(_ item: HiddenItem) {
            key = item.key.description
            mark = item.mark.act
            let isSnoozed = item.mark.act == "snooze"
            until = item.mark.until.map(ISO8601.seconds) ?? (isSnoozed ? "change" : nil)
            markedAt = ISO8601.seconds(item.markedAt)
            title = item.pull?.title
        }
    }

    struct SourceJSON: Codable {
        let host: String
        let login: String
        let state: String
        let authentication: AuthenticationState
        let error: UpstreamErrorJSON?
        let updatedAt: String?
        let nextTryAt: String?
        let budget: BudgetJSON?
        /// When slower or paused refreshing ends. Roost leaves a fifth of the rate limit to the user's other tools.
        let slowedUntil: String?
        let pausedUntil: String?
        let lessDetail: Bool
        let incomplete: Bool
        let refused: Int
        let refusedAccess: Int

        init(_ source: InboxSource) {
            host = source.host
            login = source.login
            state = source.loading.name
            authentication = source.authentication
            error = source.error.map { UpstreamErrorJSON($0, source: "GitHub") }
            updatedAt = source.updatedAt.map(ISO8601.seconds)
            nextTryAt = source.nextTryAt.map(ISO8601.seconds)
            budget = source.budget.map(BudgetJSON.init)
            switch source.pace {
            case .normal: (slowedUntil, pausedUntil) = (nil, nil)
            case .slowed(let until): (slowedUntil, pausedUntil) = (ISO8601.seconds(until), nil)
            case .paused(let until): (slowedUntil, pausedUntil) = (nil, ISO8601.seconds(until))
            }
            lessDetail = source.hasLessDetail
            incomplete = source.isIncomplete
            refused = source.refused
            refusedAccess = source.hiddenByGitHub
        }
    }

    struct BudgetJSON: Codable {
        let resource: String
        let limit: Int
        let remaining: Int
        let resetAt: String

        init(_ budget: RateBudget) {
            resource = budget.resource
            limit = budget.limit
            remaining = budget.remaining
            resetAt = ISO8601.seconds(budget.resetAt)
        }
    }
}

extension LoadingState {
    var name: String {
        switch self {
        case .idle: "idle"
        case .loading: "loading"
        case .loaded: "loaded"
        case .failed: "failed"
        }
    }
}
