import { isIP } from 'node:net';
import type { ConnectionOptions } from 'node:tls';
import type { Host } from '../host.ts';
import { StoreUnavailable } from '../store.ts';
import { tlsFile } from '../tls-file.ts';

const MODES = ['disable', 'require', 'verify-ca', 'verify-full'] as const;
type Mode = (typeof MODES)[number];

function isNear(name: string): boolean {
  return (
    name === 'localhost' ||
    name === '::1' ||
    name.startsWith('/') ||
    (isIP(name) === 4 && name.startsWith('127.'))
  );
}

function modeIn(parameters: URLSearchParams, near: boolean): Mode {
  const text = parameters.get('sslmode') ?? (near ? 'disable' : 'verify-full');
  const mode = MODES.find((candidate) => candidate === text);
  if (mode === undefined)
    throw new StoreUnavailable(`sslmode "${text}" is none that is offered: write ${MODES.join(', ')}`);
  return mode;
}

function fileIn(parameters: URLSearchParams, name: string): Buffer | undefined {
  const path = parameters.get(name);
  return path === null || path === 'system' ? undefined : tlsFile(name, path);
}

/**
 * TLS by `sslmode`, as libpq has it: `require` encrypts, and believes any server unless there is an `sslrootcert`;
 * `verify-ca` checks the authority, `verify-full` the host's name too. Without one: `disable` on this machine, else
 * `verify-full`. The modes that fall back to plain text are not offered.
 */
export function tlsFor(hosts: readonly Host[], parameters: URLSearchParams): false | ConnectionOptions {
  const mode = modeIn(
    parameters,
    hosts.every(({ name }) => isNear(name)),
  );
  if (mode === 'disable') return false;
  const [ca, cert, key] = ['sslrootcert', 'sslcert', 'sslkey'].map((name) => fileIn(parameters, name));
  if (mode === 'verify-ca' && ca === undefined)
    throw new StoreUnavailable('sslmode verify-ca needs an sslrootcert: name the file of the authority');
  // Said outright, so that no variable of the environment can switch it off.
  const files = { ...(ca && { ca }), ...(cert && { cert }), ...(key && { key }), rejectUnauthorized: true };
  if (mode === 'verify-full') return files;
  if (mode === 'require' && ca === undefined) return { ...files, rejectUnauthorized: false };
  return { ...files, checkServerIdentity: () => undefined };
}
