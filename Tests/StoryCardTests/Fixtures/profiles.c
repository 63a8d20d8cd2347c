// Writes the profiles of cmyk-profile.jpg and adobe-rgb.png: cc profiles.c -llcms2 -lm && ./a.out
#include <lcms2.h>
#include <math.h>

static cmsHTRANSFORM to_lab;

// What is left of red, green and blue below full cyan, magenta, yellow and black.
static const double inks[4][3] = {{0.05, 0.62, 0.87}, {0.86, 0.10, 0.52}, {0.98, 0.90, 0.08}, {0.13, 0.13, 0.15}};

static cmsInt32Number lab_of_inks(const cmsUInt16Number in[], cmsUInt16Number out[], void *unused) {
    double rgb[3] = {0.96, 0.955, 0.93};
    for (int i = 0; i < 4; i++) {
        double share = pow(in[i] / 65535.0, 0.8);
        for (int k = 0; k < 3; k++) rgb[k] *= 1 - share + share * inks[i][k];
    }
    cmsCIELab lab;
    cmsDoTransform(to_lab, rgb, &lab, 1);
    cmsFloat2LabEncoded(out, &lab);
    return 1;
}

static void name(cmsHPROFILE profile, const char *text) {
    cmsMLU *words = cmsMLUalloc(0, 1);
    cmsMLUsetASCII(words, "en", "US", text);
    cmsWriteTag(profile, cmsSigProfileDescriptionTag, words);
    cmsWriteTag(profile, cmsSigCopyrightTag, words);
    cmsMLUfree(words);
}

int main(void) {
    to_lab = cmsCreateTransform(
        cmsCreate_sRGBProfile(), TYPE_RGB_DBL, cmsCreateLab4Profile(0), TYPE_Lab_DBL, INTENT_RELATIVE_COLORIMETRIC, 0);
    cmsHPROFILE cmyk = cmsCreateProfilePlaceholder(0);
    cmsSetProfileVersion(cmyk, 4.3);
    cmsSetDeviceClass(cmyk, cmsSigOutputClass);
    cmsSetColorSpace(cmyk, cmsSigCmykData);
    cmsSetPCS(cmyk, cmsSigLabData);
    name(cmyk, "Test inks of pasteup, public domain");
    cmsWriteTag(cmyk, cmsSigMediaWhitePointTag, cmsD50_XYZ());
    cmsPipeline *pipeline = cmsPipelineAlloc(0, 4, 3);
    cmsStage *table = cmsStageAllocCLut16bit(0, 5, 4, 3, 0);
    cmsStageSampleCLut16bit(table, lab_of_inks, 0, 0);
    cmsPipelineInsertStage(pipeline, cmsAT_BEGIN, cmsStageAllocToneCurves(0, 4, 0));
    cmsPipelineInsertStage(pipeline, cmsAT_END, table);
    cmsPipelineInsertStage(pipeline, cmsAT_END, cmsStageAllocToneCurves(0, 3, 0));
    cmsWriteTag(cmyk, cmsSigAToB0Tag, pipeline);
    cmsSaveProfileToFile(cmyk, "cmyk.icc");

    cmsCIExyY white = {0.3127, 0.3290, 1};
    cmsCIExyYTRIPLE primaries = {{0.64, 0.33, 1}, {0.21, 0.71, 1}, {0.15, 0.06, 1}};
    cmsToneCurve *gamma = cmsBuildGamma(0, 2.19921875);
    cmsHPROFILE wide = cmsCreateRGBProfile(&white, &primaries, (cmsToneCurve *[]){gamma, gamma, gamma});
    name(wide, "Test wide RGB of pasteup, public domain");
    cmsSaveProfileToFile(wide, "wide.icc");
}
