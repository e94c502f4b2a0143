package import Foundation
package import RoostSupport

/// A pull request's page: its details from SQLite, and its files from GitHub. Users see a pull request only through
/// their own accounts.
extension PullService {
    /// Returns what Roost has now, and requests a refresh in the background if it is older than a minute.
    ///
    /// - Parameter host: nil for the account that has it in its inbox, or else github.com
    package func details(
        _ reads: Reads, owner: String, name: String, number: Int, host: String?, for user: UserID
    ) throws -> PullDetailsView {
        let key = key(owner: owner, name: name, number: number, host: host, for: user)
        var view = PullDetailsView(key: key)
        view.item = item(of: key, for: user)
        view.lastSeenAt = try lastSeenAt(reads, of: key, for: user)
        let candidates = candidates(for: key, of: user)
        guard key.isPossible, let account = candidates.first(where: { !isMissing(key, $0) }) else {
            view.error = candidates.isEmpty ? disconnectedError(at: key.host, of: user) : nil
            view.isMissing = view.error == nil
            return view
        }
        let job = PullDetailsJob(account: account.id, key: key)
        view.details = try reads.pullDetails(of: key, as: account.id)
        watch(job, account, fetchedAt: view.details?.fetchedAt)
        let status = detailsRefresh.refresher.status(of: job)
        view.isLoading = status.isLoading && (view.details == nil || status.isClicked)
        view.error = account.error ?? status.error
        if view.details == nil, view.error == nil { view.isLoading = true }
        return view
    }

    /// Requests a refresh at once for a page that was opened, and keeps an open page fresh.
    private func watch(_ job: PullDetailsJob, _ account: GitHubAccount, fetchedAt: Date?) {
        let status = detailsRefresh.refresher.status(of: job)
        let isAsked = status.isLoading && (status.isClicked || status.isRunning)
        if isOld(fetchedAt), account.state == .authenticated, status.failures == 0, !isAsked {
            detailsRefresh.refresher.request(job, .click)
        }
        detailsRefresh.refresher.watch(job, for: PullSchedule.demandLifetime)
    }

    /// True if the details are fetched again at once when someone opens them.
    private func isOld(_ fetchedAt: Date?) -> Bool {
        guard let fetchedAt else { return true }
        return ClockSkew.isExpired(fetchedAt, lifetime: PullDetailsRefresh.openingAge, now: clock.now())
    }

    /// Fetches the details of a pull request in the user's inbox that will probably be opened next, unless they are
    /// recent, the last attempt failed, or only the reserve is left of GitHub's limit. Does not wait for GitHub.
    ///
    /// Throws `RoostError.notFound` if none of the user's accounts could see it.
    package func prefetchDetails(of key: PullKey, for user: UserID) async throws {
        guard key.isPossible, let account = account(for: key, of: user) else { throw Self.notFound }
        guard snapshot(account).pulls[key] != nil else { return }
        let fetchedAt = try await database.read { try $0.pullDetailsTime(of: key, as: account.id) }
        requestSoon(key, as: account, fetchedAt: fetchedAt)
    }

    /// Fetches old details in the background, for someone who has not opened them. Does nothing if the last attempt
    /// failed, or only the reserve is left: a later request would be too late.
    ///
    /// - Parameter room: the maximum number of waiting requests
    func requestSoon(_ key: PullKey, as account: GitHubAccount, fetchedAt: Date?, room: Int = .max) {
        guard isOld(fetchedAt), account.state == .authenticated, let client = accounts.client(of: account.id)
        else { return }
        let job = PullDetailsJob(account: account.id, key: key)
        guard detailsRefresh.refresher.status(of: job).failures == 0,
            PullDetailsSource.pausedUntil(client, detailsRefresh, account.id, at: clock.now()) == nil
        else { return }
        detailsRefresh.refresher.request(job, room: room)
    }

    /// The pull request that an address names.
    package func key(owner: String, name: String, number: Int, host: String?, for user: UserID) -> PullKey {
        let key = { PullKey(host: $0, owner: owner, name: name, number: number) }
        if let host { return key(host.lowercased()) }
        let hosts = accounts.accounts(of: user).map(\.host)
        let listed = hosts.first { item(of: key($0), for: user) != nil }
        return key(listed ?? hosts.first { $0 == "github.com" } ?? hosts.first ?? "github.com")
    }

    /// The topic that is published when details of this user's pull requests change. One for all of a user's, so that
    /// many opened pages don't fill the memory.
    package func topic(of key: PullKey, for user: UserID) -> String { Topic.pullDetails(user) }

    /// Keeps the details fresh for a while, because someone watches the page.
    package func watchDetails(of key: PullKey, for user: UserID) {
        guard key.isPossible, let account = account(for: key, of: user) else { return }
        detailsRefresh.refresher.watch(.init(account: account.id, key: key), for: PullSchedule.demandLifetime)
    }

    /// Refreshes at once, because someone clicked: with the account that the page shows, or with the first if none of
    /// them saw the pull request so far.
    package func refreshDetails(of key: PullKey, for user: UserID) {
        guard key.isPossible else { return }
        let candidates = candidates(for: key, of: user)
        if candidates.allSatisfy({ isMissing(key, $0) }) {
            for account in candidates {
                detailsRefresh.setMissing(false, .init(account: account.id, key: key))
            }
        }
        if let account = candidates.first(where: { !isMissing(key, $0) }) {
            detailsRefresh.refresher.request(.init(account: account.id, key: key), .click)
        }
    }

    /// The user's account that sees the pull request, as far as it is known; nil if none does.
    package func account(for key: PullKey, of user: UserID) -> GitHubAccount? {
        candidates(for: key, of: user).first { !isMissing(key, $0) }
    }

