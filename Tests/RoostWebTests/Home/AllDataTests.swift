import Foundation
import TestSupport
import Testing

@testable import HTTPClient
@testable import HTTPServer
@testable import RoostServices
@testable import RoostSupport
@testable import RoostWeb
@testable import roost

extension AllDataView {
    static let sample = AllDataView(
        layout: .sample, state: .sample, exportError: "There is not enough space on the server’s disk.",
        fileError: "This isn’t a zip file, or it is cut off. Download it again.", isOwner: true)
}

extension AllDataStateView {
    static let sample = AllDataStateView(
        .ready(
            TransferJobs.Export(
                path: "/x", size: 12_345_678, madeAt: Date(timeIntervalSince1970: 1_795_000_000))),
        .done(report), now: Date(timeIntervalSince1970: 1_795_003_600))

    private static var report: TransferReport {
        var report = TransferReport()
        report.note(
            TransferReport.Row(file: "users/1/bookmarks.jsonl", line: 1, result: .added), of: "bookmarks")
        report.note(
            TransferReport.Row(
                file: "users/1/coin-notes.jsonl", line: 7,
                result: .skipped("You already have a note for this coin <btc>.")), of: "coin-notes")
        return report
    }
}

@Suite struct AllDataTests {
    private static let path = "/settings/data"

    /// Makes an export of the owner and returns its bytes.
    private func exported(_ testServer: TestServer) async throws -> [UInt8] {
        #expect(try await testServer.post(Self.path + "/export").status == 303)
        let (jobs, owner) = (testServer.services.transferJobs, testServer.owner.userId)
        try await eventually("the export is ready") {
            if case .ready = jobs.exportState(of: owner) { true } else { false }
        }
        let answer = try await testServer.send("GET", Self.path + "/all-my-data.zip")
        #expect(answer.status == 200)
        return Array(answer.body)
    }

    @Test func `an export is made in the background, and downloaded whole or in parts`() async throws {
        try await TestServer.with { testServer in
            #expect(try await testServer.send("GET", Self.path + "/all-my-data.zip").status == 404)
            let whole = try await exported(testServer)
            #expect(ZipArchive.isZip(whole))
            #expect(try await testServer.send("GET", Self.path).text.contains("Download the export"))
            let path = Self.path + "/all-my-data.zip"
            let head = try await testServer.send("GET", path)
            #expect(head.headers["Accept-Ranges"] == "bytes")
            #expect(head.headers["Content-Length"] == "\(whole.count)")
            let tag = try #require(head.headers["ETag"])
            let rest = try await testServer.send(
                "GET", path, headers: [("Range", "bytes=100-"), ("If-Range", tag)])
            #expect(rest.status == 206)
            #expect(rest.headers["Content-Range"] == "bytes 100-\(whole.count - 1)/\(whole.count)")
            #expect(Array(rest.body) == Array(whole[100...]))
            let other = try await testServer.send(
                "GET", path, headers: [("Range", "bytes=100-"), ("If-Range", "\"older\"")])
            #expect(other.status == 200 && Array(other.body) == whole)
            let beyond = try await testServer.send("GET", path, headers: [("Range", "bytes=\(whole.count)-")])
            #expect(beyond.status == 416)
        }
    }

    @Test func `another user has no access to the export`() async throws {
        try await TestServer.with { testServer in
            _ = try await exported(testServer)
            let grace = try await Guest.signUp("grace", as: .member, testServer.services)
            let answer = try await testServer.send("GET", Self.path + "/all-my-data.zip", as: grace)
            #expect(answer.status == 404)
            let attributes = try FileManager.default.attributesOfItem(
                atPath: "\(testServer.folder)/transfers/\(testServer.owner.userId)/all-my-data.zip")
            #expect(attributes[.posixPermissions] as? Int == 0o600)
        }
    }

    @Test func `an export can be deleted`() async throws {
        try await TestServer.with { testServer in
            _ = try await exported(testServer)
            #expect(try await testServer.post(Self.path + "/export/delete").status == 303)
            #expect(try await testServer.send("GET", Self.path + "/all-my-data.zip").status == 404)
        }
    }

    @Test func `a file is uploaded in slices, and a slice of another place adds nothing`() async throws {
        try await TestServer.with { testServer in
            try await testServer.watch("bitcoin")
            let whole = try await exported(testServer)
            let jobs = testServer.services.transferJobs
            let owner = testServer.owner.userId
            #expect(try jobs.receive(Array(whole[..<100]), at: 0, from: owner) == 100)
            #expect(try jobs.receive(Array(whole[200...]), at: 200, from: owner) == 100)
            #expect(jobs.received(by: owner) == 100)
            #expect(try jobs.receive(Array(whole[100...]), at: 100, from: owner) == whole.count)
            let answer = try await testServer.post(Self.path + "/import", form: "uploaded=1")
            #expect(answer.status == 303)
            try await eventually("the file is imported") {
                if case .done = jobs.importState(of: owner) { true } else { false }
            }
            let page = try await testServer.send("GET", Self.path).text
            #expect(page.contains("Imported") && page.contains("already there"))
            let report = try await testServer.send("GET", Self.path + "/import-report.csv")
            #expect(report.status == 200 && report.text.hasPrefix("file,line,result,reason"))
            #expect(jobs.received(by: owner) == 0)
        }
    }

    @Test func `the page says whether the report has all rows`() {
        func report(_ file: TransferReport.File) -> AllDataStateView.Report {
            var report = TransferReport()
            for line in 1...300 {
                report.note(
                    TransferReport.Row(file: "users/1/feeds.jsonl", line: line, result: .skipped("No.")),
                    of: "feeds")
            }
            report.file = file
            return AllDataStateView.Report(report)
        }
        #expect(report(.complete).link?.contains("all rows") == true)
        #expect(report(.complete).lack == nil && report(.complete).more?.contains("in the report") == true)
        #expect(report(.cut).link?.contains("all rows") == false)
        #expect(report(.cut).lack?.contains("20 MB") == true)
        #expect(report(.cut).more?.contains("in the report") == false)
        #expect(report(.missing).link == nil && report(.missing).lack != nil)
    }

    @Test func `something else than an export is refused with the reason, also without a script`()
        async throws
    {
        try await TestServer.with { testServer in
            let browser = Browser(testServer)
            try await browser.signIn("ada")
            try await browser.open(Self.path)
            let page = try await browser.upload(Self.path + "/import", "file", bytes: Array("hello".utf8))
            #expect(page.status == 422)
            #expect(browser.error(of: "file")?.hasPrefix("This isn’t a zip file") == true)
            #expect(testServer.services.transferJobs.received(by: testServer.owner.userId) == 0)
        }
    }

    @Test(
        arguments: [
            (nil, 10, 0..<10), ("bytes=0-3", 10, 0..<4), ("bytes=4-", 10, 4..<10), ("bytes=-3", 10, 7..<10),
            ("bytes=2-99", 10, 2..<10), ("bytes=-99", 10, 0..<10), ("bytes=10-", 10, nil),
            ("bytes=5-2", 10, 0..<10),
            ("bytes=1-2,4-5", 10, 0..<10), ("lines=1-2", 10, 0..<10), ("bytes=x-", 10, 0..<10),
        ] as [(String?, Int, Range<Int>?)])
    func `a range is read as in RFC 9110`(header: String?, size: Int, bytes: Range<Int>?) {
        #expect(ByteRange.of(header, in: size).bytes(of: size) == bytes)
    }
}
