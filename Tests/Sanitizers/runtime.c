/* Tells ThreadSanitizer what Swift's own libraries order, since they are not instrumented; `run` preloads it. */

#include <dlfcn.h>
#include <link.h>
#include <stdbool.h>
#include <stdint.h>

#define SWIFT __attribute__((swiftcall))
#define SWIFT_ASYNC __attribute__((swiftasynccall))
#define SELF __attribute__((swift_context)) void *self
#define ORIGINAL(function, name) ((__typeof__(function) *)dlsym(RTLD_NEXT, name))

/* Missing in programs without ThreadSanitizer that a test starts. */
void __tsan_acquire(void *) __attribute__((weak));
void __tsan_release(void *) __attribute__((weak));

/* Mutex. Without a waiter it is locked and unlocked by atomic operations that ThreadSanitizer sees in the instrumented
   program. With a waiter the kernel passes it on (futex PI), inside libswiftSynchronization.so: without these three every
   Mutex that a thread ever waited for is reported as a data race.
   Synchronization._MutexHandle._lockSlow(UInt32), ._tryLockSlow() -> Bool and ._unlockSlow() */
#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define TRY_LOCK "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

SWIFT void lock(uint32_t thread, SELF) __asm__(LOCK);
SWIFT bool try_lock(SELF) __asm__(TRY_LOCK);
SWIFT void unlock(SELF) __asm__(UNLOCK);

SWIFT void lock(uint32_t thread, SELF) {
    ORIGINAL(lock, LOCK)(thread, self);
    if (__tsan_acquire) __tsan_acquire(self);
}

SWIFT bool try_lock(SELF) {
    bool locked = ORIGINAL(try_lock, TRY_LOCK)(self);
    if (locked && __tsan_acquire) __tsan_acquire(self);
    return locked;
}

SWIFT void unlock(SELF) {
    if (__tsan_release) __tsan_release(self);
    ORIGINAL(unlock, UNLOCK)(self);
}

/* Continuations. A thread that resumes a task tells ThreadSanitizer of a release of it, and a thread that continues a
   suspended task tells it of the acquire. If the task was resumed before it was suspended, it continues at once, and the
   runtime forgets the acquire, although it has read the status with acquire order: without this the value that is handed
   over is reported as a data race. So a task that is being resumed continues with `resumed`. The address where it would
   have continued is kept in the continuation's flags, of which the lowest bits are used.
   (swift_continuation_resume and swift_continuation_await, stdlib/public/Concurrency/Task.cpp in Swift 6.3.) */
struct continuation {
    void *parent;
    SWIFT_ASYNC void (*resume)(__attribute__((swift_async_context)) struct continuation *);
    uintptr_t flags;
};

struct task {
    void *header[8];
    struct continuation *continuation;
};

SWIFT void *swift_task_getCurrent(void) __attribute__((weak));
extern void (*_swift_tsan_release)(void *) __attribute__((weak));
static void (*release)(void *);
static struct { char *start, *end; } resumptions[3];

static SWIFT_ASYNC void resumed(__attribute__((swift_async_context)) struct continuation *continuation) {
    __tsan_acquire(swift_task_getCurrent());
    continuation->resume = (__typeof__(continuation->resume))(continuation->flags >> 16);
    return continuation->resume(continuation);
}

static void release_object(void *object) {
    char *caller = __builtin_return_address(0);
    for (int number = 0; number < 3; number++)
        if (caller >= resumptions[number].start && caller < resumptions[number].end) {
            struct continuation *continuation = ((struct task *)object)->continuation;
            continuation->flags |= (uintptr_t)continuation->resume << 16;
            continuation->resume = resumed;
        }
    release(object);
}

/* ThreadSanitizer calls it at the start. The original, of libswiftCore, sets the runtime's functions for it. */
void __tsan_on_initialize(void) {
    static const char *const names[3] = {
        "swift_continuation_resume", "swift_continuation_throwingResume", "swift_continuation_throwingResumeWithError",
    };
    void (*original)(void) = ORIGINAL(__tsan_on_initialize, "__tsan_on_initialize");
    if (!original) return;
    original();
    for (int number = 0; number < 3; number++) {
        Dl_info found;
        ElfW(Sym) *symbol = 0;
        char *function = dlsym(RTLD_DEFAULT, names[number]);
        if (!function || !dladdr1(function, &found, (void **)&symbol, RTLD_DL_SYMENT) || !symbol) return;
        resumptions[number].start = function;
        resumptions[number].end = function + symbol->st_size;
    }
    release = _swift_tsan_release;
    _swift_tsan_release = release_object;
}
