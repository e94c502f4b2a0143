import CZlib
import Foundation
import Testing

@testable import RoostSimulator

/// The pictures, checked by a strict PNG reader.
@Suite struct GitHubPictureTests {
    private struct Broken: Error {}

    private func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }

    /// Names and contents of the chunks, after checking their checksums.
    private func chunks(_ file: [UInt8]) throws -> [(name: String, content: [UInt8])] {
        var rest = file.dropFirst(8)
        var all: [(String, [UInt8])] = []
        while !rest.isEmpty {
            let count = number(rest.prefix(4))
            let body = Array(rest.dropFirst(4).prefix(count + 4))
            guard number(rest.dropFirst(count + 8).prefix(4)) == Int(crc32(0, body, uInt(body.count))) else {
                throw Broken()
            }
            all.append((String(decoding: body.prefix(4), as: UTF8.self), Array(body.dropFirst(4))))
            rest = rest.dropFirst(count + 12)
        }
        return all
    }

    /// The rows of a picture with sides of 460 pixels at most; zlib verifies its checksum too.
    private func unpacked(_ bytes: [UInt8]) throws -> [UInt8] {
        let room = 460 * (460 * 3 + 1)
        return try [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
            var length = uLongf(room)
            guard uncompress(buffer.baseAddress, &length, bytes, uLong(bytes.count)) == Z_OK else {
                throw Broken()
            }
            count = Int(length)
        }
    }

    @Test(arguments: [
        ("&s=1", 1), ("&s=5", 5), ("&s=64", 64), ("&s=147", 147), ("&s=460", 460), ("&s=9999", 460),
        ("&s=0", 1), ("&s=-4", 1), ("&s=big", 460), ("", 460),
    ])
    func `a picture is a complete PNG of the requested size, 460 at most`(query: String, side: Int) throws {
        let answer = TestGitHub().ask("/avatars/u/4001?v=4\(query)", as: nil)
        #expect(answer.status == 200 && answer.header("Content-Type") == "image/png")
        let chunks = try chunks(answer.body)
        #expect(chunks.map(\.name) == ["IHDR", "IDAT", "IEND"])
        let header = chunks[0].content
        #expect(number(header[0..<4]) == side && number(header[4..<8]) == side)
        #expect(Array(header[8...]) == [8, 2, 0, 0, 0])
        let rows = try unpacked(chunks[1].content)
        let width = 1 + side * 3
        #expect(rows.count == width * side)
        #expect(stride(from: 0, to: rows.count, by: width).allSatisfy { rows[$0] == 0 })
    }

    @Test func `a picture is symmetric, in two colours, with a coloured centre`() throws {
        for number in [4_001, 9_002, 8_001, 0, -7] {
            let answer = TestGitHub().ask("/avatars/u/\(number)?s=5", as: nil)
            let rows = try unpacked(chunks(answer.body)[1].content)
            let pixels = (0..<5).map { row in
                (0..<5).map { Array(rows[row * 16 + 1 + $0 * 3..<row * 16 + 4 + $0 * 3]) }
            }
            for row in pixels { #expect(row == row.reversed()) }
            let paper: [UInt8] = [240, 240, 238]
            #expect(pixels[2][2] != paper)
            #expect(Set(pixels.flatMap { $0 }).subtracting([paper]).count == 1)
        }
    }

    @Test func `each user has a different picture, and an unknown picture is not found`() {
        let gitHub = TestGitHub()
        let pictures = SimulatedCast.all.map { gitHub.ask("/avatars/u/\($0.number)?s=20", as: nil).body }
        #expect(Set(pictures).count == SimulatedCast.all.count)
        for path in ["/avatars", "/avatars/u", "/avatars/u/x", "/avatars/t/4001", "/avatars/u/1/2"] {
            #expect(gitHub.ask(path, as: nil).status == 404, "\(path)")
        }
    }
}
