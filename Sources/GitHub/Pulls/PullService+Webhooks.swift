package import RoostSupport

extension PullService {
    /// Queues webhooks for the pull requests that began to wait for the user. Those of accounts that are not loaded
    /// yet, for instance after a restart, still count as before.
    func queueWebhooks(of user: UserID) async {
        do {
            let waiting = try await database.read { reads in
                try reads.usersWithWebhook(for: .pullWaiting).contains(user)
                    ? try waitingKeys(reads, of: user) : nil
            }
            guard let (keys, loadingHosts) = waiting else { return }
            try await database.write { [now = clock.now()] writes in
                let isLoading = { (key: String) in loadingHosts.contains { key.hasPrefix($0 + "/") } }
                try writes.queueWebhooks(
                    .pullWaiting, aboutNew: keys, isLoading: loadingHosts.isEmpty ? nil : isLoading,
                    for: user, at: now)
            }
        } catch {
            log.error("Webhooks could not be queued", metadata: ["error": "\(error)"])
        }
    }

    private func waitingKeys(
        _ reads: Reads, of user: UserID
    ) throws -> (keys: [String], loadingHosts: [String])? {
        let inbox = try inbox(reads, of: user)
        guard !inbox.sources.isEmpty else { return nil }
        let loadingHosts = inbox.sources.filter { $0.updatedAt == nil }.map(\.host)
        return (inbox.waitingItems.map(\.key.description), loadingHosts)
    }

    /// Returns the pull request with this key and its inbox, or nil if it does not wait for the user any more. Throws
    /// `RoostError.unavailable` while the inbox is loading.
    package func waitingItem(
        _ reads: Reads, _ key: String, of user: UserID
    ) throws -> (item: InboxItem, inbox: Inbox)? {
        let inbox = try inbox(reads, of: user)
        if let item = inbox.waitingItems.first(where: { $0.key.description == key }) { return (item, inbox) }
        guard inbox.sources.allSatisfy({ $0.updatedAt != nil }) else {
            throw RoostError.unavailable("The pull requests are still loading.")
        }
        return nil
    }
}

extension Inbox {
    fileprivate var waitingItems: [InboxItem] {
        sections.first { $0.kind == .turn }?.items ?? []
    }
}

extension WebhookEvent.Name {
    /// A pull request begins to wait for the user.
    package static let pullWaiting = WebhookEvent.Name(rawValue: "pull.waiting")
}
