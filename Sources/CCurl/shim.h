// Wrappers for libcurl's variadic functions, which Swift cannot call: one for each argument type.
#include <curl/curl.h>

static inline CURLcode curl_set_long(CURL *easy, CURLoption option, long value) {
    return curl_easy_setopt(easy, option, value);
}
static inline CURLcode curl_set_size(CURL *easy, CURLoption option, curl_off_t value) {
    return curl_easy_setopt(easy, option, value);
}
static inline CURLcode curl_set_string(CURL *easy, CURLoption option, const char *value) {
    return curl_easy_setopt(easy, option, value);
}
static inline CURLcode curl_set_pointer(CURL *easy, CURLoption option, void *value) {
    return curl_easy_setopt(easy, option, value);
}
static inline CURLcode curl_set_list(CURL *easy, CURLoption option, struct curl_slist *value) {
    return curl_easy_setopt(easy, option, value);
}

// CURLOPT_WRITEFUNCTION and CURLOPT_HEADERFUNCTION.
typedef size_t (*curl_bytes_callback)(char *bytes, size_t size, size_t count, void *context);
static inline CURLcode curl_set_bytes_callback(CURL *easy, CURLoption option, curl_bytes_callback call) {
    return curl_easy_setopt(easy, option, call);
}
static inline CURLcode curl_set_socket_callback(CURL *easy, curl_opensocket_callback call) {
    return curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, call);
}
static inline CURLcode curl_set_prereq_callback(CURL *easy, curl_prereq_callback call) {
    return curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, call);
}

static inline CURLcode curl_get_long(CURL *easy, CURLINFO info, long *value) {
    return curl_easy_getinfo(easy, info, value);
}
static inline CURLcode curl_get_pointer(CURL *easy, CURLINFO info, char **value) {
    return curl_easy_getinfo(easy, info, value);
}
static inline CURLMcode curl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}

// An IPv6 address is longer than `struct sockaddr`: Swift would copy only the declared part.
static inline const struct sockaddr *curl_sockaddr_address(const struct curl_sockaddr *address) {
    return &address->addr;
}
