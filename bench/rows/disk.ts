import { mkdtempSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { atMostTimes } from '../report/aim.ts';
import { seed, usersFor } from '../seeding/tickets.ts';
import type { Row } from './row.ts';

/** Bytes of a digest, SHA-256. */
const DIGEST_BYTES = 32;

/** Bytes of all files in a folder. */
function bytesIn(folder: string): number {
  return readdirSync(folder).reduce((sum, file) => sum + statSync(join(folder, file)).size, 0);
}

/** Compares the bytes of a live ticket on disk, with its indexes, with those of its digest. */
export const disk: Row = {
  name: 'disk',
  async measure({ folder, tickets, say }) {
    say('disk');
    const place = mkdtempSync(join(folder, 'disk-'));
    const [full, empty] = [join(place, 'full'), join(place, 'empty')];
    await seed(full, tickets);
    await seed(empty, 0, { users: usersFor(tickets) });
    const ours = (bytesIn(full) - bytesIn(empty)) / tickets;
    const notes = [
      'lower is better',
      'counted once: the store with the tickets less the one with their users alone',
    ];
    const rounds = [{ ours, baseline: DIGEST_BYTES }];
    return [{ name: 'bytes on disk a live ticket', unit: 'B', rounds, aim: atMostTimes(5), notes }];
  },
};
