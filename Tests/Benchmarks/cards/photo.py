"""Makes a noisy, detailed photo-like JPEG, the same each time: photo.py WIDTH HEIGHT FILE."""
import math
import random
import sys

from PIL import Image, ImageFilter

width, height, target = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
random.seed(7)
noise = Image.frombytes("L", (width // 4, height // 4), random.randbytes((width // 4) * (height // 4)))
noise = noise.resize((width, height), Image.Resampling.BICUBIC).filter(ImageFilter.GaussianBlur(1))
row = bytes(int(128 + 100 * math.sin(x / 37)) for x in range(width))
waves = Image.frombytes("L", (width, 1), row).resize((width, height))
sky = Image.linear_gradient("L").resize((width, height))
Image.merge("RGB", (Image.blend(sky, noise, 0.25), Image.blend(waves, noise, 0.4), Image.blend(noise, sky, 0.6))).save(
    target, quality=90)
