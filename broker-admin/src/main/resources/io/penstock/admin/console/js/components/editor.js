// A place for a condition or a list of fields, with completion.
import { html, useId, useRef, useState } from '../lib.js';
import { complete, completions } from '../sql.js';

/**
 * @param names fields that are offered
 * @param keywords whether words of conditions are offered
 * @param invalid whether the broker has refused it
 */
export function Editor({ label, hint, value, onInput, names, keywords = true, invalid = false, wide = true, placeholder = '' }) {
    const id = useId();
    const input = useRef(null);
    const [options, setOptions] = useState([]);
    const [at, setAt] = useState(-1);
    const offer = () => {
        setOptions(completions(input.current.value, input.current.selectionStart, names, keywords));
        setAt(-1);
    };
    const close = () => setOptions([]);
    const take = (option) => {
        const done = complete(input.current.value, input.current.selectionStart, option.text);
        // At once, so that what is typed next comes behind it.
        input.current.value = done.text;
        input.current.setSelectionRange(done.at, done.at);
        input.current.focus();
        onInput(done.text);
        close();
    };
    const onKeyDown = (event) => {
        if (event.ctrlKey && event.key === ' ') {
            offer();
            event.preventDefault();
        } else if (options.length > 0 && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
            const step = event.key === 'ArrowDown' ? 1 : -1;
            setAt((at + step + options.length + (at < 0 && step < 0 ? 1 : 0)) % options.length);
            event.preventDefault();
        } else if (options.length > 0 && (event.key === 'Tab' || event.key === 'Enter') && at >= 0) {
            take(options[at]);
            event.preventDefault();
        } else if (event.key === 'Escape' && options.length > 0) {
            close();
            event.preventDefault();
            event.stopPropagation();
        }
    };
    return html`<div class=${wide ? 'field wide' : 'field'}>
        <label for=${id}>${label}</label>
        <div class="combo">
            <input
                id=${id}
                ref=${input}
                class="mono"
                type="text"
                role="combobox"
                aria-autocomplete="list"
                aria-expanded=${options.length > 0 ? 'true' : 'false'}
                aria-controls=${`${id}-options`}
                aria-activedescendant=${at >= 0 && options.length > 0 ? `${id}-${at}` : undefined}
                aria-invalid=${invalid ? 'true' : 'false'}
                autocomplete="off"
                autocapitalize="off"
                spellcheck=${false}
                placeholder=${placeholder}
                value=${value}
                onInput=${(event) => {
                    onInput(event.target.value);
                    offer();
                }}
                onKeyDown=${onKeyDown}
                onBlur=${close}
            />
            <ul id=${`${id}-options`} class="options" role="listbox" aria-label="Completions" hidden=${options.length === 0}>
                ${options.map(
                    (option, index) => html`<li
                        id=${`${id}-${index}`}
                        role="option"
                        aria-selected=${index === at ? 'true' : 'false'}
                        onMouseDown=${(event) => {
                            event.preventDefault();
                            take(option);
                        }}
                    >${option.text}<small>${option.note}</small></li>`,
                )}
            </ul>
        </div>
        ${hint && html`<small>${hint}</small>`}
    </div>`;
}
