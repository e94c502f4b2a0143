enum SiteFiles {
    static let pdf: [UInt8] = {
        let stream = "BT /F1 24 Tf 72 720 Td (Tide tables 2026) Tj ET"
        let objects = [
            "<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R "
                + "/Resources << /Font << /F1 5 0 R >> >> >>",
            "<< /Length \(stream.utf8.count) >>\nstream\n\(stream)\nendstream",
            "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        ]
        var file = "%PDF-1.4\n", crossReferences: [String] = []
        for (number, object) in objects.enumerated() {
            let offset = String(file.utf8.count)
            crossReferences.append(String(repeating: "0", count: 10 - offset.count) + offset + " 00000 n \n")
            file += "\(number + 1) 0 obj\n\(object)\nendobj\n"
        }
        let start = file.utf8.count
        file += "xref\n0 \(objects.count + 1)\n0000000000 65535 f \n" + crossReferences.joined()
        file += "trailer << /Size \(objects.count + 1) /Root 1 0 R >>\nstartxref\n\(start)\n%%EOF\n"
        return Array(file.utf8)
    }()

    static let huge: [UInt8] = {
        let line =
            "<p>The pilot Jonas Wren brought a barque of three hundred tons in on the morning tide.</p>\n"
        let body = [UInt8](line.utf8)
        var page = Array("<!DOCTYPE html><html lang=\"en\"><title>The whole register</title><body>".utf8)
        page.reserveCapacity(6_100_000)
        while page.count < 6_000_000 { page += body }
        return page
    }()

    /// 64 MiB of spaces as gzip (RFC 1952): one block with fixed codes (RFC 1951, section 3.2.6), in which 13
    /// bits repeat a space 258 times. The checksum is wrong; a client that gets as far as checking it has
    /// unpacked everything.
    static let bomb: [UInt8] = {
        var writer = BitWriter(bytes: [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255])
        writer.append(1, bits: 1)
        writer.append(1, bits: 2)
        // Codes are written highest bit first: literal 0x20 is 0x30 + 0x20 in eight bits.
        writer.appendCode(0x30 + 0x20, bits: 8)
        for _ in 0..<(64 << 20) / 258 {
            // Length 258 is code 285, eight bits 11000101; distance 1 is code 0 in five bits.
            writer.appendCode(0b1100_0101, bits: 8)
            writer.appendCode(0, bits: 5)
        }
        writer.appendCode(0, bits: 7)
        return writer.finished + [0, 0, 0, 0] + [0, 0, 0, 4]
    }()

    private struct BitWriter {
        var bytes: [UInt8]
        private var buffer: UInt32 = 0
        private var count: UInt32 = 0

        init(bytes: [UInt8]) { self.bytes = bytes }

        mutating func append(_ value: UInt32, bits: UInt32) {
            buffer |= value << count
            count += bits
            while count >= 8 {
                bytes.append(UInt8(truncatingIfNeeded: buffer))
                buffer >>= 8
                count -= 8
            }
        }

        mutating func appendCode(_ code: UInt32, bits: UInt32) {
            for bit in (0..<bits).reversed() { append(code >> bit & 1, bits: 1) }
        }

        var finished: [UInt8] { count > 0 ? bytes + [UInt8(truncatingIfNeeded: buffer)] : bytes }
    }
}
