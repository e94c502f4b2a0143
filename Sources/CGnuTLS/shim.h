#include <gnutls/crypto.h>
#include <gnutls/gnutls.h>
#include <gnutls/x509.h>

/* gnutls_free is a function pointer. */
static inline void gnutlsshim_free(void *memory) { gnutls_free(memory); }
