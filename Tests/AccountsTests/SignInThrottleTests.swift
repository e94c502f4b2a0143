import Foundation
import TestSupport
import Testing

@testable import Accounts

@Suite struct SignInThrottleTests {
    private let clock = TestClock()
    private let throttle: SignInThrottle

    init() {
        throttle = SignInThrottle(clock: clock.wallClock)
    }

    private func fail(_ count: Int, _ account: String = "ada", from address: String = "192.0.2.1") {
        for _ in 0..<count { throttle.failed(.anonymous(account: account, address: address)) }
    }

    private func wait(_ account: String = "ada", from address: String = "192.0.2.1") -> Int? {
        throttle.wait(.anonymous(account: account, address: address))
    }

    @Test func `after five failures an account's wait grows each time, up to a minute`() {
        fail(5)
        #expect(wait() == nil)
        for seconds in [1, 2, 4, 8, 16, 32, 60, 60] {
            throttle.failed(.anonymous(account: "ada", address: "192.0.2.\(seconds + 100)"))
            #expect(wait("ada", from: "198.51.100.7") == seconds)
            clock.advance(TimeInterval(seconds))
            #expect(wait("ada", from: "198.51.100.7") == nil)
        }
    }

    @Test
    func `after ten failures an address's wait grows each time, up to a quarter of an hour`() {
        for name in 0..<10 { fail(1, "user \(name)") }
        #expect(wait("eve") == nil)
        for (number, seconds) in [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900].enumerated() {
            fail(1, "someone \(number)")
            #expect(wait("eve") == seconds)
            clock.advance(TimeInterval(seconds))
            #expect(wait("eve") == nil)
        }
    }

    @Test func `the longer of both waits applies, in whole seconds`() {
        fail(8)
        #expect(wait() == 4)
        for name in 0..<6 { fail(1, "user \(name)") }
        #expect(wait() == 8)
        clock.advance(0.5)
        #expect(wait() == 8)
        clock.advance(7.4)
        #expect(wait() == 1)
        clock.advance(0.2)
        #expect(wait() == nil)
    }

