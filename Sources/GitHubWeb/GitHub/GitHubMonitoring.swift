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
            sources["\(report.host)/\(report.number)"] = SourceHealth(
                state: state(report), error: error(report)?.message(source: "GitHub"),
                updatedAt: outcomes.lastSuccess.map(ISO8601.seconds), nextTryAt: nil,
                callsLeft: budgets.first { $0.resource == "core" }?.remaining,
                budgets: budgets.reduce(into: [:]) { $0[$1.resource] = SourceHealth.Budget($1) },
                failures: outcomes.failures)
        }
    }

    var metrics: [String] {
        guard !reports.isEmpty else { return [] }
        let states = Dictionary(grouping: reports.filter { $0.number > 0 }, by: \.authentication)
            .map { (#"{state="\#($0.key)"}"#, $0.value.count) }.sorted { $0.0 < $1.0 }
        return family("accounts", "gauge", states)
            + family("up", "gauge", reports.map { (labels($0), error($0) == nil ? 1 : 0) })
            + family(
                "age_seconds", "gauge",
                reports.compactMap { report in
                    report.outcomes.lastSuccess.map {
                        (labels(report), max(0, Int(now.timeIntervalSince($0))))
                    }
                })
            + family("budget_limit", "gauge", perBudget(\.limit))
            + family("budget_remaining", "gauge", perBudget(\.remaining))
            + family(
                "failures_total", "counter",
                reports.flatMap { report in
                    report.outcomes.failures.sorted { $0.key < $1.key }.map {
                        (labels(report, "kind", $0.key), $0.value)
                    }
                })
    }

    /// Prometheus requires a metric's lines to follow its type without gaps.
    private func family(_ name: String, _ type: String, _ values: [(labels: String, value: Int)]) -> [String]
    {
        values.isEmpty
            ? []
            : ["# TYPE roost_github_\(name) \(type)"]
                + values.map { "roost_github_\(name)\($0.labels) \($0.value)" }
    }

    private func perBudget(_ amount: KeyPath<RateBudget, Int>) -> [(String, Int)] {
        reports.flatMap { report in
            budgets(of: report).map { (labels(report, "resource", $0.resource), $0[keyPath: amount]) }
        }
    }

    private func labels(_ report: GitHubAccountReport, _ name: String? = nil, _ value: String = "") -> String
    {
        let more = name.map { #",\#($0)="\#(value)""# } ?? ""
        return #"{host="\#(Self.quoted(report.host))",account="\#(report.number)"\#(more)}"#
    }

    /// Removes characters that could break out of the label.
    private static func quoted(_ text: String) -> String {
        let allowed = text.unicodeScalars.filter { $0.isASCII && $0.value > 0x20 && $0 != "\"" && $0 != "\\" }
        return String(String.UnicodeScalarView(allowed))
    }

    /// The budgets of the resources that Roost uses, unless already reset.
    private func budgets(of report: GitHubAccountReport) -> [RateBudget] {
        ["core", "graphql", "search"].compactMap { report.budgets[$0] }.filter { $0.resetAt > now }
    }

    private func error(_ report: GitHubAccountReport) -> APIError? {
        report.error ?? report.outcomes.lastError
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
