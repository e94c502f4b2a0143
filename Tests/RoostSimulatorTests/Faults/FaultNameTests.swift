import Testing

@testable import RoostSimulator

@Suite struct FaultNameTests {
    @Test(arguments: [
        ("429", Fault.rateLimited(retryAfter: 60, shape: .status)),
        ("429:119", .rateLimited(retryAfter: 119, shape: .status)),
        ("429-nested", .rateLimited(retryAfter: 60, shape: .nested)),
        ("429-text:90", .rateLimited(retryAfter: 90, shape: .text)),
        ("429-1015", .rateLimited(retryAfter: 60, shape: .blocked)),
        ("500", .serverError(status: 500, shape: .numbered)),
        ("502-message", .serverError(status: 502, shape: .message)),
        ("503-html", .html(status: 503)),
        ("html", .html(status: 200)),
        ("truncated", .truncatedJSON),
        ("cut", .cut),
        ("drip", .drip(bytesPerSecond: 20)),
        ("drip:100", .drip(bytesPerSecond: 100)),
        ("hang", .hang),
        ("reset", .reset),
        ("refused", .refused(seconds: 30)),
        ("refused:0.5", .refused(seconds: 0.5)),
    ])
    func `a name makes its fault, and the fault has that name`(_ name: String, _ fault: Fault) {
        #expect(Fault(name: name) == fault)
        #expect(Fault(name: fault.name) == fault)
    }

    @Test(arguments: [
        "", "404", "600", "429-", "429-purple", "drip:", "drip:x", "refused:-1", "hang around", "429:1e9",
    ])
    func `other names make no fault`(_ name: String) {
        #expect(Fault(name: name) == nil)
    }

    @Test func `every name in the help is a fault`() {
        for name in Fault.names {
            #expect(Fault(name: name) != nil, "\(name)")
        }
    }
}
