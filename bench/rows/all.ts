import { appPasswords } from './app-passwords.ts';
import { constant } from './constant.ts';
import { credentials } from './credentials.ts';
import { definitions } from './definitions.ts';
import { disk } from './disk.ts';
import { gate } from './gate.ts';
import { least } from './least.ts';
import { login } from './login.ts';
import { logout } from './logout.ts';
import { many } from './many.ts';
import { memory } from './memory.ts';
import { newPasswords } from './new-passwords.ts';
import { people } from './people.ts';
import { portal } from './portal.ts';
import { postgres } from './postgres.ts';
import { provider } from './provider.ts';
import { proxied } from './proxied.ts';
import { redis } from './redis.ts';
import type { Row } from './row.ts';
import { start } from './start.ts';
import { starts } from './starts.ts';
import { storm } from './storm.ts';
import { validate } from './validate.ts';
import { workers } from './workers.ts';

/** Every row, in the order of the table. */
export const rows: readonly Row[] = [
  validate,
  least,
  constant,
  starts,
  many,
  credentials,
  gate,
  login,
  appPasswords,
  logout,
  storm,
  newPasswords,
  definitions,
  workers,
  memory,
  start,
  disk,
  people,
  portal,
  postgres,
  redis,
  proxied,
  provider,
];
