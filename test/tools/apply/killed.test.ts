import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { BIN, environment } from '../../faces/cli/command.ts';
import { applying, diffOf } from './applying.ts';

const KILLED = new URL('killed-while-applying.ts', import.meta.url);
const NAMES = ['u', 'v', 'w', 'x', 'y', 'z'];
const DOCUMENT = {
  groups: [{ name: 'staff' }],
  users: [{ name: 'ann', disabled: true }, ...NAMES.map((name) => ({ name, groups: ['staff'] }))],
  gateRules: [{ allow: 'none' }],
};

/** A store with one user, and the command on the document in a process that is killed at this place. */
async function killedAt(t: TestContext, place: 'events' | 'rename') {
  const on = await applying(t);
  await on.apply({ users: [{ name: 'ann' }] });
  const [rules, file] = [on.path('rules.json'), on.path('document.json')];
  writeFileSync(file, JSON.stringify(DOCUMENT));
  return {
    ...on,
    rules,
    again: () => on.apply(DOCUMENT, `--rules ${rules}`),
    async kill() {
      const kill = { NODE_OPTIONS: `--import=${KILLED}`, KILLED_AT: place };
      const env = environment({ ...kill, TESSERA_DATA: on.data });
      const words = ['apply', file, '--rules', rules];
      const [, signal] = await once(spawn(`${BIN}/tessera`, words, { env, stdio: 'ignore' }), 'exit');
      assert.equal(signal, 'SIGKILL');
    },
  };
}

test('a command that is killed half-way leaves nothing of its work, and the next one does all of it', async (t) => {
  const { kill, again, rules, state, events } = await killedAt(t, 'events');
  const [before, since] = [await state(), await events()];
  await kill();
  assert.deepEqual([await state(), await events(), existsSync(rules)], [before, since, false]);
  assert.equal(diffOf(await again()).length, 9);
  assert.ok(existsSync(rules) && !existsSync(`${rules}.new`));
});

test('a command that is killed before the rules of the gate take their place leaves the old ones, and the next one sees that', async (t) => {
  const { kill, again, rules, state } = await killedAt(t, 'rename');
  await kill();
  assert.equal((await state()).users?.length, 7);
  assert.ok(!existsSync(rules));
  assert.deepEqual(diffOf(await again()), ['+ gate rule {"allow":"none"}']);
  assert.ok(existsSync(rules) && !existsSync(`${rules}.new`));
});
