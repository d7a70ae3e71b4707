import type { Row } from '../row.ts';
import { definitions } from './definitions.ts';
import { login } from './login.ts';
import { memory } from './memory.ts';
import { postgres } from './postgres.ts';
import { redis } from './redis.ts';
import { start } from './start.ts';
import { storm } from './storm.ts';
import { validate } from './validate.ts';

/** Every row, in the order of the table. */
export const rows: readonly Row[] = [validate, definitions, login, storm, start, memory, postgres, redis];
