import type { AppPassword } from '../../../../core/domain/app-password.ts';
import { type Html, html } from '../../../../faces/pages/html.ts';
import { type Reader, shownTime } from '../../../../faces/pages/layout.ts';
import { type TableColumn, table } from '../../../../faces/pages/parts/list.ts';
import { badge } from '../../../../faces/pages/parts/notice.ts';
import type { AppPasswordInUse } from '../../rules/app-passwords-in-use.ts';

/** App passwords as a table shows them. */
interface AppPasswordsShown {
  readonly appPasswords: readonly AppPasswordInUse[];
  /** Epoch milliseconds. */
  readonly now: number;
  /** The address of the page that asks before this one is removed; undefined if the reader may not remove it. */
  readonly removal: ((name: string) => string) | undefined;
}

function endOf(reader: Reader, { expiresAt }: AppPassword, now: number): Html {
  const { say } = reader;
  if (expiresAt === undefined) return html`${say('appPasswords.never')}`;
  return html`${shownTime(expiresAt, reader)} ${expiresAt <= now && badge('bad', say('appPasswords.expired'))}`;
}

/** A table of app passwords: of the user's own, or of a user in the console. */
export function appPasswordTable(reader: Reader, { appPasswords, now, removal }: AppPasswordsShown): Html {
  const { say } = reader;
  const columns: readonly TableColumn<AppPasswordInUse>[] = [
    { heading: say('appPasswords.name'), cell: ({ name }) => name },
    { heading: say('appPasswords.made'), cell: ({ madeAt }) => shownTime(madeAt, reader) },
    { heading: say('appPasswords.ends'), cell: (each) => endOf(reader, each, now) },
    {
      heading: say('appPasswords.used'),
      cell: ({ usedAt }) => (usedAt === undefined ? say('appPasswords.unused') : shownTime(usedAt, reader)),
    },
    {
      heading: say('appPasswords.addresses'),
      cell: ({ addresses }) =>
        addresses.length === 0 ? say('appPasswords.anyAddress') : addresses.join(', '),
    },
    { heading: say('appPasswords.tickets'), cell: ({ tickets }) => tickets, isNumber: true },
  ];
  const remove: TableColumn<AppPasswordInUse> = {
    heading: say('appPasswords.remove'),
    isPlain: true,
    cell: ({ name }) => removal && html`<a href="${removal(name)}">${say('appPasswords.remove')}</a>`,
  };
  return table({
    caption: say('appPasswords.title'),
    columns: removal === undefined ? columns : [...columns, remove],
    rows: appPasswords,
    whenEmpty: say('appPasswords.none'),
  });
}
