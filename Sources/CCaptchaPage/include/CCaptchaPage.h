#pragma once

/// The captcha page's HTML, UTF-8, ended by a zero. What stands between `{{` and `}}` is to be filled in.
const char *_Nonnull pasteup_captcha_page(void);
