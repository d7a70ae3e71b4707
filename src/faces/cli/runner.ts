import type { Static } from 'typebox';
import { messageOf, type Refusal, type RefusalCode } from '../../core/domain/refusal.ts';
import type { AnyOperation, InputOf } from '../../core/operation.ts';
import type { Settings } from '../../core/settings/table.ts';
import type { Store } from '../../core/storage/store.ts';
import { CommandRefused, type WrongUsage } from './failure.ts';

/** The same object, whose optional members may be undefined: such a member counts as left out. */
type Lenient<T> = { readonly [K in keyof T]: object extends Pick<T, K> ? T[K] | undefined : T[K] };

/** The input that a command gives to an operation, by its parts. */
export type CommandInput<O extends AnyOperation> = {
  readonly [K in keyof O['input']]: Lenient<InputOf<O['input']>[K]>;
};

/** The JSON that an operation answers. */
type JsonOf<O extends AnyOperation> = Static<O['output']['schema']>;

/** Loads an operation. A command loads the operations that it performs, and no others, so that it starts soon. */
export type LoadOperation<O extends AnyOperation = AnyOperation> = () => Promise<{ readonly default: O }>;

/** What an operation did. */
export interface Performed<V> {
  readonly value: V;
  /** Whether it changed anything. Over HTTP no answer tells it, so it is true of every change. */
  readonly changed: boolean;
}

/** What a command says of these refusals, in place of the usual sentence. It throws a wrong usage as it is. */
export type Sentences = { readonly [C in RefusalCode]?: string | WrongUsage };

/** Performs an operation. Throws {@link CommandRefused} with a sentence, or the wrong usage that `sentences` names, if it is refused. */
export type PerformOperation = <O extends AnyOperation>(
  load: LoadOperation<O>,
  input: CommandInput<O>,
  sentences?: Sentences,
) => Promise<Performed<JsonOf<O>>>;

/** Performs the operations of a command: in this process on the store that is set, or on a service over HTTP. */
export interface Runner {
  /** Performs one operation in a transaction of its own. */
  readonly run: PerformOperation;
  /**
   * Performs several operations: on the store in one transaction, of which nothing stays if one of them is refused; over HTTP one after
   * the other, each change with the `ETag` of what `work` read before at its path. On the store `work` awaits nothing but `run`, and may run
   * again after a conflict. It performs only operations that `loads` names, which are loaded before the transaction. `say` prints a text as
   * soon as what was done stays.
   */
  together<T>(
    loads: readonly LoadOperation[],
    work: (run: PerformOperation, say: (text: string) => void) => Promise<T>,
  ): Promise<T>;
  /** The clock of the store, or of this machine if the service is elsewhere, in epoch milliseconds. */
  now(): Promise<number>;
  /** Why the rules refuse a new password of this user, before it is sent. Undefined if they accept it, or if the service judges it. */
  faultOfPassword(userName: string, password: string): Promise<string | undefined>;
  /** The store and its settings, if they are on this machine. */
  readonly here: { readonly settings: Settings; store(): Promise<Store> } | undefined;
}

/** A runner that may have opened a store. */
export interface OpenedRunner extends Runner {
  close(): Promise<void>;
}

/** An item of what an operation lists. */
export type ItemOf<O extends AnyOperation> = JsonOf<O> extends { items: readonly (infer T)[] } ? T : never;

/** Items on a page of a list. */
const PAGE = '1000';

/** The pages of a list. Asks for a page when the caller wants it. A page may be empty though others follow. */
export async function* pagesOf<O extends AnyOperation>(
  { run }: Pick<Runner, 'run'>,
  load: LoadOperation<O>,
  { query, ...input }: Partial<CommandInput<O>> & { readonly query?: object },
): AsyncGenerator<readonly ItemOf<O>[], void, undefined> {
  let cursor: string | undefined;
  do {
    const { value } = await run(load, { ...input, query: { limit: PAGE, ...query, cursor } } as never);
    const page = value as { readonly items: readonly ItemOf<O>[]; readonly next?: string };
    yield page.items;
    cursor = page.next;
  } while (cursor !== undefined);
}

/** The refusals whose detail is a sentence of the rule that refuses, and says all. */
const OF_RULES: ReadonlySet<string> = new Set<RefusalCode>([
  'body_invalid',
  'new_password_refused',
  'name_taken',
  'group_not_found',
  'group_circle',
  'password_needed',
  'password_elsewhere',
  'last_administrator',
]);

/** The error of a command for a refusal of an operation with this input. `message` is the sentence of the service that refused. */
export function refusedCommand(
  refusal: Refusal,
  { path }: { readonly path?: Readonly<Record<string, unknown>> },
  sentences: Sentences = {},
  message: string = messageOf(refusal),
): CommandRefused | WrongUsage {
  const { refused, detail } = refusal;
  const sentence = sentences[refused];
  if (sentence !== undefined) return typeof sentence === 'string' ? new CommandRefused(sentence) : sentence;
  if (refused === 'user_not_found')
    return new CommandRefused(`There is no user "${path?.userName}": see 'tessera users list'.`);
  if (refused === 'group_not_found' && path?.group !== undefined)
    return new CommandRefused(
      `There is no group "${path.group}": see 'tessera groups list', or add it first.`,
    );
  const why = OF_RULES.has(refused) ? detail : undefined;
  return new CommandRefused(`Refused: ${why ?? message}.`);
}
