import Dispatch
import Foundation

/// Waits for the wish to stop: SIGTERM from a supervisor, SIGINT from a keyboard.
enum Signals {
    static func untilStopped() async {
        // A client that goes away while we write must not end the program.
        signal(SIGPIPE, SIG_IGN)
        let stream = AsyncStream<Int32> { continuation in
            let sources = [SIGTERM, SIGINT].map { number in
                signal(number, SIG_IGN)
                let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
                source.setEventHandler { continuation.yield(number) }
                source.resume()
                return source
            }
            continuation.onTermination = { _ in sources.forEach { $0.cancel() } }
        }
        for await _ in stream { break }
    }
}
