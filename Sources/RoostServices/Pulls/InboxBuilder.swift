import Foundation

/// Puts one user's inbox together from what his accounts brought home: pure.
struct InboxBuilder {
    /// In the order of their connecting.
    let accounts: [AccountPulls.Snapshot]
    let settings: InboxSettings
    let now: Date

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
        let hidden = Set(settings.marks.values.filter { isHidden($0) }.map(\.key))
        let sections = plans.map { section($0, hidden: hidden) }
        return Inbox(
            sections: sections, sources: sources, hidden: hiddenItems(hidden),
            waiting: sections.first?.items.count ?? 0, choices: settings.choices, now: now)
    }

    private func section(_ plan: Plan, hidden: Set<PullKey>) -> InboxSection {
        var items: [PullKey: InboxItem] = [:]
        for account in accounts {
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
    /// The pull request as an account sees it: the one that knows most, whose turn it is first.
    private func sight(of key: PullKey) -> [ClassifiedPull] { accounts.compactMap { $0.pulls[key] } }

    private func isHidden(_ mark: StoredMark) -> Bool {
        let sights = sight(of: mark.key)
        guard !sights.isEmpty else { return !mark.isOver(nil, at: now) }
        return !sights.contains { mark.isOver($0.digest, at: now) }
    }

    /// The marks that have done their duty.
    var over: [StoredMark] { settings.marks.values.filter { !isHidden($0) } }

    /// What is put away, as far as it is still in sight, or could be: one that was merged meanwhile is not told of.
    private func hiddenItems(_ hidden: Set<PullKey>) -> [HiddenItem] {
        let waitingHosts = Set(accounts.filter { !$0.isLoaded }.map(\.account.host))
        return settings.marks.values.filter { hidden.contains($0.key) }.compactMap { mark -> HiddenItem? in
            let pull = sight(of: mark.key).first?.pull
            guard pull != nil || waitingHosts.contains(mark.key.host) else { return nil }
            return HiddenItem(key: mark.key, mark: mark.mark, markedAt: mark.markedAt, pull: pull)
        }.sorted { ($0.markedAt, $1.key.description) > ($1.markedAt, $0.key.description) }
    }
}
