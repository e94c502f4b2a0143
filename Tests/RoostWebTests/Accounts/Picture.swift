import Foundation

/// A picture of 16 by 16 pixels.
enum Picture {
    static let png = Array(
        Data(
            base64Encoded:
                "iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAIAAACQkWg2AAAAFklEQVR42mNQaHAgCTGMahjVMHw1AAD3GuABYGNCgwAAAABJRU5ErkJggg=="
        ) ?? Data())
}
