import Foundation
import Logging
import RoostSupport
import Synchronization
import TextFormats

/// Fetches details, files and pictures of pull requests, for all accounts.
final class PullDetailsFetcher: Sendable {
    /// The results of an account's earlier fetches.
    private struct AccountState {
        var options: PullQuery.Options
        var hasGraphQLWorked = false
        var noGraphQLUntil = ContinuousClock.Instant.distantPast
    }

    /// The time until GraphQL is tried again on a host without it.
    private static let graphQLRetryInterval = Duration.seconds(600)
    /// How long a page of files is shown without asking GitHub, while the head stays the same.
    private static let fileLifetime = Duration.seconds(60)
    /// In bytes. No more is shown of a file's changes.
    private static let maximumText = 1_000_000
    /// GitHub lists no more than 3,000 files.
    static let maximumPages = 30

    private let bodies: PullResponseCache<Data>
    private let filePages: PullResponseCache<PullFileParser.Page>
    private let blobs: PullResponseCache<CheckedImage>
    private let clock: WallClock
    private let log: Logger
    private let state = Mutex<[GitHubAccountID: AccountState]>([:])

    init(clock: WallClock, log: Logger) {
        self.clock = clock
        self.log = log
        bodies = PullResponseCache(maximumBytes: 16 << 20, clock: clock)
        filePages = PullResponseCache(maximumBytes: 32 << 20, clock: clock)
        blobs = PullResponseCache(maximumBytes: 24 << 20, clock: clock)
    }

    func forget(_ account: GitHubAccountID) {
        state.withLock { $0[account] = nil }
        bodies.forget(account)
        filePages.forget(account)
        blobs.forget(account)
    }

    /// The rate limit that the account's next request for details counts against.
    func resource(of account: GitHubAccountID) -> String {
        let now = clock.steady()
        return state.withLock { ($0[account]?.noGraphQLUntil ?? .distantPast) > now ? "core" : "graphql" }
    }

    /// Returns nil if there is no such pull request, or the token may not see it. Throws `GitHubFailure`.
    func details(
        of key: PullKey, as account: GitHubAccount, _ client: any GitHubClient,
        _ priority: GitHubSession.Priority
    ) async throws -> PullDetails? {
        do {
            if resource(of: account.id) == "graphql" {
                do {
                    return try await detailsByGraphQL(key, account, client, priority)
                } catch let error as PullGraphQL.Unavailable {
                    noteUnavailable(error, account)
                }
            }
            return try await PullDetailsREST(
                client: client, priority: priority, key: key, now: clock.now(), cache: bodies,
                account: account.id
            ).details()
        } catch let refusal as ValidationError {
            throw GitHubFailure(
                error: .invalidResponse(statusCode: 200), status: 200, detail: "\(refusal)")
        }
    }

    private func noteUnavailable(_ error: PullGraphQL.Unavailable, _ account: GitHubAccount) {
        let until = clock.steady() + Self.graphQLRetryInterval
        state.withLock { $0[account.id, default: Self.initial(account)].noGraphQLUntil = until }
        log.info("A pull request is fetched over REST", metadata: ["why": "\(error.why)"])
    }

    private static func initial(_ account: GitHubAccount) -> AccountState {
        AccountState(options: PullQuery.Options(hasTeams: !account.missingScopes.contains("read:org")))
    }

    private func detailsByGraphQL(
        _ key: PullKey, _ account: GitHubAccount, _ client: any GitHubClient,
        _ priority: GitHubSession.Priority
    ) async throws -> PullDetails? {
        var before = state.withLock { $0[account.id] } ?? Self.initial(account)
        let variables: [String: GraphQLVariable] = [
            "owner": .text(key.owner), "name": .text(key.name), "number": .number(key.number),
        ]
        // At most once for each option that can be left out.
        for _ in 0..<3 {
            let body: Data
            do {
                body = try await client.graphQL(
                    query: PullQuery.page(before.options), variables: variables, priority)
            } catch let failure as GitHubFailure
                where PullGraphQL.isUnsupported(failure, hasWorked: before.hasGraphQLWorked)
            {
                throw PullGraphQL.Unavailable(
                    why: "status \(failure.status) \(failure.detail)", failure: failure)
            }
            guard let answer = try? PullDetailsAnswer(body, now: clock.now()), answer.envelope.isGraphQL
            else {
                throw PullGraphQL.Unavailable(why: "not a GraphQL response")
            }
            if let draft = answer.draft {
                before.hasGraphQLWorked = true
                let final = before
                state.withLock { $0[account.id] = final }
                return try draft.details(of: key, now: clock.now())
            }
            guard try reduce(&before.options, after: answer.envelope) else { return nil }
        }
        throw PullGraphQL.Unavailable(why: "GitHub does not know the query’s fields")
    }

