import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeTicket } from '../../src/core/domain/ticket.ts';
import { newUser } from '../../src/core/domain/user.ts';
import { digestOf } from '../../src/core/gate/tickets.ts';
import revoke from '../../src/core/operations/oauth2/revoke.post.ts';
import type { WriteUnit } from '../../src/core/storage/store.ts';
import { openMemory } from '../engines/memory/open.ts';

const TICKET = makeTicket(Buffer.alloc(20, 7));

/** A unit in which another instance ends the ticket first. */
function overtaken(unit: WriteUnit): WriteUnit {
  const tickets = Object.create(unit.tickets, {
    end: {
      value: async (...digest: Parameters<WriteUnit['tickets']['end']>) => {
        await unit.tickets.end(...digest);
        return unit.tickets.end(...digest);
      },
    },
  });
  return { ...unit, tickets };
}

for (const [what, unitOf, ended] of [
  ['ends here is told as ended', (unit: WriteUnit) => unit, true],
  ['another instance ends first is not told twice', overtaken, false],
] as const) {
  test(`a revoked ticket that ${what}`, async () => {
    const store = openMemory();
    const answered = await store.write(async (unit) => {
      const user = await unit.users.add(newUser('ann', { namesCaseSensitive: false, passwordHash: 'hash' }));
      const kept = {
        digest: digestOf(TICKET),
        userGeneration: 0,
        serverGeneration: 0,
        issuedAt: 1,
        usedAt: 1,
      };
      await unit.tickets.issue({ ...kept, userId: user?.id ?? 0 });
      const context = { input: { body: { token: TICKET } }, store: unitOf(unit), digestOf };
      return revoke.perform(context as never);
    });
    assert.equal('ended' in answered, ended);
  });
}
