import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { testsOnPostgres } from '../../service/postgres.ts';
import { temporaryFolder } from '../../service/start.ts';
import { ask, logIn } from '../../service/talk.ts';
import { serve } from './serve.ts';

const test = await testsOnPostgres();

for (const round of ['first', 'second']) {
  test(`services that start at the same time on one database make one administrator (${round} round)`, async (t, server) => {
    const data = await temporaryFolder(t);
    const key = join(data, 'key');
    await writeFile(key, '0'.repeat(64), { mode: 0o600 });
    const env = {
      TESSERA_DATA: data,
      TESSERA_DATABASE: await server.freshDatabase(),
      TESSERA_THROTTLE_KEY_FILE: key,
    };
    const started = ['one', 'two', 'three'].map(() => serve(t, { env }));
    const urls = await Promise.all(started.map(({ url }) => url));
    assert.equal(started.filter(({ told }) => told().startsWith('Made the administrator')).length, 1);

    const password = (await readFile(join(data, 'initial-password'), 'utf8')).trimEnd();
    const tickets = await Promise.all(urls.map((url) => logIn(url, 'admin', password)));
    for (const [index, ticket] of tickets.entries()) {
      const other = urls[(index + 1) % urls.length];
      const { status } = await ask(`${other}/api/login/ticket/${ticket}?alf_ticket=${ticket}`);
      assert.equal(status, 200);
    }
  });
}
