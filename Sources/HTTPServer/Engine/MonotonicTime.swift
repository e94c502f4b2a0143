import Glibc

/// Milliseconds of the coarse monotonic clock: a few nanoseconds to read, right to about 4 ms.
enum MonotonicTime {
    static var now: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
        return UInt64(time.tv_sec) * 1_000 + UInt64(time.tv_nsec) / 1_000_000
    }
}

extension Duration {
    /// Whole milliseconds, at least 0.
    var milliseconds: UInt64 {
        UInt64(max(0, components.seconds * 1_000 + components.attoseconds / 1_000_000_000_000_000))
    }
}
