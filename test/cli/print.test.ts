import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { test } from 'node:test';
import type { Terminal } from '../../src/cli/context.ts';
import { printList, type Row } from '../../src/cli/print.ts';

const MANY = 200_000;

/** A terminal that keeps what is printed, and the text so far. */
function aTerminal() {
  const chunks: string[] = [];
  const stdout = new Writable({
    decodeStrings: false,
    write(chunk: string, _encoding, done) {
      chunks.push(chunk);
      done();
    },
  });
  return { terminal: { stdout } as unknown as Terminal, printed: () => chunks.join('') };
}

test('a page of 200,000 rows is printed whole, its columns as wide as the widest', async () => {
  const rows: Row[] = Array.from({ length: MANY }, (_, at) => ({ name: `u${at}`, of: 'x' }));
  const { terminal, printed } = aTerminal();
  await printList(terminal, ['name', 'of'], [rows], false);
  const lines = printed().trimEnd().split('\n');
  assert.equal(lines.length, MANY + 1);
  assert.equal(lines[0], 'NAME     OF');
  assert.equal(lines[1], 'u0       x');
  assert.equal(lines.at(-1), 'u199999  x');
});
