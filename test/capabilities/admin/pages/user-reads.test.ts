import assert from 'node:assert/strict';
import { lineTo } from '../../../engines/postgres/proxy.ts';
import { addAppPassword } from '../../../service/app-passwords.ts';
import { testsOnPostgres } from '../../../service/postgres.ts';
import { startTestService, type TestService } from '../../../service/start.ts';
import { openPostgres } from '../../../service/stores.ts';
import { signedInAs, textOf } from './console-service.ts';

const test = await testsOnPostgres();

const logIn = ({ url }: TestService, username: string, password: string) =>
  fetch(`${url}/api/login`, { method: 'POST', body: JSON.stringify({ username, password }) });

/** The most round trips to the database that the page of a user takes, one behind the other. */
const MOST = 12;
/** What runs beside requests, such as the sweeper, may use the line too: the page is read so often, and the best time counts. */
const TIMES = 5;

test('the page of a user with everything takes few round trips', async (t, server) => {
  const line = await lineTo(t, await server.freshSchema());
  const store = await openPostgres(line.url);
  const service = await startTestService(t, {}, () => store);
  const visitor = await signedInAs(service, 'administrator');
  await service.addUser('anna');
  await logIn(service, 'anna', await addAppPassword(service.store, 'anna'));
  await logIn(service, 'anna', 'wrong');
  const trips: number[] = [];
  for (let time = 0; time < TIMES; time += 1) {
    const before = line.roundTrips();
    await textOf(visitor, '/portal/console/users/anna?group=A');
    trips.push(line.roundTrips() - before);
  }
  assert.ok(Math.min(...trips) <= MOST, `${trips} round trips`);
});
