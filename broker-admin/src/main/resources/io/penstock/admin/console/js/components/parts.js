// The small parts that all views share.
import { html, useEffect, useId, useRef, useState } from '../lib.js';
import { count, visible } from '../format.js';

/** The head of a view; its title takes the focus when the view is shown. */
export function Head({ title, note, children }) {
    const heading = useRef(null);
    useEffect(() => {
        document.title = `${title} · Penstock`;
    }, [title]);
    return html`<div class="head">
        <h1 ref=${heading} tabindex="-1" id="title">${title}</h1>
        ${note && html`<p>${note}</p>`}
        <span class="grow"></span>
        ${children}
    </div>`;
}

/** An error, with what to do. */
export function ProblemNote({ problem, onRetry }) {
    if (!problem) {
        return null;
    }
    const remedy = problem.status === 403 ? 'Log on as a user who may do this, or ask an administrator.' : problem.status === 404 ? 'This broker does not have it.' : '';
    return html`<div class="notice bad" role="alert">
        <p><strong>${problem.title || 'Error'}.</strong> ${problem.message} ${remedy}</p>
        ${onRetry && html`<button class="button small" onClick=${onRetry}>Try again</button>`}
    </div>`;
}

/** What stands where there is nothing. */
export function Empty({ title, children }) {
    return html`<div class="empty"><strong>${title}</strong>${children}</div>`;
}

export function Pill({ tone = '', children }) {
    return html`<span class=${`pill ${tone}`}>${children}</span>`;
}

/** A labelled place for input; `children` is a function of the id that the label is for. */
export function Field({ label, hint, wide, children }) {
    const id = useId();
    return html`<div class=${wide ? 'field wide' : 'field'}>
        <label for=${id}>${label}</label>
        ${children(id)}
        ${hint && html`<small>${hint}</small>`}
    </div>`;
}

export function TextField({ label, hint, value, onInput, wide, ...rest }) {
    return html`<${Field} label=${label} hint=${hint} wide=${wide}>
        ${(id) => html`<input id=${id} type="text" autocomplete="off" spellcheck=${false} value=${value} onInput=${(event) => onInput(event.target.value)} ...${rest} />`}
    <//>`;
}

/** A dialog over the page. Escape closes it, and the focus goes back to where it was. */
export function Dialog({ title, onClose, children }) {
    const box = useRef(null);
    const id = useId();
    useEffect(() => {
        const before = document.activeElement;
        box.current.showModal();
        return () => before?.focus?.();
    }, []);
    return html`<dialog ref=${box} aria-labelledby=${id} onClose=${onClose}>
        <h2 id=${id}>${title}</h2>
        ${children}
    </dialog>`;
}

/**
 * Asks before something is done that cannot be undone.
 *
 * @param name what has to be typed, or nothing
 * @param act gives a promise; its error is shown
 */
export function Confirm({ title, text, name, action, act, onClose }) {
    const [typed, setTyped] = useState('');
    const [busy, setBusy] = useState(false);
    const [problem, setProblem] = useState(null);
    const submit = async (event) => {
        event.preventDefault();
        setBusy(true);
        try {
            await act();
            onClose();
        } catch (error) {
            setProblem(error);
            setBusy(false);
        }
    };
    return html`<${Dialog} title=${title} onClose=${onClose}>
        <form onSubmit=${submit}>
            <p>${text}</p>
            ${name !== undefined && html`<${TextField} label=${`Type ${visible(name, 120)} to confirm`} value=${typed} onInput=${setTyped} autofocus />`}
            <${ProblemNote} problem=${problem} />
            <div class="row">
                <button type="button" class="button" onClick=${onClose}>Cancel</button>
                <button class="button main danger" disabled=${busy || (name !== undefined && typed !== name)}>${action}</button>
            </div>
        </form>
    <//>`;
}

/** A number with a bar that shows it as a share of the greatest. */
export function Bar({ value, max, text }) {
    const share = max > 0 ? Math.min(1, value / max) : 0;
    return html`<span class=${share > 0 ? 'bar-track' : 'bar-track none'} aria-hidden="true"><span class="bar-fill" style=${{ width: `${share * 100}%` }}></span></span><span class="bar-text">${text ?? count(value)}</span>`;
}

/** Offers a text as a file. */
export function download(name, type, text) {
    const url = URL.createObjectURL(new Blob([text], { type }));
    const link = document.createElement('a');
    link.href = url;
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(url), 10000);
}
