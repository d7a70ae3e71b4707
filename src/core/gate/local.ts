import type { Answer } from '../answer.ts';
import type { Actor } from '../domain/administration.ts';
import { isRefusal, type Refusal } from '../domain/refusal.ts';
import type { Passwords } from '../identity/passwords.ts';
import type { AnyOperation, OperationTools } from '../operation.ts';
import type { ReadUnit, Store, WriteUnit } from '../storage/store.ts';
import type { Call } from './call.ts';
import { writeEvents } from './call-events.ts';
import { type AdministrationParts, operationContext, type RequestTools } from './operation-context.ts';

/** What the operator of this machine performs operations with. */
export interface LocalParts extends AdministrationParts {
  readonly store: Store;
  /** The name of the operator, and where the call comes from, as events tell them. */
  readonly operator: string;
  readonly from: string;
  /** What capabilities give to operations by the settings alone. */
  readonly operationTools: Partial<OperationTools>;
  /** Judges and hashes new passwords. */
  readonly passwords: Pick<Passwords, 'hashNew'>;
}

/** The input of an operation, by its parts. The types of the caller hold it to the schemas of the descriptor. */
export interface LocalInput {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: object;
}

function notHere(): never {
  throw new Error('an operation of administration looks up no ticket by its text, and has one language');
}

const NO_REQUESTS: RequestTools = {
  digestOf: notHere,
  findLive: notHere,
  confirmed: notHere,
  issueTicket: notHere,
  languageAmong: notHere,
};

type LocalResult = Answer<unknown> | Refusal;

/** Performs an operation in the transaction that is open. */
export type PerformInUnit = (operation: AnyOperation, input: LocalInput) => Promise<LocalResult>;

function refuseOthers({ id, authentication }: AnyOperation): void {
  if (authentication !== 'admin') throw new Error(`${id} is no operation of administration`);
}

/** A call that no request made. */
const callOf = ({ paths }: AnyOperation, input: LocalInput, address: string): Call => ({
  requestId: '',
  basePath: '',
  template: paths[0] ?? '',
  path: input.path ?? {},
  query: input.query ?? {},
  body: () => ({ json: input.body }),
  presented: { arguments: [], header: undefined },
  acceptLanguage: undefined,
  userAgent: undefined,
  address,
  crossSite: undefined,
});

/**
 * Performs operations of administration for the operator of this machine, who can read the store and so needs no credential. Only
 * the command line has one: no request reaches it. Preparation, context and events are those of the gate.
 */
export class LocalGate {
  readonly #parts: LocalParts;
  readonly #actor: Actor;

  constructor(parts: LocalParts) {
    this.#parts = parts;
    this.#actor = { name: parts.operator, role: 'administrator', onMachine: true };
  }

  /** Performs one operation in a transaction of its own, after its preparation. */
  async perform(operation: AnyOperation, input: LocalInput): Promise<LocalResult> {
    const { store, passwords, operationTools } = this.#parts;
    refuseOthers(operation);
    const prepared = await operation.prepare?.({
      ...operationTools,
      input,
      passwords,
      actor: this.#actor,
    } as never);
    if (isRefusal(prepared)) return prepared;
    const work = (unit: ReadUnit | WriteUnit) => this.#performIn(unit, operation, input, prepared);
    return operation.access === 'read' ? store.read(work) : store.write(work);
  }

  /**
   * Performs several operations in one transaction. If `work` throws, nothing of them stays. `work` awaits nothing else, and may
   * run again after a conflict with another process. An operation that prepares something does not run here.
   */
  together<T>(work: (perform: PerformInUnit) => Promise<T>): Promise<T> {
    return this.#parts.store.write((unit) =>
      work((operation, input) => {
        refuseOthers(operation);
        if (operation.prepare !== undefined)
          throw new Error(`${operation.id} runs in a transaction of its own`);
        return this.#performIn(unit, operation, input, undefined);
      }),
    );
  }

  async #performIn(
    unit: ReadUnit | WriteUnit,
    operation: AnyOperation,
    input: LocalInput,
    prepared: unknown,
  ): Promise<LocalResult> {
    const { from, operator, rules } = this.#parts;
    const call = callOf(operation, input, from);
    const own = { input, prepared: { result: prepared }, actor: this.#actor };
    const result = await operation.perform(
      operationContext(call, unit, own, undefined, { ...this.#parts, requests: NO_REQUESTS }) as never,
    );
    if (operation.access === 'write')
      await writeEvents(unit as WriteUnit, call, { result, client: operator }, rules.clock(), {
        requiresEvents: true,
      });
    return result;
  }
}
