internal import HTTPServer
internal import Values

/// `GET /not_robot_captcha?session_token=…`: the page of VK's new captcha, to be opened in a frame or by itself.
///
/// A click on "I am not a robot" asks `POST /not_robot_captcha/check` for the success token and hands it to the frame's
/// parent, as VK's page does: `{type: "vk-sak-sdk", handler: "VKCaptchaGetResult", params: {token: …}}`, sent to the
/// address in the argument `origin`. Before that it says `common: load` and `common: resize`, and asks for the pointer's
/// movements with `VKCaptchaListenSensorsStart`; how often the parent reported them comes with the check as `sensors`. Closing
/// sends `VKCaptchaCloseCaptcha`. Opened by itself, it shows the token. A session lives five minutes.
enum StandInCaptchaPage {
    static func answer(
        _ request: HTTPServerRequest, isCheck: Bool, _ store: SandboxStore, _ now: Timestamp
    ) throws -> Performer.Answer {
        let session = request.argument("session_token") ?? request.field("session_token")?.text
        let token = try store.use { state -> String? in
            guard
                let index = state.captchas.firstIndex(where: {
                    $0.sessionToken == session && now - $0.created <= Captchas.sessionLife
                })
            else { return nil }
            if isCheck {
                state.captchas[index].isClicked = true
                state.needsSaving = true
            }
            return state.captchas[index].successToken
        }
        guard let token else {
            let text = "This captcha's session has expired. Repeat the call to get a new one."
            return isCheck
                ? Performer.Answer(response: .json(#"{"error":"expired"}"#, status: 410), result: "http 410")
                : Performer.Answer(
                    response: .html("<!doctype html><meta charset=utf-8><p>\(text)", status: 410), result: "http 410")
        }
        guard isCheck else { return Performer.Answer(response: .html(page), result: "ok") }
        guard request.method == "POST" else {
            return Performer.Answer(response: .text("", status: 405), result: "http 405")
        }
        return Performer.Answer(
            response: .json(Value.object(["success_token": .string(token)]).json()), result: "ok")
    }

    private static let page = """
        <!doctype html>
        <html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
        <title>Confirm that you are not a robot</title>
        <style>
        :root { color-scheme: light dark }
        body { font: 16px/1.4 system-ui, sans-serif; margin: 0; min-height: 100vh; display: grid; place-items: center }
        main { width: 18em; padding: 1.5em; border: 1px solid #8885; border-radius: 16px; text-align: center }
        label { display: flex; gap: .75em; align-items: center; padding: 1em; border: 1px solid #8888; border-radius: 10px; cursor: pointer }
        input { width: 1.4em; height: 1.4em }
        button { margin-top: 1em; border: 0; background: none; color: #888; font: inherit; cursor: pointer }
        output { display: block; margin-top: 1em; overflow-wrap: anywhere; font-size: .8em; user-select: all }
        </style>
        <main>
        <h1 style="font-size: 1.2em">Confirm that you are not a robot</h1>
        <label><input type="checkbox" id="box"> I am not a robot</label>
        <button id="close">Close</button>
        <output id="out"></output>
        <p style="color: #888; font-size: .8em">Stand-in of pasteup's sandbox</p>
        </main>
        <script>
        const address = new URLSearchParams(location.search);
        const origin = address.get("origin");
        let sensors = 0;
        function tell(handler, params) {
          if (window.parent !== window && origin) {
            window.parent.postMessage({ type: "vk-sak-sdk", handler, params }, origin);
            return true;
          }
          return false;
        }
        document.getElementById("box").addEventListener("change", async (event) => {
          if (!event.target.checked) return;
          event.target.disabled = true;
          const out = document.getElementById("out");
          const answer = await fetch("/not_robot_captcha/check", {
            method: "POST", body: new URLSearchParams({ session_token: address.get("session_token"), sensors }),
          });
          if (!answer.ok) { out.textContent = "This session has expired. Repeat the call to get a new one."; return; }
          const { success_token } = await answer.json();
          if (!tell("VKCaptchaGetResult", { token: success_token })) out.textContent = success_token;
        });
        document.getElementById("close").addEventListener("click", () => tell("VKCaptchaCloseCaptcha", {}));
        window.addEventListener("message", (event) => {
          if (event.source !== window.parent || event.data?.handler !== "VKCaptchaListenSensorsWebChanged") return;
          sensors += 1;
          if (address.get("auto") && sensors === 1) document.getElementById("box").click();
        });
        tell("common: load", {});
        tell("common: resize", { height: document.querySelector("main").offsetHeight + 48 });
        tell("VKCaptchaListenSensorsStart", { bridge_sensors_list: ["cursor", "taps"] });
        </script>
        </html>

        """
}
