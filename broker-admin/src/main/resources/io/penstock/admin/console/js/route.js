// Addresses of views: `#/topics?prefix=a`. Pure functions, and one hook.
import { useEffect, useState } from './lib.js';

/** The view and its parameters that a hash names. */
export function read(hash) {
    const text = hash.replace(/^#\/?/, '');
    const mark = text.indexOf('?');
    const path = mark < 0 ? text : text.slice(0, mark);
    const parameters = Object.fromEntries(new URLSearchParams(mark < 0 ? '' : text.slice(mark + 1)));
    return { view: path || 'overview', parameters };
}

/** The hash of a view; parameters without a value are left out. */
export function write(view, parameters = {}) {
    const kept = Object.entries(parameters).filter(([, value]) => value !== undefined && value !== null && value !== '');
    const query = new URLSearchParams(kept).toString();
    return `#/${view}${query ? `?${query}` : ''}`;
}

/** Shows a view; as a new step of the history, or in place of this one. */
export function go(view, parameters, replace = false) {
    const hash = write(view, parameters);
    if (hash === location.hash) {
        return;
    }
    if (replace) {
        history.replaceState(null, '', hash);
        window.dispatchEvent(new HashChangeEvent('hashchange'));
    } else {
        location.hash = hash;
    }
}

/** The route now, and again whenever it changes. */
export function useRoute() {
    const [route, setRoute] = useState(() => read(location.hash));
    useEffect(() => {
        const changed = () => setRoute(read(location.hash));
        window.addEventListener('hashchange', changed);
        return () => window.removeEventListener('hashchange', changed);
    }, []);
    return route;
}
