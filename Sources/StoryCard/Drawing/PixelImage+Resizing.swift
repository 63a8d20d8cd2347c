internal import CImageCodecs
internal import Glibc

/// A part of a picture, in pixels from its top left corner; fractions count.
struct Crop {
    var left: Double
    var top: Double
    var width: Double
    var height: Double
}

extension PixelImage {
    /// Resamples with a Lanczos filter of three lobes, widened when the picture is made smaller.
    ///
    /// - Parameter crop: the part to show; all of it unless said.
    func resized(toWidth newWidth: Int, height newHeight: Int, crop: Crop? = nil) -> PixelImage {
        let crop = crop ?? Crop(left: 0, top: 0, width: Double(width), height: Double(height))
        let isWhole = crop.left == 0 && crop.top == 0 && crop.width == Double(width) && crop.height == Double(height)
        if isWhole, newWidth == width, newHeight == height { return self }
        let across = Resampling(sourceCount: width, from: crop.left, length: crop.width, count: newWidth)
        var down = Resampling(sourceCount: height, from: crop.top, length: crop.height, count: newHeight)
        let rows = down.moveToFirstSource()

        var narrow = PixelImage(width: newWidth, height: rows.count, hasAlpha: hasAlpha)
        pixels.withUnsafeBufferPointer { source in
            narrow.pixels.withUnsafeMutableBufferPointer { target in
                pasteup_resample_across(
                    source.baseAddress! + rows.lowerBound * rowBytes, rowBytes, UInt32(rows.count), target.baseAddress!,
                    UInt32(newWidth), across.starts, across.weights, UInt32(across.taps), across.bits)
            }
        }
        var result = PixelImage(width: newWidth, height: newHeight, hasAlpha: hasAlpha)
        result.pixels.withUnsafeMutableBufferPointer { target in
            pasteup_resample_down(
                narrow.pixels, narrow.rowBytes, target.baseAddress!, UInt32(newHeight), down.starts, down.weights,
                UInt32(down.taps), down.bits)
            if hasAlpha { pasteup_clamp_to_alpha(target.baseAddress!, target.count / 4) }
        }
        return result
    }

    /// The largest part of a picture that has the ratio of `newWidth` to `newHeight`, as near to the focus as can be.
    static func coveringCrop(
        ofWidth width: Int, height: Int, forWidth newWidth: Int, height newHeight: Int, focus: CardFocus = .center
    ) -> Crop {
        let scale = min(Double(width) / Double(newWidth), Double(height) / Double(newHeight))
        let (partWidth, partHeight) = (Double(newWidth) * scale, Double(newHeight) * scale)
        func start(_ whole: Int, _ part: Double, _ focus: Double) -> Double {
            min(max(Double(whole) * focus - part / 2, 0), Double(whole) - part)
        }
        return Crop(
            left: start(width, partWidth, focus.x), top: start(height, partHeight, focus.y), width: partWidth,
            height: partHeight)
    }
}

/// Which source samples make each target sample, and with which weights; they add up to 1.
private struct Resampling {
    /// The first source sample of each target sample.
    var starts: [Int32]
    /// `taps` for each target sample, in parts of 1 << `bits`.
    let weights: [Int16]
    let taps: Int
    let bits: UInt32

    init(sourceCount: Int, from origin: Double, length: Double, count: Int) {
        let scale = length / Double(count)
        let widening = max(scale, 1)
        let support = 3 * widening
        taps = min(Int(support.rounded(.up)) * 2 + 1, sourceCount)
        starts = []
        var shares: [Double] = []
        shares.reserveCapacity(count * taps)
        for index in 0..<count {
            let center = origin + (Double(index) + 0.5) * scale
            let wanted = Int((center - support).rounded(.down))
            let start = min(max(wanted, 0), sourceCount - taps)
            let values = (start..<start + taps).map { lanczos((Double($0) + 0.5 - center) / widening) }
            let sum = values.reduce(0, +)
            starts.append(Int32(start))
            for value in values { shares.append(value / sum) }
        }
        // The more samples share the sum, the smaller is each weight, and the more bits it needs to be told from its
        // neighbours. With 20 the sums are still far from 32 bits.
        let largest = shares.reduce(0) { max($0, abs($1)) }
        let bits = (1...20).last { largest * Double(1 << $0) < Double(Int16.max) } ?? 1
        self.bits = UInt32(bits)
        var weights: [Int16] = []
        weights.reserveCapacity(shares.count)
        for start in stride(from: 0, to: shares.count, by: taps) {
            weights += wholeWeights(shares[start..<start + taps], one: Double(1 << bits))
        }
        self.weights = weights
    }

    /// Counts `starts` from the first source sample that is used, and returns the range of those that are.
    mutating func moveToFirstSource() -> Range<Int> {
        let first = starts.min() ?? 0
        let end = Int(starts.max() ?? 0) + taps
        for index in starts.indices { starts[index] -= first }
        return Int(first)..<end
    }
}

/// Weights that add up to 1 as whole numbers that add up to `one`, so that plain areas stay as they are.
private func wholeWeights(_ weights: ArraySlice<Double>, one: Double) -> [Int16] {
    var (sum, wholeSum) = (0.0, 0)
    return weights.map { weight in
        // Rounding the sums, not the weights, leaves no error to heap up on one of them.
        sum += weight * one
        let whole = Int(sum.rounded()) - wholeSum
        wholeSum += whole
        return Int16(whole)
    }
}

/// sinc(x) sinc(x / 3) between -3 and 3, else 0.
private func lanczos(_ x: Double) -> Double {
    if x == 0 { return 1 }
    guard abs(x) < 3 else { return 0 }
    let angle = x * .pi
    return 3 * sin(angle) * sin(angle / 3) / (angle * angle)
}
