// Searches what stands on the page, and shows the sessions of a topic, project, person or agent.
const all = (s, e = document) => [...e.querySelectorAll(s)], bar = document.querySelector("search");
const field = bar.querySelector("input"), told = bar.querySelector("output"), clear = bar.querySelector("button");
const items = all(".i").map(e => ({ e, text: e.textContent.toLowerCase(), keys: (e.dataset.k || "").split(" "),
	turns: all(".t", e).map(e => ({ e, text: e.textContent.toLowerCase() })) }));
// a group shows or hides with what is in it, and is open again as it was
const groups = all(".g").map(e => ({ e, open: e.open }));
let key = null;

function mark(words) {
	const ranges = [];
	if (!window.Highlight) return;
	for (const { e } of items) {
		if (!words.length || ranges.length > 3000) break;
		if (e.hidden) continue;
		const walk = document.createTreeWalker(e, NodeFilter.SHOW_TEXT);
		while (walk.nextNode()) {
			const text = walk.currentNode.data.toLowerCase();
			if (text.length !== walk.currentNode.length || walk.currentNode.parentElement.closest("[hidden]")) continue;
			for (const word of words)
				for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length)) {
					const range = new Range();
					range.setStart(walk.currentNode, at);
					range.setEnd(walk.currentNode, at + word.length);
					ranges.push(range);
				}
		}
	}
	CSS.highlights.set("word", new Highlight(...ranges));
}

function show() {
	const words = field.value.toLowerCase().split(/\s+/).filter(w => w);
	let n = 0, opened = 0;
	for (const v of items) {
		const on = words.every(w => v.text.includes(w)) && (!key || v.keys.includes(key.dataset.k));
		v.e.hidden = !on;
		n += on;
		// of a session the turns with all words are shown, or else those with any
		const has = on && words.length ? v.turns.filter(t => words.every(w => t.text.includes(w))) : [];
		const some = has.length || !on || !words.length ? has : v.turns.filter(t => words.some(w => t.text.includes(w)));
		for (const t of v.turns) t.e.hidden = some.length > 0 && !some.includes(t);
		if (v.turns.length) v.e.open = some.length > 0 && opened++ < 20;
	}
	const asked = words.length > 0 || key !== null;
	for (const g of groups) {
		g.e.hidden = !g.e.querySelector(".i:not([hidden])");
		if (g.e.localName === "details") g.e.open = asked ? !g.e.hidden : g.open;
	}
	all("a.bar").forEach(e => e.classList.toggle("on", e === key));
	document.body.classList.toggle("found", asked);
	told.textContent = asked ? (key ? key.firstChild.textContent + ": " : "") + n + " found" : "";
	clear.hidden = !told.textContent;
	mark(words);
}

// a link to a session shows and opens it, whatever was searched for
function go() {
	const e = /^#s\d+$/.test(location.hash) && document.querySelector(location.hash);
	if (!e) return;
	if (e.hidden) reset();
	for (let d = e; d; d = d.parentElement.closest("details")) d.open = true;
	e.scrollIntoView();
}

function reset() {
	field.value = "";
	key = null;
	show();
}

bar.hidden = false;
field.addEventListener("input", show);
clear.addEventListener("click", reset);
all("a.bar").forEach(e => e.addEventListener("click", () => { key = key === e ? null : e; show(); }));
// of a session that was searched, a click on a turn shows the turns around it
document.addEventListener("click", e => {
	const t = e.target.closest(".t");
	if (t && !String(getSelection())) all(".t", t.parentElement).forEach(e => e.hidden = false);
});
addEventListener("hashchange", go);
clear.hidden = true;
go();
