#pragma once
#include <openssl/evp.h>
#include <openssl/sha.h>

// SHA256() is hidden behind a macro in OpenSSL 3 headers when deprecations are switched off; EVP_Digest never is.
static inline int pasteup_sha256(const unsigned char *_Nullable bytes, size_t count, unsigned char *_Nonnull digest) {
    unsigned int length = 0;
    return EVP_Digest(bytes, count, digest, &length, EVP_sha256(), NULL);
}
