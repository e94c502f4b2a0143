import Foundation
import Testing

@testable import RoostWeb

@Suite struct QRCodeTests {
    static let link = "http://192.168.1.20:8080/join/7K3M-9QXA-PB2T-4WZH"

    @Test(arguments: ["A", link, String(repeating: "ü", count: 500)])
    func `a code has its three finders and its timing lines`(text: String) throws {
        let code = try QRCode(text)
        #expect(code.size >= 21 && (code.size - 17) % 4 == 0)
        #expect(code.modules.count == code.size * code.size)
        let last = code.size - 7
        for (row, column) in [(0, 0), (0, last), (last, 0)] {
            let ring = (0..<7).map { isDark(code, row, column + $0) }
            #expect(!ring.contains(false))
            #expect((1...5).allSatisfy { !isDark(code, row + 1, column + $0) })
            #expect((2...4).allSatisfy { isDark(code, row + 3, column + $0) })
        }
        for index in 8..<(code.size - 8) {
            #expect(isDark(code, 6, index) == (index % 2 == 0))
            #expect(isDark(code, index, 6) == (index % 2 == 0))
        }
    }

    @Test(arguments: ["roost", "http://a.b/", "Aü&<"])
    func `a decoded code equals its text`(text: String) throws {
        #expect(try SmallCodeReader(QRCode(text)).text == text)
    }

    @Test func `the drawing has every dark module once, inside four modules of white`() throws {
        let code = try QRCode(Self.link)
        var drawn: [[Int]] = Array(repeating: Array(repeating: 0, count: code.size + 8), count: code.size + 8)
        for run in code.path.matches(of: /M(\d+) (\d+)h(\d+)v1h-(\d+)z/) {
            let numbers = [run.1, run.2, run.3, run.4].compactMap { Int($0) }
            #expect(numbers[2] == numbers[3])
            for column in numbers[0]..<(numbers[0] + numbers[2]) { drawn[numbers[1]][column] += 1 }
        }
        for row in drawn.indices {
            for column in drawn.indices {
                let isInside = (4..<(code.size + 4)).contains(row) && (4..<(code.size + 4)).contains(column)
                let isDark = isInside && isDark(code, row - 4, column - 4)
                #expect(drawn[row][column] == (isDark ? 1 : 0))
            }
        }
    }

    @Test func `a text that is too long for a code is refused`() throws {
        #expect(try QRCode(String(repeating: "a", count: 2_331)).size == 177)
        #expect(throws: QRCode.Failure.tooLong) { try QRCode(String(repeating: "a", count: 2_332)) }
        #expect(throws: QRCode.Failure.self) { try QRCode("") }
    }

    private func isDark(_ code: QRCode, _ row: Int, _ column: Int) -> Bool {
        code.modules[row * code.size + column]
    }
}

/// Decodes codes of version 1 and 2 with error correction level M, without errors: ISO/IEC 18004, section 12.
private struct SmallCodeReader {
    let text: String

    init(_ code: QRCode) throws {
        let size = code.size
        func bit(_ row: Int, _ column: Int) -> Bool { code.modules[row * size + column] }
        // The format has two bits of level and three bits of mask, XORed with 0b10101.
        let format = (0..<5).reduce(0) { $0 << 1 | (bit(8, $1) ? 1 : 0) } ^ 0b10101
        try #require(format >> 3 == 0, "level M")
        let isMasked = try #require(Self.masks[format & 7])
        var bits: [Bool] = []
        var isUpwards = true
        for right in stride(from: size - 1, to: 0, by: -2).map({ $0 <= 6 ? $0 - 1 : $0 }) {
            for step in 0..<size {
                let row = isUpwards ? size - 1 - step : step
                for column in [right, right - 1] where !Self.isFunction(row, column, size) {
                    bits.append(bit(row, column) != isMasked(row, column))
                }
            }
            isUpwards.toggle()
        }
        func number(_ from: Int, _ count: Int) -> Int {
            bits[from..<(from + count)].reduce(0) { $0 << 1 | ($1 ? 1 : 0) }
        }
        try #require(number(0, 4) == 4, "bytes")
        text = String(decoding: (0..<number(4, 8)).map { UInt8(number(12 + $0 * 8, 8)) }, as: UTF8.self)
    }

    private static let masks: [Int: @Sendable (Int, Int) -> Bool] = [
        0: { ($0 + $1) % 2 == 0 }, 1: { row, _ in row % 2 == 0 }, 2: { $1 % 3 == 0 },
        3: { ($0 + $1) % 3 == 0 },
        4: { ($0 / 2 + $1 / 3) % 2 == 0 }, 5: { ($0 * $1) % 2 + ($0 * $1) % 3 == 0 },
        6: { (($0 * $1) % 2 + ($0 * $1) % 3) % 2 == 0 }, 7: { (($0 + $1) % 2 + ($0 * $1) % 3) % 2 == 0 },
    ]

    /// Finders with their format bits, timing lines, and the one alignment pattern of version 2.
    private static func isFunction(_ row: Int, _ column: Int, _ size: Int) -> Bool {
        if row == 6 || column == 6 { return true }
        if row < 9, column < 9 || column >= size - 8 { return true }
        if row >= size - 8, column < 9 { return true }
        return size == 25 && (16...20).contains(row) && (16...20).contains(column)
    }
}
