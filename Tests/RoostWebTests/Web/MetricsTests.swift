import Foundation
import TestSupport
import Testing

@testable import HTTPServer
@testable import RoostSupport
@testable import RoostWeb
@testable import roost

/// `/metrics`, its format, and the files that use it.
@Suite(.timeLimit(.minutes(5))) struct MetricsTests {
    private func metrics(_ testServer: TestServer) async throws -> MetricText {
        try MetricText(try await testServer.send("GET", "/metrics").text)
    }

    @Test func `the complete output follows the format`() async throws {
        try await TestServer.with { testServer in
            try await testServer.watch("bitcoin")
            for path in ["/", "/watchlist", "/no-such-page", "/repositories/a%22b/c%5Cd%0A"] {
                _ = try await testServer.send("GET", path)
            }
            _ = try await testServer.post("/theme", form: "theme=dark")
            let metrics = try await metrics(testServer)
            #expect(metrics.families.count > 40)
            for name in [
                "roost_requests_total", "roost_upstream_requests_total", "roost_database_size_bytes",
                "roost_disk_free_bytes", "roost_chat_messages", "process_resident_memory_bytes",
                "process_cpu_seconds_total", "process_open_fds", "process_start_time_seconds",
                "roost_database_read_duration_seconds_count", "roost_connections",
            ] { #expect(metrics.samples.contains { $0.name == name }, "\(name)") }
            #expect(metrics.value("roost_database_up") == 1)
            #expect(metrics.value("roost_build_info", ["version": "test"]) == 1)
            let start = try #require(metrics.value("process_start_time_seconds"))
            #expect(abs(start - Date().timeIntervalSince1970) < 86_400)
            #expect(try #require(metrics.value("process_resident_memory_bytes")) > 1_000_000)
        }
    }

    @Test func `requests are counted by method, route and status, whatever their path`() async throws {
        try await TestServer.with { testServer in
            for coin in ["bitcoin", "ethereum"] { _ = try await testServer.send("GET", "/coins/\(coin)") }
            for path in ["/one", "/two", "/three"] {
                _ = try await testServer.send("GET", path, as: .anonymous)
            }
            // A request is counted after its answer.
            try await eventually("the requests are counted") {
                let metrics = try await metrics(testServer)
                let count = "roost_request_duration_seconds_count"
                return metrics.value(count, ["method": "GET", "route": "/coins/{coinId}"]) == 2
                    && metrics.value(count, ["method": "any", "route": "none"]) == 3
            }
            let text = try await testServer.send("GET", "/metrics").text
            #expect(!text.contains("/three") && !text.contains("ethereum"))
            let coins = try MetricText(text).samples.filter {
                $0.name == "roost_requests_total" && $0.labels["route"] == "/coins/{coinId}"
            }
            #expect(coins.reduce(0) { $0 + $1.value } == 2)
            #expect(coins.allSatisfy { $0.labels["method"] == "GET" && $0.labels["status"] != nil })
        }
    }

    @Test func `a source that never answered is down`() async throws {
        try await TestServer.with { testServer in
            let labels = ["source": "coingecko"]
            #expect(try await metrics(testServer).value("roost_source_up", labels) == 0)
            #expect(try await metrics(testServer).value("roost_source_age_seconds", labels) == nil)
            try await testServer.watch("bitcoin")
            #expect(try await metrics(testServer).value("roost_source_up", labels) == 1)
            #expect(try await metrics(testServer).value("roost_source_age_seconds", labels) != nil)
            let requests = try await metrics(testServer).samples.filter {
                $0.name == "roost_upstream_requests_total" && $0.labels["upstream"] == "coingecko"
            }
            #expect(requests.contains { $0.labels["status"] == "2xx" && $0.value > 0 })
        }
    }

    @Test func `metrics are still available while the database is damaged`() async throws {
        try await TestServer.with { testServer in
            testServer.services.health.noteDamage("Page 3 is not a page.")
            let metrics = try await metrics(testServer)
            #expect(metrics.value("roost_database_up") == 0)
            #expect(metrics.names.contains("roost_requests_total"))
        }
    }

    @Test(arguments: ["roost-alerts.yml", "roost-dashboard.json"])
    func `every metric that the alert rules and the dashboard use exists`(file: String) async throws {
        let url = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../Sources/Packaging/monitoring/\(file)").standardizedFileURL
        let text = try String(contentsOf: url, encoding: .utf8)
        let used = Set(text.matches(of: /\b(?:roost|process)_[a-z_]+\b/).map { String($0.output) })
        #expect(used.count > 15)
        try await TestServer.with { testServer in
            let names = try await metrics(testServer).names
            #expect(used.subtracting(names).isEmpty)
        }
    }

    @Test func `label values and help texts are escaped`() throws {
        let family = MetricFamily.gauge("a", "One \\ and\ntwo").with(1, ["name": "x\"y\\z\nand \"\u{301}"])
        #expect(
            family.text == """
                # HELP a One \\\\ and\\ntwo
                # TYPE a gauge
                a{name="x\\"y\\\\z\\nand \\"\u{301}"} 1

                """)
        let parsed = try MetricText(family.text)
        #expect(parsed.samples.first?.labels["name"] == "x\"y\\z\nand \"\u{301}")
    }

    @Test func `a histogram has cumulative buckets in seconds`() throws {
        var durations = DurationHistogram()
        for microseconds in [100, 101, 90_000, 45_000_000] {
            durations.add(.microseconds(microseconds))
        }
        let metrics = try MetricText(
            MetricFamily.histogram("wait_seconds", "Waiting.").with(durations, ["of": "cats"]).text)
        func bucket(_ bound: String) -> Double? {
            metrics.value("wait_seconds_bucket", ["of": "cats", "le": bound])
        }
        #expect(bucket("0.0001") == 1)
        #expect(bucket("0.00025") == 2)
        #expect(bucket("0.05") == 2)
        #expect(bucket("0.1") == 3)
        #expect(bucket("30") == 3)
        #expect(bucket("+Inf") == 4)
        #expect(metrics.value("wait_seconds_sum", ["of": "cats"]) == 45.090201)
    }

    @Test func `a program's name with spaces and parentheses does not confuse its figures`() throws {
        let line =
            "42 (a) b (c)) S 1 42 42 0 -1 4194304 100 0 0 0 250 50 0 0 20 0 3 0 7000 123456789 512 1844"
        let status = try #require(ProcessStatus(Array(line.utf8)))
        #expect(status.processorTicks == 300)
        #expect(status.startTicks == 7_000)
        #expect(status.virtualBytes == 123_456_789)
        #expect(status.residentPages == 512)
        #expect(ProcessStatus(Array("42 (roost) S 1".utf8)) == nil)
        #expect(
            ProcessMetrics.bootTime(Array("cpu 1 2\nbtime 1794312000\nprocesses 7\n".utf8)) == 1_794_312_000)
    }
}
