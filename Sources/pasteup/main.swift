print("pasteup")
