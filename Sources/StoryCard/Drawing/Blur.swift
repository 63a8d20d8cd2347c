internal import CImageCodecs

/// Blurs like a Gaussian, by three boxes (P. Kovesi, "Fast Almost-Gaussian Filtering", 2010).
///
/// - Parameters:
///   - rows: `stride` bytes each.
///   - channels: bytes of a pixel, 1 or 4.
///   - sigma: the Gaussian's standard deviation, in pixels; below about 0.6 nothing changes.
func blur(
    _ rows: UnsafeMutableBufferPointer<UInt8>, width: Int, height: Int, stride: Int, channels: Int, sigma: Double
) {
    var scratch = [UInt8](repeating: 0, count: rows.count)
    for radius in boxRadii(sigma: sigma) where radius > 0 {
        pasteup_box_blur(
            rows.baseAddress!, &scratch, UInt32(width), UInt32(height), stride, UInt32(channels), UInt32(radius))
    }
}

/// The radii of three boxes whose variances add up to about `sigma` squared; a box of radius r has ((2r+1)² - 1) / 12.
func boxRadii(sigma: Double) -> [Int] {
    let small = Int((((12 * sigma * sigma / 3 + 1).squareRoot() - 1) / 2).rounded(.down))
    let width = Double(2 * small + 1)
    let smallCount = (12 * sigma * sigma - 3 * width * width - 12 * width - 9) / (-4 * width - 4)
    return (0..<3).map { Double($0) < smallCount.rounded() ? small : small + 1 }
}