    /// Returns false if there is no such pull request. Throws if nothing can be left out.
    private func reduce(_ options: inout PullQuery.Options, after answer: GraphQLEnvelope) throws -> Bool {
        let problems = answer.problems
        if problems.contains(where: { $0.type == "NOT_FOUND" }) { return false }
        if options.hasTeams, problems.contains(where: \.isMissingScope) {
            options.hasTeams = false
            return true
        }
        if problems.contains(where: \.isUnknownField) {
            guard options.hasMergeState else {
                throw PullGraphQL.Unavailable(why: problems.first?.message ?? "")
            }
            options.hasMergeState = false
            return true
        }
        let isRefused = problems.contains { $0.type == "FORBIDDEN" || $0.isMissingScope }
        let error: APIError =
            isRefused
            ? .forbidden
            : problems.contains(where: \.isOutage)
                ? .serverError(statusCode: 200) : .invalidResponse(statusCode: 200)
        throw GitHubFailure(error: error, status: 200, detail: problems.first?.message ?? "no data")
    }
}

// Files

extension PullDetailsFetcher {
    /// A page of changed files, and whether there is a next one. Throws `GitHubFailure`; a 404 if there is no such pull
    /// request.
    ///
    /// - Parameter head: the head as far as it is known, to use a recent page without a request
    func files(
        of key: PullKey, page: Int, head: String?, as account: GitHubAccountID, _ client: any GitHubClient
    ) async throws -> PullFilePage {
        let path = Self.files(of: key) + "?per_page=100&page=\(page)"
        return try await files(path, head, account, client, { try PullFileParser.page($0) }) { answer in
            answer.links["next"] != nil && page < Self.maximumPages ? page + 1 : nil
        }
    }

    /// The files that changed between two commits of a pull request, at most 300.
    func files(
        of key: PullKey, from base: String, to head: String, as account: GitHubAccountID,
        _ client: any GitHubClient
    ) async throws -> PullFilePage {
        // The list of commits is not needed.
        let path = Self.comparisons(of: key) + "\(base)...\(head)?per_page=1"
        return try await files(path, head, account, client, { try PullFileParser.comparison($0) }) { _ in nil
        }
    }

    private static func files(of key: PullKey) -> String {
        "/repos/\(key.ownerAndName)/pulls/\(key.number)/files"
    }

    private static func comparisons(of key: PullKey) -> String { "/repos/\(key.ownerAndName)/compare/" }

    private func files(
        _ path: String, _ head: String?, _ account: GitHubAccountID, _ client: any GitHubClient,
        _ parse: (Data) throws -> PullFileParser.Page, next: (GitHubSession.Response) -> Int?
    ) async throws -> PullFilePage {
        let old = filePages.entry(path, of: account)
        if let old, let head, (old.value.headCommit ?? head) == head,
            clock.steady() - old.at < Self.fileLifetime
        {
            return result(old.value, head, at: old.at)
        }
        let answer = try await client.get(path, etag: old?.etag, .click)
        if answer.status == 304, let old {
            filePages.confirm(path, of: account)
            return result(old.value, head, at: clock.steady())
        }
        guard var page = try? parse(answer.body) else { throw PullDetailsREST.unreadable("files") }
        page.next = next(answer)
        filePages.put(page, path, of: account, etag: answer.etag, bytes: answer.body.count)
        return result(page, head, at: clock.steady())
    }