    @Test func `checking the wait does not count as a failure`() {
        fail(6)
        for _ in 0..<50 { #expect(wait() == 1) }
        clock.advance(1)
        for _ in 0..<50 { #expect(wait() == nil) }
    }

    @Test func `success clears the account's count, but not the address's`() {
        fail(11)
        throttle.succeeded(.anonymous(account: "ada", address: "192.0.2.1"))
        #expect(wait("ada", from: "198.51.100.7") == nil)
        #expect(wait("ada") == 1)
        fail(1, "ada", from: "198.51.100.7")
        #expect(wait("ada", from: "198.51.100.8") == nil)
    }

    @Test func `an hour without failures resets everything`() {
        fail(10)
        clock.advance(3_599)
        fail(1)
        #expect(wait() == 32)
        clock.advance(3_600)
        fail(5)
        #expect(wait() == nil)
    }

    @Test(arguments: ["ADA", " ada ", "Ada", "ａｄａ"])
    func `an account is the same in every spelling of its name`(name: String) {
        fail(6)
        #expect(wait(name, from: "198.51.100.7") == 1)
        #expect(wait("adam", from: "198.51.100.7") == nil)
    }

    @Test(arguments: [
        ("2001:db8:1:2::5", "2001:db8:1:2:ffff::9", false), ("2001:db8:1:2::5", "2001:db8:1:3::5", false),
        ("192.0.2.1", "::ffff:192.0.2.1", true), ("192.0.2.1", "192.0.2.2", false),
        ("2001:DB8:1:2::5", "2001:db8:1:2::5", true), ("fe80::1%eth0", "fe80::1", true),
        ("fe80::1", "fe80::2", false), ("no address", "no address", true), ("no address", "", false),
    ])
    func `one IPv6 neighbour counts as one address, however it is written`(
        one: String, other: String, isSame: Bool
    ) {
        for name in 0..<11 { fail(1, "user \(name)", from: one) }
        #expect((wait("eve", from: other) != nil) == isSame)
    }

    @Test(arguments: ["2001:db8:1:2::", "fe80::"])
    func `changing addresses within a network slows the whole network down, but only mildly`(network: String)
    {
        for number in 0..<100 { fail(1, "user \(number)", from: network + String(number + 1, radix: 16)) }
        #expect(wait("eve", from: network + "ffff") == nil)
        for number in 100..<120 { fail(1, "user \(number)", from: network + String(number + 1, radix: 16)) }
        #expect(wait("eve", from: network + "ffff") == 10)
        #expect(wait("eve", from: "2001:db8:1:3::5") == nil && wait("eve", from: "192.0.2.1") == nil)
    }

    @Test(arguments: ["127.0.0.1", "127.8.9.10", "::1", "::ffff:127.0.0.1"])
    func `guesses from elsewhere do not count on this machine, and guesses here are as slow as elsewhere`(
        loopback: String
    ) {
        fail(1_000)
        #expect(wait("ada", from: loopback) == nil)
        for seconds in [nil, nil, nil, nil, nil, 1, 2, 4, 8, 16] {
            fail(1, from: loopback)
            #expect(wait("ada", from: loopback) == seconds)
        }
        throttle.succeeded(.anonymous(account: "ada", address: loopback))
        #expect(wait("ada", from: loopback) == nil)
        for seconds in [1, 2, 4, 8, 16, 32, 64] {
            fail(1, "user \(seconds)", from: loopback)
            #expect(wait("eve", from: loopback) == seconds)
        }
    }

    @Test func `a known device has its own count and is slowed down only by its own failures`() {
        let (laptop, phone) = (
            SignInThrottle.Guesser.identified("laptop"), SignInThrottle.Guesser.identified("phone")
        )
        for address in ["192.0.2.1", "127.0.0.1"] { fail(1_000, "ada", from: address) }
        for _ in 0..<1_000 { throttle.failed(phone) }
        #expect(throttle.wait(laptop) == nil)
        for seconds in [nil, nil, nil, nil, nil, 1, 2, 4, 8, 16, 32, 60, 60] {
            throttle.failed(laptop)
            #expect(throttle.wait(laptop) == seconds)
        }
        throttle.succeeded(laptop)
        #expect(throttle.wait(laptop) == nil && throttle.wait(phone) == 60)
        #expect(wait() != nil)
    }

    @Test func `concurrent attempts get no more guesses than sequential ones`() {
        let allowed = (0..<50).filter { _ in
            throttle.begin(.anonymous(account: "ada", address: "192.0.2.1")) == nil
        }
        #expect(allowed.count == 5)
        fail(5)
        #expect(throttle.begin(.anonymous(account: "ada", address: "192.0.2.1")) == nil)
        #expect(throttle.begin(.anonymous(account: "ada", address: "192.0.2.1")) == 1)
        #expect(wait() == 1)
        fail(1)
        #expect(wait() == 1)
        clock.advance(1)
        #expect(throttle.begin(.anonymous(account: "ada", address: "192.0.2.1")) == nil)
        throttle.succeeded(.anonymous(account: "ada", address: "192.0.2.1"))
        #expect(wait("ada", from: "198.51.100.7") == nil)
    }

    @Test func `many people may sign in from one address, and abandoned attempts do not count`() {
        for name in 0..<50 {
            #expect(throttle.begin(.anonymous(account: "user \(name)", address: "192.0.2.1")) == nil)
            throttle.succeeded(.anonymous(account: "user \(name)", address: "192.0.2.1"))
        }
        for _ in 0..<50 {
            #expect(throttle.begin(.anonymous(account: "ada", address: "192.0.2.1")) == nil)
            throttle.gaveUp(.anonymous(account: "ada", address: "192.0.2.1"))
        }
    }

    @Test func `an unfinished attempt blocks others for at most half a minute`() {
        fail(6)
        clock.advance(1)
        #expect(throttle.begin(.anonymous(account: "ada", address: "192.0.2.1")) == nil)
        clock.advance(29)
        #expect(wait() == 1)
        clock.advance(1)
        #expect(wait() == nil)
    }

    @Test func `setting the clock back never lengthens a wait`() {
        fail(7)
        clock.jump(-86_400)
        #expect(wait() == 2)
        clock.advance(2)
        #expect(wait() == nil)
    }

    @Test func `ten thousand accounts are remembered, and the oldest are dropped first`() {
        fail(6)
        clock.advance(0.25)
        fail(6, "bob")
        clock.advance(0.25)
        for name in 0..<9_999 { fail(1, "user \(name)", from: "host \(name)") }
        #expect(wait("ada", from: "198.51.100.7") == nil)
        #expect(wait("bob", from: "198.51.100.7") == 1)
    }
}
