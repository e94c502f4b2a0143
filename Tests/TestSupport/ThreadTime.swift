import Foundation

/// How long this thread has been at work, in seconds: unlike a clock's time, the same beside other tests.
package func threadSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
