import { cursorPage, cursorsOf } from '../../../../core/domain/cursor.ts';
import { isRefusal } from '../../../../core/domain/refusal.ts';
import { adminOperation, answer } from '../../../../core/operation.ts';
import { limitIn, pageArguments, pageShown } from '../../../../core/representations/admin/page.ts';
import { Type } from '../../../../core/schema.ts';
import { apiKeyJson, apiKeyShown } from '../../representations/api-key.ts';

const CURSORS = cursorsOf('api-keys', 'string');

/** Specification, section 16: list the API keys. */
export default adminOperation({
  id: 'org/service/repository/admin/apikeys.get',
  summary: 'List the API keys by name, without the keys themselves.',
  method: 'GET',
  paths: ['/api/admin/api-keys'],
  role: 'operator',
  input: { query: Type.Object(pageArguments) },
  output: pageShown(apiKeyShown.schema, apiKeyJson),
  refusals: ['argument_invalid', 'cursor_invalid'],
  async perform({ input: { query }, store }) {
    const after = CURSORS.read(query.cursor);
    if (isRefusal(after)) return after;
    const [last] = after ?? [];
    const all = await store.apiKeys.list();
    // Administrators make few keys, so the store gives all of them, in the order of code points.
    const at = last === undefined ? 0 : all.findIndex(({ name }) => isBehind(name, last));
    const rows = at < 0 ? [] : all.slice(at);
    return answer(cursorPage(rows, limitIn(query), CURSORS, ({ name }) => [name] as const));
  },
});

/** Names of API keys are ASCII, where code units have the order of code points. */
const isBehind = (name: string, last: string) => name > last;
