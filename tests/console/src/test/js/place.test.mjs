import assert from 'node:assert/strict';
import test from 'node:test';
import { place } from './console/js/place.js';
import { read, write } from './console/js/route.js';

test('places are bookmarks or times', () => {
    assert.equal(place(' 0:12,1:3 ', true), '0:12,1:3');
    assert.equal(place('', true), '');
    assert.equal(place('now', true), 'now');
    assert.equal(place('2026-05-01 09:30', true), '2026-05-01T09:30:00.000Z');
    assert.equal(place('2026-05-01T09:30:00.5+02:00', false), '2026-05-01T07:30:00.500Z');
    assert.equal(place('2026-05-01', true), '2026-05-01T00:00:00.000Z');
    for (const text of ['yesterday', '2026-13-45', '0:', '1', '2026-05-01 25:00']) {
        assert.throws(() => place(text, true), /No place in the log: .*use a time like/, text);
    }
});

test('addresses of views are read as they were written', () => {
    const parameters = { topic: 'a/b?c&d=é', filter: "x = '#1' + 2" };
    assert.deepEqual(read(write('query', parameters)), { view: 'query', parameters });
    assert.deepEqual(read(''), { view: 'overview', parameters: {} });
    assert.equal(write('tail', { topic: '', filter: undefined }), '#/tail');
});