    private func result(
        _ page: PullFileParser.Page, _ head: String?, at time: ContinuousClock.Instant
    ) -> PullFilePage {
        PullFilePage(
            files: page.files, headCommit: page.headCommit ?? head ?? "", nextPage: page.next,
            fetchedAt: clock.date(of: time))
    }
}

// Contents

extension PullDetailsFetcher {
    /// True if the file is among the changes of the pull request, and the commit is one that its page shows: the base
    /// or the head, as it is now or as it was when the files were fetched.
    ///
    /// Fetches the lists of files that have not been fetched yet. Throws `GitHubFailure`.
    func isChanged(
        _ path: String, at commit: String, in key: PullKey, _ commits: PullCommits,
        as account: GitHubAccountID, _ client: any GitHubClient
    ) async throws -> Bool {
        let isListed = { (files: [PullFile]) in
            files.contains { file in
                [file.path, file.previousPath].contains { $0?.utf8.elementsEqual(path.utf8) == true }
            }
        }
        let isShown = { (head: String?) in commit == head || commit == commits.base || commit == commits.head
        }
        let isFetched = filePages.contains(of: account) { address, page in
            isShown(page.headCommit) && isListed(page.files)
                && (address.hasPrefix(Self.files(of: key))
                    || address.hasPrefix(Self.comparisons(of: key))
                        && address.containsBytes("...\(commits.head)?"))
        }
        guard !isFetched else { return true }
        // After a restart, for example.
        var next: Int? = isShown(nil) ? 1 : nil
        while let number = next {
            let page = try await files(
                of: key, page: number, head: commits.knownHead, as: account, client)
            if isListed(page.files) { return true }
            next = page.nextPage
        }
        return false
    }

    private static func contents(of key: PullKey, path: String, commit: String) throws -> String {
        let parts = path.splitBytes(at: "/").map(String.init)
        guard !parts.isEmpty, parts.allSatisfy({ $0 != "." && $0 != ".." }) else {
            throw RoostError.invalid(field: "path", why: "This is not a file’s path.")
        }
        let encoded = parts.map(PercentEncoding.encode).joined(separator: "/")
        return "/repos/\(key.ownerAndName)/contents/\(encoded)?ref=\(commit)"
    }

    /// A text at a commit. Throws `GitHubFailure`, and `RoostError` for a file that is too large or not text.
    func text(
        of key: PullKey, path: String, commit: String, as account: GitHubAccountID, _ client: any GitHubClient
    ) async throws -> String {
        let address = try Self.contents(of: key, path: path, commit: commit)
        if let old = bodies.entry(address, of: account) { return String(decoding: old.value, as: UTF8.self) }
        let body = try await client.get(address, accept: GitHubAPI.raw, etag: nil, .click).body
        guard body.count <= Self.maximumText else {
            throw RoostError.invalid(field: "path", why: "This file is larger than 1 MB.")
        }
        guard !body.contains(0), let text = String(validating: body, as: UTF8.self) else {
            throw RoostError.invalid(field: "path", why: "This file is not text in UTF-8.")
        }
        bodies.put(body, address, of: account, etag: nil, bytes: body.count)
        return text
    }

    /// A picture at a commit, without metadata. Throws `GitHubFailure`, and `RoostError` for a file that isn't a
    /// picture.
    func picture(
        of key: PullKey, path: String, commit: String, as account: GitHubAccountID, _ client: any GitHubClient
    ) async throws -> CheckedImage {
        let address = try Self.contents(of: key, path: path, commit: commit)
        // A commit never changes.
        if let old = blobs.entry(address, of: account) { return old.value }
        let answer = try await client.get(address, accept: GitHubAPI.raw, etag: nil, .click)
        guard answer.body.count <= GitHubAPI.maximumFileBytes else {
            throw RoostError.invalid(field: "path", why: "This picture is larger than 5 MB.")
        }
        let image = try CheckedImage(Array(answer.body), within: .diff)
        blobs.put(image, address, of: account, etag: nil, bytes: image.bytes.count)
        return image
    }
}

extension CheckedImage.Limits {
    fileprivate static let diff = CheckedImage.Limits(
        field: "path", maximumBytes: GitHubAPI.maximumFileBytes, sides: 1...16_384)
}
