/// A body that is made while it is sent: chunk by chunk, no faster than the client reads.
package struct ByteStream: Sendable {
    /// Hands every chunk to the closure, which returns when there is room for the next one.
    let run: @Sendable (_ write: @Sendable ([UInt8]) async throws -> Void) async throws -> Void

    /// An error of the sequence cuts the connection, so that the client does not take the answer for whole.
    package init<Chunks: AsyncSequence & Sendable>(_ chunks: Chunks) where Chunks.Element == [UInt8] {
        run = { write in
            for try await chunk in chunks { try await write(chunk) }
        }
    }

    /// Sends the bytes and then fails, so that the connection is closed before the promised length.
    init(cutAfter bytes: [UInt8]) {
        run = { write in
            try await write(bytes)
            throw CancellationError()
        }
    }
}
