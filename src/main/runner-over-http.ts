import { statSync } from 'node:fs';
import type { Command, Option } from 'commander';
import { AdminClient, type AdminOperation, Refused, Unreachable, Unreadable } from '../client/admin.ts';
import { NoSegment } from '../client/target.ts';
import { ADMIN } from '../core/api.ts';
import { REFUSALS, refuse } from '../core/domain/refusal.ts';
import type { LocalInput } from '../core/gate/local.ts';
import type { AnyOperation } from '../core/operation.ts';
import { secretOf } from '../core/settings/given.ts';
import { visible } from '../core/visible.ts';
import { CommandRefused, WrongUsage } from '../faces/cli/failure.ts';
import { runsOperations } from '../faces/cli/operation-command.ts';
import {
  type LoadOperation,
  type OpenedRunner,
  type PerformOperation,
  refusedCommand,
  type Sentences,
} from '../faces/cli/runner.ts';
import type { Terminal } from '../faces/cli/terminal.ts';

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

/** The words that name a command, such as `clients add`. */
function nameOf(command: Command): string {
  const above = command.parent;
  return above?.parent ? `${nameOf(above)} ${command.name()}` : command.name();
}

/** The given options that have no effect over HTTP: settings, such as the data folder. `--help` hides those. */
const withoutEffect = (command: Command): Option[] =>
  command.options.filter(
    (option) => option.hidden && command.getOptionValueSource(option.attributeName()) === 'cli',
  );

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

/** The sentence for a refusal that no command on the machine of the service gets, by its status. */
function mendOf({ status }: Refused, { keyFile }: RemoteService): string | undefined {
  if (status === 401)
    return `the file of ${keyFile?.from} holds no key of this service, or one that has expired: have an administrator make another one`;
  return status === 412 ? 'it was changed meanwhile: look at it, then give the command again' : undefined;
}

/** The platform's code of a connection that failed, such as ECONNREFUSED. */
function reasonOf(fault: unknown): string {
  for (let cause = fault; cause instanceof Error; cause = cause.cause)
    if ('code' in cause && typeof cause.code === 'string') return ` (${cause.code})`;
  return '';
}

/** The error for a refusal: what is said of it on the machine of the service, if a command can get it there. */
function refusedOverHttp(refused: Refused, service: RemoteService, input: object, sentences?: Sentences) {
  const { code, message } = refused;
  const mend = mendOf(refused, service) ?? (code === 'unnamed' ? message : undefined);
  if (mend !== undefined || code === 'unnamed') return new CommandRefused(`Refused: ${mend}.`);
  const begins = `${REFUSALS[code]}: `;
  const detail = message.startsWith(begins) ? { detail: message.slice(begins.length) } : {};
  return refusedCommand(refuse(code, detail), input, sentences, message);
}

/** What is said of a service that gave no answer, or none in time; undefined of any other fault. */
function silenceOf(fault: unknown, { server }: RemoteService): string | undefined {
  if (fault instanceof Unreachable) return `${fault.message}${reasonOf(fault)}`;
  const isLate = fault instanceof DOMException && fault.name === 'TimeoutError';
  return isLate ? `${new URL(server.value).origin} gave no answer in time` : undefined;
}

/** The message for a call that got no answer of a service: what is wrong and how to mend it. */
function sentenceOf(fault: unknown, service: RemoteService): unknown {
  const { from } = service.server;
  const silence = silenceOf(fault, service);
  if (silence !== undefined)
    return new CommandRefused(
      `${silence}: check the address of ${from}, and that the service runs. If the command changes something, look first whether it is done.`,
    );
  if (fault instanceof Unreadable)
    return new CommandRefused(
      `What answers there is no Tessera: give ${from} its address, such as https://host/alfresco/service. ${fault.message}.`,
    );
  if (fault instanceof NoSegment)
    return new WrongUsage(`${fault.message}: give another name, or give the command without ${from}.`);
  return fault;
}

/** The name by which the client calls an operation of administration, such as `GET /users`. */
const nameIn = ({ method, paths: [path] }: AnyOperation) =>
  `${method} ${path?.slice(ADMIN.begins?.length)}` as AdminOperation;

/** Keeps the `ETag` of what was read, by its operation and path, for the changes that honour it. */
class ReadTags {
  readonly #tags = new Map<string, string>();
  readonly #keyOf = ({ id }: AnyOperation, { path }: LocalInput) => JSON.stringify([id, path]);

  keep(operation: AnyOperation, input: LocalInput, etag: string | undefined): void {
    if (etag !== undefined) this.#tags.set(this.#keyOf(operation, input), etag);
  }

  for({ ifMatch }: AnyOperation, input: LocalInput): string | undefined {
    return ifMatch && this.#tags.get(this.#keyOf(ifMatch, input));
  }
}

/** Performs operations on a service over HTTP, by their descriptors. */
function runnerOn(service: RemoteService, terminal: Terminal): OpenedRunner {
  const admin = clientFor(service, terminal);
  const runWith = (tags?: ReadTags) =>
    (async (load: LoadOperation, input: LocalInput, sentences?: Sentences) => {
      const { default: operation } = await load();
      try {
        const options = { ifMatch: tags?.for(operation, input) };
        const { value, etag } = await admin.call(nameIn(operation), input as never, options);
        tags?.keep(operation, input, etag);
        return { value, changed: operation.access === 'write' };
      } catch (fault) {
        throw fault instanceof Refused
          ? refusedOverHttp(fault, service, input, sentences)
          : sentenceOf(fault, service);
      }
    }) as PerformOperation;
  return {
    run: runWith(),
    together: (_, work) => work(runWith(new ReadTags()), (text) => terminal.stdout.write(text)),
    now: async () => Date.now(),
    faultOfPassword: async () => undefined,
    here: undefined,
    close: async () => undefined,
  };
}

/** What performs the operations of this command on a service. Throws a sentence if the command cannot be given there. */
export function runnerOverHttp(command: Command, service: RemoteService, terminal: Terminal): OpenedRunner {
  const { from } = service.server;
  if (!runsOperations(command))
    throw new CommandRefused(
      `'tessera ${nameOf(command)}' works on the machine of the service only: give it there, without ${from}.`,
    );
  const [useless] = withoutEffect(command);
  if (useless !== undefined)
    throw new WrongUsage(`${useless.long} has no effect over HTTP: leave it out, or leave out ${from}.`);
  return runnerOn(service, terminal);
}
