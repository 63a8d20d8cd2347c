import Glibc
import StoryCard

/// The card that the benchmark draws, in all its forms (card.yaml, pillow.py, convert.sh).
struct Trial: Sendable {
    let photo: String

    private var spec: CardSpec {
        let title = CardText("Закат над гаванью", at: .top, font: "Noto Sans Bold 64")
        let user = CardText("@kofe_u_morya", at: .bottom, font: "Noto Sans Bold 44")
        let line = CardText("Открыты каждый день с восьми до десяти", at: .bottom, font: "Noto Sans 36")
        let place = CardText("Набережная, 12", at: .bottom, font: "Noto Sans 32")
        return CardSpec(
            background: .image(CardBackgroundImage(path: photo, blur: 40, dim: 0.35)),
            stickers: [CardSticker(image: photo, radius: 48)], texts: [title, user, line, place])
    }

    func compose() -> String {
        do { return try CardComposer.compose(spec).sha256 } catch {
            print("error: \(error)")
            exit(1)
        }
    }

    /// Shares the rounds among the threads.
    ///
    /// - Returns: how many cards were not the expected one.
    func run(rounds: Int, threads: Int, expected: String) -> Int {
        let shares = (0..<threads).map {
            Share(self, rounds: rounds / threads + ($0 < rounds % threads ? 1 : 0), expected)
        }
        let handles = shares.map { share -> pthread_t in
            var thread = pthread_t()
            let code = pthread_create(
                &thread, nil,
                { pointer in
                    Unmanaged<Share>.fromOpaque(pointer!).takeRetainedValue().run()
                    return nil
                }, Unmanaged.passRetained(share).toOpaque())
            precondition(code == 0, "pthread_create: \(code)")
            return thread
        }
        for handle in handles { pthread_join(handle, nil) }
        return shares.reduce(0) { $0 + $1.differing }
    }
}

/// What one thread does; read by others after it has ended.
private final class Share: @unchecked Sendable {
    private let trial: Trial
    private let rounds: Int
    private let expected: String
    private(set) var differing = 0

    init(_ trial: Trial, rounds: Int, _ expected: String) {
        self.trial = trial
        self.rounds = rounds
        self.expected = expected
    }

    func run() { for _ in 0..<rounds where trial.compose() != expected { differing += 1 } }
}
