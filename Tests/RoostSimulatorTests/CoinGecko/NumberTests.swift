import Testing

@testable import RoostSimulator

@Suite struct NumberTests {
    @Test func `default prices have six significant digits, and large ones no decimals`() {
        for (value, text) in [
            (67291.4, "67291"), (20_000, "20000"), (19_617.312, "19617.3"), (1977.054321, "1977.05"),
            (1500, "1500"),
            (1, "1.0"), (0.98765432, "0.987654"), (0.0887474, "0.0887474"), (8.1990001e-05, "8.199e-05"),
            (4.26374e-12, "4.26374e-12"), (0, "0.0"), (-12.3456789, "-12.3457"), (412_345_678.4, "412345678"),
        ] {
            #expect(PriceFormat.standard.text(value) == text)
        }
    }

    @Test func `the precision parameter requests all digits or a number of decimals`() {
        #expect(PriceFormat(parameter: nil) == .standard)
        #expect(PriceFormat(parameter: "full") == .full)
        #expect(PriceFormat(parameter: "2").text(19.98765) == "19.99")
        #expect(PriceFormat(parameter: "full").text(0.1 + 0.2) == "0.30000000000000004")
        #expect(PriceFormat(parameter: "nonsense") == .standard)
    }

    @Test func `times are written in CoinGecko's format`() {
        #expect(Timestamp.text(1_771_343_791_631) == "2026-02-17T15:56:31.631Z")
        #expect(Timestamp.text(0) == "1970-01-01T00:00:00.000Z")
        #expect(Timestamp.text(951_782_400_000) == "2000-02-29T00:00:00.000Z")
        #expect(Timestamp.text(4_107_542_399_999) == "2100-02-28T23:59:59.999Z")
        #expect(Timestamp.text(-1) == "1969-12-31T23:59:59.999Z")
    }

    @Test func `the writer puts commas and escapes where they belong`() {
        var json = JSONWriter()
        json.array { json in
            json.string("a\"\\\u{1}<é🤡")
            json.object { json in
                json.key("x")
                json.number(1.0)
                json.key("y")
                json.number(Int?.none)
            }
            json.raw("[]")
        }
        #expect(
            String(decoding: json.bytes, as: UTF8.self) == #"["a\"\\\u0001\u003cé🤡",{"x":1.0,"y":null},[]]"#)
    }
}
