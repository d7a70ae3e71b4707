import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls, type PeerCertificate, type TLSSocket } from 'node:tls';
import { Client } from 'ldapts';
import { close, connect, tlsOptionsOf } from '../connection.ts';
import type { DirectoryOptions } from '../options.ts';
import { PASSWORD_MODIFY } from '../password-write.ts';
import { abilitiesOf } from '../server.ts';
import { accountFault, connectFault, type ServerAddress, tlsFault } from './faults.ts';
import { type CheckStep, runSteps, StepFault, type StepToRun, type Wrong } from './steps.ts';

function addressOf(url: string): ServerAddress {
  const { hostname, port, protocol } = new URL(url);
  const isSecure = protocol === 'ldaps:';
  const host = hostname.replace(/^\[|\]$/g, '');
  return { host, port: Number(port || (isSecure ? 636 : 389)), isSecure };
}

/** Waits for an event of a socket within the deadline, in milliseconds. The socket is destroyed if it does not come. */
async function opened<S extends Socket>(socket: S, event: string, deadline: number): Promise<S> {
  try {
    await once(socket, event, { signal: AbortSignal.timeout(deadline) });
    return socket;
  } catch (error) {
    socket.on('error', () => {});
    socket.destroy();
    throw error;
  }
}

async function resolved(address: ServerAddress): Promise<string> {
  const found = await lookup(address.host, { all: true }).catch((error) => {
    throw connectFault(error, address);
  });
  return `${address.host} is ${found.map((one) => one.address).join(', ')}`;
}

async function answers(address: ServerAddress, deadline: number): Promise<string> {
  const { host, port } = address;
  try {
    (await opened(connectTcp({ host, port }), 'connect', deadline)).destroy();
  } catch (error) {
    throw connectFault(error as Error, address);
  }
  return `${host}:${port} answers`;
}

const nameOf = ({ CN, O }: PeerCertificate['subject']) => CN ?? O ?? 'no name';

function securityOf(socket: TLSSocket): string {
  const { subject, issuer, valid_to: end } = socket.getPeerCertificate();
  const until = new Date(end).toISOString().slice(0, 10);
  return `${socket.getProtocol()}, certificate of ${nameOf(subject)}, signed by ${nameOf(issuer)}, valid until ${until}`;
}

/** Has the server turn its plain connection to TLS. */
async function startedTls(url: string, options: DirectoryOptions): Promise<string> {
  const { deadline } = options;
  let socket: TLSSocket | undefined;
  const client = new Client({
    url,
    timeout: deadline,
    connectTimeout: deadline,
    createSecureConnection: ((settings: object) => {
      socket = connectTls(settings);
      return socket;
    }) as typeof connectTls,
  });
  const late = setTimeout(() => socket?.destroy(new DOMException('late', 'AbortError')), 2 * deadline);
  try {
    await client.startTLS(tlsOptionsOf({ ...options, url }));
    return securityOf(socket as unknown as TLSSocket);
  } finally {
    clearTimeout(late);
    close(client);
  }
}

async function secured(url: string, address: ServerAddress, options: DirectoryOptions): Promise<string> {
  if (!address.isSecure && !options.startTls) return 'none: passwords go to this server openly';
  try {
    if (!address.isSecure) return await startedTls(url, options);
    const socket = connectTls({ ...tlsOptionsOf({ ...options, url }), port: address.port });
    const found = securityOf(await opened(socket, 'secureConnect', options.deadline));
    socket.destroy();
    return found;
  } catch (error) {
    throw tlsFault(error as Error, address, options.ca !== undefined);
  }
}

/** Reads the password of the account. Throws a {@link StepFault} if its file cannot be read. */
function passwordOf(bindPassword: DirectoryOptions['bindPassword']): string {
  try {
    return bindPassword?.() ?? '';
  } catch (error) {
    throw new StepFault(`The password of the account cannot be read: ${(error as Error).message}.`);
  }
}

async function accountEnters(url: string, options: DirectoryOptions): Promise<string> {
  const { bindDn, bindPassword } = options;
  if (bindDn === '') return 'none: searches are anonymous';
  const password = passwordOf(bindPassword);
  const client = await connect({ ...options, url });
  try {
    await client.bind(bindDn, password);
    return `${bindDn} may enter`;
  } catch (error) {
    throw accountFault(error as Error, bindDn);
  } finally {
    close(client);
  }
}

/** Whether the server takes new passwords on such a connection. Whether it lets this account write them shows only when it does. */
async function takesPasswords(
  url: string,
  { isSecure }: ServerAddress,
  options: DirectoryOptions,
): Promise<string | Wrong> {
  const { bindDn, bindPassword, startTls } = options;
  const client = await connect({ ...options, url });
  try {
    if (bindDn !== '') await client.bind(bindDn, passwordOf(bindPassword));
    const { isActiveDirectory, extensions } = await abilitiesOf(client, options);
    if (isActiveDirectory && !isSecure && !startTls)
      return {
        wrong:
          'Active Directory takes them over TLS only: use ldaps in TESSERA_LDAP_URLS, or TESSERA_LDAP_START_TLS=true.',
      };
    if (isActiveDirectory) return 'written to unicodePwd, over TLS';
    if (extensions.has(PASSWORD_MODIFY)) return 'by Password Modify (RFC 3062)';
    return {
      wrong:
        'The server does not say that it knows Password Modify (RFC 3062): set TESSERA_LDAP_PASSWORD_CHANGE and TESSERA_LDAP_PASSWORD_RESET to false, or let the account read supportedExtension of the root entry.',
    };
  } catch (error) {
    throw accountFault(error as Error, bindDn);
  } finally {
    close(client);
  }
}

/** Checks one server: its name, its port, TLS, and the account that searches. Returns whether all is well. */
export async function* checkServer(
  url: string,
  options: DirectoryOptions,
): AsyncGenerator<CheckStep, boolean> {
  const address = addressOf(url);
  const steps: StepToRun[] = [
    ['connection', () => answers(address, options.deadline)],
    ['TLS', () => secured(url, address, options)],
    ['search account', () => accountEnters(url, options)],
  ];
  if (options.writesPasswords) steps.push(['new passwords', () => takesPasswords(url, address, options)]);
  const named: StepToRun = ['name', () => resolved(address)];
  return yield* runSteps(isIP(address.host) === 0 ? [named, ...steps] : steps);
}
