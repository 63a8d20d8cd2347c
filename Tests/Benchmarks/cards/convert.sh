#!/usr/bin/env bash
# The same card with ImageMagick: convert.sh PHOTO FILE.
set -euo pipefail
noto=/usr/share/fonts/truetype/noto/NotoSans
convert "$1" -resize 270x480^ -gravity center -extent 270x480 -blur 0x10 -resize 1080x1920! -fill black -colorize 35 \
    \( "$1" -resize 864x1080 \( +clone -alpha extract -draw 'fill black polygon 0,0 0,48 48,0 fill white circle 48,48 48,0' \
        \( +clone -flip \) -compose Multiply -composite \( +clone -flop \) -compose Multiply -composite \) \
        -alpha off -compose CopyOpacity -composite \
        \( +clone -background black -shadow 30x32+0+22 \) +swap -background none -layers merge +repage \) \
    -compose over -gravity center -composite \
    -fill white -gravity north -font $noto-Bold.ttf -pointsize 64 -annotate +0+290 'Закат над гаванью' \
    -pointsize 44 -annotate +0+1500 '@kofe_u_morya' -font $noto-Regular.ttf \
    -pointsize 36 -annotate +0+1560 'Открыты каждый день с восьми до десяти' \
    -pointsize 32 -annotate +0+1620 'Набережная, 12' -strip -quality 90 "$2"
