import type { Answer } from '../../../core/answer.ts';
import type { BrowserContext } from '../../../core/browser-context.ts';
import type { Actor } from '../../../core/domain/administration.ts';
import type { ChangeEvent } from '../../../core/domain/event.ts';
import { isRefusal, type Refusal, type RefusalCode } from '../../../core/domain/refusal.ts';
import type { Role } from '../../../core/domain/role.ts';
import { type AnyOperation, answer } from '../../../core/operation.ts';
import { Type } from '../../../core/schema.ts';
import { type Html, html } from '../html.ts';
import type { Reader } from '../layout.ts';
import { form, type PageSent, page, seeOther } from '../page.ts';
import { confirmation, faultSummary, lineField } from '../parts/form.ts';
import { adminReader } from '../reader.ts';
import { sentenceOf } from '../refusal-page.ts';
import { consolePage } from './layout.ts';
import {
  changedNotice,
  changedSince,
  hiddenState,
  type ShownState,
  type StateTexts,
  stateIn,
  stateMember,
} from './meanwhile.ts';
import { type NewSecret, secretThen } from './secret-page.ts';

/** Performs operations behind a page. */
export type RunOperation = BrowserContext['run'];

/** The part of a page's context that pages of the console read. */
interface ConsoleContext {
  readonly actor: Actor;
  readonly browser: BrowserContext | undefined;
  languageAmong(languages: readonly string[]): string | undefined;
}

/** The reader of a page of the console, and what performs operations behind it. */
export function inConsole(context: ConsoleContext): { readonly reader: Reader; readonly run: RunOperation } {
  return { reader: adminReader(context), run: (context.browser as BrowserContext).run };
}

/** The answer of an operation that changes something. */
export type Changed = Answer<unknown> & { readonly changes: readonly ChangeEvent[] };

/** What a button changed, and the secret that it made, if it made one. */
type ChangeOutcome = Changed & { readonly secret?: NewSecret };

/** Leads on from a change to another page, and has the gate write its events. */
export const changedThen = (path: string, { changes }: Pick<Changed, 'changes'>) => ({
  ...seeOther(path),
  changes,
});

/** A page that shows a refused form again. Nothing was changed. */
export const refusedAgain = (sent: PageSent) => ({ ...answer(sent, { status: 422 }), changes: [] });

/** A page that shows a form again because somebody else has changed something since it was shown. Nothing was changed. */
export const changedAgain = (sent: PageSent) => ({ ...answer(sent, { status: 409 }), changes: [] });

/** Refusals about the page itself: there is no form to show again. */
const NOT_THERE: ReadonlySet<RefusalCode> = new Set([
  ...([
    'user_not_found',
    'group_not_found',
    'client_not_found',
    'application_not_found',
    'api_key_not_found',
    'receiver_not_found',
    'role_needed',
  ] as const),
]);

/** Whether a refusal is about the page itself, and not about what its form held. */
export const isAboutPage = ({ refused }: Refusal) => NOT_THERE.has(refused);

/** A change of one user, group, client, application or API key by a button. */
export interface ButtonChange {
  readonly area: 'users' | 'groups' | 'clients' | 'applications' | 'api-keys' | 'webhooks';
  /** The end of its path, such as `lock`. */
  readonly what: string;
  readonly summary: string;
  readonly role: Exclude<Role, 'auditor'>;
  /** The name of what is changed, as it is spelled, and what pages show of it; or the refusal if there is none. */
  find(run: RunOperation, name: string): Promise<FoundObject | Refusal>;
  /** The texts of that state. */
  readonly texts: StateTexts;
  /** Whether it is the same whatever somebody else changed in between: it only ends what the form names. */
  readonly isAlwaysMeant?: boolean;
  /** Performs it. `of` is what the button names besides, such as a ticket; empty if nothing. A new secret is shown in place of `next`. */
  perform(run: RunOperation, name: string, of: string): Promise<ChangeOutcome | Refusal>;
  /** The address of the page after the change. */
  next(name: string): string;
  /** The address of the page for a reader who cancels. */
  back(name: string): string;
  /** The question before the change; without it the button changes at once. */
  readonly asks?: ButtonQuestion | undefined;
}

/** The object of a change. */
export interface FoundObject {
  readonly name: string;
  readonly state: ShownState;
}

interface ButtonQuestion {
  texts(reader: Reader, name: string, of: string): Record<'title' | 'sentence' | 'submit', string>;
  /** Whether the reader has to type the name. */
  readonly typesName?: boolean;
}

