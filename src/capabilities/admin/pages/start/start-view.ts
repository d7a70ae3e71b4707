import type { RecordedEvent } from '../../../../core/domain/event.ts';
import type { LockOut } from '../../../../core/domain/lockout.ts';
import { addressWith } from '../../../../faces/pages/console/addresses.ts';
import { consolePage } from '../../../../faces/pages/console/layout.ts';
import { type Html, type HtmlValue, html } from '../../../../faces/pages/html.ts';
import { type Reader, shownTime } from '../../../../faces/pages/layout.ts';
import type { PageSent } from '../../../../faces/pages/page.ts';
import { type Figure, facts, figures, table } from '../../../../faces/pages/parts/list.ts';
import type { ServerStatus } from '../../operations/admin/status.get.ts';
import { eventColumns } from '../events/rows.ts';
import { LOCK_OUTS, lockOutColumns } from '../lock-outs/rows.ts';
import { type SignInCounts, signInPlot, totalsOf } from './plots.ts';

/** The values on the overview. */
export interface Overview {
  readonly hours: SignInCounts;
  readonly days: SignInCounts;
  /** The latest refused sign-ins. */
  readonly refused: readonly RecordedEvent[];
  readonly forOperators: { readonly status: ServerStatus; readonly lockOuts: readonly LockOut[] } | undefined;
}

const START = '/portal/console';
const REFUSED = addressWith(`${START}/events`, { kind: 'login-refused' });

function figuresOf(reader: Reader, { hours, forOperators }: Overview): Html {
  const { say, language } = reader;
  const numbers = new Intl.NumberFormat(language);
  const { signIns, refused } = totalsOf(hours);
  const figure = (label: string, value: number, to?: string, note?: string): Figure => ({
    label,
    value: numbers.format(value),
    note,
    ...(to !== undefined && { to }),
  });
  const last = [
    figure(say('console.start.signInsOfDay'), signIns, addressWith(`${START}/events`, { kind: 'login' })),
    figure(say('console.start.refusedOfDay'), refused, REFUSED),
  ];
  if (forOperators === undefined) return figures(last);
  const { liveTickets, hashesWaiting, users } = forOperators.status;
  const tickets =
    liveTickets === undefined
      ? []
      : [
          figure(
            say('console.start.liveTickets'),
            liveTickets,
            `${START}/tickets`,
            say('console.start.countedLast'),
          ),
        ];
  return figures([
    ...tickets,
    ...last,
    figure(say('console.start.hashesWaiting'), hashesWaiting),
    figure(say('console.start.users'), users, `${START}/users`),
  ]);
}

const section = (title: string, more: { to: string; text: string }, list: HtmlValue): Html =>
  html`<section class="card"><div class="head"><h2>${title}</h2><a href="${more.to}">${more.text}</a></div>${list}</section>`;

function lockOutsOf(reader: Reader, rows: readonly LockOut[]): Html {
  const { say } = reader;
  const title = say('console.start.lockedOut');
  const list = table({
    caption: title,
    columns: lockOutColumns(reader),
    rows,
    whenEmpty: say('console.lockOuts.none'),
  });
  return section(title, { to: LOCK_OUTS, text: say('console.start.allLockOuts') }, list);
}

async function refusedOf(reader: Reader, rows: readonly RecordedEvent[]): Promise<Html> {
  const { say } = reader;
  const title = say('console.start.newestRefused');
  const columns = await eventColumns(reader, rows, { isOfOneKind: true });
  const list = table({ caption: title, columns, rows, whenEmpty: say('console.start.noneRefused') });
  return section(title, { to: REFUSED, text: say('console.start.allRefused') }, list);
}

const ENGINES = { sqlite: 'SQLite', postgresql: 'PostgreSQL', redis: 'Redis' } as const;

function serverOf(reader: Reader, status: ServerStatus): Html {
  const { say } = reader;
  const { version, startedAt, storage, edition, announcedVersion, actionDefinitions } = status;
  return html`<section class="card"><h2>${say('console.start.server')}</h2>${facts([
    [say('console.start.version'), `Tessera ${version}`],
    [say('console.start.announced'), `${edition} ${announcedVersion}`],
    [say('console.start.startedAt'), shownTime(startedAt, reader)],
    [say('console.start.database'), ENGINES[storage.database]],
    [say('console.start.ticketStore'), ENGINES[storage.tickets]],
    [say('console.start.actionDefinitions'), actionDefinitions],
  ])}</section>`;
}

/** The overview of the console. */
export async function startPage(reader: Reader, overview: Overview): Promise<PageSent> {
  const { hours, days, refused, forOperators } = overview;
  const body = html`${figuresOf(reader, overview)}
<div class="plots">${signInPlot(reader, hours)}${signInPlot(reader, days)}</div>
${forOperators && lockOutsOf(reader, forOperators.lockOuts)}
${await refusedOf(reader, refused)}
${forOperators && serverOf(reader, forOperators.status)}`;
  return consolePage(reader, { title: reader.say('console.start'), current: START, body });
}
