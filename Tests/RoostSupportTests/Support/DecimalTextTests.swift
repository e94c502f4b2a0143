import Foundation
import Testing

@Suite struct DecimalTextTests {
    @Test(arguments: [
        ("0", "0"), ("-0", "0"), ("12", "12"), ("0.50", "0.5"), (".5", "0.5"), ("007", "7"),
        ("-3.25", "-3.25"), ("1.000", "1"), ("000.000", "0"),
        ("999999999999999999.999999999999999999", "999999999999999999.999999999999999999"),
        ("0.0000000000000000010000", "0.000000000000000001"),
    ])
    func `a decimal number is read to its last digit and written without trailing zeros`(
        text: String, written: String
    ) {
        #expect(Decimal(plain: text)?.plainText == written)
    }

    @Test(arguments: [
        "", ".", "-", "-.", "1.", "1e5", "1E5", "0x10", "1,5", "1'000", "1 000", " 1", "+1", "--1", "1.2.3",
        "NaN", "inf", "١", "1234567890123456789", "0.1234567890123456789",
    ])
    func `anything else is refused`(text: String) {
        #expect(Decimal(plain: text) == nil)
    }
}
