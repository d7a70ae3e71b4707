import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Call } from '../../../src/core/gate/call.ts';
import { authenticateUser } from '../../../src/core/gate/caller.ts';
import type { TicketRules } from '../../../src/core/gate/tickets.ts';
import type { ReadUnit } from '../../../src/core/storage/store.ts';

test('an access token that nobody verified is refused as a ticket of a wrong form', async () => {
  const presented = { arguments: [], header: { accessToken: 'eyJ.eyJ.x' } };
  const refused = await authenticateUser(
    {} as ReadUnit,
    { presented } as unknown as Call,
    undefined,
    {} as TicketRules,
  );
  assert.deepEqual(refused, { refused: 'authentication_needed', reason: 'malformed' });
});
