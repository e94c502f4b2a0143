import Foundation
package import RoostSupport
import TextFormats

/// Cards for links to pull requests that one of the viewer's accounts has found or opened.
extension PullService: LinkCards {
    /// What an account knows about a pull request.
    private struct Known {
        let pull: PullRequest
        let at: Date
        /// True if refreshes of the inbox keep it current.
        let isListed: Bool
    }

    /// In seconds. The card of an older state says how old it is.
    private static let cardLifetime: TimeInterval = 3_600
    /// More cards of pull requests that have left the inbox wait for the next page.
    private static let maximumCardRequests = 20

    package func topics(of user: UserID) -> [String] { [Topic.pulls(user), Topic.pullDetails(user)] }

    /// The chat follows the inbox without asking GitHub for it.
    package var topicNames: [String] { ["inbox", "pull-details"] }

    package func recognizes(_ link: WebLink) -> Bool { PullLink(link) != nil }

    package func cards(_ reads: Reads, for links: [WebLink], user: UserID) throws -> [WebLink: LinkCard] {
        let named = links.compactMap { link in PullLink(link).map { (link, $0) } }
        guard !named.isEmpty else { return [:] }
        let now = clock.now()
        var cards: [WebLink: LinkCard] = [:]
        for account in accounts.accounts(of: user) where account.state != .unauthenticated {
            let wanted = named.filter { cards[$0.0] == nil }.map { link, pull in
                let key = PullKey(
                    host: account.host, owner: pull.owner, name: pull.name, number: pull.number)
                return (link: link, pull: pull, key: key)
            }
            let known = try known(reads, Set(wanted.map(\.key)), to: account)
            for (link, pull, key) in wanted {
                guard let found = known[key], pull.host.map({ isHost($0, of: found.pull, at: key) }) ?? true
                else { continue }
                if !found.isListed, found.pull.state != .merged {
                    requestSoon(key, as: account, fetchedAt: found.at, room: Self.maximumCardRequests)
                }
                var card = LinkCard(
                    found.pull,
                    leadingTo: pull.isPage ? link.address : Self.page(of: found.pull, at: key.host))
                if now.timeIntervalSince(found.at) > Self.cardLifetime { card.facts.append(.asOf(found.at)) }
                cards[link] = card
            }
        }
        return cards
    }

    /// The later of the inbox's state and that of the pull request's page, which stays when it leaves the inbox.
    private func known(
        _ reads: Reads, _ keys: Set<PullKey>, to account: GitHubAccount
    ) throws -> [PullKey: Known] {
        let inbox = snapshot(account)
        let listed = inbox.source.updatedAt ?? .distantPast
        var known: [PullKey: Known] = [:]
        for key in keys {
            known[key] = inbox.pulls[key].map { Known(pull: $0.pull, at: listed, isListed: true) }
        }
        for stored in try reads.storedPulls(keys, as: account.id) {
            let key = PullKey(
                host: account.host, owner: stored.owner, name: stored.name, number: stored.number)
            let isListed = known[key] != nil
            guard !isListed || stored.fetchedAt > listed else { continue }
            known[key] = Known(pull: stored.pull, at: stored.fetchedAt, isListed: isListed)
        }
        return known
    }

    private static func page(of pull: PullRequest, at host: String) -> String {
        let key = PullKey(
            host: host, owner: pull.repositoryOwner, name: pull.repositoryName, number: pull.number)
        let query = host == "github.com" ? "" : "?host=\(PercentEncoding.encode(host))"
        return "/pulls/\(key.ownerAndName)/\(key.number)\(query)"
    }

    /// The page of a pull request may have another authority than its host's name.
    private func isHost(_ host: String, of pull: PullRequest, at key: PullKey) -> Bool {
        host == key.host || host == "www." + key.host || host == WebLink(pull.htmlURL)?.host
    }

    package var linkCommand: LinkCommand? {
        LinkCommand(
            name: "pr", example: "/pr owner/name#1", summary: "Shows a pull request."
        ) { [weak self] argument, user in
            guard let pull = PullLink(reference: argument) else {
                throw RoostError.invalid(
                    field: "text",
                    why: "Write a pull request as owner/name#1, such as /pr apple/swift-nio#3214.")
            }
            return self?.address(of: pull, for: user) ?? pull.address(at: "https://github.com")
        }
    }

