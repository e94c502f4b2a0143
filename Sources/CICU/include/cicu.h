#include <stdint.h>

/* Detects names that look alike, with ICU's uspoof.h. Swift cannot import that header, because Foundation's own copy of
   ICU has types with the same names. */

typedef struct CICUChecker CICUChecker;

/* NULL if ICU has no data. */
CICUChecker *cicu_open_checker(void);
void cicu_close_checker(CICUChecker *checker);

/* Returns the length of the skeleton (UTS 39, section 4) in bytes, or -1 if it does not fit. */
int32_t cicu_skeleton(
    const CICUChecker *checker, const char *text, int32_t length, char *skeleton, int32_t capacity);

/* Returns 0 if the text is Moderately Restrictive (UTS 39, section 5.2). */
int cicu_mixes_scripts(const CICUChecker *checker, const char *text, int32_t length);
