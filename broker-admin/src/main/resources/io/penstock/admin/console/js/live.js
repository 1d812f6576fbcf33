// The live figures: one stream for all views, and what it said in the last minutes.
import { Problem, events, get } from './api.js';
import { useEffect, useState } from './lib.js';
import { announce } from './announce.js';

const SAMPLE_COUNT_MAX = 300;
const WAIT_FIRST_MS = 500;
const WAIT_MAX_MS = 10000;

const state = {
    /** connecting, live, lost, refused */
    status: 'connecting',
    problem: null,
    lostAt: 0,
    retryAt: 0,
    restartedAt: 0,
    samples: [],
    info: null,
};
const listeners = new Set();
let running = null;
let wakeUp = null;

function tell(change) {
    Object.assign(state, change);
    listeners.forEach((listener) => listener());
}

/** What is known now, and again with each event. */
export function useLive() {
    const [, setTick] = useState(0);
    useEffect(() => {
        const listener = () => setTick((tick) => tick + 1);
        listeners.add(listener);
        return () => listeners.delete(listener);
    }, []);
    return state;
}

/** Follows the broker until `stop`; restarts of it are waited for. */
export function start() {
    if (running) {
        return;
    }
    running = new AbortController();
    follow(running.signal);
}

export function stop() {
    running?.abort();
    running = null;
    tell({ status: 'connecting', samples: [], info: null, problem: null });
}

/** Tries again now. */
export function retry() {
    wakeUp?.();
}

async function follow(signal) {
    let waitMs = WAIT_FIRST_MS;
    while (!signal.aborted) {
        try {
            await once(signal, () => {
                waitMs = WAIT_FIRST_MS;
            });
            lost(new Problem(0, 'Connection lost', 'The broker ended the stream of live figures.'));
        } catch (error) {
            if (signal.aborted) {
                return;
            }
            lost(error);
        }
        tell({ retryAt: Date.now() + waitMs });
        await pause(waitMs, signal);
        waitMs = Math.min(WAIT_MAX_MS, waitMs * 2);
    }
}

async function once(signal, onLive) {
    const info = await get('info', {}, signal).catch(withoutIt);
    const restarted = state.info !== null && info !== null && state.info.startedMs !== info.startedMs;
    await events('stream/stats', {}, {
        signal,
        onOpen() {
            onLive();
            back(info, restarted);
        },
        onEvent(event) {
            if (event.type === 'stats') {
                add(JSON.parse(event.data));
            }
        },
    });
}

/** Who may see figures need not be one who may see what runs. */
function withoutIt(error) {
    if (error.status === 403) {
        return null;
    }
    throw error;
}

function back(info, restarted) {
    if (restarted) {
        announce('The broker was restarted. Live figures begin anew.');
        tell({ samples: [], restartedAt: info.startedMs });
    } else if (state.status === 'lost') {
        announce('The connection to the broker is back.');
    }
    tell({ status: 'live', info, problem: null });
}

function lost(error) {
    const refused = error.status === 401 || error.status === 403;
    if (state.status === 'live') {
        announce('The connection to the broker was lost. The console tries again.');
    }
    tell({
        status: refused ? 'refused' : 'lost',
        problem: error,
        lostAt: state.status === 'lost' ? state.lostAt : Date.now(),
    });
}

function add(sample) {
    const samples = state.samples.length >= SAMPLE_COUNT_MAX ? state.samples.slice(1) : state.samples.slice();
    samples.push(sample);
    tell({ samples });
}

function pause(ms, signal) {
    return new Promise((resolve) => {
        const done = () => {
            clearTimeout(timer);
            signal.removeEventListener('abort', done);
            wakeUp = null;
            resolve();
        };
        const timer = setTimeout(done, ms);
        wakeUp = done;
        signal.addEventListener('abort', done);
    });
}
