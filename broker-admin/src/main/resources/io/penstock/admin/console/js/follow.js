// Following a topic: a bounded number of its messages, paused and resumed, and gone on with after a lost connection.
import { announce } from './announce.js';
import { events } from './api.js';
import { numbered } from './components/records.js';
import { useEffect, useRef, useState } from './lib.js';

export const ROW_COUNT_MAX = 5000;
const ROW_LENGTH_MAX = 32 * 1024 * 1024;
const DRAW_MS = 100;
const WAIT_FIRST_MS = 500;
const WAIT_MAX_MS = 10000;

const IDLE = { status: 'idle', rows: [], taken: 0, dropped: 0, problem: null };

/**
 * A stream of messages. `status` is idle, connecting, following, paused, lost or ended.
 *
 * While it is paused nothing is read, so the broker holds what comes; after a while it may end the stream.
 */
export function useFollow() {
    const [state, setState] = useState(IDLE);
    const own = useRef(null);
    useEffect(() => () => own.current?.end(), []);
    const begin = (parameters) => {
        own.current?.end();
        own.current = new Following(parameters, setState);
        own.current.run();
    };
    return {
        ...state,
        begin,
        pause: () => own.current?.pause(),
        resume: () => own.current?.resume(),
        stop: () => own.current?.stop(),
        clear: () => own.current?.clear(),
    };
}

class Following {
    #parameters;
    #setState;
    #ended = new AbortController();
    #rows = [];
    #length = 0;
    #taken = 0;
    #dropped = 0;
    #status = 'connecting';
    #problem = null;
    #timer = 0;
    #goOn = null;
    #lastId = '';

    constructor(parameters, setState) {
        this.#parameters = parameters;
        this.#setState = setState;
    }

    async run() {
        let waitMs = WAIT_FIRST_MS;
        this.#show();
        while (!this.#ended.signal.aborted) {
            try {
                await events('stream/tail', this.#parameters, {
                    signal: this.#ended.signal,
                    lastId: this.#lastId,
                    onOpen: () => {
                        waitMs = WAIT_FIRST_MS;
                        this.#to(this.#goOn ? 'paused' : 'following', null);
                    },
                    onEvent: (event) => this.#onEvent(event),
                });
                this.#to('lost', null);
            } catch (error) {
                if (this.#ended.signal.aborted) {
                    return;
                }
                if (error.status !== 0 && error.status !== 503) {
                    this.#over(error);
                    return;
                }
                this.#to('lost', error);
            }
            await new Promise((resolve) => setTimeout(resolve, waitMs));
            waitMs = Math.min(WAIT_MAX_MS, waitMs * 2);
        }
    }

    #onEvent(event) {
        if (event.type === 'end') {
            const problem = JSON.parse(event.data);
            this.#over(problem.code === 'COMPLETED' ? null : Object.assign(new Error(problem.detail), problem));
            this.#ended.abort();
            return undefined;
        }
        if (event.type === 'message') {
            this.#lastId = event.id || this.#lastId;
            this.#add(numbered(JSON.parse(event.data), this.#taken++));
        }
        return this.#status === 'paused' ? new Promise((resolve) => (this.#goOn = resolve)) : undefined;
    }

    #add(row) {
        this.#rows.push(row);
        this.#length += row.payload.length;
        while (this.#rows.length > ROW_COUNT_MAX || (this.#length > ROW_LENGTH_MAX && this.#rows.length > 1)) {
            this.#length -= this.#rows.shift().payload.length;
            this.#dropped++;
        }
        this.#draw();
    }

    pause() {
        if (this.#status === 'following') {
            this.#to('paused', null);
        }
    }

    resume() {
        if (this.#status === 'paused') {
            this.#to('following', null);
            this.#goOn?.();
            this.#goOn = null;
        }
    }

    /** Ends it; what came stays. */
    stop() {
        this.#over(null);
        this.end();
    }

    clear() {
        this.#rows = [];
        this.#length = 0;
        this.#dropped = 0;
        this.#show();
    }

    /** Ends it without a word more. */
    end() {
        this.#ended.abort();
        clearTimeout(this.#timer);
        this.#goOn?.();
    }

    #over(problem) {
        this.#to('ended', problem);
        announce(problem ? `The stream ended: ${problem.message}` : 'The stream has ended.');
    }

    #to(status, problem) {
        this.#status = status;
        this.#problem = problem;
        this.#show();
    }

    #draw() {
        this.#timer ||= setTimeout(() => this.#show(), DRAW_MS);
    }

    #show() {
        clearTimeout(this.#timer);
        this.#timer = 0;
        this.#setState({ status: this.#status, rows: this.#rows.slice(), taken: this.#taken, dropped: this.#dropped, problem: this.#problem });
    }
}
