/// Bytes at a trickle: ten times a second a few of them.
struct SlowBody: AsyncSequence, Sendable {
    private let bytes: [UInt8]
    private let bytesPerSecond: Int

    init(_ bytes: [UInt8], _ bytesPerSecond: Int) {
        self.bytes = bytes
        self.bytesPerSecond = Swift.max(1, bytesPerSecond)
    }

    func makeAsyncIterator() -> Iterator {
        let pause = bytesPerSecond >= 10 ? Duration.milliseconds(100) : .seconds(1) / bytesPerSecond
        return Iterator(rest: bytes[...], size: Swift.max(1, bytesPerSecond / 10), pause: pause)
    }

    struct Iterator: AsyncIteratorProtocol {
        fileprivate var rest: ArraySlice<UInt8>
        fileprivate let size: Int
        fileprivate let pause: Duration

        mutating func next() async throws -> [UInt8]? {
            guard !rest.isEmpty else { return nil }
            try await Task.sleep(for: pause)
            defer { rest = rest.dropFirst(size) }
            return Array(rest.prefix(size))
        }
    }
}
