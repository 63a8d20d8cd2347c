internal import CSSColors

/// How to mend a text that is no colour.
func colorRepair(_ text: String) -> String? {
    do throws(CSSColorError) {
        _ = try CSSColor(text)
        return nil
    } catch { return error.fix }
}
