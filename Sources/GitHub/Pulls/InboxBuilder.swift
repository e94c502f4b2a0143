import Foundation

/// Builds a user's inbox from their accounts' pull requests. Has no side effects.
struct InboxBuilder {
    /// In the order in which they were connected.
    let accounts: [AccountPulls.Snapshot]
    let settings: InboxSettings
    let now: Date
    /// The accounts' views of each mark's pull request, in the order of the marks.
    private let matches: [[Match]]

    private struct Match {
        let account: Int
        let item: InboxItem
    }

    init(accounts: [AccountPulls.Snapshot], settings: InboxSettings, now: Date) {
        self.accounts = accounts
        self.settings = settings
        self.now = now
        var matches = settings.marks.map { _ in [Match]() }
        if !matches.isEmpty {
            let index = PullMarkIndex(settings.marks)
            for (account, snapshot) in accounts.enumerated() {
                for item in snapshot.pulls.values {
                    guard let mark = index.index(of: item.key, nodeId: item.nodeId) else { continue }
                    matches[mark].append(Match(account: account, item: item))
                }
            }
        }
        self.matches = matches
    }

    private struct Plan {
        let id: String
        let kind: InboxSection.Kind
        let name: String
        /// The search with the section's total.
        let search: PullSearch
        /// The searches that must succeed for the section to be complete.
        var needs: [PullSearch] = []
        /// True if the section has everything that the search finds.
        var isWholeSearch = false
        let includes: (InboxItem) -> Bool
    }

    private var plans: [Plan] {
        [
            Plan(
                id: "turn", kind: .turn, name: "Your turn", search: .reviewRequested,
                needs: [.reviewRequested, .assigned, .reviewed, .commented, .yours]
            ) { $0.isTurn },
            Plan(
                id: "teams", kind: .teams, name: "Team requests", search: .reviewRequested,
                needs: [.reviewRequested]
            ) {
                $0.isRequestedThroughTeam
            },
            Plan(
                id: "changed", kind: .changed, name: "Reviewed by you, changed since", search: .reviewed,
                needs: [.reviewed]
            ) {
                $0.waits.contains { $0.reason == .changedSinceReview }
            },
            Plan(
                id: "yours", kind: .yours, name: "Yours", search: .yours, needs: [.yours], isWholeSearch: true
            ) {
                $0.isAuthoredByUser
            },
            Plan(
                id: "mentions", kind: .mentions, name: "Mentions", search: .mentions, needs: [.mentions],
                isWholeSearch: true
            ) {
                $0.searches.contains(.mentions)
            },
        ]
            + settings.sections.map { section in
                Plan(
                    id: "own-\(section.id)", kind: .own, name: section.name, search: .own(section.id),
                    isWholeSearch: true
                ) { $0.searches.contains(.own(section.id)) }
            }
    }

    func inbox() -> Inbox {
        let sources = accounts.map(\.source)
        guard !accounts.isEmpty else {
            return Inbox(
                sections: [], sources: [], hidden: [], waiting: 0, choices: settings.choices, now: now)
        }
        var hidden = accounts.map { _ in Set<PullKey>() }
        for mark in settings.marks.indices where isHidden(mark) {
            for match in matches[mark] { hidden[match.account].insert(match.item.key) }
        }
        let sections = plans.map { section($0, hidden: hidden) }
        return Inbox(
            sections: sections, sources: sources, hidden: hiddenItems,
            waiting: sections.first?.items.count ?? 0, choices: settings.choices, now: now)
    }

    private func section(_ plan: Plan, hidden: [Set<PullKey>]) -> InboxSection {
        var items: [PullKey: InboxItem] = [:]
        for (account, hidden) in zip(accounts, hidden) {
            for (key, item) in account.pulls where plan.includes(item) && !hidden.contains(key) {
                // If two accounts see it, prefer the one that it waits for.
                if let existing = items[key], !existing.waits.isEmpty || item.waits.isEmpty { continue }
                items[key] = item
            }
        }
        let found = accounts.compactMap { $0.found[plan.search] }
        var section = InboxSection(
            id: plan.id, kind: plan.kind, name: plan.name,
            items: InboxFilter.sorted(Array(items.values), by: settings.choices.sort),
            isCut: found.contains(where: \.isCut),
            problem: problem(plan))
        let total = found.map(\.total).reduce(0, +)
        if plan.isWholeSearch, section.isCut, total > items.count { section.total = total }
        if plan.kind == .changed { section.problem = section.problem ?? lessDetail }
        return section
    }

    /// An own section has a problem if its search failed in all accounts, any other if a search failed in any account.
    private func problem(_ plan: Plan) -> String? {
        guard plan.needs.isEmpty else {
            return accounts.lazy.flatMap { account in plan.needs.compactMap { account.found[$0]?.problem } }
                .first
        }
        let problems = accounts.compactMap { $0.found[plan.search]?.problem }
        return problems.count == accounts.count ? problems.first : nil
    }

    /// Nil if any account has the details, and so fills the section.
    private var lessDetail: String? {
        let loaded = accounts.filter(\.isLoaded)
        guard !loaded.isEmpty, loaded.allSatisfy(\.source.hasLessDetail) else { return nil }
        return
            "This GitHub server does not report when you reviewed, so Roost cannot tell what changed since."
    }
}

extension InboxBuilder {
    private func isHidden(_ index: Int) -> Bool {
        let mark = settings.marks[index]
        guard !matches[index].isEmpty else { return !mark.isOver(nil, at: now) }
        return !matches[index].contains { mark.isOver($0.item.digest, at: now) }
    }

    var endedMarks: [StoredMark] {
        settings.marks.indices.filter { !isHidden($0) }.map { settings.marks[$0] }
    }

    /// The marks whose pull requests have a new name or node id.
    var moves: [PullMarkIndex.Move] {
        settings.marks.indices.compactMap { index in
            let mark = settings.marks[index]
            guard isHidden(index), let match = match(of: index) else { return nil }
            let nodeId = match.nodeId ?? mark.nodeId
            guard match.key.description != mark.key.description || nodeId != mark.nodeId else { return nil }
            return PullMarkIndex.Move(mark: mark, key: match.key, nodeId: nodeId)
        }
    }

    /// Prefers the account that has the mark's own name: one that was not refreshed since a rename has the old name.
    private func match(of index: Int) -> InboxItem? {
        let items = matches[index].map(\.item)
        return items.first { $0.key == settings.marks[index].key }
            ?? items.min { $0.key.description < $1.key.description }
    }

    /// Leaves out pull requests that were merged since, but not those of accounts that have not loaded.
    private var hiddenItems: [HiddenItem] {
        let waitingHosts = Set(accounts.filter { !$0.isLoaded }.map(\.account.host))
        return settings.marks.indices.filter(isHidden).compactMap { index -> HiddenItem? in
            let (mark, match) = (settings.marks[index], match(of: index))
            guard match != nil || waitingHosts.contains(mark.key.host) else { return nil }
            return HiddenItem(
                key: match?.key ?? mark.key, mark: mark.mark, markedAt: mark.markedAt, pull: match?.pull)
        }.sorted { ($0.markedAt, $1.key.description) > ($1.markedAt, $0.key.description) }
    }
}
