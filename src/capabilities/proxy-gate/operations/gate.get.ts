import { ADMINISTRATORS_GROUP, groupKey } from '../../../core/domain/group.ts';
import type { Profile } from '../../../core/domain/profile.ts';
import { type Refusal, refuse } from '../../../core/domain/refusal.ts';
import { isOfProgram } from '../../../core/domain/ticket.ts';
import type { Holder } from '../../../core/domain/user.ts';
import {
  type AnyOperation,
  answer,
  type InputSchemas,
  type OperationContext,
  operation,
} from '../../../core/operation.ts';
import { nothingShown, type Representation } from '../../../core/representations/representation.ts';
import { Type } from '../../../core/schema.ts';
import type { Settings } from '../../../core/settings/table.ts';
import { type GateRule, type Lack, lackIn, namesMembers, namesProof, ruleAgainst } from '../rules/rules.ts';

/** The headers about the user that the gate sends besides `X-Tessera-User`. */
interface GateHeaders {
  /** The header in which it sends the user name without encoding; undefined for none. */
  readonly userHeader?: string;
  readonly details: Settings['gateDetails'];
}

type GateSettings = Pick<Settings, 'gateAnswers' | 'gateUserHeader' | 'gateDetails'>;

/** Who was let through, and until when. */
interface LetThrough {
  /** The stored spelling of the user's name. */
  readonly username: string;
  /** Epoch milliseconds. Undefined if no limit is set. */
  readonly endsAt: number | undefined;
  /** The short names of the groups that contain the user, directly or not. */
  readonly groups?: readonly string[] | undefined;
  readonly email?: string | undefined;
  /** First and last name. */
  readonly name?: string | undefined;
}

