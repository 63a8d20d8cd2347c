internal import Diagnostics

/// Makes nodes of libyaml's events, and checks what YAML itself leaves open: tags, keys, aliases, depth and size.
///
/// It keeps a stack of its own, so that no file can exhaust the thread's.
struct NodeBuilder {
    /// A node with what it costs.
    struct Built {
        var node: YAMLNode
        /// Values in it and itself, aliases followed.
        var count = 1
        /// Collections inside each other, itself included; 0 for a scalar.
        var height = 0
    }

    /// A list or mapping that is still open.
    struct Frame {
        let isMapping: Bool
        let isFlow: Bool
        let start: Mark
        let anchor: OpenAnchor?
        var count = 1
        var height = 1
        var elements: [YAMLNode] = []
        var pairs = PairList()
        /// The key that waits for its value.
        var key: YAMLNode?
    }

    struct OpenAnchor {
        let name: String
        /// Tells it from a later anchor of the same name.
        let serial: Int
    }

    enum Anchor {
        case open(serial: Int, place: Mark)
        case closed(Built)
    }

    enum Stop: Error {
        case syntax(SyntaxFault)
        /// What stops is among the problems already.
        case told
    }

    let source: SourceText
    var problems = Problems()
    private var frames: [Frame] = []
    private var anchors: [String: Anchor] = [:]
    private var anchorSerial = 0
    /// Of the whole document so far.
    private var count = 0
    private var root: YAMLNode?
    private var hasDocument = false

    init(source: SourceText) { self.source = source }

    mutating func build(_ reader: EventReader) throws(DiagnosticsError) -> YAMLNode {
        do throws(Stop) {
            try read(reader)
        } catch {
            if case .syntax(let fault) = error {
                problems.add(SyntaxExplainer(fault: fault, source: source).diagnostic)
            }
            throw DiagnosticsError(problems.diagnostics)
        }
        try problems.throwIfErrors()
        guard let root else { throw DiagnosticsError([emptyFile()]) }
        return root
    }

    private mutating func read(_ reader: EventReader) throws(Stop) {
        while true {
            let event: Event
            do throws(SyntaxFault) { event = try reader.next() } catch { throw .syntax(error) }
            switch event.kind {
            case .documentStart: try startDocument(event)
            case .documentEnd: break
            case .streamEnd: return
            case .alias(let name): try add(repeated(name, event), event)
            case .scalar(let text, let style): try add(scalar(text, style, event), event)
            case .sequenceStart: try open(event, isMapping: false)
            case .mappingStart: try open(event, isMapping: true)
            case .sequenceEnd, .mappingEnd: try close(event)
            }
            if problems.count >= YAMLDocument.Limit.errors { throw .told }
        }
    }

    private mutating func startDocument(_ event: Event) throws(Stop) {
        if hasDocument {
            problems.error(
                at: range(event.start, event.end), "a second document begins here",
                why: "A file holds one document", fix: "Move what follows '---' to a file of its own")
            throw .told
        }
        hasDocument = true
    }

    private func emptyFile() -> Diagnostic {
        let isBlank = source.lines.allSatisfy { $0.unicodeScalars.allSatisfy(\.properties.isWhitespace) }
        return Diagnostic(
            at: SourceRange(start: SourceLocation(file: source.file, line: 1, column: 1)),
            isBlank ? "the file is empty" : "the file holds no value",
            fix: "Write at least one 'key: value' line")
    }

    // MARK: Nodes

    private mutating func open(_ event: Event, isMapping: Bool) throws(Stop) {
        guard frames.count < YAMLDocument.Limit.depth else { throw tooDeep(at: range(event.start, event.end)) }
        checkCollectionTag(event, isMapping: isMapping)
        frames.append(
            Frame(isMapping: isMapping, isFlow: event.isFlow, start: event.start, anchor: openAnchor(event)))
        try count(1, at: range(event.start, event.end), isAlias: false)
    }

    private mutating func close(_ event: Event) throws(Stop) {
        var frame = frames.removeLast()
        let content: YAMLNode.Content
        if frame.isMapping {
            content = .mapping(YAMLMapping(frame.pairs.merged(&problems)))
        } else {
            content = .sequence(frame.elements)
        }
        let place = frame.isFlow ? range(frame.start, event.end) : range(frame.start, length: 1)
        let node = YAMLNode(content: content, range: place, end: event.end)
        let built = Built(node: node, count: frame.count, height: frame.height)
        frame.elements = []
        remember(frame.anchor, built)
        try attach(built)
    }

    private mutating func scalar(_ text: String, _ style: YAMLScalar.Style, _ event: Event) -> Built {
        let place = range(event.start, event.end)
        let value = isAtKey ? keyValue(text, event, place) : value(text, style, event, place)
        let node = YAMLNode(
            content: .scalar(YAMLScalar(text: text, value: value, style: style)), range: place, end: event.end)
        return Built(node: node)
    }

    private mutating func add(_ built: Built, _ event: Event) throws(Stop) {
        if case .scalar(let text, .plain) = event.kind, frames.isEmpty, text.isEmpty, event.tag == nil,
            event.anchor == nil
        {
            return
        }
        var isAlias = false
        if case .alias = event.kind { isAlias = true }
        try count(built.count, at: range(event.start, event.end), isAlias: isAlias)
        if frames.count + built.height > YAMLDocument.Limit.depth {
            throw tooDeep(at: range(event.start, event.end))
        }
        remember(openAnchor(event), built)
        try attach(built)
    }

