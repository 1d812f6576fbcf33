// What is read to users of screen readers: results and losses, never figures.

const PAUSE_MS = 1000;
const waiting = [];
let speaking = false;

/** Says a text once, after those before it. At most five wait. */
export function announce(text) {
    if (waiting.length < 5 && waiting[waiting.length - 1] !== text) {
        waiting.push(text);
    }
    if (!speaking) {
        next();
    }
}

function next() {
    const text = waiting.shift();
    const region = document.getElementById('announcements');
    speaking = text !== undefined && region !== null;
    if (speaking) {
        region.textContent = text;
        setTimeout(next, PAUSE_MS);
    }
}
