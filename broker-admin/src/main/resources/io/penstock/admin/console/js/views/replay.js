// Messages of the log again, of a range of time or of bookmarks.
import { html, useContext, useState } from '../lib.js';
import { go } from '../route.js';
import { Zone } from '../settings.js';
import { useFollow } from '../follow.js';
import { place } from '../place.js';
import { Editor } from '../components/editor.js';
import { Head, ProblemNote, TextField } from '../components/parts.js';
import { StreamButtons, StreamRows } from '../components/stream.js';
import { TopicField, useFields, useTopics } from '../components/topics.js';

export function Replay({ parameters }) {
    const topics = useTopics();
    const utc = useContext(Zone) === 'utc';
    const journaled = (topics.data?.items ?? []).filter((topic) => topic.journaled);
    const [asked, setAsked] = useState({ topic: '', filter: '', from: '', to: '', ...parameters });
    const [problem, setProblem] = useState(null);
    const names = useFields(journaled, asked.topic);
    const stream = useFollow();
    const set = (name) => (value) => setAsked((before) => ({ ...before, [name]: value }));
    const submit = (event) => {
        event.preventDefault();
        try {
            const from = place(asked.from, utc) || 'epoch';
            const to = place(asked.to, utc) || 'now';
            setProblem(null);
            go('replay', asked, true);
            stream.begin({ topic: asked.topic, filter: asked.filter, from, to });
        } catch (error) {
            setProblem(error);
        }
    };
    return html`
        <${Head} title="Replay" note="Messages of the log, again." />
        <div class="stack">
            <form class="card stack" onSubmit=${submit}>
                <div class="row">
                    <${TopicField} topics=${journaled} value=${asked.topic} onInput=${set('topic')} />
                    <${TextField} label="From" placeholder="the beginning" value=${asked.from} onInput=${set('from')} />
                    <${TextField} label="To" placeholder="now" value=${asked.to} onInput=${set('to')} />
                    <${Editor} label="Filter" value=${asked.filter} onInput=${set('filter')} names=${names} invalid=${stream.problem?.status === 400} />
                </div>
                <p class="quiet">A place is a time like 2026-05-01 09:30, in ${utc ? 'UTC' : 'the zone of this machine'} unless it says another, or a bookmark like 0:1234. What lies at the end itself is left out.</p>
                <div class="row"><${StreamButtons} stream=${stream} start="Replay" ready=${asked.topic !== ''} /></div>
                <${ProblemNote} problem=${problem ?? topics.error} />
            </form>
            <${StreamRows} stream=${stream} name="Messages of the log" none=${journaled.length === 0 && topics.data ? 'No topic of this broker is journaled, so there is nothing to replay.' : 'Choose a topic and a range.'} />
        </div>
    `;
}
