#pragma once
#include <lcms2.h>

// Swift does not see macros that are expressions.
static const cmsUInt32Number pasteup_type_bgra_8 = TYPE_BGRA_8;
static const cmsUInt32Number pasteup_type_gray_8 = TYPE_GRAY_8;
static const cmsUInt32Number pasteup_type_cmyk_8 = TYPE_CMYK_8;
static const cmsUInt32Number pasteup_type_cmyk_8_rev = TYPE_CMYK_8_REV;
