import type { Change } from '../../../core/domain/outcome.ts';
import { refuse } from '../../../core/domain/refusal.ts';
import { digestFrom, type HeldTicket, shortDigest } from '../../../core/domain/ticket.ts';
import type { User } from '../../../core/domain/user.ts';
import { Type } from '../../../core/schema.ts';
import type { ReadUnit, WriteUnit } from '../../../core/storage/store.ts';
import type {
  AccountContext,
  AccountSections,
  OtherCredential,
  OtherCredentials,
} from '../../../faces/pages/account-sections.ts';
import { html } from '../../../faces/pages/html.ts';
import { type Reader, shownTime } from '../../../faces/pages/layout.ts';
import { form, page, seeOther } from '../../../faces/pages/page.ts';
import { changeForm } from '../../../faces/pages/parts/form.ts';
import { table } from '../../../faces/pages/parts/list.ts';
import type { Application } from '../application.ts';
import { consentKey } from '../identifiers.ts';
import type { ProviderEntry } from '../tables/entries.ts';

const END = '/portal/account/applications/end';

/** An application to which a user is signed in, or has consented. */
interface ConnectedApplication {
  readonly application: Application;
  /** The last consent of the user, in epoch milliseconds; undefined if the application needs none. */
  readonly consentedAt: number | undefined;
  /** How many of the user's sign-ins at it are live. */
  readonly signIns: number;
}

/** The live ticket of an entry; undefined if it has ended. */
async function liveTicketOf(
  { tickets }: Pick<ReadUnit, 'tickets'>,
  { ticketDigest }: ProviderEntry,
  ticketState: AccountContext['ticketState'],
): Promise<HeldTicket | undefined> {
  const ticket = ticketDigest && (await tickets.find(digestFrom(ticketDigest)));
  return ticket && ticketState(ticket) === 'valid' ? ticket : undefined;
}

async function connectedApplications({
  store,
  caller,
  ticketState,
}: Pick<AccountContext, 'store' | 'caller' | 'ticketState'>): Promise<readonly ConnectedApplication[]> {
  const { providerEntries, applications } = store;
  const [consents, grants, all] = await Promise.all([
    providerEntries.ofUser(caller.user.id, 'Consent'),
    providerEntries.ofUser(caller.user.id, 'Grant'),
    applications.list(),
  ]);
  const tickets = await Promise.all(grants.map((grant) => liveTicketOf(store, grant, ticketState)));
  const live = grants.filter((_, at) => tickets[at] !== undefined);
  return all
    .map((application) => {
      const consent = consents.find(({ client }) => client === application.name);
      return {
        application,
        consentedAt: consent && (JSON.parse(consent.payload) as { at: number }).at,
        signIns: live.filter(({ client }) => client === application.name).length,
      };
    })
    .filter(({ consentedAt, signIns }) => consentedAt !== undefined || signIns > 0);
}

function sectionOf(reader: Reader, rows: readonly ConnectedApplication[]) {
  const { say } = reader;
  const titleOf = ({ application: { name, settings } }: ConnectedApplication) => settings.title ?? name;
  const end = say('connected.end');
  return html`<section id="applications"><h2>${say('connected.title')}</h2>
<p>${say('connected.intro')}</p>
${table<ConnectedApplication>({
  caption: say('connected.title'),
  columns: [
    { heading: say('connected.name'), cell: titleOf },
    {
      heading: say('connected.consented'),
      cell: ({ consentedAt }) =>
        consentedAt === undefined ? say('connected.notAsked') : shownTime(consentedAt, reader),
    },
    { heading: say('connected.signIns'), cell: ({ signIns }) => signIns, isNumber: true },
    {
      heading: end,
      isPlain: true,
      cell: (row) =>
        changeForm(reader, {
          action: END,
          hidden: { application: row.application.name },
          submit: end,
          submitNamed: `${end}: ${titleOf(row)}`,
          isDangerous: true,
          isCompact: true,
        }),
    },
  ],
  rows,
  whenEmpty: '',
})}</section>`;
}

