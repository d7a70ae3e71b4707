import { cursorPage, cursorsOf } from '../../../../core/domain/cursor.ts';
import { isRefusal } from '../../../../core/domain/refusal.ts';
import { adminOperation, answer } from '../../../../core/operation.ts';
import { limitIn, pageArguments, pageShown } from '../../../../core/representations/admin/page.ts';
import { Type } from '../../../../core/schema.ts';
import { applicationJson, applicationShown } from '../../representations/application.ts';

const CURSORS = cursorsOf('applications', 'string');

/** Specification, section 16: list the applications that people sign in to. */
export default adminOperation({
  id: 'org/service/repository/admin/applications.get',
  summary: 'List the applications that people sign in to, by name.',
  method: 'GET',
  paths: ['/api/admin/applications'],
  role: 'operator',
  input: { query: Type.Object(pageArguments) },
  output: pageShown(applicationShown.schema, applicationJson),
  refusals: ['argument_invalid', 'cursor_invalid'],
  async perform({ input: { query }, store }) {
    const after = CURSORS.read(query.cursor);
    if (isRefusal(after)) return after;
    const [last = ''] = after ?? [];
    const rows = (await store.applications.list()).filter(({ name }) => name > last);
    return answer(cursorPage(rows, limitIn(query), CURSORS, ({ name }) => [name] as const));
  },
});
