import Foundation
import GRDB
import Synchronization
import Testing

@testable import HTTPClient
@testable import RoostServices

@Suite struct WatchlistPageTests {
    @Test func `a page, what it counts included, is read in one transaction`() async throws {
        let begun = Mutex(0)
        let configure: (inout Services.Configuration) -> Void = { configuration in
            configuration.prepareDatabase = .init { database in
                database.trace { statement in
                    if "\(statement)".hasPrefix("BEGIN DEFERRED") { begun.withLock { $0 += 1 } }
                }
            }
        }
        try await TestServer.with(configure: configure) { testServer in
            var counts: [Int] = []
            for look in 1...5 {
                let before = begun.withLock(\.self)
                let answer = try await testServer.send("GET", "/watchlist?look=\(look)")
                #expect(answer.status == 200)
                counts.append(begun.withLock(\.self) - before)
            }
            // In the background prices are asked for meanwhile.
            #expect(counts.min() == 1)
        }
    }

    @Test func `without scripts a coin is found, added, removed and brought back`() async throws {
        try await TestServer.with { testServer in
            let found = try await testServer.send("GET", "/watchlist?q=dogec")
            #expect(found.text.contains("value=\"dogecoin\""))
            let added = try await testServer.post("/watchlist", form: "coinId=dogecoin")
            #expect(added.status == 303)
            let after = try await testServer.send("GET", try #require(added.headers["Location"]))
            #expect(after.text.contains("Dogecoin"))
            let removed = try await testServer.post("/watchlist/dogecoin/remove")
            let notice = try await testServer.send("GET", try #require(removed.headers["Location"]))
            #expect(notice.text.contains("was removed from your watchlist"))
            #expect(notice.text.contains("/watchlist/dogecoin/undo"))
            let answer1 = try await testServer.post("/watchlist/dogecoin/undo")
            #expect(answer1.status == 303)
            let answer2 = try await testServer.send("GET", "/api/v1/watchlist")
            #expect(answer2.items.count == 1)
        }
    }

    @Test func `an error stands on the page with what was typed`() async throws {
        try await TestServer.with { testServer in
            let answer = try await testServer.post("/watchlist", form: "coinId=no-such-coin")
            #expect(answer.status == 404)
            #expect(answer.text.contains("Cryptocurrency not found"))
            #expect(answer.text.contains("value=\"no-such-coin\""))
        }
    }

    @Test func `strangers' names are text, never markup`() async throws {
        try await TestServer.with { testServer in
            let answer = try await testServer.send("GET", "/watchlist?q=%3Cscript%3Ealert(1)%3C/script%3E")
            #expect(!answer.text.contains("<script>alert"))
            #expect(answer.text.contains("&lt;script&gt;alert(1)"))
        }
    }

    @Test func `the order of the list is remembered`() async throws {
        try await TestServer.with { testServer in
            try await testServer.watch("dogecoin", "bitcoin")
            let answer3 = try await testServer.post("/watchlist/sort", form: "sort=price")
            #expect(answer3.status == 303)
            let rows = try await testServer.send("GET", "/watchlist/rows").text
            let bitcoin = try #require(rows.range(of: "data-key=\"bitcoin\""))
            let dogecoin = try #require(rows.range(of: "data-key=\"dogecoin\""))
            #expect(bitcoin.lowerBound < dogecoin.lowerBound)
            let answer4 = try await testServer.post("/watchlist/sort", form: "sort=size")
            #expect(answer4.status == 422)
        }
    }

    @Test func `a coin moves by its buttons`() async throws {
        try await TestServer.with { testServer in
            try await testServer.watch("bitcoin", "ethereum")
            _ = try await testServer.post("/watchlist/ethereum/move", form: "direction=up")
            let order = try await testServer.send("GET", "/api/v1/watchlist?sort=mine").items
            #expect(order.compactMap { $0["coinId"] as? String } == ["ethereum", "bitcoin"])
            let answer5 = try await testServer.post("/watchlist/ethereum/move", form: "direction=left")
            #expect(answer5.status == 422)
        }
    }

    @Test func `an unchanged part of the page is not sent again`() async throws {
        try await TestServer.with(configure: { $0.priceInterval = 3_600 }) { testServer in
            try await testServer.watch("bitcoin")
            var tag = ""
            // It changes once more when the coin's logo is here.
            try await eventually("it is unchanged") {
                tag = try await testServer.send("GET", "/watchlist/rows").headers["ETag"] ?? ""
                return try await testServer.send(
                    "GET", "/watchlist/rows", headers: [("If-None-Match", tag)]
                ).status == 304
            }
            try await testServer.services.watchlist.add("ethereum", to: testServer.owner.userId)
            let third = try await testServer.send("GET", "/watchlist/rows", headers: [("If-None-Match", tag)])
            #expect(third.status == 200)
        }
    }

    @Test func `the page that lies ready is the page as it is now`() async throws {
        try await TestServer.with(configure: { $0.priceInterval = 3_600 }) { testServer in
            try await testServer.watch("bitcoin")
            _ = try await testServer.send("GET", "/watchlist")
            try await testServer.services.watchlist.add("ethereum", to: testServer.owner.userId)
            let answer6 = try await testServer.send("GET", "/watchlist")
            #expect(answer6.text.contains("data-key=\"ethereum\""))
        }
    }

    @Test func `an interval against the plan is warned of on the page`() async throws {
        try await TestServer.with(configure: { $0.priceInterval = 5 }) { testServer in
            let page = try await testServer.send("GET", "/watchlist").text
            #expect(page.contains("Prices are asked for every 5 s by setting"))
        }
        try await TestServer.with(configure: { $0.priceInterval = nil }) { testServer in
            let page = try await testServer.send("GET", "/watchlist").text
            #expect(!page.contains("by setting"))
        }
    }

    @Test func `a row has its coin's logo and the figures of all columns`() async throws {
        try await TestServer.with { testServer in
            try await testServer.watch("bitcoin")
            try await eventually("the logo is here") {
                try await testServer.send("GET", "/watchlist/rows").text
                    .contains("<img class=\"avatar logo\" src=\"/pictures/")
            }
            let rows = try await testServer.send("GET", "/watchlist/rows").text
            for time in ["1 hour", "24 hours", "7 days"] {
                let isSaid = rows.contains("percent in \(time)") || rows.contains("unchanged in \(time)")
                #expect(isSaid, "\(time)")
            }
            // Market value and volume, in short with all that is known of them.
            #expect(
                rows.matches(of: /<span class="amount" title="[0-9,.]+">\$[0-9,.]+[MBT]?<\/span>/).count == 2)
            #expect(rows.contains("<polyline points="))
        }
    }

    @Test func `a category that no coin has says so, and leads back to all`() async throws {
        try await TestServer.with { testServer in
            try await testServer.watch("bitcoin")
            let page = try await testServer.send("GET", "/watchlist?category=None%20has%20it").text
            #expect(page.contains("No coin of this list has this category."))
            #expect(!page.contains("Your watchlist is empty."))
        }
    }

    @Test func `home shows the first coins and the displays`() async throws {
        try await TestServer.with { testServer in
            try await testServer.watch("bitcoin")
            _ = try await testServer.services.displays.add("Office wall", for: testServer.owner.userId)
            let home = try await testServer.send("GET", "/").text
            #expect(home.contains("Bitcoin"))
            #expect(home.contains("Office wall"))
        }
    }
}
