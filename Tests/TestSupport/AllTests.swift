import Foundation

/// Whether `Tests/run --all` runs the tests: with the sizes and transports that take long.
package enum AllTests {
    package static var areWanted: Bool { ProcessInfo.processInfo.environment["ROOST_ALL_TESTS"] == "1" }
}
