import Foundation
import Logging

/// Sends systemd a sign of life while the server answers, twice in each `WatchdogSec`. Without it systemd restarts
/// Roost.
struct ServiceWatchdog: Sendable {
    private let notifier: ServiceNotifier
    private let interval: Duration
    private let check: SelfCheck
    private let log: Logger

    /// Returns nil if the supervisor does not ask this process for signs of life.
    init?(_ notifier: ServiceNotifier, environment: [String: String], check: SelfCheck, log: Logger) {
        guard let microseconds = environment["WATCHDOG_USEC"].flatMap({ Int($0) }), microseconds > 0 else {
            return nil
        }
        if let process = environment["WATCHDOG_PID"], process != "\(getpid())" { return nil }
        self.notifier = notifier
        interval = Duration.microseconds(microseconds) / 2
        self.check = check
        self.log = log
    }

    func run() async {
        while !Task.isCancelled {
            let start = ContinuousClock.now
            if await check.answers(within: interval) {
                notifier.isAlive()
            } else if !Task.isCancelled {
                log.error("The server does not answer itself. systemd restarts it unless it recovers.")
            }
            try? await Task.sleep(until: start + interval, clock: .continuous)
        }
    }
}
