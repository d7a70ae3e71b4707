import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { tesseraOn } from '../cli/command.ts';
import { temporaryFolder } from '../service/start.ts';
import { ask, logIn } from '../service/talk.ts';
import { serve } from './serve.ts';

for (const round of ['first', 'second']) {
  test(`services that start at the same time on one data folder make one administrator (${round} round)`, async (t) => {
    const data = await temporaryFolder(t);
    const started = ['one', 'two', 'three'].map(() => serve(t, { env: { TESSERA_DATA: data } }));
    const urls = await Promise.all(started.map(({ url }) => url));
    assert.equal(started.filter(({ told }) => told().startsWith('Made the administrator')).length, 1);
    assert.equal(JSON.parse(await tesseraOn(data)('users list --json')).length, 1);

    const password = (await readFile(join(data, 'initial-password'), 'utf8')).trimEnd();
    const tickets = await Promise.all(urls.map((url) => logIn(url, 'admin', password)));
    for (const [index, ticket] of tickets.entries()) {
      const other = urls[(index + 1) % urls.length];
      const { status } = await ask(`${other}/api/login/ticket/${ticket}?alf_ticket=${ticket}`);
      assert.equal(status, 200);
    }
  });
}
