import { statSync } from 'node:fs';
import type { Command, Option } from 'commander';
import { AdminClient, Refused, Unreachable, Unreadable } from '../client/admin.ts';
import { NoSegment } from '../client/target.ts';
import { secretOf } from '../core/settings/given.ts';
import { visible } from '../core/visible.ts';
import { CommandRefused, WrongUsage } from '../faces/cli/failure.ts';
import type { Terminal } from '../faces/cli/terminal.ts';
import type { RemoteCommand } from '../tools/over-http/remote-command.ts';

/** An option before a command: its value, and the flag or the variable that has it. */
export interface PlaceOption {
  readonly value: string;
  readonly from: string;
}

/** The service that does the work of a command, and the file with the key. */
export interface RemoteService {
  readonly server: PlaceOption;
  readonly keyFile: PlaceOption | undefined;
}

/** The commands that can be given over HTTP. Each is loaded on demand. */
const COMMANDS: Readonly<Record<string, () => Promise<RemoteCommand>>> = {
  'api-keys add': async () => (await import('../tools/over-http/api-keys.ts')).addApiKey,
  'api-keys list': async () => (await import('../tools/over-http/api-keys.ts')).listApiKeys,
  'api-keys remove': async () => (await import('../tools/over-http/api-keys.ts')).removeApiKey,
  'clients add': async () => (await import('../tools/over-http/clients.ts')).addClient,
  'clients list': async () => (await import('../tools/over-http/clients.ts')).listClients,
  'clients remove': async () => (await import('../tools/over-http/clients.ts')).removeClient,
  'users list': async () => (await import('../tools/over-http/users.ts')).listUsers,
  'users show': async () => (await import('../tools/over-http/users.ts')).showUser,
  'users why': async () => (await import('../tools/over-http/users.ts')).whyNotSignIn,
  'users add': async () => (await import('../tools/over-http/users.ts')).addUser,
  'users change': async () => (await import('../tools/over-http/users.ts')).changeUser,
  'users passwd': async () => (await import('../tools/over-http/users.ts')).setPassword,
  'users disable': async () => (await import('../tools/over-http/users.ts')).disableUser,
  'users enable': async () => (await import('../tools/over-http/users.ts')).enableUser,
  'users lock': async () => (await import('../tools/over-http/users.ts')).lockUser,
  'users unlock': async () => (await import('../tools/over-http/users.ts')).unlockUser,
  'users require-new-password': async () => (await import('../tools/over-http/users.ts')).requireNewPassword,
  'users keep-password': async () => (await import('../tools/over-http/users.ts')).keepPassword,
  'users remove': async () => (await import('../tools/over-http/users.ts')).removeUser,
  'users second-factor reset': async () => (await import('../tools/over-http/users.ts')).resetSecondFactor,
  'users app-passwords add': async () => (await import('../tools/over-http/app-passwords.ts')).addAppPassword,
  'users app-passwords list': async () =>
    (await import('../tools/over-http/app-passwords.ts')).listAppPasswords,
  'users app-passwords remove': async () =>
    (await import('../tools/over-http/app-passwords.ts')).removeAppPassword,
  'groups list': async () => (await import('../tools/over-http/groups.ts')).listGroups,
  'groups show': async () => (await import('../tools/over-http/groups.ts')).showGroup,
  'groups members': async () => (await import('../tools/over-http/groups.ts')).listMembers,
  'groups add': async () => (await import('../tools/over-http/groups.ts')).addGroup,
  'groups change': async () => (await import('../tools/over-http/groups.ts')).changeGroup,
  'groups join': async () => (await import('../tools/over-http/groups.ts')).joinGroup,
  'groups leave': async () => (await import('../tools/over-http/groups.ts')).leaveGroup,
  'groups remove': async () => (await import('../tools/over-http/groups.ts')).removeGroup,
  'tickets list': async () => (await import('../tools/over-http/tickets.ts')).listTickets,
  'tickets revoke': async () => (await import('../tools/over-http/tickets.ts')).revokeTickets,
  events: async () => (await import('../tools/over-http/events.ts')).listEvents,
};

/** The words that name a command, such as `clients add`. */
function nameOf(command: Command): string {
  const above = command.parent;
  return above?.parent ? `${nameOf(above)} ${command.name()}` : command.name();
}

