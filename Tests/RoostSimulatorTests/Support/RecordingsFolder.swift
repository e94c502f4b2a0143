import TestSupport

@testable import RoostSimulator

/// A folder of recordings for one test, deleted with it.
final class RecordingsFolder {
    private let folder: TemporaryFolder

    var path: String { folder.path }

    init(_ files: [String: String]) throws {
        folder = try TemporaryFolder()
        for (name, text) in files { try folder.write(text, to: name) }
    }

    func source() throws -> RecordedCoinGecko {
        try RecordedCoinGecko(Recordings(directory: path))
    }
}

extension RecordedCoinGecko {
    func ask(_ target: String) -> SimulatedResponse {
        answer(SimulatedRequest(target: target, userAgent: "RoostTests/1"))
    }
}

/// Market items as different collections write them.
enum RecordedItems {
    static func market(
        _ id: String, symbol: String = "x", name: String? = nil, price: String = "1.5", cap: String = "1000",
        rank: String = "null", updated: String = "2026-01-01T00:00:00.000Z"
    ) -> String {
        """
        {"id":"\(id)","symbol":"\(symbol)","name":"\(name ?? id)","image":"https://i/\(id).png",\
        "current_price":\(price),\
        "market_cap":\(cap),"market_cap_rank":\(rank),"last_updated":"\(updated)"}
        """
    }

    static func page(_ items: String...) -> String {
        "[\(items.joined(separator: ","))]"
    }
}
