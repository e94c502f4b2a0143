#include "cicu.h"

#include <unicode/uspoof.h>

CICUChecker *cicu_open_checker(void) {
    UErrorCode status = U_ZERO_ERROR;
    USpoofChecker *checker = uspoof_open(&status);
    if (U_FAILURE(status)) return NULL;
    uspoof_setChecks(checker, USPOOF_RESTRICTION_LEVEL, &status);
    uspoof_setRestrictionLevel(checker, USPOOF_MODERATELY_RESTRICTIVE);
    if (U_FAILURE(status)) {
        uspoof_close(checker);
        return NULL;
    }
    return (CICUChecker *)checker;
}

void cicu_close_checker(CICUChecker *checker) { uspoof_close((USpoofChecker *)checker); }

int32_t cicu_skeleton(
    const CICUChecker *checker, const char *text, int32_t length, char *skeleton, int32_t capacity) {
    UErrorCode status = U_ZERO_ERROR;
    int32_t count = uspoof_getSkeletonUTF8(
        (const USpoofChecker *)checker, 0, text, length, skeleton, capacity, &status);
    return U_FAILURE(status) || count > capacity ? -1 : count;
}

int cicu_mixes_scripts(const CICUChecker *checker, const char *text, int32_t length) {
    UErrorCode status = U_ZERO_ERROR;
    int32_t found = uspoof_check2UTF8((const USpoofChecker *)checker, text, length, NULL, &status);
    return U_FAILURE(status) || (found & USPOOF_RESTRICTION_LEVEL) != 0;
}
