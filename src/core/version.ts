import { readFileSync } from 'node:fs';

/** The version of Tessera. `package.json` is one folder above, in a checkout and in a package. */
export const VERSION: string = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
).version;