    /// The page's URL if the user's accounts have found the pull request, or else its URL on github.com.
    private func address(of pull: PullLink, for user: UserID) -> String {
        for account in accounts.accounts(of: user) {
            let key = PullKey(host: account.host, owner: pull.owner, name: pull.name, number: pull.number)
            if let found = snapshot(account).pulls[key]?.pull { return found.htmlURL }
        }
        return pull.address(at: "https://github.com")
    }
}

private struct PullLink {
    /// Nil means any host.
    let host: String?
    let owner: String
    let name: String
    let number: Int
    /// True for Roost's own page of the pull request.
    private(set) var isPage = false

    /// Parses "https://github.com/owner/name/pull/1", "/pulls/github.com/owner/name/1/snooze", with any suffix, and
    /// the addresses of Roost's pages, "/pulls/owner/name/1" and "/pulls/owner/name/1/files".
    init?(_ link: WebLink) {
        let path = link.path
        if let host = link.host {
            guard path.count >= 4, path[2] == "pull" else { return nil }
            self.init(host: host, owner: path[0], name: path[1], number: path[3])
        } else if path.count == 4 || path.count == 5 && path[4] == "files", path[0] == "pulls" {
            let host = link.query["host"]?.lowercased() ?? "github.com"
            self.init(host: host, owner: path[1], name: path[2], number: path[3])
            isPage = true
        } else {
            guard path.count >= 5, path[0] == "pulls" else { return nil }
            self.init(host: path[1].lowercased(), owner: path[2], name: path[3], number: path[4])
        }
    }

    /// "owner/name#1".
    init?(reference: String) {
        let parts = reference.splitBytes(at: "#", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        let names = parts[0].splitBytes(at: "/", omittingEmptySubsequences: false)
        guard names.count == 2 else { return nil }
        self.init(host: nil, owner: String(names[0]), name: String(names[1]), number: String(parts[1]))
    }

    /// Accepts GitHub's characters for names: letters, digits, hyphens, underscores and dots.
    private init?(host: String?, owner: String, name: String, number: String) {
        let names = [owner, name]
        guard names.allSatisfy({ (1...100).contains($0.utf8.count) && $0.utf8.allSatisfy(Self.isPlain) }),
            (1...10).contains(number.utf8.count), number.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let number = Int(number), number > 0
        else { return nil }
        self.host = host
        self.owner = owner
        self.name = name
        self.number = number
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20) || "-_.".utf8.contains(byte)
    }

    func address(at webURL: String) -> String { "\(webURL)/\(owner)/\(name)/pull/\(number)" }
}

extension LinkCard {
    fileprivate init(_ pull: PullRequest, leadingTo address: String) {
        var facts: [Fact] = []
        switch pull.state {
        case .merged: facts.append(.text("Merged"))
        case .closed: facts.append(.text("Closed"))
        case .open, nil: facts.append(.text(pull.isDraft == true ? "Draft" : "Open"))
        }
        switch pull.checks?.state {
        case .passed: facts.append(.text("Checks passed"))
        case .failed: facts.append(.text("Checks failed"))
        case .running: facts.append(.text("Checks running"))
        case nil: break
        }
        switch pull.reviewDecision {
        case .approved: facts.append(.text("Approved"))
        case .changesRequested: facts.append(.text("Changes requested"))
        case .reviewRequired: facts.append(.text("Review required"))
        case nil: break
        }
        facts.append(.updated(pull.updatedAt))
        self.init(
            kind: "Pull request", title: pull.title, subtitle: "\(pull.id) by \(pull.authorLogin)",
            facts: facts, address: address)
    }
}

extension PullService {
    /// Returns pull requests that one of the user's accounts has found and that have all words of the text, as in
    /// `InboxFilter`, the latest update first; also those that were put away. Without text, returns those that wait for
    /// the user.
    package func search(
        _ reads: Reads, _ text: String, for user: UserID, limit: Int
    ) throws -> [InboxItem] {
        guard !text.isBlank else {
            let items = try inbox(reads, of: user).sections.flatMap(\.items)
            return Array(items.lazy.filter(\.isTurn).prefix(limit))
        }
        var filter = InboxFilter()
        filter.text = text
        let prepared = InboxFilter.Prepared(filter)
        var found: [PullKey: InboxItem] = [:]
        for account in accounts.accounts(of: user) {
            for (key, item) in snapshot(account).pulls where found[key] == nil && prepared.matches(item) {
                found[key] = item
            }
        }
        return Array(InboxFilter.sorted(Array(found.values), by: .update).prefix(limit))
    }
}
