import assert from 'node:assert/strict';
import { testsOnPostgres } from '../../service/postgres.ts';
import { deadForTheNextLookUp, ROUNDS, whileDisturbed } from '../next-look-up.ts';
import { openUntilEnd } from './opened.ts';
import { lineTo } from './proxy.ts';

const test = await testsOnPostgres();

test('a ticket is dead for the next look-up of each of three instances, as fast as they can', async (t, server) => {
  const url = await server.freshSchema();
  const instances = [await openUntilEnd(t, url), await openUntilEnd(t, url), await openUntilEnd(t, url)];
  const { valid, after, unanswered } = await deadForTheNextLookUp(instances);
  t.diagnostic(`${valid} look-ups of valid tickets, ${after} of revoked ones`);
  assert.equal(unanswered, 0);
  assert.ok(valid > 5 * ROUNDS && after === 3 * ROUNDS, `${valid} valid, ${after} after`);
});

test('the same while lines stand still for a moment and connections are cut', async (t, server) => {
  const url = await server.freshSchema();
  const [one, other] = [await lineTo(t, url), await lineTo(t, url)];
  const instances = [
    await openUntilEnd(t, url),
    await openUntilEnd(t, one.url),
    await openUntilEnd(t, other.url),
  ];
  const { valid, after, unanswered } = await whileDisturbed([one, other], () =>
    deadForTheNextLookUp(instances),
  );
  t.diagnostic(`${valid} look-ups of valid tickets, ${after} of revoked ones, ${unanswered} not answered`);
  assert.ok(valid > ROUNDS / 2 && after > ROUNDS / 2 && unanswered > 0, `${valid}, ${after}, ${unanswered}`);
});
