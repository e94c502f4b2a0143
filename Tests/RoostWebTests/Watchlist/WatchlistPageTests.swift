import Foundation
import Testing

@testable import HTTPClient
@testable import RoostServices

@Suite struct WatchlistPageTests {
    @Test func `without scripts a coin is found, added, removed and restored`() async throws {
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

    @Test func `an error is shown on the page with what was typed`() async throws {
        try await TestServer.with { testServer in
            let answer = try await testServer.post("/watchlist", form: "coinId=no-such-coin")
            #expect(answer.status == 404)
            #expect(answer.text.contains("Cryptocurrency not found"))
            #expect(answer.text.contains("value=\"no-such-coin\""))
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

    @Test func `buttons move a coin`() async throws {
        try await TestServer.with { testServer in
            try await testServer.watch("bitcoin", "ethereum")
            _ = try await testServer.post("/watchlist/ethereum/move", form: "direction=up")
            let order = try await testServer.send("GET", "/api/v1/watchlist?sort=mine").items
            #expect(order.compactMap { $0["coinId"] as? String } == ["ethereum", "bitcoin"])
            let answer5 = try await testServer.post("/watchlist/ethereum/move", form: "direction=left")
            #expect(answer5.status == 422)
        }
    }

    @Test func `an unchanged part of the page answers 304`() async throws {
        try await TestServer.with(configure: { $0.priceInterval = 3_600 }) { testServer in
            try await testServer.watch("bitcoin")
            var tag = ""
            // The rows change once more when the coin's logo arrives.
            try await eventually("the rows are unchanged") {
                tag = try await testServer.send("GET", "/watchlist/rows").headers["ETag"] ?? ""
                return try await testServer.send(
                    "GET", "/watchlist/rows", headers: [("If-None-Match", tag)]
                ).status == 304
            }
            try await testServer.services.market.watchlist.add("ethereum", to: testServer.owner.userId)
            let third = try await testServer.send("GET", "/watchlist/rows", headers: [("If-None-Match", tag)])
            #expect(third.status == 200)
        }
    }

    @Test func `a cached page is replaced after a change`() async throws {
        try await TestServer.with(configure: { $0.priceInterval = 3_600 }) { testServer in
            try await testServer.watch("bitcoin")
            _ = try await testServer.send("GET", "/watchlist")
            try await testServer.services.market.watchlist.add("ethereum", to: testServer.owner.userId)
            let answer6 = try await testServer.send("GET", "/watchlist")
            #expect(answer6.text.contains("data-key=\"ethereum\""))
        }
    }

    @Test func `a price interval too short for the plan shows a warning`() async throws {
        try await TestServer.with(configure: { $0.priceInterval = 5 }) { testServer in
            let page = try await testServer.send("GET", "/watchlist").text
            #expect(page.contains("The price interval is set to 5 s"))
        }
        try await TestServer.with(configure: { $0.priceInterval = nil }) { testServer in
            let page = try await testServer.send("GET", "/watchlist").text
            #expect(!page.contains("price interval is set"))
        }
    }

    @Test func `a row has its coin's logo and the figures of all columns`() async throws {
        try await TestServer.with { testServer in
            try await testServer.watch("bitcoin")
            try await eventually("the logo is loaded") {
                try await testServer.send("GET", "/watchlist/rows").text
                    .contains("<img class=\"avatar logo\" src=\"/pictures/")
            }
            let rows = try await testServer.send("GET", "/watchlist/rows").text
            for time in ["1 hour", "24 hours", "7 days"] {
                let isSaid = rows.contains("percent in \(time)") || rows.contains("unchanged in \(time)")
                #expect(isSaid, "\(time)")
            }
            // Market cap and volume are abbreviated, with all digits in the title.
            #expect(
                rows.matches(of: /<span class="amount" title="[0-9,.]+">\$[0-9,.]+[MBT]?<\/span>/).count == 2)
            #expect(rows.contains("<polyline points="))
        }
    }

    @Test func `a category without coins says so, and links back to all`() async throws {
        try await TestServer.with { testServer in
            try await testServer.watch("bitcoin")
            let page = try await testServer.send("GET", "/watchlist?category=None%20has%20it").text
            #expect(page.contains("No coin in this list has this category."))
            #expect(!page.contains("Your watchlist is empty."))
        }
    }

    @Test func `home shows the first coins, and no display without trouble`() async throws {
        try await TestServer.with { testServer in
            try await testServer.watch("bitcoin")
            _ = try await testServer.services.market.displays.add("Office wall", for: testServer.owner.userId)
            let home = try await testServer.send("GET", "/").text
            #expect(home.contains("Bitcoin"))
            #expect(home.contains("Displays in trouble"))
            #expect(!home.contains("Office wall"))
        }
    }
}
