import Dispatch
import Foundation

/// Waits for the wish to stop: SIGTERM from a supervisor, SIGINT from a keyboard.
enum Signals {
    static func untilStopped() async {
        // A client that goes away while we write must not end the program.
        signal(SIGPIPE, SIG_IGN)
        let (stopRequests, tokenRequest) = AsyncStream.makeStream(of: Void.self)
        let sources = [SIGTERM, SIGINT].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { tokenRequest.yield() }
            source.resume()
            return source
        }
        for await _ in stopRequests { break }
        for source in sources { source.cancel() }
    }
}
