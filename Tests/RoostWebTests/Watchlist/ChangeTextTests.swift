import Foundation
import Testing

@testable import RoostWeb

@Suite struct ChangeTextTests {
    @Test(arguments: [
        ("2.41", "▲ +2.41 %", ChangeText.Direction.up), ("-1.12", "▼ −1.12 %", .down),
        ("0", "– 0.00 %", .flat),
        ("0.004", "– 0.00 %", .flat), ("-0.0049", "– 0.00 %", .flat), ("0.005", "▲ +0.01 %", .up),
        ("-0.005", "▼ −0.01 %", .down), ("12.6", "▲ +12.60 %", .up), ("12345.678", "▲ +12,345.68 %", .up),
        ("-99.995", "▼ −100.00 %", .down), ("0.0000001", "– 0.00 %", .flat), ("9.999", "▲ +10.00 %", .up),
    ])
    func `a change has an arrow, a sign and two decimals`(
        percent: String, text: String, direction: ChangeText.Direction
    ) {
        let change = ChangeText(Decimal(string: percent))
        #expect(change.text == text)
        #expect(change.direction == direction)
    }

    @Test func `an unknown change is a dash, with a text for screen readers`() {
        for change in [ChangeText(nil), ChangeText(.nan)] {
            #expect(change.text == "–")
            #expect(change.accessibilityText == "change in 24 hours unknown")
            #expect(change.direction == .unknown)
        }
    }

    @Test func `its text needs neither colour nor arrow`() {
        #expect(ChangeText(Decimal(string: "2.41")).accessibilityText == "up 2.41 percent in 24 hours")
        #expect(ChangeText(Decimal(string: "-0.58")).accessibilityText == "down 0.58 percent in 24 hours")
        #expect(ChangeText(0).accessibilityText == "unchanged in 24 hours")
    }
}
