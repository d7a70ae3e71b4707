import assert from 'node:assert/strict';
import { test } from 'node:test';
import { holderOf } from '../../../src/core/domain/user.ts';
import { Changes, TicketCache } from '../../../src/engines/cache/recently-read.ts';
import { aDigest, aTicket, aUser } from '../../core/storage/conformance/samples.ts';

const ADA = { ...aUser('ada'), id: 7 };
const HELD = { ticket: aTicket(1, ADA), user: holderOf(ADA), serverGeneration: 0 };

/** Each change that concerns the ticket. */
const CHANGES: Record<string, (changes: Changes) => void> = {
  'of the ticket': (changes) => changes.note(aDigest(1)),
  'of its user': (changes) => changes.note(ADA.id),
  'of everything': (changes) => changes.noteAll('all'),
};

for (const [what, change] of Object.entries(CHANGES)) {
  test(`a ticket is not found after a change ${what}, until it is read again`, () => {
    const changes = new Changes();
    const cache = new TicketCache(changes);
    cache.keep(HELD, changes.now);
    assert.equal(cache.find(aDigest(1)), HELD);
    change(changes);
    assert.equal(cache.find(aDigest(1)), undefined);
    cache.keep(HELD, changes.now);
    assert.equal(cache.find(aDigest(1)), HELD);
  });

  test(`a ticket whose read was overtaken by a change ${what} is not found, although it was kept after it`, () => {
    const changes = new Changes();
    const cache = new TicketCache(changes);
    const asked = changes.now;
    change(changes);
    cache.keep(HELD, asked);
    assert.equal(cache.find(aDigest(1)), undefined);
  });
}

test('changes of other tickets and users leave a ticket valid', () => {
  const changes = new Changes();
  const cache = new TicketCache(changes);
  cache.keep(HELD, changes.now);
  changes.note(aDigest(2));
  changes.note(ADA.id + 1);
  assert.equal(cache.find(aDigest(1)), HELD);
});
