// better-auth as its documentation sets it up for Node and SQLite. Arguments: the folder, "cached" or "uncached", and
// "argon2id" or "default" for the password hash.
import { createServer } from 'node:http';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { hash, verify } from '@node-rs/argon2';
import { betterAuth } from 'better-auth';
import { getMigrations } from 'better-auth/db/migration';
import { toNodeHandler } from 'better-auth/node';

const [folder, cached, hashed] = process.argv.slice(2);
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const argon2id = {
  hash: (password) => hash(password, COST),
  verify: ({ hash: stored, password }) => verify(stored, password),
};

const database = new DatabaseSync(join(folder, 'better-auth.db'));
database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL');

let handle;
const server = createServer((request, response) => handle(request, response));
server.listen(0, '127.0.0.1', async () => {
  const baseURL = `http://127.0.0.1:${server.address().port}`;
  const options = {
    baseURL,
    database,
    secret: 'a secret of this bench, thirty-two characters and more',
    telemetry: { enabled: false },
    logger: { disabled: true },
    rateLimit: { enabled: false },
    emailAndPassword: { enabled: true, ...(hashed === 'argon2id' && { password: argon2id }) },
    session: { cookieCache: { enabled: cached === 'cached', maxAge: 3_600 } },
  };
  await (await getMigrations(options)).runMigrations();
  handle = toNodeHandler(betterAuth(options));
  console.log(`listens on ${baseURL}`);
});
process.once('SIGTERM', () => process.exit());
