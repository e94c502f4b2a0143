import Testing

@testable import RoostSimulator

@Suite struct RequestLogTests {
    private func request(_ number: Int) -> LoggedRequest {
        LoggedRequest(
            method: "GET", target: "/ping?n=\(number)", path: "/ping", userAgent: nil, ifNoneMatch: nil,
            fault: nil,
            query: ["n": String(number)])
    }

    @Test func `a long run keeps the newest requests and counts all`() {
        let log = RequestLog()
        for number in 0..<RequestLog.limit + 5 { log.append(request(number)) }
        #expect(log.requests.count <= RequestLog.limit)
        #expect(log.requests.last == request(RequestLog.limit + 4))
        #expect(log.counts == ["/ping": RequestLog.limit + 5])
        log.clear()
        #expect(log.requests.isEmpty && log.counts.isEmpty)
    }

    @Test func `a request is parsed into its parts`() {
        let request = SimulatedRequest(
            target:
                "/api/v3/coins/1move%20token/market_chart?ids=a%2Cb+c&x&y=1=2&x_cg_demo_api_key=CG-7&bad=%zz")
        #expect(request.path == ["coins", "1move token", "market_chart"])
        #expect(request["ids"] == "a,b c")
        #expect(request["x"] == "" && request["y"] == "1=2")
        #expect(request["bad"] == "%zz")
        #expect(request["absent"] == nil)
        #expect(request.demoKey == "CG-7" && request.proKey == nil)
    }
}
