import RoostSupport
import Synchronization

/// The request queues to GitHub: one for each user with an account, and one for all others.
final class RepositoryRequestQueues: Sendable {
    private let accounts: any RepositoryAccounts
    private let clock: WallClock
    private let queues = Mutex<[UserID?: RepositoryRequestQueue]>([:])

    init(accounts: any RepositoryAccounts, clock: WallClock) {
        self.accounts = accounts
        self.clock = clock
    }

    /// Returns the queue that asks for this user.
    func queue(for user: UserID) -> RepositoryRequestQueue {
        let client = accounts.client(for: user)
        return queue(client === accounts.shared ? nil : user, client)
    }

    /// Returns a viewer's queue; nil when this viewer no longer has an account.
    func queue(of viewer: UserID?) -> RepositoryRequestQueue? {
        guard let viewer else { return queue(nil, accounts.shared) }
        let queue = queue(for: viewer)
        return queue.viewer == viewer ? queue : nil
    }

    private func queue(_ viewer: UserID?, _ client: any GitHubClient) -> RepositoryRequestQueue {
        let isSignedIn = viewer != nil || accounts.isSharedSignedIn
        return queues.withLock { queues in
            if let queue = queues[viewer], queue.client === client, queue.isSignedIn == isSignedIn {
                return queue
            }
            let queue = RepositoryRequestQueue(
                client: client, viewer: viewer, isSignedIn: isSignedIn, clock: clock)
            queues[viewer] = queue
            return queue
        }
    }

    func forget(_ user: UserID) { queues.withLock { $0[user] = nil } }
}
