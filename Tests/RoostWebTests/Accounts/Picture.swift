import Foundation

enum Picture {
    static let png = Array(
        Data(
            base64Encoded:
                "iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAIAAACQkWg2AAAAFklEQVR42mNQaHAgCTGMahjVMHw1AAD3GuABYGNCgwAAAABJRU5ErkJggg=="
        ) ?? Data())
}
