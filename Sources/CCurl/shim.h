#pragma once
#define CURL_DISABLE_TYPECHECK 1
#include <curl/curl.h>

// Swift cannot call variadic functions: one typed function for each kind of value that an option takes.

static inline CURLcode pasteup_curl_set_long(CURL *_Nonnull handle, CURLoption option, long value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode pasteup_curl_set_offset(CURL *_Nonnull handle, CURLoption option, curl_off_t value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode pasteup_curl_set_text(CURL *_Nonnull handle, CURLoption option, const char *_Nullable value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode pasteup_curl_set_pointer(CURL *_Nonnull handle, CURLoption option, const void *_Nullable value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode pasteup_curl_set_callback(CURL *_Nonnull handle, CURLoption option,
                                                 curl_write_callback _Nonnull value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode pasteup_curl_get_long(CURL *_Nonnull handle, CURLINFO info, long *_Nonnull value) {
    return curl_easy_getinfo(handle, info, value);
}

static inline CURLcode pasteup_curl_get_offset(CURL *_Nonnull handle, CURLINFO info, curl_off_t *_Nonnull value) {
    return curl_easy_getinfo(handle, info, value);
}

static inline CURLcode pasteup_curl_get_text(CURL *_Nonnull handle, CURLINFO info,
                                             const char *_Nullable *_Nonnull value) {
    return curl_easy_getinfo(handle, info, value);
}

static inline CURLMcode pasteup_curl_multi_set_long(CURLM *_Nonnull handle, CURLMoption option, long value) {
    return curl_multi_setopt(handle, option, value);
}

static inline CURLSHcode pasteup_curl_share_data(CURLSH *_Nonnull handle, curl_lock_data data) {
    return curl_share_setopt(handle, CURLSHOPT_SHARE, data);
}

// A union, which Swift would show as raw memory.
static inline CURLcode pasteup_curl_message_result(const CURLMsg *_Nonnull message) { return message->data.result; }

// The argument is a macro that stands for an enumerator, which Swift does not see.
static inline const curl_version_info_data *_Nonnull pasteup_curl_version(void) {
    return curl_version_info(CURLVERSION_NOW);
}