/** The given options that have no effect over HTTP, such as the data folder. */
function withoutEffect(command: Command, { options }: RemoteCommand): Option[] {
  return command.options.filter((option) => {
    const name = option.attributeName();
    return command.getOptionValueSource(name) === 'cli' && !options.includes(name);
  });
}

/** The key in the file. Warns if others on this machine can read it. */
function keyIn({ server, keyFile }: RemoteService, { stderr }: Terminal): string {
  if (keyFile === undefined)
    throw new WrongUsage(
      `${server.from} needs a key: give --key-file FILE or TESSERA_KEY_FILE, with a key that an administrator made there.`,
    );
  const { value: file, from } = keyFile;
  let key: string;
  try {
    key = secretOf({ from, file });
  } catch (error) {
    throw new WrongUsage(`${from}: ${(error as Error).message}`);
  }
  const { mode } = statSync(file);
  if ((mode & 0o077) !== 0)
    stderr.write(`${visible(`Others can read the key in ${file}: give the command chmod 600 ${file}.`)}\n`);
  return key;
}

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** Warns if the key would pass over a network in the clear. */
function warnOfPlainHttp(server: string, { stderr }: Terminal): void {
  const { protocol, hostname } = new URL(server);
  if (protocol === 'http:' && !LOOPBACK.test(hostname))
    stderr.write(
      'The key is sent over plain HTTP, where others can read it: give an address with https://.\n',
    );
}

function clientFor(service: RemoteService, terminal: Terminal): AdminClient {
  const { server, keyFile } = service;
  const key = keyIn(service, terminal);
  try {
    const admin = new AdminClient(server.value, { key });
    warnOfPlainHttp(server.value, terminal);
    return admin;
  } catch (error) {
    throw new WrongUsage(`${server.from} or ${keyFile?.from}: ${(error as Error).message}.`);
  }
}

/** How the operator mends a refusal, by its status. */
function mendOf({ status, message }: Refused, { keyFile }: RemoteService): string {
  if (status === 401)
    return `the file of ${keyFile?.from} holds no key of this service, or one that has expired: have an administrator make another one`;
  return status === 412 ? 'it was changed meanwhile: look at it, then give the command again' : message;
}

/** The platform's code of a connection that failed, such as ECONNREFUSED. */
function reasonOf(fault: unknown): string {
  for (let cause = fault; cause instanceof Error; cause = cause.cause)
    if ('code' in cause && typeof cause.code === 'string') return ` (${cause.code})`;
  return '';
}

/** The message for a failure over HTTP: what is wrong and how to mend it. */
function sentenceOf(fault: unknown, service: RemoteService): unknown {
  const { from } = service.server;
  if (fault instanceof Refused) return new CommandRefused(`Refused: ${mendOf(fault, service)}.`);
  if (fault instanceof Unreachable)
    return new CommandRefused(
      `${fault.message}${reasonOf(fault)}: check the address of ${from}, and that the service runs. If the command changes something, look first whether it is done.`,
    );
  if (fault instanceof Unreadable)
    return new CommandRefused(
      `What answers there is no Tessera: give ${from} its address, such as https://host/alfresco/service. ${fault.message}.`,
    );
  if (fault instanceof NoSegment)
    return new WrongUsage(`${fault.message}: give another name, or give the command without ${from}.`);
  return fault;
}

/** What this command does on a service over HTTP. Throws a sentence if it cannot be given there. */
export async function actionOverHttp(
  command: Command,
  service: RemoteService,
  terminal: Terminal,
): Promise<(...given: unknown[]) => Promise<void>> {
  const name = nameOf(command);
  const { from } = service.server;
  const load = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (load === undefined)
    throw new CommandRefused(
      `'tessera ${name}' works on the machine of the service only: give it there, without ${from}.`,
    );
  const remote = await load();
  const [useless] = withoutEffect(command, remote);
  if (useless !== undefined)
    throw new WrongUsage(`${useless.long} has no effect over HTTP: leave it out, or leave out ${from}.`);
  const admin = clientFor(service, terminal);
  return async (...given) => {
    const words = given.slice(0, command.registeredArguments.length).flat() as string[];
    try {
      await remote.does(admin, words, command.opts(), terminal);
    } catch (fault) {
      throw sentenceOf(fault, service);
    }
  };
}
