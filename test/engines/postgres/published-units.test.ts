import { testsOnPostgres } from '../../service/postgres.ts';
import { assertPublished } from '../published-units.ts';
import { openUntilEnd } from './opened.ts';

const test = await testsOnPostgres();

test('each unit is published with its engine, its access and how it ended', async (t, server) => {
  await assertPublished(await openUntilEnd(t, await server.freshSchema()), 'postgresql');
});
