import assert from 'node:assert/strict';
import test from 'node:test';
import { EventParser } from './console/js/sse.js';

const TEXT = ': hello\n\nevent: stats\ndata: {"a":1}\n\nid: 0:7\r\ndata: one\r\ndata:two\r\n\r\nid: 0:8\rdata\r\revent: none\n\ndata: last';

test('events are read wherever the text is cut', () => {
    const whole = new EventParser().push(TEXT);
    assert.deepEqual(whole, [
        { type: 'stats', data: '{"a":1}', id: '' },
        { type: 'message', data: 'one\ntwo', id: '0:7' },
        { type: 'message', data: '', id: '0:8' },
    ]);
    for (let length = 1; length < TEXT.length; length++) {
        const parser = new EventParser();
        const found = [];
        for (let at = 0; at < TEXT.length; at += length) {
            found.push(...parser.push(TEXT.slice(at, at + length)));
        }
        assert.deepEqual(found, whole, `pieces of ${length}`);
    }
});
