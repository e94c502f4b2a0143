/* Tells ThreadSanitizer of waits for Swift's Mutex; `run` preloads it.

   On Linux a Mutex without a waiter is locked and unlocked by atomic operations that ThreadSanitizer sees in the
   instrumented program. With a waiter the kernel passes it on (futex PI), inside libswiftSynchronization.so, which is not
   instrumented: without this file every Mutex that a thread ever waited for is reported as a data race. */

#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *self

/* Synchronization._MutexHandle._lockSlow(UInt32), ._tryLockSlow() -> Bool and ._unlockSlow() */
#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define TRY_LOCK "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

/* Missing in programs without ThreadSanitizer that a test starts. */
void __tsan_acquire(void *) __attribute__((weak));
void __tsan_release(void *) __attribute__((weak));

SWIFT void lock(uint32_t thread, SELF) __asm__(LOCK);
SWIFT bool try_lock(SELF) __asm__(TRY_LOCK);
SWIFT void unlock(SELF) __asm__(UNLOCK);

SWIFT void lock(uint32_t thread, SELF) {
    ((__typeof__(lock) *)dlsym(RTLD_NEXT, LOCK))(thread, self);
    if (__tsan_acquire) __tsan_acquire(self);
}

SWIFT bool try_lock(SELF) {
    bool locked = ((__typeof__(try_lock) *)dlsym(RTLD_NEXT, TRY_LOCK))(self);
    if (locked && __tsan_acquire) __tsan_acquire(self);
    return locked;
}

SWIFT void unlock(SELF) {
    if (__tsan_release) __tsan_release(self);
    ((__typeof__(unlock) *)dlsym(RTLD_NEXT, UNLOCK))(self);
}
