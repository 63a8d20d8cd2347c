internal import CSSColors
internal import Diagnostics
internal import YAML

extension WorkflowReader {
    /// Reports a colour that was written without quotes, so that YAML took it for a comment.
    ///
    /// - Parameter node: null.
    /// - Returns: whether there was one.
    mutating func reportLostColor(_ node: YAMLNode, at site: ArgumentSite) -> Bool {
        guard let line = document.source.line(node.useRange.start.line), let hash = line.lastIndex(of: "#") else {
            return false
        }
        let comment = line[hash...].dropFirst()
        let digits = comment.prefix { $0.isHexDigit }
        let rest = comment.dropFirst(digits.count).first
        guard [3, 4, 6, 8].contains(digits.count), rest.map({ !$0.isLetter && !$0.isNumber }) ?? true else {
            return false
        }
        problems.error(
            at: node.useRange, "\(site.label) is empty",
            why: "In YAML, '#' after a space begins a comment, so a colour without quotes vanishes",
            fix: "Write \"#\(digits)\", with the quotes")
        return true
    }
}

/// How to mend a text that is no colour.
func colorRepair(_ text: String) -> String? {
    do throws(CSSColorError) {
        _ = try CSSColor(text)
        return nil
    } catch { return error.fix }
}
