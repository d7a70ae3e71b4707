import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { BIN, environment } from '../command.ts';
import { applying, diffOf } from './applying.ts';

const KILLED = new URL('killed-while-applying.ts', import.meta.url);

test('a command that is killed half-way leaves nothing of its work, and the next one does all of it', async (t) => {
  const { apply, data, path, state, events } = await applying(t);
  await apply({ users: [{ name: 'ann', disabled: false }] });
  const [before, since] = [await state(), await events()];
  const shut = { allow: 'none' };
  const users = ['u', 'v', 'w', 'x', 'y', 'z'].map((name) => ({ name, groups: ['staff'] }));
  const document = {
    groups: [{ name: 'staff' }],
    users: [{ name: 'ann', disabled: true }, ...users],
    gateRules: [shut],
  };
  const rules = path('rules.json');
  await apply(document, `--dry-run --rules ${rules}`);
  const env = environment({ NODE_OPTIONS: `--import=${KILLED}`, TESSERA_DATA: data });
  const words = ['apply', path('state.json'), '--rules', rules];
  const child = spawn(`${BIN}/tessera`, words, { env, stdio: 'ignore' });
  const [, signal] = await once(child, 'exit');
  assert.equal(signal, 'SIGKILL');
  assert.deepEqual([await state(), await events(), existsSync(rules)], [before, since, false]);
  const again = await apply(document, `--rules ${rules}`);
  assert.equal(diffOf(again).length, 9, again.stdout + again.stderr);
  assert.ok(existsSync(rules) && !existsSync(`${rules}.new`));
});
