import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { test } from 'node:test';
import { shell } from '../../faces/cli/command.ts';
import { CTRL_C, onTerminal } from '../../faces/cli/terminal.ts';
import { temporaryFolder } from '../../service/start.ts';
import { logIn } from '../../service/talk.ts';
import { curlLine, FREE_PORTS, TICKET_ANSWER } from './serve.ts';

const LISTENS = /^Tessera listens on (\S+)\n/m;

test('on a terminal the password is shown once, with a curl line that gives a ticket, and kept in no file', async (t) => {
  const cwd = await temporaryFolder(t);
  const { screen, until, type, ended } = onTerminal(t, 'tessera serve', { cwd, env: FREE_PORTS });
  const [, url] = await until(LISTENS);
  const [, password] = await until(/shown this once:\n\n {2}([\w-]{20,})\n/);
  assert.ok(url && password);
  await logIn(url, 'admin', password);
  assert.match((await shell(curlLine(screen()))).stdout, TICKET_ANSWER);
  assert.ok(!(await readdir(`${cwd}/data`)).includes('initial-password'));
  assert.equal((await shell('grep -r -F -e "$PASSWORD" data', { cwd, env: { PASSWORD: password } })).code, 1);

  type(CTRL_C);
  assert.equal(await ended, 0);
  const again = onTerminal(t, 'tessera serve', { cwd, env: FREE_PORTS });
  const [, urlAgain] = await again.until(LISTENS);
  assert.ok(urlAgain);
  assert.doesNotMatch(again.screen(), /password/i);
  await logIn(urlAgain, 'admin', password);
});

test('a terminal that sees the log alone is not shown the password', async (t) => {
  const cwd = await temporaryFolder(t);
  const { screen, until } = onTerminal(t, 'tessera serve 2>told', { cwd, env: FREE_PORTS });
  await until(/listening/);
  assert.doesNotMatch(screen(), /password/i);
  assert.ok((await readdir(`${cwd}/data`)).includes('initial-password'));
});
