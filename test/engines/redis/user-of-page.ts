import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { Redis } from '../../service/redis.ts';

const PAGE = new URL('../../../docs/how-to/redis.md', import.meta.url);
const PASSWORD = 'a-password-of-these-tests';

/** Makes the user whom the page calls enough at each of these servers; gives the URL of a ticket store with that user. */
export async function asUserOfPage(url: string, servers: readonly Redis[]): Promise<string> {
  const [, name, rights = ''] = /^user (\S+) (.*)$/m.exec(readFileSync(PAGE, 'utf8')) ?? [];
  assert.ok(name !== undefined && rights.includes('>PASSWORD'), 'the page shows a user and a password');
  const words = rights.replace('>PASSWORD', `>${PASSWORD}`).split(' ');
  for (const server of servers) await server.ask(['ACL', 'SETUSER', name, 'reset', ...words]);
  return url.replace('://', `://${name}:${PASSWORD}@`);
}
