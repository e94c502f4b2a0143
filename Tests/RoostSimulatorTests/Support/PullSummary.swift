import Foundation

@testable import RoostSimulator

/// The facts about one pull request, for tests that count independently.
struct PullSummary: Sendable {
    /// "lovelace-labs/loom#3"
    let key: String
    let title: String
    let body: String
    let author: String?
    let owner: String
    let isPrivate: Bool
    let state: String
    let isDraft: Bool
    let decision: String?
    let checks: String?
    let head: String
    let labels: [String]
    let assignees: [String]
    /// Logins, and teams as "org/team".
    let requested: [String]
    let reviewers: [String]
    /// Including those in threads.
    let comments: [(author: String, text: String)]
    let commentCount: Int
    /// In GitHub's format, to the second.
    let created: String
    let updated: String
    let closed: String?
    let merged: String?

    init(_ pull: SimulatedPull, at now: Int) {
        func time(_ moment: Int) -> String { "\(Timestamp.text(moment).dropLast(5))Z" }
        (key, title, body) = (pull.key, pull.title, pull.body)
        author = pull.author?.login
        (owner, isPrivate) = (pull.repository.owner, pull.repository.isPrivate)
        (state, isDraft, decision) = (pull.state.rawValue, pull.isDraft, pull.reviewDecision)
        (checks, head) = (pull.checks.state(at: now), pull.head.oid)
        labels = pull.labels.map(\.name)
        assignees = pull.assignees.map(\.login)
        requested = pull.requests.map { request in
            switch request.reviewer {
            case .person(let person): person.login
            case .team(let team): team.combinedSlug
            }
        }
        reviewers = pull.reviews.map(\.author.login)
        comments = (pull.comments + pull.threads.flatMap(\.comments)).map { ($0.author.login, $0.text) }
        commentCount = pull.commentCount
        (created, updated) = (time(pull.createdAt), time(pull.updatedAt))
        closed = pull.endedAt.map(time)
        merged = pull.state == .merged ? closed : nil
    }

    func mentions(_ login: String) -> Bool {
        ([body] + comments.map(\.text)).contains { $0.contains("@\(login)") }
    }

    /// Whether the user's review is requested, by name or through a team.
    func requestsReview(of login: String) -> Bool {
        requested.contains(login)
            || SimulatedCast.teams(of: login).contains { requested.contains($0.combinedSlug) }
    }
}

extension TestGitHub {
    /// All pull requests of the world, open or not.
    func facts() -> [PullSummary] {
        let moment = simulation.world.moment()
        return moment.pulls.map { PullSummary($0, at: moment.now) }
    }

    /// The keys that a search finds, from all of its pages.
    func found(_ query: String, token: String? = nil) throws -> [String] {
        let text = query.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        var keys: [String] = []
        for page in 1...10 {
            simulation.setRemaining(30, of: "search", to: "ada")
            let answer = ask("/search/issues?q=\(text)&per_page=100&page=\(page)", token: token)
            let items = try answer.object.objects("items")
            keys += items.compactMap { Self.key($0.text("html_url") ?? "") }
            if items.count < 100 { break }
        }
        return keys
    }

    /// The key in the address of a pull request's page.
    static func key(_ url: String) -> String {
        url.replacing("http://github.test/", with: "").replacing("/pull/", with: "#")
    }
}
