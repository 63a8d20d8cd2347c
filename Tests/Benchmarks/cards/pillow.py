"""The same card with Pillow: pillow.py PHOTO FILE."""
import sys

from PIL import Image, ImageDraw, ImageFilter, ImageFont, ImageOps

NOTO = "/usr/share/fonts/truetype/noto/NotoSans-%s.ttf"
photo = Image.open(sys.argv[1]).convert("RGB")
card = ImageOps.fit(photo, (270, 480), Image.Resampling.LANCZOS).filter(ImageFilter.GaussianBlur(10))
card = card.resize((1080, 1920), Image.Resampling.BILINEAR)
card = Image.blend(card, Image.new("RGB", card.size), 0.35)
sticker = ImageOps.contain(photo, (864, 1080), Image.Resampling.LANCZOS)
# Pillow draws corners with steps: four times as large and made small they are as smooth as cairo's.
mask = Image.new("L", (sticker.width * 4, sticker.height * 4), 0)
ImageDraw.Draw(mask).rounded_rectangle((0, 0, mask.width - 1, mask.height - 1), 192, fill=255)
mask = mask.reduce(4)
left, top = (1080 - sticker.width) // 2, 400
for sigma, offset, strength in ((32, 22, 0.30), (7, 4, 0.18)):
    shadow = Image.new("L", (270, 480), 0)
    shadow.paste(int(255 * strength), (left // 4, (top + offset) // 4), mask.resize((sticker.width // 4, sticker.height // 4)))
    shadow = shadow.filter(ImageFilter.GaussianBlur(sigma / 4)).resize((1080, 1920), Image.Resampling.BILINEAR)
    card.paste((0, 0, 0), (0, 0), shadow)
card.paste(sticker, (left, top), mask)
draw = ImageDraw.Draw(card)
for y, text, style, size in (
    (290, "Закат над гаванью", "Bold", 64), (1500, "@kofe_u_morya", "Bold", 44),
    (1560, "Открыты каждый день с восьми до десяти", "Regular", 36), (1620, "Набережная, 12", "Regular", 32),
):
    font = ImageFont.truetype(NOTO % style, size)
    shadow = Image.new("L", (1080, size * 3), 0)
    ImageDraw.Draw(shadow).text((540, size), text, 107, font, anchor="ma")
    card.paste((0, 0, 0), (0, y - size + 2), shadow.filter(ImageFilter.GaussianBlur(size * 0.09)))
    draw.text((540, y), text, (255, 255, 255), font, anchor="ma")
card.save(sys.argv[2], quality=90)
