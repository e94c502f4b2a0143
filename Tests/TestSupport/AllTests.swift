import Foundation

/// Whether `Tests/run --all` is running, with the slow sizes and transports.
package enum AllTests {
    package static var areWanted: Bool { ProcessInfo.processInfo.environment["ROOST_ALL_TESTS"] == "1" }
}
