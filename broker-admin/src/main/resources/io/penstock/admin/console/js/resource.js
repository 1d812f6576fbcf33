// Resources of the API that views look at again and again.
import { useEffect, useRef, useState } from './lib.js';

/**
 * Loads something, and again every so often while the page is seen.
 *
 * @param load a function of an AbortSignal that gives a promise
 * @param keys what the load depends on
 * @param everyMs the pause between two loads, 0 for one load alone
 * @returns `data`, `error`, `loading` (the first time) and `reload`
 */
export function useResource(load, keys, everyMs = 0) {
    const [state, setState] = useState({ data: null, error: null, loading: true });
    const again = useRef(() => {});
    useEffect(() => {
        const ended = new AbortController();
        let timer = 0;
        let busy = false;
        setState((before) => ({ ...before, loading: before.data === null }));
        const run = async () => {
            clearTimeout(timer);
            if (busy) {
                return;
            }
            busy = true;
            try {
                const data = await load(ended.signal);
                if (!ended.signal.aborted) {
                    setState({ data, error: null, loading: false });
                }
            } catch (error) {
                if (!ended.signal.aborted) {
                    setState((before) => ({ data: before.data, error, loading: false }));
                }
            }
            busy = false;
            if (everyMs > 0 && !ended.signal.aborted) {
                timer = setTimeout(() => (document.hidden ? rest() : run()), everyMs);
            }
        };
        const rest = () => document.addEventListener('visibilitychange', run, { once: true, signal: ended.signal });
        again.current = run;
        run();
        return () => {
            ended.abort();
            clearTimeout(timer);
        };
    }, keys);
    return { ...state, reload: () => again.current() };
}
