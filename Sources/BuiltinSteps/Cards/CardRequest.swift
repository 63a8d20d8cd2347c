internal import CSSColors
internal import Files
internal import Glibc
internal import Hashing
internal import StepKit
public import StoryCard
public import Values

/// What is wrong with a card's parameters, or with what they name.
public struct CardProblem: Error, Sendable, Hashable {
    /// Where, as an author writes it: "texts[0].font"; nil where it is the card as a whole.
    public let path: String?
    /// The file that is at fault, absolute; nil when it is none.
    public let file: String?
    /// As clauses and sentences of a `StepError`.
    public let what: String
    /// How the sentence goes on that the path begins; nil where `what` says more.
    let predicate: String?
    public let why: String?
    public let fix: String?

    init(
        _ path: String?, _ what: String, predicate: String? = nil, file: String? = nil, why: String? = nil,
        fix: String? = nil
    ) {
        self.predicate = predicate
        self.path = path
        self.file = file
        self.what = what
        self.why = why
        self.fix = fix
    }

    /// Of one parameter.
    init(_ path: String, predicate: String, why: String? = nil, fix: String? = nil) {
        self.init(path, "'\(path)' \(predicate)", predicate: predicate, why: why, fix: fix)
    }

    var message: String {
        guard let path, !what.hasPrefix("'\(path)'") else { return what }
        return "'\(path)': \(what)"
    }
}

/// A card as the parameters of `card.compose` ask for it.
public struct CardRequest: Sendable {
    public let spec: CardSpec
    private let paths: CardPaths

    /// - Parameter parameters: fitted to the declaration, paths absolute; a preset is laid under them.
    public init(_ parameters: ValueObject) throws(CardProblem) {
        let problems = CardProblems()
        try self.init(parameters, problems)
        if let problem = problems.all.first { throw problem }
    }

    /// A request with what is standard in place of what cannot be read, which `problems` is told.
    init(_ parameters: ValueObject, _ problems: CardProblems) throws(CardProblem) {
        let merged = try CardPreset.merged(under: parameters)
        spec = CardReader(merged, problems).spec()
        paths = CardPaths(listedStickers: merged["stickers"]?.array?.count ?? 0)
    }

    /// All that is wrong with parameters, without a look at files and fonts.
    public static func problems(of parameters: ValueObject) -> [CardProblem] {
        let problems = CardProblems()
        do {
            let request = try CardRequest(parameters, problems)
            for error in request.spec.problems { problems.add(request.problem(of: error)) }
        } catch { problems.add(error) }
        return problems.all
    }

    /// The paths of the pictures that the card is made of.
    public var pictures: [String] {
        var paths = spec.stickers.map(\.image) + (spec.logo.map { [$0.image] } ?? [])
        if case .image(let background) = spec.background, let path = background.path { paths.append(path) }
        return paths
    }

    var fileExtension: String { spec.format.fileExtension }

    /// Composes the card; blocks, as `CardComposer.compose` does.
    public func compose(guides: Bool = false) throws(CardProblem) -> ComposedCard {
        do { return try CardComposer.compose(spec, guides: guides) } catch { throw problem(of: error) }
    }

    /// The error with the place that its part has among the parameters.
    func problem(of error: CardError) -> CardProblem {
        CardProblem(
            error.part.map(paths.path), error.what, predicate: error.predicate, file: error.file, why: error.why,
            fix: error.fix)
    }

    /// A digest of all that the card is made of: the spec, with what is in a file in place of its path, this build of the
    /// program and the libraries; nil when a file cannot be read.
    var inputsDigest: String? {
        var digests: [String: String] = [:]
        func content(_ path: String) -> String? {
            if let known = digests[path] { return known }
            let bytes = try? FileSystem.read(path, maxBytes: 50_000_000, regularOnly: true)
            digests[path] = bytes.map { SHA256.hex($0) }
            return digests[path]
        }
        var spec = spec
        for index in spec.stickers.indices {
            guard let image = content(spec.stickers[index].image) else { return nil }
            spec.stickers[index].image = image
        }
        if let logo = spec.logo {
            guard let image = content(logo.image) else { return nil }
            spec.logo?.image = image
        }
        if case .image(var background) = spec.background, let path = background.path {
            background.path = content(path)
            guard background.path != nil else { return nil }
            spec.background = .image(background)
        }
        return SHA256.hex("\(spec)\n\(CardComposer.libraryVersions)\n\(programBuild)")
    }
}

/// Which build of the program this is: the size of its file, and when that was changed.
private let programBuild: String = {
    var status = stat()
    guard stat("/proc/self/exe", &status) == 0 else { return "" }
    return "\(status.st_size) \(status.st_mtim.tv_sec) \(status.st_mtim.tv_nsec)"
}()

/// From parts of a spec to the parameters they come from.
private struct CardPaths: Sendable {
    let listedStickers: Int

    func path(_ part: CardPart) -> String {
        switch part.layer {
        case .card: part.key
        case .background: "background.\(part.key)"
        case .logo: "logo.\(part.key)"
        case .qrCode: "qr.\(part.key)"
        case .shape(let index): "shapes[\(index)].\(part.key)"
        case .sticker(let index):
            index < listedStickers ? "stickers[\(index)].\(part.key)" : "sticker.\(part.key)"
        case .text(let index): "texts[\(index)].\(part.key)"
        }
    }
}

extension CardError {
    fileprivate var file: String? {
        switch self {
        case .image(let path, _): path
        case .file(let error): error.path
        default: nil
        }
    }
}
