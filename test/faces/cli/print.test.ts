import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { test } from 'node:test';
import { type PrintedRow, printList } from '../../../src/faces/cli/print.ts';
import type { Terminal } from '../../../src/faces/cli/terminal.ts';

const MANY = 200_000;

/** A terminal that records the output. Its reader leaves after this number of writes. */
function aTerminal(writes = Number.POSITIVE_INFINITY) {
  const chunks: string[] = [];
  const stdout = new Writable({
    decodeStrings: false,
    write(chunk: string, _encoding, done) {
      if (chunks.length === writes) return done(new Error('write EPIPE'));
      chunks.push(chunk);
      done();
    },
  });
  stdout.on('error', () => undefined);
  return { terminal: { stdout } as unknown as Terminal, printed: () => chunks.join('') };
}

test('a page of 200,000 rows is printed whole, its columns as wide as the widest', async () => {
  const rows: PrintedRow[] = Array.from({ length: MANY }, (_, at) => ({ name: `u${at}`, of: 'x' }));
  const { terminal, printed } = aTerminal();
  await printList(terminal, ['name', 'of'], [rows], false);
  const lines = printed().trimEnd().split('\n');
  assert.equal(lines.length, MANY + 1);
  assert.equal(lines[0], 'NAME     OF');
  assert.equal(lines[1], 'u0       x');
  assert.equal(lines.at(-1), 'u199999  x');
});

for (const asJson of [false, true]) {
  test(`no page is asked for that nobody reads, ${asJson ? 'as JSON' : 'in a table'}`, async () => {
    let asked = 0;
    function* pages() {
      for (;;) {
        asked += 1;
        yield [{ name: `u${asked}` }];
      }
    }
    const { terminal, printed } = aTerminal(3);
    await printList(terminal, ['name'], pages(), asJson);
    assert.match(printed(), /u2/);
    assert.ok(asked <= 4, `${asked} pages were asked for`);
  });
}
