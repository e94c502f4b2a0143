import Foundation
import RoostSimulator

/// What GraphQL tells of one pull request, for tests that count by themselves.
struct PullFacts: Sendable {
    /// "lovelace-labs/loom#3"
    let key: String
    let title: String
    let body: String
    let author: String?
    let isBot: Bool
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
    let asked: [String]
    let reviewers: [String]
    /// In threads too.
    let comments: [(author: String, text: String)]
    let commentCount: Int
    /// As GitHub writes moments, to the second.
    let created: String
    let updated: String
    let closed: String?
    let merged: String?

    static let fields = """
        number title body url state isDraft reviewDecision headRefOid totalCommentsCount
        createdAt updatedAt closedAt mergedAt
        author { __typename login } repository { nameWithOwner isPrivate owner { login } }
        assignees(first: 9) { nodes { login } } labels(first: 20) { nodes { name } }
        reviews(first: 100) { nodes { author { login } } } statusCheckRollup { state }
        comments(first: 100) { nodes { author { login } body } }
        reviewThreads(first: 100) { nodes { comments(first: 100) { nodes { author { login } body } } } }
        reviewRequests(first: 20) { nodes { requestedReviewer {
          ... on User { login } ... on Bot { login } ... on Team { combinedSlug } } } }
        """

    init(_ pull: [String: Any]) {
        let repository = pull.object("repository")
        key = "\(repository.text("nameWithOwner") ?? "")#\(Int(pull.number("number") ?? 0))"
        (title, body) = (pull.text("title") ?? "", pull.text("body") ?? "")
        author = pull.object("author").text("login")
        isBot = pull.object("author").text("__typename") == "Bot"
        owner = repository.object("owner").text("login") ?? ""
        isPrivate = repository["isPrivate"] as? Bool ?? false
        state = pull.text("state") ?? ""
        isDraft = pull["isDraft"] as? Bool ?? false
        decision = pull.text("reviewDecision")
        checks = pull.object("statusCheckRollup").text("state")
        head = pull.text("headRefOid") ?? ""
        labels = pull.object("labels").texts("name")
        assignees = pull.object("assignees").texts("login")
        asked = pull.object("reviewRequests").objects("nodes").compactMap {
            let reviewer = $0.object("requestedReviewer")
            return reviewer.text("login") ?? reviewer.text("combinedSlug")
        }
        reviewers = pull.object("reviews").objects("nodes").compactMap { $0.object("author").text("login") }
        let threads = pull.object("reviewThreads").objects("nodes").flatMap {
            $0.object("comments").objects("nodes")
        }
        comments = (pull.object("comments").objects("nodes") + threads).map {
            ($0.object("author").text("login") ?? "", $0.text("body") ?? "")
        }
        commentCount = Int(pull.number("totalCommentsCount") ?? 0)
        (created, updated) = (pull.text("createdAt") ?? "", pull.text("updatedAt") ?? "")
        (closed, merged) = (pull.text("closedAt"), pull.text("mergedAt"))
    }

    func mentions(_ login: String) -> Bool {
        ([body] + comments.map(\.text)).contains { $0.contains("@\(login)") }
    }

    /// Asked by name or through a team.
    func asks(_ login: String) -> Bool {
        asked.contains(login) || SimulatedCast.teams(of: login).contains { asked.contains($0.combinedSlug) }
    }
}

extension TestGitHub {
    /// Everything that the world holds, open or not.
    func facts() throws -> [PullFacts] {
        let ids = simulation.world.moment().pulls.map { "PR_sim\($0.id)" }
        let query = "query($ids: [ID!]!) { nodes(ids: $ids) { ... on PullRequest { \(PullFacts.fields) } } }"
        // No more than a hundred at once.
        return try stride(from: 0, to: ids.count, by: 100).flatMap { begin in
            let some = Array(ids[begin..<min(begin + 100, ids.count)])
            return try data(query, ["ids": some]).objects("nodes").map { PullFacts($0) }
        }
    }

    /// The keys that a search finds, from all of its pages.
    func found(_ query: String, token: String? = nil) throws -> [String] {
        let text = query.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        var keys: [String] = []
        for page in 1...10 {
            simulation.leave(30, of: "search", to: "ada")
            let answer = ask("/search/issues?q=\(text)&per_page=100&page=\(page)", token: token)
            let items = try answer.object.objects("items")
            keys += items.compactMap { Self.key($0.text("html_url") ?? "") }
            if items.count < 100 { break }
        }
        return keys
    }

    /// Of the address of a pull request's page.
    static func key(_ url: String) -> String {
        url.replacing("http://github.test/", with: "").replacing("/pull/", with: "#")
    }
}
