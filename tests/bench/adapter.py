#!/usr/bin/env python3
"""adapter.py: learns the corrections of a model's weights for a memory (lib/model/adapter.h).

usage: adapter.py [--first-layer N] [--rank N] [--passes N,N] MODEL OUT SET ...
       adapter.py --score FILE MODEL SET ...

MODEL is the model in its reference form (mem-model convert --float32). SET is EXPORT:QUESTIONS,
what mem-export --multi-user prints of a store, and a file of questions as mem-eval takes them. OUT
is the file for schema/adapters/. --score prints first hit and nDCG@10 by the vectors alone, by the
published weights and with the corrections of FILE.

Learning: each turn that answers is held against turns of its user that do not (softmax of cosines /
.03). First the questions learn alone, 32 a step, against all of their user's turns as the published
model makes them. Then both learn together: a step has 16 questions of one user, their turns, and of
those that do not answer three of each question's nearest and eight by lot. AdamW. Of what is learnt
a share is written (.6, then the half): it finds as much as the whole on questions like those learnt
from, and more on others (Wortsman et al., 2022, arXiv:2109.01903).

The calibrated similarities (model_calibrate) of passages among themselves, and of questions with
passages, keep the spread that they have with the published weights, on turns and questions of 24
users: so all thresholds stay. The offset is then moved by hand until as many questions asked of a
memory without the answer have a likely hit as before (e5: .402 to .417).

One core learns from 144 questions and 950 turns in a minute and a half. What ships was learnt from
7,269 questions and 35,000 turns by the steps that this was written of, before it. Needs numpy and
torch; build/libmem.a for the tokenizer.
"""
import argparse
import hashlib
import json
import math
import os
import random
import struct
import subprocess
import sys

import numpy as np
import torch
import torch.nn.functional as F

TEMPERATURE, RATE = .03, 1e-3
SHARE_ALONE, SHARE = .6, .5
MATRICES = ('qkv', 'attention', 'in', 'out')
HARD, RANDOM, TURNS_MOST = 3, 8, 60
CALIBRATED = 5, 25, 50, 75, 90, 95, 99, 99.5      # percentiles of similarities that stay


def read_model(path):
    """The weights of a model file in its reference form, by the table of its sections."""
    raw = np.memmap(path, dtype=np.uint8, mode='r')
    head = bytes(raw[:4096])
    d, layers, heads, inner, vocab, positions = struct.unpack('<6I', head[24:48])
    m = {'heads': heads, 'eps': struct.unpack('<f', head[64:68])[0], 'layers': [None] * layers}
    table = 64 + 8 + 4 * 64 + 32
    for i in range(struct.unpack('<I', head[table:table + 4])[0]):
        kind, index, at, _ = struct.unpack('<IIQQ', head[table + 8 + 56 * i:table + 32 + 56 * i])

        def take(*shape):
            nonlocal at
            n = 4 * math.prod(shape)
            x = np.frombuffer(raw[at:at + n].tobytes(), np.float32).reshape(shape)
            at += (n + 63) & ~63
            return torch.from_numpy(x.copy())

        def matrix(n_in, n_out):
            return take(n_out, n_in), take(n_out)

        if kind == 2:
            m['type'], m['norm'], m['positions'] = take(d), (take(d), take(d)), take(positions, d)
        elif kind == 3:
            m['layers'][index] = {
                'qkv': matrix(d, 3 * d), 'attention': matrix(d, d), 'norm1': (take(d), take(d)),
                'in': matrix(d, inner), 'out': matrix(inner, d), 'norm2': (take(d), take(d))}
        elif kind == 4:
            m['words'] = take(vocab, d)
    return m