/** The applications that know the user, if there are any. */
export const accountSections: AccountSections = {
  async read(context) {
    // Only a service with an issuer gives pages the address of a step.
    const isProvider = context.browser.stepAddress !== undefined;
    const rows = isProvider ? await connectedApplications(context) : [];
    return {
      sections: (reader) => (rows.length === 0 ? [] : [{ order: 45, html: sectionOf(reader, rows) }]),
      signingIn: () => [],
      staying: () => undefined,
    };
  },
};

/** Removes grants but those whose ticket has ended: they are good for nothing, and the application still has to be told. */
async function removeGrants(
  { tickets, providerEntries }: WriteUnit,
  grants: readonly ProviderEntry[],
): Promise<void> {
  for (const { digest, ticketDigest } of grants) {
    const held = ticketDigest && (await tickets.find(digestFrom(ticketDigest)));
    if (held !== undefined && held.ticket.userGeneration === held.user.generation)
      await providerEntries.removeOfGrant(digest);
  }
}

/** What applications have of a user by the ticket of this browser, and the consents. */
const connections = (count: number): OtherCredential => ({
  text: `applications ${count}`,
  isTicked: true,
  label: (say) => say('notMe.applications', { count }),
  async remove(unit, { id }) {
    const { providerEntries } = unit;
    await removeGrants(unit, await providerEntries.ofUser(id, 'Grant'));
    for (const { digest } of await providerEntries.ofUser(id, 'Consent'))
      await providerEntries.remove(digest);
    return undefined;
  },
});

/** All that applications have of a user: "This was not me" ends it together. */
export const otherCredentials: OtherCredentials = {
  async ofUser({ providerEntries }, { id }) {
    const kinds = await Promise.all(['Grant', 'Consent'].map((kind) => providerEntries.ofUser(id, kind)));
    const count = new Set(kinds.flat().map(({ client }) => client)).size;
    return count === 0 ? [] : [connections(count)];
  },
  named(text) {
    const [, count] = /^applications (\d{1,9})$/.exec(text) ?? [];
    return count === undefined ? undefined : connections(Number(count));
  },
};

/**
 * Ends the tickets that the application has for itself alone: of devices, of sign-ins that outlive the browser's, and those for which it
 * exchanged an access token.
 */
async function endOwnTickets(
  { tickets }: WriteUnit,
  user: Pick<User, 'id' | 'name'>,
  application: string,
): Promise<Change['events']> {
  const all = await tickets.listOf(user.id);
  const origins = await tickets.originsOf(all);
  const own = all.filter((_, at) => origins[at]?.application === application);
  const events: Change['events'][number][] = [];
  for (const { digest } of own)
    if (await tickets.end(digest))
      events.push({
        kind: 'logout',
        user: user.name,
        digest: shortDigest(digest),
        reason: `application ${application}`,
      });
  return events;
}

const end = page({
  id: 'org/service/repository/portal/account/application-end.post',
  summary: 'End what an application has of the caller: consent, tokens, and tickets of its own.',
  method: 'POST',
  paths: ['/account/applications/end'],
  authentication: 'user',
  access: 'write',
  input: {
    body: form({ application: Type.String({ description: 'Its client_id.', examples: ['grafana'] }) }),
  },
  async perform({ input: { body }, caller: { user }, store }) {
    const { providerEntries } = store;
    if ((await store.applications.find(body.application)) === undefined)
      return refuse('application_not_found');
    const all = await providerEntries.ofUser(user.id, 'Grant');
    const grants = all.filter(({ client }) => client === body.application);
    await providerEntries.remove(consentKey(user.id, body.application));
    const changes = await endOwnTickets(store, user, body.application);
    await removeGrants(store, grants);
    return seeOther('/portal/account?done=application#applications', { changes });
  },
});

/** Ends what an application has of the user (specification, section 18). */
export default [end];
