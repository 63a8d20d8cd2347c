/// Decodes a picture whole and small, and throws the pixels away: the entry for fuzzing.
///
/// Pictures of more than a million pixels are left alone after their header, so that a trial is quick.
public func tryPicture(_ bytes: [UInt8]) {
    guard let image = try? EncodedImage(bytes) else { return }
    let header = ImageHeader(format: image.format, width: image.width, height: image.height)
    guard (try? ImageLimits().check(header)) != nil, image.width * image.height <= 1_000_000 else { return }
    _ = try? image.decoded()
    _ = try? image.decoded(neededSize: (max(image.width / 4, 1), max(image.height / 4, 1)))
}
