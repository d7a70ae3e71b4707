import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { temporaryFolder } from '../../service/start.ts';
import { CTRL_C, CTRL_D, onTerminal } from './terminal.ts';

const PASSWORD = 'correct-horse-battery';

test('on a terminal the password is asked for twice and never shown', async (t) => {
  const cwd = await temporaryFolder(t);
  const { screen, until, type, ended } = onTerminal(t, 'tessera users add ana', { cwd });
  await until(/Password: $/);
  type(`${PASSWORD}\r`);
  await until(/Once more: $/);
  type(`${PASSWORD}\r`);
  assert.equal(await ended, 0);
  assert.equal(screen(), 'Password: \nOnce more: \nAdded "ana".\n');
});

test('two passwords that differ change nothing', async (t) => {
  const cwd = await temporaryFolder(t);
  const { screen, until, type, ended } = onTerminal(t, 'tessera users add ana', { cwd });
  await until(/Password: $/);
  type(`${PASSWORD}\r`);
  await until(/Once more: $/);
  type('another-horse-battery\r');
  assert.equal(await ended, 1);
  assert.match(screen(), /Refused: the two passwords differ\. Nothing was changed\.\n$/);
  assert.deepEqual(readdirSync(cwd), []);
});

test('a password that is refused is not asked for again', async (t) => {
  const cwd = await temporaryFolder(t);
  const { screen, until, type, ended } = onTerminal(t, 'tessera users add ana', { cwd });
  await until(/Password: $/);
  type('password1\r');
  assert.equal(await ended, 1);
  assert.match(screen(), /^Password: \nRefused: the password is one of the most common ones.*\n$/);
});

for (const [name, key] of Object.entries({ 'Ctrl+C': CTRL_C, 'Ctrl+D': CTRL_D })) {
  test(`${name} at the question gives up in one line and changes nothing`, async (t) => {
    const cwd = await temporaryFolder(t);
    const { screen, until, type, ended } = onTerminal(t, 'tessera users add ana', { cwd });
    await until(/Password: $/);
    type(key);
    assert.notEqual(await ended, 0);
    assert.match(screen(), /^Password: \n.*\n?$/);
    assert.deepEqual(readdirSync(cwd), []);
  });
}
