import Foundation
import Testing

@testable import GitHub
@testable import GitHubWeb
@testable import RoostSupport
@testable import RoostWeb

/// GitHub in `/healthz` and `/metrics`.
@Suite struct GitHubMonitoringTests {
    private let now = Date(timeIntervalSince1970: 1_794_312_000)

    private func report(
        _ number: GitHubAccountID = 3, host: String = "github.com",
        _ authentication: AuthenticationState = .authenticated, error: APIError? = nil,
        success seconds: TimeInterval? = 12, failures: [APIError] = [], last: APIError? = nil,
        budgets: [RateBudget] = []
    ) -> GitHubAccountReport {
        var outcomes = GitHubOutcomes()
        for failure in failures { outcomes.count(failure) }
        outcomes.lastSuccess = seconds.map { now - $0 }
        outcomes.lastError = last
        return GitHubAccountReport(
            host: host, number: number, authentication: authentication, error: error, outcomes: outcomes,
            budgets: Dictionary(uniqueKeysWithValues: budgets.map { ($0.resource, $0) }))
    }

    private func budget(_ resource: String, _ remaining: Int, resetsIn seconds: TimeInterval = 600)
        -> RateBudget
    {
        RateBudget(resource: resource, limit: 5_000, remaining: remaining, resetAt: now + seconds)
    }

    /// The samples.
    private func lines(_ reports: [GitHubAccountReport]) -> [String] {
        GitHubMonitoring(reports, now: now).metrics.flatMap { $0.text.split(separator: "\n") }
            .filter { !$0.hasPrefix("#") }.map(String.init)
    }

    @Test func `an account that GitHub never answered is down`() {
        #expect(
            lines([report(7, success: nil)]).contains(
                #"roost_github_up{host="github.com",account="7"} 0"#))
    }

    @Test func `each account has its own state, by host and number`() throws {
        let all = [
            report(), report(4, host: "git.example.org", success: 2_000),
            report(5, .unauthenticated, error: .unauthorized, success: nil),
            report(6, .authenticating, success: nil), report(7, success: nil),
            report(8, last: .timedOut),
        ]
        let sources = GitHubMonitoring(all, now: now).sources
        #expect(
            sources.mapValues(\.state) == [
                "github.com/3": "fresh", "git.example.org/4": "stale", "github.com/5": "failed",
                "github.com/6": "loading", "github.com/7": "idle", "github.com/8": "failed",
            ])
        #expect(sources["github.com/5"]?.error == "Your session has expired. Please log in again.")
        #expect(sources["github.com/8"]?.error == "GitHub did not answer in time.")
    }

    @Test func `the JSON has last success, budgets and failures by kind`() throws {
        let budgets = [budget("core", 4_990), budget("graphql", 4_812), budget("search", 3, resetsIn: -1)]
        let report = self.report(failures: [.timedOut, .timedOut, .forbidden], budgets: budgets)
        let source = try #require(GitHubMonitoring([report], now: now).sources["github.com/3"])
        let encoded = try JSONEncoder().encode(source)
        let json = try #require(try JSONSerialization.jsonObject(with: encoded) as? [String: Any])
        #expect(json["updatedAt"] as? String == "2026-11-10T11:59:48Z")
        #expect(json["callsLeft"] as? Int == 4_990)
        #expect(json["failures"] as? [String: Int] == ["timedOut": 2, "forbidden": 1])
        let budgetsJSON = try #require(json["budgets"] as? [String: [String: Any]])
        #expect(Set(budgetsJSON.keys) == ["core", "graphql"])
        #expect(budgetsJSON["graphql"]?["remaining"] as? Int == 4_812)
        #expect(budgetsJSON["graphql"]?["resetAt"] as? String == "2026-11-10T12:10:00Z")
    }

    @Test func `metrics have a line for each figure, grouped by metric`() {
        let reports = [
            report(failures: [.timedOut], budgets: [budget("graphql", 4_812)]),
            report(4, host: "git.example.org", success: nil, failures: [.forbidden], last: .forbidden),
            report(5, .unauthenticated, error: .unauthorized, success: nil),
        ]
        #expect(
            lines(reports) == [
                #"roost_github_accounts{state="authenticated"} 2"#,
                #"roost_github_accounts{state="unauthenticated"} 1"#,
                #"roost_github_up{host="github.com",account="3"} 1"#,
                #"roost_github_up{host="git.example.org",account="4"} 0"#,
                #"roost_github_up{host="github.com",account="5"} 0"#,
                #"roost_github_age_seconds{host="github.com",account="3"} 12"#,
                #"roost_github_budget_limit{host="github.com",account="3",resource="graphql"} 5000"#,
                #"roost_github_budget_remaining{host="github.com",account="3",resource="graphql"} 4812"#,
                #"roost_github_failures_total{host="github.com",account="3",kind="timedOut"} 1"#,
                #"roost_github_failures_total{host="git.example.org",account="4",kind="forbidden"} 1"#,
            ])
    }

    @Test func `requests without an account are reported only once there are any`() {
        let silent = GitHubAccountReport(host: "github.com", number: 0, authentication: .unauthenticated)
        #expect(GitHubMonitoring([silent], now: now).sources.isEmpty)
        #expect(lines([silent]).isEmpty)
        let asking = GitHubMonitoring([report(0, .unauthenticated)], now: now)
        #expect(asking.sources["github.com/0"]?.state == "fresh")
        #expect(
            lines([report(0, .unauthenticated)]).contains(
                #"roost_github_up{host="github.com",account="0"} 1"#))
    }

    @Test func `a host's name cannot break out of its label`() {
        let samples = lines([report(host: "a\"} 1\nb\\")])
        #expect(samples.contains(#"roost_github_up{host="a\"} 1\nb\\",account="3"} 1"#))
    }
}
