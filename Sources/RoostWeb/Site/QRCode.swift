import CQREncode
import Foundation

/// A QR code (ISO/IEC 18004) of a text: dark modules on white, drawn as SVG.
package struct QRCode: Sendable {
    package enum Failure: Error, Equatable {
        case tooLong
        case library(code: Int32)
    }

    /// The number of modules on each side, without the quiet zone.
    package let size: Int
    /// Row by row; true is dark.
    package let modules: [Bool]

    /// Uses error correction level M, which restores 15 % of the codewords: enough on a screen.
    ///
    /// - Throws: `Failure.tooLong` above 2,331 bytes
    package init(_ text: String) throws {
        let bytes = Array(text.utf8)
        guard let code = QRcode_encodeData(Int32(bytes.count), bytes, 0, QR_ECLEVEL_M) else {
            throw errno == ERANGE ? Failure.tooLong : Failure.library(code: errno)
        }
        defer { QRcode_free(code) }
        let size = Int(code.pointee.width)
        self.size = size
        // The lowest bit of each byte is the module's colour (qrencode.h, `QRcode`).
        modules = UnsafeBufferPointer(start: code.pointee.data, count: size * size).map { $0 & 1 == 1 }
    }

    /// White modules on each side (section 9.1 of the standard).
    static let quietZone = 4

    /// The dark modules as an SVG path in units of modules, with one rectangle for each run in a row.
    package var path: String {
        var path = ""
        for row in 0..<size {
            var column = 0
            while column < size {
                let start = column
                while column < size, modules[row * size + column] { column += 1 }
                let run = column - start
                if run > 0 { path += "M\(start + Self.quietZone) \(row + Self.quietZone)h\(run)v1h-\(run)z" }
                column += 1
            }
        }
        return path
    }

    var qrSize: Int { size + 2 * Self.quietZone }
}
