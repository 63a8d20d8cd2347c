"""Writes pillow.tsv: what Pillow decodes at a grid of points of each picture here, upright and in sRGB, alpha multiplied in.

Columns: file, x, y in pixels, then red, green, blue, alpha, each the mean of 7x7 pixels. Made with Pillow 13.0.
"""
import io
import pathlib

from PIL import Image, ImageCms, ImageOps

FILES = [
    "orientation6-gps.jpg", "alpha.png", "photo.webp", "cmyk-noprofile.jpg", "rgb16.png", "display-p3.jpg",
    "cmyk-profile.jpg", "adobe-rgb.png",
]
SHARES = [0.08, 0.27, 0.5, 0.73, 0.92]

folder = pathlib.Path(__file__).parent
rows = []
for name in FILES:
    image = ImageOps.exif_transpose(Image.open(folder / name))
    profile = image.info.get("icc_profile")
    if profile and image.mode in ("RGB", "CMYK"):
        image = ImageCms.profileToProfile(
            image, ImageCms.ImageCmsProfile(io.BytesIO(profile)), ImageCms.createProfile("sRGB"),
            outputMode="RGB", renderingIntent=ImageCms.Intent.RELATIVE_COLORIMETRIC, flags=ImageCms.Flags.BLACKPOINTCOMPENSATION)
    image = image.convert("RGBA")
    pixels = image.load()
    for v in SHARES:
        for u in SHARES:
            x, y = int(image.width * u), int(image.height * v)
            sums = [0.0] * 4
            for row in range(y - 3, y + 4):
                for column in range(x - 3, x + 4):
                    red, green, blue, alpha = pixels[column, row]
                    for index, value in enumerate((red * alpha / 255, green * alpha / 255, blue * alpha / 255, alpha)):
                        sums[index] += value
            rows.append("\t".join([name, str(x), str(y)] + [f"{value / 49:.1f}" for value in sums]))
(folder / "pillow.tsv").write_text("\n".join(rows) + "\n")
