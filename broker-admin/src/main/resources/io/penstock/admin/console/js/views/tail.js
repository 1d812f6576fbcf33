// Messages of a topic as they come.
import { html, useEffect, useState } from '../lib.js';
import { go } from '../route.js';
import { useFollow } from '../follow.js';
import { Editor } from '../components/editor.js';
import { Head, ProblemNote } from '../components/parts.js';
import { StreamButtons, StreamRows } from '../components/stream.js';
import { TopicField, useFields, useTopics } from '../components/topics.js';

export function Tail({ parameters }) {
    const topics = useTopics();
    const all = topics.data?.items ?? [];
    const [topic, setTopic] = useState(parameters.topic ?? '');
    const [filter, setFilter] = useState(parameters.filter ?? '');
    const [pattern, setPattern] = useState(parameters.pattern === 'true');
    const names = useFields(all, topic);
    const stream = useFollow();
    const begin = (asked) => stream.begin({ ...asked, from: 'now' });
    useEffect(() => {
        if (parameters.topic) {
            setTopic(parameters.topic);
            setFilter(parameters.filter ?? '');
            begin(parameters);
        }
    }, [parameters.topic]);
    const submit = (event) => {
        event.preventDefault();
        const asked = { topic, filter, pattern: pattern ? 'true' : '' };
        go('tail', asked, true);
        begin(asked);
    };
    return html`
        <${Head} title="Live tail" note="New messages, as they come." />
        <div class="stack">
            <form class="card stack" onSubmit=${submit}>
                <div class="row">
                    <${TopicField} topics=${all} value=${topic} onInput=${setTopic} />
                    <label class="check"><input type="checkbox" checked=${pattern} onChange=${(event) => setPattern(event.target.checked)} /> a pattern</label>
                    <${Editor} label="Filter" placeholder="price > 100 AND side = 'B'" value=${filter} onInput=${setFilter} names=${names} invalid=${stream.problem?.status === 400} />
                </div>
                <div class="row"><${StreamButtons} stream=${stream} start="Follow" ready=${topic !== ''} /></div>
                <${ProblemNote} problem=${topics.error} onRetry=${topics.reload} />
            </form>
            <${StreamRows} stream=${stream} name="Messages" showTopic=${pattern} none=${stream.status === 'following' ? 'They are shown here as soon as somebody publishes.' : 'Choose a topic and follow it.'} />
        </div>
    `;
}