    private func isMissing(_ key: PullKey, _ account: GitHubAccount) -> Bool {
        detailsRefresh.isMissing(PullDetailsJob(account: account.id, key: key))
    }

    /// The user's connected accounts on the host: first those that have the pull request in their inbox.
    private func candidates(for key: PullKey, of user: UserID) -> [GitHubAccount] {
        let own = accounts.accounts(of: user).filter {
            $0.host == key.host.lowercased() && $0.state != .unauthenticated
        }
        let (listed, others) = own.reduce(into: ([GitHubAccount](), [GitHubAccount]())) { result, account in
            if snapshot(account).pulls[key] != nil {
                result.0.append(account)
            } else {
                result.1.append(account)
            }
        }
        return listed + others
    }

    private func item(of key: PullKey, for user: UserID) -> InboxItem? {
        accounts.accounts(of: user).lazy.filter { $0.host == key.host.lowercased() }
            .compactMap { self.snapshot($0).pulls[key] }.first
    }

    /// The error of an account that GitHub has disconnected.
    private func disconnectedError(at host: String, of user: UserID) -> APIError? {
        accounts.accounts(of: user).first { $0.host == host.lowercased() }.map { $0.error ?? .unauthorized }
    }
}

// Files

extension PullService {
    private static let notFound = RoostError.notFound(
        "This pull request does not exist, or you have no access to it.")

    /// Returns up to 100 changed files, from 1 on. Asks GitHub unless the page is less than a minute old.
    ///
    /// Throws `RoostError.notFound` and `.unavailable`.
    package func files(of key: PullKey, page: Int, for user: UserID) async throws -> PullFilePage {
        guard (1...PullDetailsFetcher.maximumPages).contains(page) else { throw Self.notFound }
        let (account, client) = try client(for: key, of: user)
        let head = try await commits(of: key, as: account.id)?.knownHead
        return try await answer {
            try await self.detailsRefresh.fetcher.files(
                of: key, page: page, head: head, as: account.id, client)
        }
    }

    /// Returns the files that changed from a commit to the head, at most 300 and without a next page.
    ///
    /// Throws `RoostError.notFound`, `.unavailable`, and `.invalid(field: "since")` for anything but a commit's SHA.
    package func files(of key: PullKey, since commit: String, for user: UserID) async throws -> PullFilePage {
        guard let commit = PullText.sha(commit) else {
            throw RoostError.invalid(field: "since", why: "This is not a commit.")
        }
        let (account, client) = try client(for: key, of: user)
        guard let head = try await commits(of: key, as: account.id)?.knownHead else {
            throw RoostError.unavailable("The pull request is still loading.")
        }
        return try await answer {
            try await self.detailsRefresh.fetcher.files(
                of: key, from: commit, to: head, as: account.id, client)
        }
    }

    /// Returns the text of a file of `files(of:)` after the change, at most 1 MB.
    ///
    /// Throws `RoostError.notFound`, `.unavailable`, and `.invalid(field: "path")` for a larger file or one that is not
    /// text.
    ///
    /// - Parameter head: the commit of the page of files
    package func text(
        of file: PullFile, at head: String, in key: PullKey, for user: UserID
    ) async throws -> String {
        guard let commit = PullText.sha(head) else {
            throw RoostError.unavailable("The pull request is still loading.")
        }
        let (account, client) = try client(for: key, of: user)
        return try await answer {
            try await self.detailsRefresh.fetcher.text(
                of: key, path: file.path, commit: commit, as: account.id, client)
        }
    }

    /// Returns a picture among the changed files at the base or the head, at most 5 MB, without metadata.
    ///
    /// Throws `RoostError.notFound`, also for other files and commits, `.unavailable`, `.invalid(field: "commit")` for
    /// anything but a SHA, and `.invalid(field: "path")` for a file that isn't a PNG, JPEG, GIF or WebP.
    package func blob(
        of key: PullKey, path: String, commit: String, for user: UserID
    ) async throws -> (bytes: Data, mediaType: String) {
        guard let commit = PullText.sha(commit) else {
            throw RoostError.invalid(field: "commit", why: "This is not a commit.")
        }
        let (account, client) = try client(for: key, of: user)
        let commits = try await commits(of: key, as: account.id) ?? PullCommits()
        let image = try await answer {
            guard
                try await self.detailsRefresh.fetcher.isChanged(
                    path, at: commit, in: key, commits, as: account.id, client)
            else { throw RoostError.notFound("This picture is not among the changes. Reload the page.") }
            return try await self.detailsRefresh.fetcher.picture(
                of: key, path: path, commit: commit, as: account.id, client)
        }
        return (Data(image.bytes), image.mediaType)
    }

    private func client(
        for key: PullKey, of user: UserID
    ) throws -> (account: GitHubAccount, client: any GitHubClient) {
        guard key.isPossible, let account = account(for: key, of: user) else { throw Self.notFound }
        guard let client = accounts.client(of: account.id) else {
            throw RoostError.unavailable("GitHub has not confirmed your account yet. Please try again.")
        }
        return (account, client)
    }

    /// Nil until the details have loaded.
    private func commits(of key: PullKey, as account: GitHubAccountID) async throws -> PullCommits? {
        try await database.read { try $0.pullCommits(of: key, as: account) }
    }

    private func answer<Value>(_ request: () async throws -> Value) async throws -> Value {
        do {
            return try await request()
        } catch let failure as GitHubFailure where [404, 410].contains(failure.status) {
            throw Self.notFound
        } catch let failure as GitHubFailure {
            throw RoostError(unavailable: failure, now: clock.now())
        }
    }
}

extension Topic {
    /// Changes of the details of pull requests that the user has opened.
    package static func pullDetails(_ user: UserID) -> String { "pull-details/\(user)" }
}
