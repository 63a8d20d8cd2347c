internal import PasteupCLI

await Pasteup.main(Array(CommandLine.arguments.dropFirst()))
