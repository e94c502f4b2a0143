import Foundation

/// This thread's CPU time in seconds, which other tests do not affect, unlike elapsed time.
package func threadSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
