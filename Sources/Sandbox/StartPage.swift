internal import HTTPServer

/// `GET /`: what this server is, for a person who opens its address.
enum StartPage {
    static func response(base: String) -> HTTPServerResponse {
        .html(
            """
            <!doctype html>
            <html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
            <title>pasteup sandbox</title>
            <style>body { font: 16px/1.5 system-ui, sans-serif; max-width: 40em; margin: 3em auto; padding: 0 1em }
            code { background: #8882; padding: .1em .3em; border-radius: 4px }</style>
            <h1>pasteup sandbox</h1>
            <p>A stand-in for Instagram and VK on this machine. Nothing that is posted here leaves it.</p>
            <ul>
            <li>VK: <code>\(base)/method/wall.post</code></li>
            <li>Instagram: <code>\(base)/me/media</code></li>
            <li>Signing in: <code>pasteup login vk --client-id \(SandboxApp.vkID) --classic --base-url \(base)</code></li>
            <li><a href="/_sandbox/state">What was posted, and every call</a></li>
            </ul>
            </html>

            """)
    }
}
