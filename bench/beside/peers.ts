import type { Machine } from '../machine.ts';
import type { Options } from '../options.ts';
import { measuredOn, type Page } from '../page.ts';
import type { Bench } from '../row.ts';
import { betterAuth } from './better-auth.ts';
import { installPeers, versionOf } from './installed.ts';
import { type AllFindings, measure } from './measure.ts';
import { oidcProvider } from './oidc-provider.ts';
import { parseServer } from './parse-server.ts';
import { cells, remarks } from './table.ts';
import { tessera } from './tessera.ts';

const PACKAGES = ['better-auth', 'parse-server', 'oidc-provider'];

/** Installs the services of others and measures them beside ours, which is the first of the findings. */
export async function measurePeers(
  bench: Pick<Bench, 'rounds' | 'seconds' | 'folder' | 'say'>,
): Promise<AllFindings> {
  installPeers(bench.say);
  return await measure([tessera, ...betterAuth, parseServer, oidcProvider], bench);
}

/** What one run found, as a table. */
export function peersPage({
  at,
  machine,
  load,
  options,
  findings,
  unmeasured,
}: AllFindings & { at: Date; machine: Machine; load: string; options: Options }): Page {
  const versions = PACKAGES.map((name) => `${name} ${versionOf(name)}`).join(', ');
  return {
    above: [
      measuredOn(at, machine),
      `${options.rounds} rounds of ${options.seconds} s, all services in turn, 64 connections for validations and 16 for logins; load from ${load}, one thread`,
      `${versions}, from npm; each through its own HTTP interface, in one process, with 32 users who logged in. Medians of the rounds; processor time is that of the service's process.`,
    ],
    cells: cells(findings),
    below: [...unmeasured.map(({ name, why }) => `${name}: NOT MEASURED: ${why}`), ...remarks(findings)],
  };
}
