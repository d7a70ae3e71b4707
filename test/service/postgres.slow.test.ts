import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname } from 'node:path';
import { test } from 'node:test';
import { Postgres, whyNoPostgres } from './postgres.ts';

const skip = whyNoPostgres() ?? false;

test('a PostgreSQL of the tests that does not start says why, and leaves no folder behind', {
  skip,
}, async () => {
  await assert.rejects(Postgres.start('no_such_word = on'), ({ message }: Error) => {
    assert.match(message, /^PostgreSQL ended: [\s\S]*no_such_word/);
    const [, data = ''] = /"([^"]*)\/postgresql\.conf"/.exec(message) ?? [];
    return !existsSync(dirname(data));
  });
});

test('a PostgreSQL of the tests whose port is taken says so, and does not pass for the one who took it', {
  skip,
}, async (t) => {
  const server = await Postgres.start();
  t.after(() => server.remove());
  await server.stop('fast');
  const other = createServer((socket) => socket.destroy()).listen(server.port, '127.0.0.1');
  t.after(() => other.close());
  await once(other, 'listening');
  await assert.rejects(server.resume(), /Address already in use/);
});
