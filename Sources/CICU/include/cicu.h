#include <stdint.h>

/* ICU's search for names that look alike (uspoof.h). Its own headers cannot be imported: Foundation has its own copy of ICU,
   whose types have the same names. */

typedef struct CICUChecker CICUChecker;

/* NULL if ICU has no data. */
CICUChecker *cicu_open_checker(void);
void cicu_close_checker(CICUChecker *checker);

/* The length of the skeleton (UTS 39, section 4) in bytes, or -1 if it does not fit. */
int32_t cicu_skeleton(
    const CICUChecker *checker, const char *text, int32_t length, char *skeleton, int32_t capacity);

/* Whether the text is not Moderately Restrictive (UTS 39, section 5.2). */
int cicu_mixes_scripts(const CICUChecker *checker, const char *text, int32_t length);
