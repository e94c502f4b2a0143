#include <gnutls/gnutls.h>
#include <gnutls/x509.h>

/* gnutls_free is a variable that holds a function. */
static inline void gnutlsshim_free(void *memory) { gnutls_free(memory); }
