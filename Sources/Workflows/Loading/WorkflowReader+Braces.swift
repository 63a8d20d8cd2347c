internal import Diagnostics
internal import YAML

/// Expressions as other programs write them: `{{ inputs.wall }}`, `${inputs.wall}`. They would be posted as they stand.
extension WorkflowReader {
    /// Warns where braces hold what an expression could mention here. Braces around anything else are text.
    mutating func warnOfForeignBraces(in node: YAMLNode, at site: ArgumentSite) {
        guard let text = node.string, text.utf8.contains(UInt8(ascii: "{")) else { return }
        let scalars = Array(text.unicodeScalars)
        var position = 0
        while position < scalars.count {
            if scalars[position...].starts(with: ["$", "{", "{"]) {
                position = endOfExpression(scalars, from: position + 3)
            } else if scalars[position] == "{", let found = mention(scalars, from: position, at: site) {
                let start = position > 0 && scalars[position - 1] == "$" ? position - 1 : position
                let written = String(String.UnicodeScalarView(scalars[start..<found.end]))
                problems.warning(
                    at: document.range(ofScalars: start..<found.end, in: node), "'\(written)' is no expression",
                    why: "It is taken as it stands, braces and all", fix: "Write ${{ \(found.path) }}",
                    code: .expression)
                position = found.end
            } else {
                position += 1
            }
        }
    }

    private func endOfExpression(_ scalars: [Unicode.Scalar], from start: Int) -> Int {
        var isText = false
        var position = start
        while position < scalars.count {
            if scalars[position] == "'" {
                isText.toggle()
            } else if !isText, scalars[position...].starts(with: ["}", "}"]) {
                return position + 2
            }
            position += 1
        }
        return position
    }

    /// The path in the braces that open here, and where they end; nil when it is no path, or nothing known.
    private func mention(
        _ scalars: [Unicode.Scalar], from start: Int, at site: ArgumentSite
    ) -> (path: String, end: Int)? {
        let depth = scalars[start...].starts(with: ["{", "{"]) ? 2 : 1
        let inner = scalars[(start + depth)...].drop { $0 == " " }
        let letters = inner.prefix {
            $0.isASCII && ($0.properties.isAlphabetic || ("0"..."9").contains($0) || "._-".unicodeScalars.contains($0))
        }
        let closing = scalars[letters.endIndex...].drop { $0 == " " }
        guard closing.starts(with: Array(repeating: "}", count: depth)) else { return nil }
        let path = String(String.UnicodeScalarView(letters))
        return isKnown(path.split(separator: ".").map(String.init), at: site) ? (path, closing.startIndex + depth) : nil
    }

    private func isKnown(_ path: [String], at site: ArgumentSite) -> Bool {
        guard let root = path.first else { return false }
        switch (root, path.dropFirst().first) {
        case ("inputs", let name?): return inputNames[name.lowercased()] != nil
        case ("steps", let id?): return stepPositions[id.lowercased()] != nil && path.count > 2
        case ("item", _), ("index", nil): return site.step.map { steps[$0].hasForEach } == true
        case ("secrets", _?), ("env", _?): return path.count == 2
        default: return false
        }
    }
}
