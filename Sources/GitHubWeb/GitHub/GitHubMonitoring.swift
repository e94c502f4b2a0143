import Foundation
import GitHub
import RoostSupport
import RoostWeb
import TextFormats

/// GitHub's state for `/healthz` and `/metrics`, by host and account number. Never contains logins.
struct GitHubMonitoring {
    /// In seconds; the inbox refreshes every ten minutes.
    private static let staleAfter: TimeInterval = 1_500

    private let reports: [GitHubAccountReport]
    private let now: Date

    init(_ reports: [GitHubAccountReport], now: Date) {
        // Skips the signed-out entry if it was never used.
        self.reports = reports.filter { $0.number > 0 || $0.outcomes != GitHubOutcomes() }
        self.now = now
    }

    /// By host and account number ("github.com/3"); 0 is for requests without an account.
    var sources: [String: SourceHealth] {
        reports.reduce(into: [:]) { sources, report in
            let outcomes = report.outcomes
            let budgets = self.budgets(of: report)
            let error = self.error(report)
            sources["\(report.host)/\(report.number)"] = SourceHealth(
                title: report.number == 0
                    ? "\(report.host): without an account" : "\(report.host): account \(report.number)",
                state: state(report), error: error?.message(source: "GitHub"),
                remedy: error.flatMap(Self.remedy),
                updatedAt: outcomes.lastSuccess.map(ISO8601.seconds), nextTryAt: nil,
                callsLeft: budgets.first { $0.resource == "core" }?.remaining,
                budgets: budgets.reduce(into: [:]) { $0[$1.resource] = SourceHealth.Budget($1) },
                failures: outcomes.failures)
        }
    }

    var metrics: [MetricFamily] {
        let states = Dictionary(grouping: reports.filter { $0.number > 0 }, by: \.authentication)
            .map { ("\($0)", $1.count) }.sorted { $0.0 < $1.0 }
        var accounts = family("accounts", "Connected GitHub accounts by state.")
        for (state, count) in states { accounts = accounts.with(count, ["state": state]) }
        var up = family("up", "1 if GitHub answered this account and no error is current.")
        var age = family("age_seconds", "Age of the account's last good answer.")
        var limit = family("budget_limit", "The account's requests in an hour, by resource.")
        var remaining = family("budget_remaining", "Requests left until the reset.")
        var failures = MetricFamily.counter(
            "roost_github_failures_total", "Failed requests by account and kind.")
        for report in reports {
            let (host, account) = (report.host, "\(report.number)")
            up = up.with(isUp(report) ? 1 : 0, ["host": host, "account": account])
            if let last = report.outcomes.lastSuccess {
                age = age.with(
                    max(0, Int(now.timeIntervalSince(last))), ["host": host, "account": account])
            }
            for budget in budgets(of: report) {
                let labels: MetricFamily.Labels = [
                    "host": host, "account": account, "resource": budget.resource,
                ]
                limit = limit.with(budget.limit, labels)
                remaining = remaining.with(budget.remaining, labels)
            }
            for (kind, count) in report.outcomes.failures.sorted(by: { $0.key < $1.key }) {
                failures = failures.with(count, ["host": host, "account": account, "kind": kind])
            }
        }
        return [accounts, up, age, limit, remaining, failures]
    }

    private func family(_ name: String, _ help: String) -> MetricFamily {
        .gauge("roost_github_" + name, help)
    }

    /// An account that GitHub never answered is down.
    private func isUp(_ report: GitHubAccountReport) -> Bool {
        error(report) == nil && report.outcomes.lastSuccess != nil
    }

    /// The budgets of the resources that Roost uses, unless already reset.
    private func budgets(of report: GitHubAccountReport) -> [RateBudget] {
        ["core", "graphql", "search"].compactMap { report.budgets[$0] }.filter { $0.resetAt > now }
    }

    private func error(_ report: GitHubAccountReport) -> APIError? {
        report.error ?? report.outcomes.lastError
    }

    /// For the operator, who may not be the account's user.
    private static func remedy(_ error: APIError) -> String? {
        switch error {
        case .unauthorized: "The account’s user connects it again in Settings, GitHub."
        case .wrongKey: "Start Roost with the right key; roost doctor says which one it finds."
        default: error.recoverySuggestion
        }
    }

    private func state(_ report: GitHubAccountReport) -> String {
        if error(report) != nil { return "failed" }
        guard let last = report.outcomes.lastSuccess else {
            return report.authentication == .authenticating ? "loading" : "idle"
        }
        return now.timeIntervalSince(last) > Self.staleAfter ? "stale" : "fresh"
    }
}

extension SourceHealth.Budget {
    init(_ budget: RateBudget) {
        self.init(
            limit: budget.limit, remaining: budget.remaining,
            resetAt: ISO8601.seconds(budget.resetAt))
    }
}
