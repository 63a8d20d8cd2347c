public import StepKit
internal import StoryCard
internal import Values

/// What a card's parameters say besides their types, as far as they are written out.
extension CardCompose {
    public func problems(in call: PlannedCall) -> [ParameterProblem] {
        var known = ValueObject()
        for member in call.parameters {
            let type = declaration.parameters.first { $0.name == member.name }?.type ?? .any
            if let value = member.value.written(as: type) { known[member.name] = value }
        }
        // What is not known yet may be a background, or a picture to take a colour from.
        let isOpen = ["background", "sticker", "stickers", "preset"].contains { name in
            call.given(name).map { !$0.isWrittenOut } ?? false
        }
        if isOpen, known["sticker"] == nil { known["sticker"] = ["image": .string(PlannedValue.unknownFile)] }
        return CardRequest.problems(of: known).map(ParameterProblem.init) + strayProblems(in: call)
            + coveringProblems(in: call, known)
    }

    /// Texts that are written over one another.
    private func coveringProblems(in call: PlannedCall, _ known: ValueObject) -> [ParameterProblem] {
        // A text that is known later may be empty.
        guard call.given("texts")?.isWrittenOut ?? false, let request = try? CardRequest(known) else { return [] }
        return request.spec.coveringTexts.map { text, earlier in
            ParameterProblem(
                at: [.member("texts"), .index(text)], "stands where text \(earlier + 1) stands", severity: .warning,
                why: "Only texts at top, center or bottom without x, y and height stand below one another",
                fix: "Move one of them, or make them one text of two lines")
        }
    }

    /// Members of the background that its type makes nothing of.
    private func strayProblems(in call: PlannedCall) -> [ParameterProblem] {
        let members: [String: [String]] = [
            "none": [], "color": ["color"], "gradient": ["top", "bottom", "stops", "angle"],
            "image": ["image", "blur", "dim", "focus"],
        ]
        guard let background = call.given("background"), let type = background[member: "type"]?.literal?.string,
            let known = members[type]
        else { return [] }
        return members.values.flatMap { $0 }.sorted().filter { name in
            !known.contains(name) && !(background[member: name]?.isAbsent ?? true)
        }.map { name in
            ParameterProblem(
                at: [.member("background"), .member(name)], "has no effect", severity: .warning,
                why: "The background is of type '\(type)'", fix: "Remove it, or change the type")
        }
    }
}

extension ParameterProblem {
    fileprivate init(_ problem: CardProblem) {
        guard let path = problem.path else {
            self.init(problem.what, why: problem.why, fix: problem.fix)
            return
        }
        self.init(
            at: ParameterProblem.elements(of: path), problem.predicate ?? problem.what,
            isClause: problem.predicate == nil, why: problem.why, fix: problem.fix)
    }

    /// "texts[0].font" as members and indices.
    private static func elements(of path: String) -> [TypeMismatch.PathElement] {
        path.split(separator: ".").flatMap { part -> [TypeMismatch.PathElement] in
            guard part.hasSuffix("]"), let opening = part.firstIndex(of: "["),
                let index = Int(part[part.index(after: opening)...].dropLast())
            else { return [.member(String(part))] }
            return [.member(String(part[..<opening])), .index(index)]
        }
    }
}

extension PlannedValue {
    /// Stands for a file that is not known yet; no file is looked at.
    fileprivate static let unknownFile = "/unknown"

    /// Whether nothing of it is known only later.
    fileprivate var isWrittenOut: Bool {
        switch self {
        case .known: true
        case .object(let members): members.allSatisfy(\.value.isWrittenOut)
        case .list(let elements): elements.allSatisfy(\.isWrittenOut)
        default: false
        }
    }

    /// The value as far as it is written out; something harmless where it must be given. Nil where nothing is known.
    fileprivate func written(as type: ValueType) -> Value? {
        switch (self, type) {
        case (.known(let value), _): return value
        case (.object(let members), .object(let parameters)):
            var object = ValueObject()
            for member in members {
                let inner = parameters.first { $0.name == member.name }?.type ?? .any
                object[member.name] = member.value.written(as: inner)
            }
            return .object(object)
        case (.list(let elements), .list(let element)):
            let values = elements.map { $0.written(as: element) }
            return values.contains { $0 == nil } ? nil : .array(values.map { $0 ?? .null })
        case (_, .file): return .string(PlannedValue.unknownFile)
        case (_, .string): return "x"
        case (_, .color): return "#000"
        default: return nil
        }
    }
}
