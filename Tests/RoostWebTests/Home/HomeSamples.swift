@testable import RoostWeb
@testable import roost

extension FirstStepsView {
    static let sample = FirstStepsView(steps: [
        FirstStep(
            "Connect GitHub", "See the pull requests that wait for you.", at: "/settings/github",
            topic: "pulls", isDone: true),
        FirstStep(
            "Add coins", "See their prices here and on wall screens.", at: "/watchlist", topic: "watchlist",
            isDone: false),
    ])
}
