import HTTP
import TestSupport
import Testing
import Threading

@Suite struct ConcurrencyTests {
    @Test func cancellationEndsTheExchangeAndTheConnection() async {
        let received = Signal()
        let closed = Signal()
        let server = ScriptedServer { _ in [.call(received.send), .waitForClient, .call(closed.send)] }
        let client = CurlClient()
        let task = Task { try await client.send(HTTPRequest(.get, server.url())) }
        await received.wait()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        await closed.wait()
    }

    @Test func taskThatIsCancelledAlreadySendsNothing() async {
        let server = ScriptedServer()
        let client = CurlClient()
        let gate = Signal()
        let task = Task {
            await gate.wait()
            return try await client.send(HTTPRequest(.get, server.url()))
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(server.requests.isEmpty)
    }

    @Test func twoHundredAtOnceShareEightConnections() async throws {
        let server = ScriptedServer { [.answer(200, [], Array($0.target.utf8))] }
        let client = CurlClient()
        let answers = try await withThrowingTaskGroup { group in
            for index in 0..<200 {
                group.addTask { try await client.send(HTTPRequest(.get, server.url("/\(index)"))).text }
            }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(answers == Set((0..<200).map { "/\($0)" }))
        #expect(server.requests.count == 200)
        #expect(Set(server.requests.map(\.connection)).count <= 8)
    }

    @Test func cancellingManyMidwayEndsAllOfThem() async {
        let received = Signal()
        let server = ScriptedServer { _ in [.call(received.send), .waitForClient] }
        let client = CurlClient()
        let task = Task {
            await withTaskGroup { group in
                for _ in 0..<50 {
                    group.addTask {
                        do {
                            _ = try await client.send(HTTPRequest(.get, server.url()))
                            return false
                        } catch { return error is CancellationError }
                    }
                }
                return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
        }
        await received.wait()
        task.cancel()
        #expect(await task.value == 50)
    }

    @Test func waitingForAConnectionCountsAgainstTheTotalLimit() async throws {
        let received = Signal()
        let gate = Gate()
        let server = ScriptedServer { _ in [.call(received.send), .wait(gate), .answer()] }
        let client = CurlClient(configuration: .init(maxConnectionsPerHost: 1))
        async let first = client.send(HTTPRequest(.get, server.url("/first")))
        await received.wait()
        let error = await failure {
            try await client.send(HTTPRequest(.get, server.url("/second"), limits: .total(.milliseconds(50))))
        }
        #expect(
            error
                == HTTPError(
                    kind: .timeout, message: server.url("/second could not be asked within 50ms"),
                    mayHaveBeenSent: false))
        gate.open()
        #expect(try await first.status == 200)
        #expect(server.requests.map(\.target) == ["/first"])
    }

    @Test func anotherHostDoesNotWait() async throws {
        let received = Signal()
        let gate = Gate()
        let busy = ScriptedServer { _ in [.call(received.send), .wait(gate), .answer()] }
        let other = ScriptedServer()
        let client = CurlClient(configuration: .init(maxConnectionsPerHost: 1))
        async let first = client.send(HTTPRequest(.get, busy.url()))
        await received.wait()
        #expect(try await client.send(HTTPRequest(.get, other.url())).status == 200)
        gate.open()
        #expect(try await first.status == 200)
    }

    @Test func shutdownEndsWhatIsUnderWayAndRefusesWhatComesLater() async throws {
        let received = Signal()
        let server = ScriptedServer { _ in [.call(received.send), .waitForClient] }
        let client = CurlClient()
        let task = Task { await failure { try await client.send(HTTPRequest(.get, server.url())) } }
        await received.wait()
        await client.shutdown()
        let error = await task.value
        #expect(error?.message == "the HTTP client has been shut down")
        #expect(error?.mayHaveBeenSent == true)
        let later = await failure { try await client.send(HTTPRequest(.get, server.url())) }
        #expect(later?.mayHaveBeenSent == false)
        await client.shutdown()
    }

    @Test func shutdownBeforeTheFirstRequestDoesNothing() async {
        await CurlClient().shutdown()
    }

    @Test func forgottenClientClosesItsConnections() async throws {
        let closed = Signal()
        let server = ScriptedServer { _ in [.answer(), .waitForClient, .call(closed.send)] }
        _ = try await CurlClient().send(HTTPRequest(.get, server.url()))
        await closed.wait()
    }
}
