import { ADMIN } from '../../../../../core/api.ts';
import { cursorPage, cursorsOf } from '../../../../../core/domain/cursor.ts';
import { groupKey } from '../../../../../core/domain/group.ts';
import { isRefusal } from '../../../../../core/domain/refusal.ts';
import { answer, operation } from '../../../../../core/operation.ts';
import { limitIn, pageArguments, pageShown } from '../../../../../core/representations/admin/page.ts';
import { Type } from '../../../../../core/schema.ts';
import { groupJson, listedGroupShown } from '../../../representations/admin/group.ts';

const CURSORS = cursorsOf('groups', 'string');

/** Specification, section 16: list the groups. */
export default operation({
  id: 'org/service/repository/admin/groups/groups.get',
  summary: 'List the groups by name.',
  lifecycle: 'public_api',
  family: 'Administration',
  api: ADMIN,
  method: 'GET',
  paths: ['/api/admin/groups'],
  authentication: 'admin',
  role: 'operator',
  transaction: 'required',
  access: 'read',
  formatStyle: 'argument',
  defaultFormat: 'json',
  input: {
    query: Type.Object({
      ...pageArguments,
      prefix: Type.Optional(
        Type.String({ description: 'what the short names begin with', examples: ['st'] }),
      ),
    }),
  },
  output: pageShown(listedGroupShown, groupJson),
  refusals: ['argument_invalid', 'cursor_invalid'],
  async perform({ input: { query }, store }) {
    const after = CURSORS.read(query.cursor);
    if (isRefusal(after)) return after;
    const limit = limitIn(query);
    const groups = await store.groups.page(
      groupKey(query.prefix ?? ''),
      after && { key: after[0] },
      limit + 1,
    );
    return answer(cursorPage(groups, limit, CURSORS, ({ key }) => [key] as const));
  },
});