def run_layers(m, layers, low, x, mask, drop=0.):
    for i in layers:
        layer, own = m['layers'][i], low[i] if low else None

        def product(x, name):
            y = F.linear(x, *layer[name])
            if own:
                y = y + F.linear(F.linear(F.dropout(x, drop, drop > 0), own[name][0]),
                                 own[name][1])
            return y
        n, t, d = x.shape
        q, k, v = product(x, 'qkv').view(n, t, 3, m['heads'], -1).permute(2, 0, 3, 1, 4)
        y = F.scaled_dot_product_attention(q, k, v, attn_mask=mask[:, None, None, :].bool())
        y = product(y.transpose(1, 2).reshape(n, t, d), 'attention')
        x = F.layer_norm(F.dropout(y, drop, drop > 0) + x, (d,), *layer['norm1'], m['eps'])
        y = product(F.gelu(product(x, 'in')), 'out')
        x = F.layer_norm(F.dropout(y, drop, drop > 0) + x, (d,), *layer['norm2'], m['eps'])
    return x


def batches_of_like(lengths, n_tokens=2048):
    """Indices in batches of about n_tokens, texts of like length together."""
    order, at = sorted(range(len(lengths)), key=lambda i: lengths[i]), 0
    while at < len(order):
        n = max(4, n_tokens // max(8, lengths[order[min(at + 15, len(order) - 1)]]))
        yield order[at:at + n]
        at += n


def padded(rows, fill):
    n = max(map(len, rows))
    mask = torch.tensor([[1.] * len(r) + [0.] * (n - len(r)) for r in rows])
    return torch.stack([F.pad(r, (0, 0) * (r.dim() - 1) + (0, n - len(r)), value=fill)
                        for r in rows]), mask


def lower_states(m, first, texts):
    """Puts into each text what the layers below the first corrected one make of its tokens."""
    with torch.no_grad(), torch.autocast('cpu', dtype=torch.bfloat16):
        for part in batches_of_like([len(t['tokens']) for t in texts]):
            ids, mask = padded([torch.tensor(texts[i]['tokens']) for i in part], 1)
            x = m['words'][ids] + m['positions'][:ids.shape[1]] + m['type']
            x = F.layer_norm(x, x.shape[-1:], *m['norm'], m['eps'])
            x = run_layers(m, range(first), None, x, mask).half()
            for i, h in zip(part, x):
                texts[i]['state'] = h[:len(texts[i]['tokens'])].clone()


def vectors(m, first, low, texts, drop=0.):
    """Unit vectors [n][D] of texts with their lower states."""
    order, parts = [], []
    with torch.autocast('cpu', dtype=torch.bfloat16):
        for part in batches_of_like([len(t['tokens']) for t in texts]):
            x, mask = padded([texts[i]['state'].float() for i in part], 0)
            x = run_layers(m, range(first, len(m['layers'])), low, x, mask, drop).float()
            parts.append(F.normalize((x * mask[..., None]).sum(1), dim=1))
            order += part
    return torch.cat(parts).float()[torch.from_numpy(np.argsort(order))]


def vectors_of(m, first, low, texts):
    with torch.no_grad():
        return vectors(m, first, low, texts)


def read_set(export, questions):
    """Users: their turns, and questions with the indices of the turns that answer them."""
    users = {}
    for r in map(json.loads, open(export)):
        if r['type'] == 'message':
            turns = users.setdefault(r.get('user', 'default'), {'turns': [], 'questions': []})
            turns['turns'].append({'id': str(r['source_id']), 'text': r['content'][:1500]})
    for q in map(json.loads, open(questions)):
        user = users[q.get('user', 'default')]
        right = {i for i, t in enumerate(user['turns']) if t['id'] in q['relevant']}
        if right:
            user['questions'].append({'text': q['query'], 'right': right})
    return [u for u in users.values() if u['questions']]


def tokenize(tool, path, kind, texts):
    given = ''.join(' '.join(t['text'].split()) + '\n' for t in texts)
    ids = subprocess.run([tool, path, kind], input=given, text=True, capture_output=True,
                         check=True).stdout
    for t, line in zip(texts, ids.splitlines()):
        t['tokens'] = [int(x) for x in line.split()]


def corrections(m, first, rank):
    """Of each layer None, or (down, up) by matrix, which change nothing yet."""
    def factor(n_rows, n_columns, deviation):
        return torch.nn.Parameter(torch.randn(n_rows, n_columns) * deviation)

    return [{name: (factor(rank, layer[name][0].shape[1], layer[name][0].shape[1] ** -.5),
                    factor(layer[name][0].shape[0], rank, 0.)) for name in MATRICES}
            if i >= first else None for i, layer in enumerate(m['layers'])]


def parameters_of(low):
    return [p for own in low if own for pair in own.values() for p in pair]


def mixed(a, share_a, b, share_b, rank):
    """The corrections share_a a + share_b b at this rank, by singular values."""
    out = []
    for x, y in zip(a, b):
        out.append(None if x is None else {})
        for name in MATRICES if x else ():
            whole = sum(s * (low[name][1] @ low[name][0]).detach()
                        for s, low in ((share_a, x), (share_b, y)))
            u, s, v = torch.svd_lowrank(whole, q=min(3 * rank, *whole.shape), niter=6)
            root = s[:rank].sqrt()
            out[-1][name] = torch.nn.Parameter((v[:, :rank] * root).T.contiguous()), \
                torch.nn.Parameter(u[:, :rank] * root)
    return out


def loss_of(cosines, right):
    s = cosines / TEMPERATURE
    return -(s[right] - torch.logaddexp(s[right], s[~right].logsumexp(0))).mean()


class Steps:
    """AdamW with a rate that rises for ten steps and falls to the end."""

    def __init__(self, n_steps, *groups):
        self.n_steps, self.n, self.sum = n_steps, 0, 0.
        self.optimiser = torch.optim.AdamW(
            [{'params': p, 'lr': rate, 'full': rate} for p, rate in groups], weight_decay=.01)

    def step(self, loss):
        self.n += 1
        self.sum += loss.item()
        self.optimiser.zero_grad()
        loss.backward()
        groups = self.optimiser.param_groups
        torch.nn.utils.clip_grad_norm_([p for g in groups for p in g['params']], 1.)
        for g in groups:
            g['lr'] = g['full'] * min(1, self.n / 10) * max(.03, 1 - self.n / self.n_steps)
        self.optimiser.step()
        if self.n % 20 == 0:
            print('%d of %d: %.3f' % (self.n, self.n_steps, self.sum / 20), flush=True)
            self.sum = 0.


def learn_questions(m, first, rank, users, passes):
    low = corrections(m, first, rank)
    questions = [(u, q) for u in users for q in u['questions'] if len(q['right']) < len(u['turns'])]
    for u in users:
        u['vectors'] = vectors_of(m, first, None, u['turns'])
    steps = Steps(int(passes * len(questions) / 32), (parameters_of(low), RATE))
    for _ in range(steps.n_steps):
        part = random.sample(questions, min(32, len(questions)))
        loss = 0
        for (u, q), v in zip(part, vectors(m, first, low, [q for _, q in part], .1)):
            right = torch.tensor([i in q['right'] for i in range(len(u['turns']))])
            loss = loss + loss_of(u['vectors'] @ v, right)
        steps.step(loss / len(part))
    return low


def choose_hard(m, first, low, users):
    """The nearest turns to a question that do not answer it, by the published vectors of turns."""
    for u in users:
        near = vectors_of(m, first, low, u['questions']) @ u['vectors'].T
        for q, order in zip(u['questions'], near.argsort(1, descending=True).tolist()):
            q['hard'] = [i for i in order[:12 + len(q['right'])] if i not in q['right']][:12]


def learn_both(m, first, rank, users, questions, passes):
    passages = corrections(m, first, rank)
    units = [u for u in users for _ in range(max(1, round(len(u['questions']) / 16)))]
    steps = Steps(int(passes * len(units)), (parameters_of(passages), RATE),
                  (parameters_of(questions), RATE / 2))
    order = []
    for _ in range(steps.n_steps):
        order = order or random.sample(units, len(units))
        u = order.pop()
        asked = random.sample(u['questions'], min(16, len(u['questions'])))
        right = set().union(*(q['right'] for q in asked))
        others = [i for i in range(len(u['turns'])) if i not in right]
        hard = {i for q in asked for i in random.sample(q['hard'], min(HARD, len(q['hard'])))}
        turns = list(dict.fromkeys(
            random.sample(sorted(right), min(40, len(right))) +
            random.sample(sorted(hard - right), min(20, len(hard - right))) +
            random.sample(others, min(RANDOM, len(others)))))[:TURNS_MOST]
        x = vectors(m, first, passages, [u['turns'][i] for i in turns], .1)
        losses = []
        for q, v in zip(asked, vectors(m, first, questions, asked, .1)):
            is_right = torch.tensor([i in q['right'] for i in turns])
            if is_right.any() and not is_right.all():
                losses.append(loss_of(x @ v, is_right))
        if losses:
            steps.step(sum(losses) / len(losses))
    return passages


def level(m, first, questions, passages, users, unrelated):
    """Scale, offset, cosine of unrelated passages, centre: see the top."""
    cosines, spread, kept = ([], []), ([], []), []
    for u in random.sample(users, min(24, len(users))):
        turns = random.sample(u['turns'], min(80, len(u['turns'])))
        asked = random.sample(u['questions'], min(24, len(u['questions'])))
        for i, (low_q, low_p) in enumerate(((None, None), (questions, passages))):
            p, q = vectors_of(m, first, low_p, turns), vectors_of(m, first, low_q, asked)
            cosines[i].append(p)
            c = (q @ p.T).numpy()
            spread[i].append([c.mean(), c.std()])
    for i in range(2):
        p = torch.cat(cosines[i]).numpy()
        kept.append(np.percentile((p @ p.T)[np.triu_indices(len(p), 1)], CALIBRATED))
    was = (kept[0] - unrelated) / (1 - unrelated)
    best = min(np.arange(0, .95, .001),
               key=lambda u: np.abs((kept[1] - u) / (1 - u) - was).sum())
    (old_mean, old_sd), (new_mean, new_sd) = (np.mean(s, axis=0) for s in spread)
    scale = (1 - best) * old_sd / (1 - unrelated) / new_sd
    offset = best + (1 - best) * (old_mean - unrelated) / (1 - unrelated) - scale * new_mean
    return scale, offset, best, p.mean(0)


def packed(low):
    for own in filter(None, low):
        for name in MATRICES:
            factors = [own[name][0].detach().numpy(), own[name][1].detach().numpy().T]
            scales = [np.maximum(np.abs(x).max(1), 1e-9) / 127 for x in factors]
            yield b''.join(s.astype('<f4').tobytes() for s in scales)
            yield b''.join(np.rint(x / s[:, None]).astype(np.int8).tobytes()
                           for x, s in zip(factors, scales))


def write(path, first, rank, questions, passages, found, source):
    scale, offset, unrelated, centre = found
    kept = struct.pack('<f', unrelated) + centre.astype('<f4').tobytes() + \
        b''.join(packed(passages))
    with open(path, 'wb') as f:
        f.write(b'memlora2' + source + hashlib.sha256(kept).digest())
        f.write(struct.pack('<4I2f', len(questions), first, rank, rank, scale, offset))
        f.write(b''.join(packed(questions)) + kept)


def read(path, m):
    """The first corrected layer, and the corrections of questions and of passages, or None."""
    raw = open(path, 'rb').read()
    n_layers, first, *ranks = struct.unpack('<4I', raw[72:88])
    at, both = 96, []
    for rank in ranks:
        low = [None] * n_layers if rank else None
        if both and rank:
            at += 4 + 4 * m['words'].shape[1]
        for i in range(first, n_layers) if rank else ():
            low[i] = {}
            for name in MATRICES:
                n_out, n_in = m['layers'][i][name][0].shape
                scales = np.frombuffer(raw, '<f4', 2 * rank, at).reshape(2, rank, 1)
                at += 8 * rank
                down = np.frombuffer(raw, np.int8, rank * n_in, at).reshape(rank, n_in) * scales[0]
                at += rank * n_in
                up = np.frombuffer(raw, np.int8, rank * n_out, at).reshape(rank, n_out) * scales[1]
                at += rank * n_out
                low[i][name] = torch.from_numpy(down), torch.from_numpy(up.T.copy())
        both.append(low)
    return first, both[0], both[1]


def score(m, first, questions, passages, users):
    sums, n = np.zeros(2), 0
    gain = 1 / np.log2(np.arange(2, 12))
    for u in users:
        near = vectors_of(m, first, questions, u['questions']) @ \
            vectors_of(m, first, passages, u['turns']).T
        for q, order in zip(u['questions'], near.argsort(1, descending=True)[:, :10].tolist()):
            y = np.array([i in q['right'] for i in order], float)
            sums += y[0], (y * gain[:len(y)]).sum() / gain[:len(q['right'])].sum()
            n += 1
    return 'first %.3f, nDCG@10 %.3f of %d' % (*(sums / n), n)


def main():
    p = argparse.ArgumentParser(usage=__doc__.split('usage: ')[1].split('\n\n')[0])
    p.add_argument('--first-layer', type=int, default=6)
    p.add_argument('--rank', type=int, default=8)
    p.add_argument('--passes', default='3,.6')
    p.add_argument('--score')
    p.add_argument('operands', nargs='+')
    o = p.parse_args()
    random.seed(1)
    torch.manual_seed(1)
    top = os.path.dirname(os.path.abspath(__file__))
    build = os.environ.get('B', top + '/../../build')
    tool = build + '/bench/adapter_tool'
    os.makedirs(build + '/bench', exist_ok=True)
    subprocess.run(['cc', '-std=c11', '-D_POSIX_C_SOURCE=200809L', '-O2', '-I' + top + '/../../lib',
                    '-o', tool, top + '/adapter_tool.c', build + '/libmem.a', '-lsqlite3', '-ljq',
                    '-lstemmer', '-lz', '-lm', '-lpthread'], check=True)
    path, sets = o.operands[0], o.operands[1 if o.score else 2:]
    m = read_model(path)
    users = [u for s in sets for u in read_set(*s.split(':'))]
    if not users:
        sys.exit('adapter.py: no question is answered by a turn of these sets')
    first, questions, passages = read(o.score, m) if o.score else (o.first_layer, None, None)
    for kind in 'questions', 'turns':
        texts = [t for u in users for t in u[kind]]
        tokenize(tool, path, kind, texts)
        lower_states(m, first, texts)
    if o.score:
        print('published:', score(m, first, None, None, users))
        print('corrected:', score(m, first, questions, passages, users))
        return
    alone, both = map(float, o.passes.split(','))
    questions = learn_questions(m, first, o.rank, users, alone)
    questions = mixed(questions, SHARE_ALONE, questions, 0, o.rank)
    began = mixed(questions, 1, questions, 0, o.rank)
    choose_hard(m, first, questions, users)
    passages = learn_both(m, first, o.rank, users, questions, both)
    questions = mixed(began, 1 - SHARE, questions, SHARE, o.rank)
    passages = mixed(passages, SHARE, passages, 0, o.rank)
    show = json.loads(subprocess.run([build + '/mem-model', 'show', path], text=True, check=True,
                                     capture_output=True).stdout)
    found = level(m, first, questions, passages, users, show['unrelated'])
    print('scale %.4f, offset %.4f, unrelated %.3f' % found[:3])
    write(o.operands[1], first, o.rank, questions, passages, found,
          bytes.fromhex(show['source_sha256']))


if __name__ == '__main__':
    main()
