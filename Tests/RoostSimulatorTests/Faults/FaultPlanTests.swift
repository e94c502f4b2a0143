import Testing

@testable import RoostSimulator

@Suite struct FaultPlanTests {
    private let plan = FaultPlan()

    @Test func `a fault without a count stays until it is cleared`() {
        plan.add(FaultRule(.reset))
        for _ in 0..<5 { #expect(plan.consumeFault(for: "/ping") == .reset) }
        plan.clear()
        #expect(plan.consumeFault(for: "/ping") == nil)
        #expect(plan.rules.isEmpty)
    }

    @Test func `a fault with a count affects that many requests`() {
        plan.add(FaultRule(.cut, count: 2))
        #expect(plan.consumeFault(for: "/ping") == .cut)
        #expect(plan.rules.first?.count == 1)
        #expect(plan.consumeFault(for: "/ping") == .cut)
        #expect(plan.consumeFault(for: "/ping") == nil)
    }

    @Test func `a fault with a path does not affect other paths`() {
        plan.add(FaultRule(.hang, path: "/api/v3/coins/markets", count: 1))
        #expect(plan.consumeFault(for: "/coins/list") == nil)
        #expect(plan.consumeFault(for: "/coins/markets") == .hang)
    }

    @Test func `the newer of two faults is used first, then the older one again`() {
        plan.add(FaultRule(.reset))
        plan.add(FaultRule(.cut, count: 1))
        #expect(plan.consumeFault(for: "/ping") == .cut)
        #expect(plan.consumeFault(for: "/ping") == .reset)
    }
}