/** The path of a page about one object of an area. */
export const NAMED = Type.Object({ name: Type.String({ description: 'The name of what it is about.' }) });
const named = { of: Type.Optional(Type.String({ description: 'What the change names besides.' })) };
const TYPED = 'typed';

/** The object of a change and, after a refusal, the reason. */
interface Asked extends FoundObject {
  readonly of: string;
  readonly fault?: string | undefined;
  /** What the page showed, if it is not so any more. */
  readonly was?: ShownState;
}

/** Asks for the first time, or again, since somebody else has changed something since the page was shown. */
function questionOf(reader: Reader, change: ButtonChange, { name, of, fault, state }: Asked): Html {
  const { area, what, back, asks } = change;
  const { say } = reader;
  const { sentence, submit } = asks?.texts(reader, name, of) ?? {
    sentence: say('console.meanwhile.sentence'),
    submit: say('console.meanwhile.submit'),
  };
  const typed = { name: TYPED, label: reader.say('console.typeName', { name }), isFocused: true };
  return confirmation(reader, {
    sentence,
    fault,
    submit,
    isDangerous: true,
    cancel: back(name),
    action: `/portal/console/${area}/${encodeURIComponent(name)}/${what}`,
    fields: asks?.typesName && lineField(reader, typed),
    hidden: { ...hiddenState(state), ...(of !== '' && { of }) },
  });
}

function refusedBody({ say }: Reader, { back }: ButtonChange, { name, fault = '' }: Asked): Html {
  return html`<div class="card narrow">${faultSummary([{ sentence: fault }])}
<p><a class="button quiet" href="${back(name)}">${say('console.back')}</a></p></div>`;
}

/** The page that asks before a change, or that says why a button changed nothing. */
function changePage(reader: Reader, change: ButtonChange, question: Asked): PageSent {
  const { asks, back, texts } = change;
  const { name, of, state, was } = question;
  const title = asks?.texts(reader, name, of).title ?? reader.say('refusal.title');
  const changed = was && changedNotice(reader, texts, { name, was, now: state });
  const form = asks || was ? questionOf(reader, change, question) : refusedBody(reader, change, question);
  return consolePage(reader, { title, body: html`${changed}${form}`, current: back(name) });
}

/** Shows the secret that a change made, or leads on. */
const afterChange = (reader: Reader, next: string, { secret, ...outcome }: ChangeOutcome) =>
  secret === undefined ? changedThen(next, outcome) : secretThen(reader, secret, outcome);

/** The pages of a change: the one that asks, if there is one, and the one that makes it. */
export function changePages(change: ButtonChange): readonly AnyOperation[] {
  const { area, what, summary, role, asks } = change;
  const id = `org/service/repository/portal/console/${area}/${what}` as const;
  const paths = [`/console/${area}/{name}/${what}`] as const;
  const common = { summary, paths, role } as const;
  const post = page({
    ...common,
    id: `${id}.post`,
    method: 'POST',
    input: { path: NAMED, body: form({ ...named, ...stateMember, [TYPED]: Type.Optional(Type.String()) }) },
    async perform(context) {
      const { reader, run } = inConsole(context);
      const { path, body } = context.input;
      const found = await change.find(run, path.name);
      if (isRefusal(found)) return found;
      const question = { ...found, of: body.of ?? '' };
      const was = stateIn(body);
      if (!change.isAlwaysMeant && changedSince(was, found.state).length > 0)
        return changedAgain(changePage(reader, change, { ...question, was }));
      if (asks?.typesName && body[TYPED]?.trim() !== found.name)
        return refusedAgain(
          changePage(reader, change, { ...question, fault: reader.say('console.nameDiffers') }),
        );
      const outcome = await change.perform(run, found.name, question.of);
      if (!isRefusal(outcome)) return afterChange(reader, change.next(found.name), outcome);
      if (isAboutPage(outcome)) return outcome;
      return refusedAgain(changePage(reader, change, { ...question, fault: sentenceOf(reader, outcome) }));
    },
  });
  const get = page({
    ...common,
    id: `${id}.get`,
    method: 'GET',
    input: { path: NAMED, query: Type.Object(named) },
    async perform(context) {
      const { reader, run } = inConsole(context);
      const { path, query } = context.input;
      const found = await change.find(run, path.name);
      if (isRefusal(found)) return found;
      return answer(changePage(reader, change, { ...found, of: query.of ?? '' }));
    },
  });
  return asks === undefined ? [post] : [get, post];
}
