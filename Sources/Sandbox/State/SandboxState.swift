internal import Hashing
internal import Values

/// All that the stand-in remembers.
struct SandboxState: Sendable {
    var tokens: Tokens
    var posts: [Post] = []
    /// The last post's id, by wall.
    var lastPostIDs: [Int64: Int64] = [:]
    var photos: [SavedPhoto] = []
    /// VK's photo ids are large; these begin where a young account's do.
    var lastPhotoID: Int64 = 457_239_016
    var tickets: [UploadTicket] = []
    var uploads: [Upload] = []
    var captchas: [Captcha] = []
    var guids: [Guid] = []
    /// What else there is on VK: comments, documents, stories, albums.
    var shelf = VKShelf()
    var media: [SandboxMedia]
    /// What was sent to be published on Instagram, oldest first.
    var containers: [Container] = []
    /// Who has signed in at the services' pages.
    var signIns = SignIns()
    var faults: [SandboxFault] = []
    /// Calls since the faults were set, by what a fault can be put on.
    var faultCounts: [String: Int] = [:]

    /// Not kept across restarts.
    var calls: [Call] = []
    /// When each token was last used, in milliseconds, newest last; for the rate.
    var recentCalls: [String: [Int64]] = [:]
    var needsSaving = false

    init(tokens: Tokens, media: [SandboxMedia]) {
        self.tokens = tokens
        self.media = media
    }

    /// The credentials, made at random at the first start.
    struct Tokens: Sendable {
        var instagram: String
        var instagramIssued: Timestamp
        var vkUser: String
        var vkCommunity: String
        var vkService: String
        /// Names (`SandboxToken`) of those that have been made to expire.
        var expired: Set<String> = []
        /// Signs the links of photos.
        var signingKey: String
    }

    /// A post on a VK wall.
    struct Post: Sendable {
        var id: Int64
        var ownerID: Int64
        var fromID: Int64
        var createdBy: Int64?
        var text: String
        var attachments: [Attachment]
        var date: Int64
        /// When it appears, for one that was scheduled.
        var publishDate: Int64?
        var guid: String?
        /// Members that VK adds for what was asked: `signer_id`, `copyright`, `marked_as_ads`, `friends_only` …
        var extras: ValueObject

        func isPostponed(at now: Timestamp) -> Bool { publishDate.map { $0 > now.seconds } ?? false }
    }

    enum Attachment: Sendable, Hashable {
        case photo(owner: Int64, id: Int64)
        case document(owner: Int64, id: Int64)
        case link(String)
    }

    /// A photo in VK's albums. Its bytes lie in the `BlobStore` under `sha256`.
    struct SavedPhoto: Sendable {
        var id: Int64
        var ownerID: Int64
        var accessKey: String
        var date: Int64
        var text: String
        var groupID: Int64?
        /// -14 for photos of walls.
        var albumID: Int64 = -14
        var sha256: String
        var bytes: Int
        var width: Int
        var height: Int
        var format: String
    }

    /// Where one file may be sent.
    struct UploadTicket: Sendable {
        enum Purpose: String, Sendable { case wall, album, story, document }

        var id: String
        var groupID: Int64?
        var purpose = Purpose.wall
        var albumID: Int64?
    }

    /// A file that was sent, waiting to be saved.
    struct Upload: Sendable {
        var groupID: Int64?
        var server: Int64
        /// The answer's member `photo`, to be given back byte for byte.
        var photo: String
        var hash: String
        var isSaved: Bool
        var sha256: String
        var bytes: Int
        var width: Int
        var height: Int
        var format: String
    }

    /// A post's own key, remembered for an hour.
    struct Guid: Sendable {
        var ownerID: Int64
        var guid: String
        var postID: Int64
        var first: Timestamp
    }

    /// A captcha that waits for its answer.
    struct Captcha: Sendable {
        var sid: String
        var form: CaptchaForm
        var method: String
        /// SHA-256 of the call's parameters: only the same call may bring the answer.
        var fingerprint: String
        var answer: String
        var isAnswerFixed: Bool
        var sessionToken: String
        var successToken: String
        var remixstlid: Int64
        /// Where a repeated call must bring `remixstlid`; nil when it need not.
        var remixstlidPlace: SandboxFault.RemixstlidPlace?
        var created: Timestamp
        var attempt: Int64
        /// Whether the page has handed out the success token.
        var isClicked = false
    }

    /// One request, as the tests see it. Tokens are never in it.
    struct Call: Sendable {
        var name: String
        var at: Timestamp
        var httpMethod: String
        var parameters: ValueObject
        /// How the token came: "header", "parameter", "none".
        var credentials: String
        /// "ok", "error 14", "fault cut before" …
        var result: String
    }
}

extension SandboxState {
    mutating func nextPostID(wall: Int64) -> Int64 {
        let id = (lastPostIDs[wall] ?? 0) + 1
        lastPostIDs[wall] = id
        return id
    }

    /// What the account shows: posts, or stories.
    func media(isStory: Bool) -> [SandboxMedia] { media.filter { $0.isStory == isStory } }

    func photo(owner: Int64, id: Int64) -> SavedPhoto? { photos.first { $0.ownerID == owner && $0.id == id } }
}

/// `count` random hexadecimal digits.
func randomHex(_ count: Int) -> String { randomText(count, from: "0123456789abcdef") }

/// Random letters, digits, `-` and `_`.
func randomKey(_ count: Int) -> String {
    randomText(count, from: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
}

func randomText(_ count: Int, from alphabet: String) -> String {
    let characters = Array(alphabet)
    return String((0..<count).map { _ in characters.randomElement()! })
}
