import { cursorPage, cursorsOf } from '../../../../core/domain/cursor.ts';
import { isRefusal } from '../../../../core/domain/refusal.ts';
import { adminOperation, answer } from '../../../../core/operation.ts';
import { limitIn, pageArguments, pageShown } from '../../../../core/representations/admin/page.ts';
import { Type } from '../../../../core/schema.ts';
import { clientJson, clientShown } from '../../representations/client.ts';

const CURSORS = cursorsOf('clients', 'string');

/** Specification, section 16: list the clients that may ask about tickets. */
export default adminOperation({
  id: 'org/service/repository/admin/clients.get',
  summary: 'List the registered clients by name, without their secrets.',
  method: 'GET',
  paths: ['/api/admin/clients'],
  role: 'operator',
  input: { query: Type.Object(pageArguments) },
  output: pageShown(clientShown.schema, clientJson),
  refusals: ['argument_invalid', 'cursor_invalid'],
  async perform({ input: { query }, store }) {
    const after = CURSORS.read(query.cursor);
    if (isRefusal(after)) return after;
    const [last = ''] = after ?? [];
    // Names of clients are ASCII, where code units have the order of code points.
    const rows = (await store.clients.list()).filter(({ name }) => name > last);
    return answer(cursorPage(rows, limitIn(query), CURSORS, ({ name }) => [name] as const));
  },
});
