extension SecretStore {
    /// Reads `secrets.yaml` as a look-up does, for a person who wants to know whether it is right.
    ///
    /// - Returns: whether there is such a file.
    public func checkSecretsFile() throws(AccountsError) -> Bool {
        guard let path = secretsPath, let file = try SecretFile(path) else { return false }
        try file.checkPrivate()
        // No secret has this name: the whole file is read, and nothing of it is kept.
        _ = try secretsFile("-")
        return true
    }
}
