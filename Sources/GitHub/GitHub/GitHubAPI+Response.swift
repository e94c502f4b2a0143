import Foundation
import RoostSupport
import TextFormats

// What single answers of GitHub's API say.

extension GitHubAPI.Response {
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

    /// Whether a page came where JSON was asked for: a proxy's, or a maintenance page.
    var isHTML: Bool { firstByte == UInt8(ascii: "<") }

    private var firstByte: UInt8? { body.first { ![0x09, 0x0A, 0x0D, 0x20].contains($0) } }

    /// False for what is no GraphQL, and for errors without data. A large answer is taken for one: errors alone are short.
    var hasGraphQLData: Bool {
        guard firstByte == UInt8(ascii: "{") else { return false }
        let has = { [body] (text: String) in body.range(of: Data(text.utf8)) != nil }
        guard body.count <= Self.maximumLimitBytes, has("\"errors\"") || !has("\"data\"") else { return true }
        return (try? JSONDecoder().decode(GraphQLData.self, from: body))?.data != nil
    }

    /// A limit's answer is short: a longer one is not read for words.
    private static let maximumLimitBytes = 64 * 1_024

    /// Takes the budget out of the body where the headers had none, and throws the limit that GraphQL tells with
    /// status 200. The body is read for that only where it may say so: a large one is decoded once, by the caller.
    mutating func checkGraphQL(now: Date) throws {
        let has = { [body] (text: String) in body.range(of: Data(text.utf8)) != nil }
        let saysLimit =
            has("\"RATE_LIMIT")
            || body.count <= Self.maximumLimitBytes && (has("rate limit") || has("abuse detection"))
        guard saysLimit || budget == nil && has("\"rateLimit\"") else { return }
        guard let answer = try? JSONDecoder().decode(GraphQLLimit.self, from: body) else { return }
        budget = budget ?? answer.budget(now: now)
        if let words = answer.limit { throw limit(words, now: now) }
    }

    /// In the order of GitHub's documentation, as REST's refusals are judged.
    private func limit(_ words: String, now: Date) -> GitHubFailure {
        let isSecondary = retryAfter != nil || GitHubFailure.saysSecondaryLimit(words)
        let reset = budget.map { $0.resetAt.timeIntervalSince(now) }.flatMap { $0 > 0 ? $0 : nil }
        var failure = GitHubFailure(
            limitedFor: isSecondary ? retryAfter.map { min($0, 86_400) } : reset,
            isSecondary ? .everything : .resource, status: status,
            detail: "status \(status): \(String(words.unicodeScalars.prefix(160)))", now: now)
        failure.budget = budget
        return failure
    }
}

private struct GraphQLData: Decodable {
    /// Nil for null.
    let data: GraphQLLimit.Unread?
}

/// The parts of a GraphQL answer that speak of its limit; anything else, malformed or not, is not looked at.
private struct GraphQLLimit: Decodable {
    struct Failure: Decodable {
        var type: String?
        var message: String?
        var path: Unread?

        /// The older word is RATE_LIMITED, the newer RATE_LIMIT. A secondary limit has no type; an error at a place of
        /// the query may quote what the reader searches for, which does not count.
        var isLimit: Bool {
            type?.hasPrefix("RATE_LIMIT") == true || path == nil && GitHubFailure.saysLimit(message ?? "")
        }
    }

    struct Unread: Decodable {
        init(from decoder: any Decoder) {}
    }

    private struct Facts: Decodable {
        let rateLimit: Limit?
    }

    private struct Limit: Decodable {
        let limit: Int
        let remaining: Int
        let resetAt: String
    }

    private enum Key: String, CodingKey { case errors, data, message }

    /// What GitHub said of the limit that was reached; nil for none.
    let limit: String?
    private let facts: Limit?

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        let errors = (try? values.decode(LossyArray<Failure>.self, forKey: .errors))?.items ?? []
        // A secondary limit may come as REST has it, without any `errors`.
        let words = values.contains(.data) ? nil : try? values.decode(String.self, forKey: .message)
        limit =
            errors.first(where: \.isLimit).map { $0.message ?? "" }
            ?? words.flatMap { GitHubFailure.saysLimit($0) ? $0 : nil }
        facts = try? values.decode(Facts.self, forKey: .data).rateLimit
    }

    func budget(now: Date) -> RateBudget? {
        guard let facts, facts.limit >= 0, facts.remaining >= 0, let reset = ISO8601.parse(facts.resetAt)
        else { return nil }
        return RateBudget(
            resource: "graphql", limit: facts.limit, remaining: facts.remaining,
            resetAt: min(reset, now + RateBudget.maximumWindow))
    }
}
