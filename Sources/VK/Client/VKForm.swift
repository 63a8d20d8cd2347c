internal import StepKit
internal import Values

/// A method's parameters as form fields.
///
/// | value | field |
/// |---|---|
/// | null | not sent |
/// | true, false | 1, 0 |
/// | number | its shortest decimal; whole ones exact |
/// | "" | sent empty |
/// | list | joined by commas, without null and "", those of a link as `%2C`; not sent when nothing is left |
/// | list with a list or an object in it, object | JSON |
func formFields(_ parameters: ValueObject) -> [(name: String, value: String)] {
    parameters.compactMap { name, value in fieldText(value).map { (name, $0) } }
}

/// Nil: not sent.
private func fieldText(_ value: Value) -> String? {
    switch value {
    case .null: return nil
    case .bool(let flag): return flag ? "1" : "0"
    case .string(let text): return text
    case .integer, .double, .object: return value.json()
    case .array:
        guard let elements = sentElements(of: value), !elements.isEmpty else { return nil }
        if elements.contains(where: { $0.array != nil || $0.object != nil }) { return value.json() }
        return elements.compactMap { isLink($0) ? fieldText($0).map(withoutCommas) : fieldText($0) }.joined(
            separator: ",")
    }
}

/// A link of a list, which VK would take for two at its comma (RFC 3986 §2.2).
private func withoutCommas(_ link: String) -> String {
    link.split(separator: ",", omittingEmptySubsequences: false).joined(separator: "%2C")
}

/// The elements of a list that are sent; nil for anything but a list.
func sentElements(of value: Value?) -> [Value]? { value?.array?.filter { !$0.isNull && $0 != "" } }

/// The planned parameters as they would be sent: what is known and not sent is left out.
func plannedFields(_ parameters: [PlannedMember]) -> [PlannedMember] {
    parameters.compactMap { member in
        guard case .known(let value) = member.value else { return member }
        switch value {
        case .null: return nil
        case .bool(let flag): return PlannedMember(member.name, .known(flag ? 1 : 0))
        case .array:
            guard let elements = sentElements(of: value), !elements.isEmpty else { return nil }
            return PlannedMember(member.name, .known(.array(elements)))
        default: return member
        }
    }
}

/// The call of a method as a plan shows it.
func plannedCall(of method: String, _ call: PlannedCall) -> PlannedRequest {
    let version = call.settings["api-version"]?.string ?? VKAccount.apiVersion
    return PlannedRequest(
        "POST", .known(.string(methodAddress(method, baseURL: call.baseURL ?? VKAccount.type.baseURL))),
        fields: plannedFields(call.parameters) + [
            PlannedMember("v", .known(.string(version))), PlannedMember("access_token", .secret),
        ])
}