/** A text in the form that a header can carry: UTF-8, percent-encoded except letters, digits and `-._~@`. */
export function headerText(text: string): string {
  const encoded = encodeURIComponent(text.toWellFormed()).replaceAll('%40', '@');
  return encoded.replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** Whether a header can carry these characters unchanged: readers cut white space off at both ends (RFC 9110 section 5.5). */
const fitsHeader = (name: string) => name === name.trim() && !/\p{Cc}/u.test(name) && name.isWellFormed();

const encoded = (description: string) =>
  Type.Optional(Type.String({ description: `${description}, percent-encoded.` }));

/** The headers about a user besides the user name. What is not known is left out. */
function detailsOf({ groups, email, name }: LetThrough): Record<string, string> {
  return {
    ...(groups === undefined ? {} : { 'X-Tessera-Groups': groups.map(headerText).join(',') }),
    ...(email === undefined ? {} : { 'X-Tessera-Email': headerText(email) }),
    ...(name === undefined ? {} : { 'X-Tessera-Name': headerText(name) }),
  };
}

/** The answer has headers only; the proxy passes them on. Times are in RFC 3339 form. A request without a caller has none. */
function letThroughShown({ userHeader }: GateHeaders) {
  const raw = Type.String({ description: 'The user as stored: UTF-8, not encoded.' });
  return {
    ...nothingShown,
    headers: {
      schema: Type.Object({
        'X-Tessera-User': encoded('The user'),
        ...(userHeader === undefined ? {} : { [userHeader]: Type.Optional(raw) }),
        'X-Tessera-Groups': encoded(
          'The groups that contain the user, directly or not, with commas between them',
        ),
        'X-Tessera-Email': encoded('The e-mail address of the user'),
        'X-Tessera-Name': encoded('First and last name of the user'),
        'X-Tessera-Ticket-Expires': Type.Optional(
          Type.String({ format: 'date-time', description: 'When the ticket ends, if it is not used again.' }),
        ),
      }),
      of: (outcome) => {
        if (outcome === 'public') return {};
        const { username, endsAt } = outcome;
        return {
          'X-Tessera-User': headerText(username),
          // One character for each byte, since headers are written as ISO-8859-1.
          ...(userHeader === undefined ? {} : { [userHeader]: Buffer.from(username).toString('latin1') }),
          ...detailsOf(outcome),
          ...(endsAt === undefined ? {} : { 'X-Tessera-Ticket-Expires': new Date(endsAt).toISOString() }),
        };
      },
    },
  } satisfies Representation<LetThrough | 'public'>;
}

type ReadingContext = OperationContext<InputSchemas, unknown, 'user', 'read'>;

/** The short names of the groups that contain a user, directly or not: the stored ones, and that of the administrators. */
export async function groupNamesOf(
  { groups, roles }: Pick<ReadingContext['store'], 'groups' | 'roles'>,
  { id, administrator }: Pick<Holder, 'id' | 'administrator'>,
): Promise<readonly string[]> {
  const stored = await groups.ofUser(id);
  const mayAdminister = administrator || stored.some(({ role }) => role === 'administrator');
  const isAdministrator = mayAdminister && (await roles.of(id)) === 'administrator';
  return [...stored, ...(isAdministrator ? [ADMINISTRATORS_GROUP] : [])].map(({ name }) => name);
}

/** First and last name, as far as they are known. */
function nameIn({ firstName, lastName }: Profile = {}): string | undefined {
  return [firstName, lastName].filter((part) => part !== undefined).join(' ') || undefined;
}

declare module '../../../core/domain/refusal.ts' {
  interface Refusal {
    /** What the sign-in lacks by the rules of the gate. */
    readonly lack?: Lack;
  }
}

/** A sign-in that is younger, in milliseconds, and lacks a factor: another one would lack it too, so people are told why. */
const JUST_NOW = 60_000;

const LACKS: Readonly<Record<Lack, string>> = {
  second: 'it needs a sign-in with a second factor',
  passkey: 'it needs a sign-in with a passkey',
  fresh: 'it needs a sign-in not longer ago than',
};

/** The refusal of a user whose sign-in is not enough for a rule; undefined if it is enough for all. */
async function refusedForProof({
  caller: { user, heldTicket },
  decision,
  now,
  store,
}: ReadingContext): Promise<Refusal<'gate_denied' | 'step_up_needed'> | undefined> {
  if (decision === undefined || heldTicket === undefined || !namesProof(decision)) return undefined;
  const { ticket } = heldTicket;
  const [origin] = await store.tickets.originsOf([ticket]);
  const age = Math.abs(now - ticket.issuedAt);
  const isOfPerson = origin !== undefined && !isOfProgram(origin);
  const found = lackIn(decision, isOfPerson ? { methods: origin.methods ?? [], age } : undefined);
  if (found === undefined) return undefined;
  const { rule, lack } = found;
  const detail = lack === 'fresh' ? `${LACKS.fresh} ${rule.written.fresh}` : LACKS[lack];
  const told = { detail, lack, reason: `rule ${rule.number}, line ${rule.line}: ${lack}` };
  const mayHelp =
    lack === 'fresh' || (age >= JUST_NOW && (await store.users.find(user.id))?.hasSecondFactor === true);
  return refuse(mayHelp ? 'step_up_needed' : 'gate_denied', told);
}

/** The refusal of a user whom a rule does not let through. It names the groups that would do, and no other user. */
function refusedBy({ number, line, written: { allow } }: GateRule): Refusal<'gate_denied'> {
  const { groups = [] } = typeof allow === 'object' ? allow : {};
  const detail =
    groups.length === 0 ? 'it is for other users' : `it needs one of the groups ${groups.join(', ')}`;
  return refuse('gate_denied', { detail, groups, reason: `rule ${number}, line ${line}` });
}

/** The operation as the proxy in front of it needs it. */
function gateWith({ gateAnswers, gateUserHeader, gateDetails: details }: GateSettings): AnyOperation {
  const headers = gateUserHeader === '' ? { details } : { details, userHeader: gateUserHeader };
  return gate(headers, gateAnswers === '200' ? 200 : 204);
}

/** Protects services that do not know tickets: a proxy in front of them asks here about each request. */
const gate = (headers: GateHeaders, answers: 200 | 204 = 204) =>
  operation({
    id: 'org/service/repository/gate.get',
    summary: 'Tell a proxy whether a request to another service may pass, and whose it is.',
    lifecycle: 'public_api',
    family: 'Gate',
    method: 'GET',
    paths: ['/gate'],
    anyRequest: { toPublic: answer('public'), servedWith: gateWith },
    authentication: 'user',
    ticketsOnly: true,
    transaction: 'required',
    access: 'read',
    formatStyle: 'argument',
    defaultFormat: 'json',
    input: {},
    answers,
    output: letThroughShown(headers),
    refusals: ['user_header_impossible', 'gate_denied', 'step_up_needed'],
    async perform(context) {
      const { caller, decision, store, endOf, keyOf } = context;
      const { user, heldTicket } = caller;
      const { userHeader, details } = headers;
      if (userHeader !== undefined && !fitsHeader(user.name)) return refuse('user_header_impossible');
      const knowsGroups = details.includes('groups') || (decision !== undefined && namesMembers(decision));
      const [groups, profile] = await Promise.all([
        knowsGroups ? groupNamesOf(store, user) : [],
        details.some((each) => each !== 'groups') ? store.profiles.find(user.id) : undefined,
      ]);
      if (decision !== undefined && namesMembers(decision)) {
        const as = { key: keyOf(user.name), groupKeys: groups.map(groupKey) };
        const against = ruleAgainst(decision, as);
        if (against !== undefined) return refusedBy(against);
      }
      const refused = await refusedForProof(context);
      if (refused !== undefined) return refused;
      return answer({
        username: user.name,
        endsAt: heldTicket && endOf(heldTicket),
        groups: details.includes('groups') ? groups : undefined,
        email: details.includes('email') ? profile?.email : undefined,
        name: details.includes('name') ? nameIn(profile) : undefined,
      });
    },
  });

export default gate({ details: [] });
