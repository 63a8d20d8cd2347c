#include "CCaptchaPage.h"

// #embed is C23; clang takes it in older modes, too, with a warning.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const char page[] = {
#embed "page.html"
    , 0};

const char *pasteup_captcha_page(void) { return page; }
