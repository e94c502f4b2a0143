import Testing

@testable import RoostSimulator

@Suite struct FaultPlanTests {
    private let plan = FaultPlan()

    @Test func `a fault without count stays until it is cleared`() {
        plan.add(FaultRule(.reset))
        for _ in 0..<5 { #expect(plan.take(for: "/ping") == .reset) }
        plan.clear()
        #expect(plan.take(for: "/ping") == nil)
        #expect(plan.rules.isEmpty)
    }

    @Test func `a counted fault spoils so many requests`() {
        plan.add(FaultRule(.cut, count: 2))
        #expect(plan.take(for: "/ping") == .cut)
        #expect(plan.rules.first?.count == 1)
        #expect(plan.take(for: "/ping") == .cut)
        #expect(plan.take(for: "/ping") == nil)
    }

    @Test func `a fault with a path leaves other paths alone`() {
        plan.add(FaultRule(.hang, path: "/api/v3/coins/markets", count: 1))
        #expect(plan.take(for: "/coins/list") == nil)
        #expect(plan.take(for: "/coins/markets") == .hang)
    }

    @Test func `of two faults the newer one strikes, then the older one again`() {
        plan.add(FaultRule(.reset))
        plan.add(FaultRule(.cut, count: 1))
        #expect(plan.take(for: "/ping") == .cut)
        #expect(plan.take(for: "/ping") == .reset)
    }
}
