import Foundation

/// Puts one user's inbox together from what his accounts brought home: pure.
struct InboxBuilder {
    /// In the order of their connecting.
    let accounts: [AccountPulls.Snapshot]
    let settings: InboxSettings
    let now: Date
    /// What the accounts see of each mark's pull request, in the order of the marks.
    private let sights: [[Sight]]

    /// A pull request as one account sees it.
    private struct Sight {
        /// The account's index.
        let account: Int
        let key: PullKey
        let pull: ClassifiedPull
    }

    init(accounts: [AccountPulls.Snapshot], settings: InboxSettings, now: Date) {
        self.accounts = accounts
        self.settings = settings
        self.now = now
        var sights = settings.marks.map { _ in [Sight]() }
        if !sights.isEmpty {
            let index = PullMarkIndex(settings.marks)
            for (account, snapshot) in accounts.enumerated() {
                for (key, pull) in snapshot.pulls {
                    guard let mark = index.index(of: key, nodeId: pull.nodeId) else { continue }
                    sights[mark].append(Sight(account: account, key: key, pull: pull))
                }
            }
        }
        self.sights = sights
    }

    /// A section's name, and which pull requests of an account stand in it.
    private struct Plan {
        let id: String
        let kind: InboxSection.Kind
        let name: String
        /// The search whose total and cut are the section's.
        let search: PullSearch
        /// Without these it is not known who stands in it.
        var needs: [PullSearch] = []
        /// Whether everything that the search finds is in the section.
        var isWholeSearch = false
        let holds: (ClassifiedPull) -> Bool
    }

    private var plans: [Plan] {
        [
            Plan(
                id: "turn", kind: .turn, name: "Your turn", search: .asked,
                needs: [.asked, .assigned, .reviewed, .commented, .yours]
            ) { $0.isTurn },
            Plan(id: "teams", kind: .teams, name: "Team requests", search: .asked, needs: [.asked]) {
                $0.isAskedThroughTeam
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
                $0.isYours
            },
            Plan(
                id: "mentions", kind: .mentions, name: "Mentions", search: .mentions, needs: [.mentions],
                isWholeSearch: true
            ) {
                $0.finds.contains(.mentions)
            },
        ]
            + settings.sections.map { section in
                Plan(
                    id: "own-\(section.id)", kind: .own, name: section.name, search: .own(section.id),
                    isWholeSearch: true
                ) { $0.finds.contains(.own(section.id)) }
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
            for sight in sights[mark] { hidden[sight.account].insert(sight.key) }
        }
        let sections = plans.map { section($0, hidden: hidden) }
        return Inbox(
            sections: sections, sources: sources, hidden: hiddenItems,
            waiting: sections.first?.items.count ?? 0, choices: settings.choices, now: now)
    }

    /// - Parameter hidden: what is put away, by account
    private func section(_ plan: Plan, hidden: [Set<PullKey>]) -> InboxSection {
        var items: [PullKey: InboxItem] = [:]
        for (account, hidden) in zip(accounts, hidden) {
            for (key, pull) in account.pulls where plan.holds(pull) && !hidden.contains(key) {
                // Seen through two accounts: the one that it waits for speaks.
                if let known = items[key], !known.reasons.isEmpty || pull.waits.isEmpty { continue }
                items[key] = item(key, pull, account.account.id)
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

    /// An own search is a problem where no account could do it, another one where any could not.
    private func problem(_ plan: Plan) -> String? {
        guard plan.needs.isEmpty else {
            return accounts.lazy.flatMap { account in plan.needs.compactMap { account.found[$0]?.problem } }
                .first
        }
        let problems = accounts.compactMap { $0.found[plan.search]?.problem }
        return problems.count == accounts.count ? problems.first : nil
    }

    /// Only where no account can tell: one that can fills the section.
    private var lessDetail: String? {
        let loaded = accounts.filter(\.isLoaded)
        guard !loaded.isEmpty, loaded.allSatisfy(\.source.hasLessDetail) else { return nil }
        return "This GitHub does not tell Roost when you reviewed, so what changed since is not known."
    }

    private func item(_ key: PullKey, _ pull: ClassifiedPull, _ account: GitHubAccountID) -> InboxItem {
        InboxItem(
            accountId: account, key: key, pull: pull.pull, reasons: pull.waits.map(\.reason),
            waitingSince: pull.waitingSince, pressure: pressure(pull))
    }

    private func pressure(_ pull: ClassifiedPull) -> InboxItem.Pressure {
        guard pull.isTurn else { return .calm }
        let hours = now.timeIntervalSince(pull.waitingSince) / 3_600
        let choices = settings.choices
        return hours >= Double(choices.redHours) ? .red : hours >= Double(choices.amberHours) ? .amber : .calm
    }
}

extension InboxBuilder {
    private func isHidden(_ index: Int) -> Bool {
        let mark = settings.marks[index]
        guard !sights[index].isEmpty else { return !mark.isOver(nil, at: now) }
        return !sights[index].contains { mark.isOver($0.pull.digest, at: now) }
    }

    /// The marks that have done their duty.
    var over: [StoredMark] { settings.marks.indices.filter { !isHidden($0) }.map { settings.marks[$0] } }

    /// The marks whose pull requests have another name or node id than when they were last seen.
    var moves: [PullMarkIndex.Move] {
        settings.marks.indices.compactMap { index in
            let mark = settings.marks[index]
            guard isHidden(index), let sight = sight(of: index) else { return nil }
            let nodeId = sight.pull.nodeId ?? mark.nodeId
            guard sight.key.description != mark.key.description || nodeId != mark.nodeId else { return nil }
            return PullMarkIndex.Move(mark: mark, key: sight.key, nodeId: nodeId)
        }
    }

    /// The one under the mark's own name, if there is one: an account that was not refreshed since a rename has the old.
    private func sight(of index: Int) -> Sight? {
        sights[index].first { $0.key == settings.marks[index].key }
            ?? sights[index].min { $0.key.description < $1.key.description }
    }

    /// What is put away, as far as it is still in sight, or could be: one that was merged since is left out.
    private var hiddenItems: [HiddenItem] {
        let waitingHosts = Set(accounts.filter { !$0.isLoaded }.map(\.account.host))
        return settings.marks.indices.filter(isHidden).compactMap { index -> HiddenItem? in
            let (mark, sight) = (settings.marks[index], sight(of: index))
            guard sight != nil || waitingHosts.contains(mark.key.host) else { return nil }
            return HiddenItem(
                key: sight?.key ?? mark.key, mark: mark.mark, markedAt: mark.markedAt, pull: sight?.pull.pull)
        }.sorted { ($0.markedAt, $1.key.description) > ($1.markedAt, $0.key.description) }
    }
}
