import Foundation

// What single answers of GitHub's API say.

extension GitHubAPI.Reply {
    /// Of `/user`. Throws `GitHubFailure`.
    func user() throws -> AuthenticatedUser {
        do {
            return try JSONDecoder().decode(AuthenticatedUser.self, from: body)
        } catch {
            throw GitHubFailure(
                error: .invalidResponse(statusCode: status), status: status,
                detail: "no user in \(body.count) bytes")
        }
    }

    /// Takes the budget out of the body where the headers had none, and throws the limit that GraphQL tells with
    /// status 200. The body is read for that only where it may say so: a large one is decoded once, by whoever asked.
    mutating func checkGraphQL(now: Date) throws {
        let saysLimit = body.range(of: Data("\"RATE_LIMIT".utf8)) != nil
        guard saysLimit || budget == nil && body.range(of: Data("\"rateLimit\"".utf8)) != nil else { return }
        guard let answer = try? JSONDecoder().decode(GraphQLLimit.self, from: body) else { return }
        budget = budget ?? answer.budget(now: now)
        guard let error = answer.errors.first(where: \.isLimit) else { return }
        let seconds = budget.map { $0.resetAt.timeIntervalSince(now) }.flatMap { $0 > 0 ? $0 : nil }
        let detail = "status \(status): \(String((error.message ?? "").unicodeScalars.prefix(160)))"
        var failure = GitHubFailure(limitedFor: seconds, .resource, status: status, detail: detail, now: now)
        failure.budget = budget
        throw failure
    }
}

/// The parts of a GraphQL answer that speak of its limit; anything else, malformed or not, is not looked at.
private struct GraphQLLimit: Decodable {
    struct Failure: Decodable {
        var type: String?
        var message: String?

        /// The older word is RATE_LIMITED, the newer RATE_LIMIT.
        var isLimit: Bool { type?.hasPrefix("RATE_LIMIT") == true }
    }

    private struct Facts: Decodable {
        let rateLimit: Limit?
    }

    private struct Limit: Decodable {
        let limit: Int
        let remaining: Int
        let resetAt: String
    }

    private enum Key: String, CodingKey { case errors, data }

    let errors: [Failure]
    private let limit: Limit?

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        errors = (try? values.decode(ItemByItem<Failure>.self, forKey: .errors))?.items ?? []
        limit = try? values.decode(Facts.self, forKey: .data).rateLimit
    }

    func budget(now: Date) -> RateBudget? {
        guard let limit, limit.limit >= 0, limit.remaining >= 0, let reset = ModelTime.parse(limit.resetAt)
        else { return nil }
        return RateBudget(
            resource: "graphql", limit: limit.limit, remaining: limit.remaining,
            resetAt: min(reset, now + 86_400))
    }
}
