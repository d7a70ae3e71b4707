import { PORTAL } from '../../../../core/api.ts';
import type { RecordedEvent } from '../../../../core/domain/event.ts';
import { isRefusal } from '../../../../core/domain/refusal.ts';
import { answer, operation } from '../../../../core/operation.ts';
import type { Representation } from '../../../../core/representations/representation.ts';
import { Type } from '../../../../core/schema.ts';
import { ANY_REFUSAL } from '../../../../faces/pages/page.ts';
import { type TableColumn, tableRows } from '../../../../faces/pages/parts/list.ts';
import { adminReader } from '../../../../faces/pages/reader.ts';
import eventsStream from '../../operations/admin/events/stream.get.ts';
import { eventColumns } from './rows.ts';

/** Events that happened since the part before, and how their reader sees them. */
interface EventsForReader {
  readonly columns: readonly TableColumn<RecordedEvent>[];
  readonly events: readonly RecordedEvent[];
  readonly id: string;
}

const rowsSent: Representation<EventsForReader> = {
  schema: Type.Object({ rows: Type.String({ description: 'The rows of the table, the latest first.' }) }),
  stream: ({ columns, events, id }) => {
    const rows = () => tableRows({ columns, rows: events.toReversed() });
    return events.length === 0 ? [] : [{ id, event: 'rows', data: { rows: String(rows()) } }];
  },
};

/** New rows of the list of events, as they happen. The script of the page adds them on top. */
export default operation({
  id: 'org/service/repository/portal/console/events/stream.get',
  summary: 'Get the rows of new events.',
  lifecycle: 'public_api',
  family: 'Portal',
  api: PORTAL,
  method: 'GET',
  paths: ['/console/events/stream'],
  authentication: 'admin',
  role: 'auditor',
  transaction: 'required',
  access: 'read',
  formatStyle: 'argument',
  defaultFormat: 'stream',
  streams: true,
  input: eventsStream.input,
  output: rowsSent,
  refusals: ANY_REFUSAL,
  async perform(context) {
    const { browser, input } = context;
    const part = await (browser as NonNullable<typeof browser>).run(eventsStream, input);
    if (isRefusal(part)) return part;
    const { value: events, goesOnAt = '' } = part;
    const columns = await eventColumns(adminReader(context), events);
    return answer({ columns, events, id: goesOnAt }, { goesOnAt });
  },
});
