import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { start } from '../processes.ts';
import type { Tool } from './tool.ts';

const SCRIPT = fileURLToPath(new URL('./requests.lua', import.meta.url));

/** `wrk`, if it is on the path. */
export function wrk(): Tool | undefined {
  const version = /^wrk \S+/m.exec(String(spawnSync('wrk', ['-v']).stdout))?.[0];
  if (version === undefined) return undefined;
  return {
    name: version,
    start: ({ url, requests, connections, seconds }) =>
      start('wrk', [
        `-t1`,
        `-c${connections}`,
        `-d${seconds}`,
        '--timeout=10',
        '-s',
        SCRIPT,
        url,
        '--',
        requests,
      ]),
  };
}
