import { hash } from 'node:crypto';
import { join } from 'node:path';
import { APP_PASSWORD_BYTES, makeAppPassword } from '../../src/core/domain/app-password.ts';
import { userKey } from '../../src/core/domain/user.ts';
import { digestOfSecret } from '../../src/core/identity/client-secret.ts';
import { openSqlite } from '../../test/service/stores.ts';
import { compared, type Side } from '../load/compared.ts';
import { load } from '../load/load.ts';
import { loginFiles, validations } from '../load/request-files.ts';
import { type Request, writeRequests } from '../load/requests.ts';
import { atLeast } from '../report/aim.ts';
import { zipf } from '../seeding/draws.ts';
import { nameOf, usersFor } from '../seeding/tickets.ts';
import { startTessera } from '../servers/servers.ts';
import type { Bench, Row } from './row.ts';

const CONNECTIONS = 32;
/** Enough to keep all cores busy with hashes. More logins would still wait in the queue when their round is over. */
const HASHED = 8;
const WORKING_SET = 10_000;
/** The address from which the load logs in. */
const HERE = '127.0.0.1';

/** The app password of the user with this number. */
const appPasswordOf = (number: number) =>
  makeAppPassword(hash('sha256', `app password ${number}`, 'buffer').subarray(0, APP_PASSWORD_BYTES));

/** Gives each user an app password, and has each know the address of the load, as programs that log in every day do. */
async function addAppPasswords(data: string, users: number, now: number): Promise<void> {
  const store = openSqlite(data);
  await store.write(async (unit) => {
    for (let number = 0; number < users; number += 1) {
      const { id = 0 } = (await unit.users.findByKey(userKey(nameOf(number)))) ?? {};
      await unit.attempts.setFamiliar(id, HERE, now);
      await unit.appPasswords.add({
        ...{ userId: id, name: 'bench', digest: digestOfSecret(appPasswordOf(number)), madeAt: now },
        ...{ expiresAt: undefined, usedAt: now, addresses: [] },
      });
    }
  });
  await store.close();
}

/** Writes a file of logins of all users by their app passwords, over the file of the previous round. */
function loginsOf({ folder, tickets }: Bench): string {
  const requests = Array.from({ length: usersFor(tickets) }, (_, number): Request => {
    const body = JSON.stringify({ username: nameOf(number), password: appPasswordOf(number) });
    return { method: 'POST', path: '/api/login', body };
  });
  return writeRequests(join(folder, 'logins-by-app-password'), requests);
}

/** Compares logins by app password with validations and with logins by password, at the same server. */
export const appPasswords: Row = {
  name: 'app-passwords',
  async measure(bench) {
    const data = await bench.dataFolder();
    await addAppPasswords(data, usersFor(bench.tickets), Date.now());
    await using ours = await startTessera(data, { TESSERA_LOG_LEVEL: 'warn' });
    const side =
      (requests: (round: number) => string, connections = CONNECTIONS): Side =>
      (round, seconds) =>
        load(ours, { requests: requests(round), connections, seconds });
    const working = zipf(bench.tickets, WORKING_SET);
    const logins = side(() => loginsOf(bench));
    const about = (baseline: string, least: number) => ({
      name: `login by app password against ${baseline}`,
      aim: atLeast(least),
    });
    return [
      await compared(
        bench,
        about('validate', 0.5),
        logins,
        side((round) => validations(bench, working, round)),
      ),
      await compared(bench, about('login by password', 100), logins, side(loginFiles(bench), HASHED)),
    ];
  },
};