    private var isAtKey: Bool { frames.last.map { $0.isMapping && $0.key == nil } ?? false }

    var isInFlow: Bool { frames.last?.isFlow ?? false }

    private mutating func attach(_ built: Built) throws(Stop) {
        guard !frames.isEmpty else {
            root = built.node
            return
        }
        let last = frames.count - 1
        frames[last].count += built.count
        frames[last].height = max(frames[last].height, built.height + 1)
        if !frames[last].isMapping {
            frames[last].elements.append(built.node)
        } else if let key = frames[last].key {
            frames[last].key = nil
            frames[last].pairs.add(key: key, value: built.node, problems: &problems)
        } else {
            checkKey(built.node)
            frames[last].key = built.node
        }
    }

    private mutating func checkKey(_ node: YAMLNode) {
        guard let scalar = node.scalar else {
            let line = source.line(node.useRange.start.line) ?? ""
            if node.mapping != nil, line.contains("{{") {
                problems.error(
                    at: node.useRange, "'{{' does not begin an expression here", why: "Braces begin a mapping in YAML",
                    fix: "Write an expression in quotes: \"${{ … }}\"")
            } else {
                problems.error(
                    at: node.useRange, "a key is \(node.typeName), not text",
                    fix: "Put the key in quotes if its brackets belong to it")
            }
            return
        }
        if scalar.text.isEmpty, scalar.style == .plain {
            problems.error(
                at: node.useRange, "a key is missing before ':'", fix: "Write 'key: value'")
        }
    }

    // MARK: Anchors and limits

    private mutating func openAnchor(_ event: Event) -> OpenAnchor? {
        guard let name = event.anchor else { return nil }
        anchorSerial += 1
        anchors[name] = .open(serial: anchorSerial, place: event.start)
        return OpenAnchor(name: name, serial: anchorSerial)
    }

    private mutating func remember(_ anchor: OpenAnchor?, _ built: Built) {
        guard let anchor, case .open(anchor.serial, _) = anchors[anchor.name] else { return }
        anchors[anchor.name] = .closed(built)
    }

    private mutating func repeated(_ name: String, _ event: Event) -> Built {
        let place = range(event.start, event.end)
        switch anchors[name] {
        case .closed(var built):
            built.node.alias = place
            if isAtKey, let scalar = built.node.scalar {
                let key = YAMLScalar(text: scalar.text, value: .string(scalar.text), style: scalar.style)
                var node = YAMLNode(content: .scalar(key), range: built.node.range, end: built.node.end)
                node.alias = place
                built.node = node
            }
            return built
        case .open(_, let anchorPlace):
            problems.error(
                at: place, "the alias '*\(name)' repeats a value that contains it",
                why: "It would never end", fix: "Move the anchor '&\(name)' to a value that ends before the alias",
                notes: [Diagnostic(.note, at: range(anchorPlace, length: name.count + 1), "the anchor is here")])
        case nil:
            // Sorted, so that the suggestion is always the same one; a file with thousands of anchors gets none.
            let near = anchors.count <= 1000 ? nearest(name, among: anchors.keys.sorted()) : nil
            problems.error(
                at: place, "no anchor '&\(name)' stands before the alias '*\(name)'",
                why: "An unquoted '*' at the beginning of a value repeats an anchored one",
                fix: near.map { "Did you mean '*\($0)'?" }
                    ?? "If it is text, write \(Quoting.restOfLine(source, event.start, isInFlow: isInFlow))")
        }
        let scalar = YAMLScalar(text: "*" + name, value: .string("*" + name), style: .plain)
        return Built(node: YAMLNode(content: .scalar(scalar), range: place, end: event.end))
    }

    private mutating func count(_ added: Int, at place: SourceRange, isAlias: Bool) throws(Stop) {
        count += added
        guard count > YAMLDocument.Limit.nodes else { return }
        problems.error(
            at: place,
            isAlias
                ? "with its aliases written out the file has more than 1,000,000 values"
                : "the file has more than 1,000,000 values",
            why: isAlias ? "Aliases of aliases grow without bound" : nil,
            fix: isAlias
                ? "Repeat less, or write the values out" : "Put large tables into CSV or JSON files of their own")
        throw .told
    }

    private mutating func tooDeep(at place: SourceRange) -> Stop {
        problems.error(
            at: place, "lists and mappings lie more than \(YAMLDocument.Limit.depth) levels deep",
            fix: "Nest them less deeply")
        return .told
    }

    // MARK: Places

    func range(_ start: Mark, length: Int) -> SourceRange {
        SourceRange(
            start: SourceLocation(file: source.file, line: start.line, column: start.column), length: max(1, length))
    }

    /// The stretch from one mark to the other, or to the end of the first line.
    func range(_ start: Mark, _ end: Mark) -> SourceRange {
        if start.line == end.line { return range(start, length: end.column - start.column) }
        guard let line = source.line(start.line) else { return range(start, length: 1) }
        var length = line.unicodeScalars.count
        for scalar in line.unicodeScalars.reversed() {
            guard scalar == " " || scalar == "\t" else { break }
            length -= 1
        }
        return range(start, length: length - start.column + 1)
    }
}
