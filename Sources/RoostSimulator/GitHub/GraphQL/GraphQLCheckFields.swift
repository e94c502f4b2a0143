extension GraphQLSchema {
    /// How many checks are in a state.
    struct StateCount: Sendable {
        let state: String
        let count: Int
    }

    struct CheckAt: Sendable {
        let check: CheckSchedule.Check
        let now: Int
        var isDone: Bool { check.status(at: now) == "COMPLETED" }
    }

    mutating func addChecks() {
        addCommits()
        addRollup()
        let run = "CheckRun"
        add(run, of: CheckAt.self, "id") { item, _ in .string("CR_sim\(item.check.startsAt)") }
        for name in ["name", "title"] {
            add(run, of: CheckAt.self, name) { item, _ in .string(item.check.name) }
        }
        add(run, of: CheckAt.self, "status") { item, _ in .string(item.check.status(at: item.now)) }
        add(run, of: CheckAt.self, "conclusion") { item, _ in
            .string(item.isDone ? item.check.conclusion : nil)
        }
        add(run, of: CheckAt.self, "startedAt") { item, _ in .time(item.check.startsAt) }
        add(run, of: CheckAt.self, "completedAt") { item, _ in .time(item.isDone ? item.check.endsAt : nil) }
        for name in ["url", "permalink", "detailsUrl"] {
            add(run, of: CheckAt.self, name) { _, call in .string("\(call.world.place.web)/checks") }
        }
        let context = "StatusContext"
        add(context, of: CheckAt.self, "id") { item, _ in .string("SC_sim\(item.check.startsAt)") }
        add(context, of: CheckAt.self, "context") { item, _ in .string(item.check.name) }
        add(context, of: CheckAt.self, "state") { item, _ in .string(item.check.state(at: item.now)) }
        for name in ["description", "targetUrl"] {
            add(context, of: CheckAt.self, name) { _, _ in .null }
        }
        add(context, of: CheckAt.self, "createdAt") { item, _ in .time(item.check.startsAt) }
    }

    private mutating func addCommits() {
        add("PullRequestCommit", of: Committed.self, "commit", "Commit") { item, _ in .object("Commit", item)
        }
        add("PullRequestCommit", of: Committed.self, "id") { item, _ in .string("PRC_sim\(item.commit.oid)") }
        let type = "Commit"
        add(type, of: Committed.self, "id") { item, _ in .string("CM_sim\(item.commit.oid)") }
        add(type, of: Committed.self, "oid") { item, _ in .string(item.commit.oid) }
        add(type, of: Committed.self, "abbreviatedOid") { item, _ in
            .string(String(item.commit.oid.prefix(7)))
        }
        for name in ["committedDate", "authoredDate"] {
            add(type, of: Committed.self, name) { item, _ in .time(item.commit.at) }
        }
        // GitHub has stopped to tell it and answers null.
        add(type, of: Committed.self, "pushedDate") { _, _ in .null }
        for name in ["message", "messageHeadline"] {
            add(type, of: Committed.self, name) { item, _ in .string("Part \(item.index + 1)") }
        }
        add(type, of: Committed.self, "statusCheckRollup", "StatusCheckRollup") { item, call in
            guard item.isHead, !item.pull.checks.checks.isEmpty else { return .null }
            return .object("StatusCheckRollup", Head(pull: item.pull, now: call.world.moment.now))
        }
    }

    private mutating func addRollup() {
        let type = "StatusCheckRollup"
        let connection = "StatusCheckRollupContextConnection"
        add(type, of: Head.self, "id") { head, _ in .string("SCR_sim\(head.pull.id)") }
        add(type, of: Head.self, "state") { head, _ in .string(head.pull.checks.state(at: head.now)) }
        connect(type, of: Head.self, "contexts", "StatusCheckRollupContext", named: connection) { head, _ in
            head.pull.checks.checks.map {
                .object($0.isContext ? "StatusContext" : "CheckRun", CheckAt(check: $0, now: head.now))
            }
        }
        for (prefix, isContext) in [("checkRun", false), ("statusContext", true)] {
            add(connection, of: GraphQLPage.self, "\(prefix)Count") { page, _ in
                .int(Self.checks(page, areContexts: isContext).count)
            }
            let counted = isContext ? "StatusContextStateCount" : "CheckRunStateCount"
            add(connection, of: GraphQLPage.self, "\(prefix)CountsByState", counted) { page, _ in
                let states = Self.checks(page, areContexts: isContext).map { $0.check.state(at: $0.now) }
                let counts = Dictionary(grouping: states) { $0 }.sorted { $0.key < $1.key }
                return .list(
                    counts.map { .object(counted, StateCount(state: $0.key, count: $0.value.count)) })
            }
            add(counted, of: StateCount.self, "state") { item, _ in .string(item.state) }
            add(counted, of: StateCount.self, "count") { item, _ in .int(item.count) }
        }
    }

    /// Of all pages, as GitHub counts them.
    private static func checks(_ page: GraphQLPage, areContexts: Bool) -> [CheckAt] {
        page.all.compactMap { value in
            guard case .object(let object) = value, let item = object.value as? CheckAt else { return nil }
            return item.check.isContext == areContexts ? item : nil
        }
    }
}
