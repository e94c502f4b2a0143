/* Foundation brings an ICU of its own: what libxml2's headers say of Debian's, which nobody here needs, clashes with it. */
#include <libxml/xmlversion.h>
#undef LIBXML_ICU_ENABLED
#include <libxml/HTMLparser.h>
#include <libxml/parserInternals.h>
#include <libxml/tree.h>
