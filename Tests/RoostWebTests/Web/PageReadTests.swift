import Foundation
import GRDB
import Synchronization
import TestSupport
import Testing

@Suite struct PageReadTests {
    @Test func `a page and its counts are read in one transaction`() async throws {
        let transactionCount = Mutex(0)
        try await TestServer.with(configure: { configuration in
            configuration.prepareDatabase = .init { database in
                database.trace { statement in
                    if "\(statement)".hasPrefix("BEGIN DEFERRED") { transactionCount.withLock { $0 += 1 } }
                }
            }
        }) { testServer in
            for path in try await CompiledStatementTests.pages(of: testServer) {
                // Bookmarks are counted first, because many are read on other threads; a wall looks up its link.
                let expected = path.hasPrefix("/bookmarks") || path.hasPrefix("/display/") ? 2 : 1
                var counts: [Int] = []
                for visit in 1...8 where (counts.min() ?? .max) > expected {
                    let before = transactionCount.withLock(\.self)
                    let joint = path.contains("?") ? "&" : "?"
                    let answer = try await testServer.send("GET", "\(path)\(joint)look=\(visit)")
                    #expect(answer.status == 200, "\(path)")
                    counts.append(transactionCount.withLock(\.self) - before)
                }
                // The minimum, because background tasks read too.
                #expect((counts.min() ?? .max) <= expected, "\(path)")
            }
        }
    }
}
