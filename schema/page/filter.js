const field = document.getElementById("filter"), rows = document.querySelectorAll(".sessions tbody tr");
field.hidden = false;
field.addEventListener("input", () => {
	const words = field.value.toLowerCase().split(/\s+/);
	for (const row of rows) {
		const text = row.textContent.toLowerCase();
		row.hidden = !words.every(word => text.includes(word));
	}
});
