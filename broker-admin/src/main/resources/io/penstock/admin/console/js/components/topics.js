// Choosing a topic, and the fields of its messages.
import { list, query } from '../api.js';
import { html, useEffect, useId, useState } from '../lib.js';
import { paths, record } from '../json.js';
import { useResource } from '../resource.js';
import { Field } from './parts.js';

const SAMPLE_COUNT = 50;

/** All topics, up to a thousand. */
export function useTopics(everyMs = 0) {
    return useResource((signal) => list('topics', {}, 1000, signal), [], everyMs);
}

/** A topic by its name, with those there are as options. */
export function TopicField({ topics, value, onInput, label = 'Topic', hint, wide = false }) {
    const id = useId();
    return html`<${Field} label=${label} hint=${hint} wide=${wide}>
        ${(field) => html`
            <input id=${field} type="text" list=${id} autocomplete="off" autocapitalize="off" spellcheck=${false} value=${value} onInput=${(event) => onInput(event.target.value)} required />
            <datalist id=${id}>${topics.map((topic) => html`<option key=${topic.name} value=${topic.name}></option>`)}</datalist>
        `}
    <//>`;
}

/** Fields that records of a topic with state have, by a sample of them; empty for others. */
export function useFields(topics, name) {
    const [names, setNames] = useState([]);
    const known = topics.find((topic) => topic.name === name);
    const sampled = known !== undefined && known.kind !== 'messages';
    useEffect(() => {
        setNames(known?.key ?? []);
        if (!sampled) {
            return undefined;
        }
        const ended = new AbortController();
        const records = [];
        query({ topic: name, limit: SAMPLE_COUNT }, (line) => line.record && records.push(record(line.record.payload)), ended.signal)
            .then(() => setNames([...new Set([...known.key, ...paths(records)])]))
            .catch(() => {
                // Without a sample the fields of the key are offered.
            });
        return () => ended.abort();
    }, [name, sampled]);
    return names;
}
